/**
 * What a poll reports about lists that failed, and how long n8n should wait after it: what only the
 * whole trigger shows. `pollErrors.test.ts` has each cause, and the errors of many lists.
 */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { pageOf, refused, throttled, type Reply } from '../support/replies';
import { ADA, advance, ALL, BOB, CHOSEN, MINUTE, watching } from './playedTrigger';

/** How a refused list is explained. The words are those of `pollErrors.test.ts`. */
const OF_CLIENT = 'not allowed to do this for this client';
const BOBS = `Bob \\(${BOB}\\)`;

/** The report of a poll that gets this response, from a trigger that has watched before. */
async function told(
	instead: Record<string, Reply>,
	{ parameters = CHOSEN, ...service }: { parameters?: IDataObject; clients?: IDataObject[] } = {},
) {
	const node = await watching({ parameters, service });
	node.service.instead = instead;
	advance(MINUTE);
	const error: unknown = await node.poll().catch((one: unknown) => one);
	return error as { message: string; description: string; failure?: object };
}

it('of your own account, it says so', async () => {
	expect(await told({ '/leads': refused(403, 'forbidden') }, { parameters: OWN })).toMatchObject({
		message: expect.stringContaining('leads of your own account') as string,
		failure: { cause: 'configuration-invalid' },
	});
});

it('of a filter that the service rejects, it names the filter', async () => {
	const parameters = { event: 'newActivity', watch: 'own', filters: { source: 'odd' } };
	const { description } = await told({ '/activity': refused(400, 'bad_request') }, { parameters });
	expect(description).toMatch(/^Check the filter "Source"\.\n.* Request ID: /);
});

it('of a client, it names the client and the remedy, and says that the others are watched', async () => {
	const error = await told({ [`${BOB}/leads`]: refused(403, 'forbidden') });
	expect(error.message).toMatch(new RegExp(`${BOBS} .* ${OF_CLIENT}`));
	expect(error.description).toMatch(
		/ \(forbidden\)\n.* grant.*\nThe other lists are watched .* Request ID: /,
	);
	expect(error.failure).toBeUndefined();
});

it('it names the list of clients beside others, and each once', async () => {
	const instead = {
		'/clients': refused(403, 'forbidden'),
		[`${BOB}/leads`]: refused(403, 'forbidden'),
	};
	const { message, description } = await told(instead, { parameters: ALL });
	const both = new RegExp(`${BOBS} .* ${OF_CLIENT}.* list of clients `);
	expect(message).toMatch(both);
	expect(message.match(/list of clients/g)).toHaveLength(1);
	expect(description).toMatch(/^the list of clients: /m);
});

it('other reports follow, with the account that they are about', async () => {
	const instead = { [`${ADA}/leads`]: refused(403, 'forbidden'), [`${BOB}/leads`]: pageOf([{}]) };
	expect((await told(instead)).message).toMatch(
		/^The leads of Ada \(.*client: No\. Bob \(.*\): The trigger ignores an entry/,
	);
});

it('if all lists have to wait, it tells n8n to wait until the first of them may be read', async () => {
	const one = await told({ [`${BOB}/leads`]: throttled(3_601) });
	expect(one.message).toMatch(new RegExp(BOBS));
	expect(one.failure).toBeUndefined();
	const instead = { [`${ADA}/leads`]: throttled(7_200), [`${BOB}/leads`]: throttled(3_601) };
	const both = await told(instead);
	expect(both.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_601_000 });
	const own = await told({ '/leads': throttled(3_601) }, { parameters: OWN });
	expect(own.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_601_000 });
});

/** n8n would pause the trigger for half an hour, although the next poll may succeed. */
it.each<[string, Reply]>([
	['a page that is no answer of the service (403)', { status: 403, body: '<html>No</html>' }],
	['a page that is no answer of the service (404)', { status: 404, body: '<html>No</html>' }],
	['a list that is not found', refused(404, 'not_found')],
	['a request that is refused', refused(400, 'bad_request')],
])('of %s, it carries nothing that n8n pauses for', async (_, reply) => {
	for (const parameters of [OWN, CHOSEN, { ...CHOSEN, clientIds: [BOB] }]) {
		const error: unknown = await told({ '/leads': reply }, { parameters });
		const codes: unknown[] = [];
		for (let one = error; one instanceof Error; one = one.cause) {
			const { failure, httpCode } = one as { failure?: { cause?: string }; httpCode?: unknown };
			codes.push(failure?.cause, httpCode ?? undefined);
		}
		expect(new Set(codes)).toEqual(new Set([undefined]));
	}
});
