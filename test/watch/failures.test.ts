/** What a poll reports about lists that failed, and how long n8n should wait after it. */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { pageOf, refused, throttled, type Reply } from '../support/replies';
import {
	ADA,
	advance,
	ALL,
	BOB,
	CHOSEN,
	clientOf,
	MINUTE,
	numbered,
	watching,
} from './playedTrigger';

const REFUSED = 'The API key is not allowed to do this for this client: No.';
const TRY_AGAIN =
	'The trigger tries again on its own. Everything that arrives in the meantime is delivered then.';
const GO_ON = `The other lists are watched as usual. ${TRY_AGAIN}`;
const REMEDY =
	'The key needs the scope leads:read (or *). For a client, it also needs an active grant. Check the grant status with Client > Get Many.';
const BOBS = `Bob (${BOB})`;

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
		message:
			'The leads of your own account could not be read. The API key is not allowed to do this: No.',
		failure: { cause: 'configuration-invalid' },
	});
});

it('of a filter that the service rejects, it names the filter', async () => {
	const parameters = { event: 'newActivity', watch: 'own', filters: { source: 'odd' } };
	const { description } = await told({ '/activity': refused(400, 'bad_request') }, { parameters });
	expect(description).toMatch(
		/^Check the filter "Source"\.\nThe trigger tries again on its own\. .* Request ID: /,
	);
});

it('of a client, it names the client and the remedy, and says that the others are watched', async () => {
	const error = await told({ [`${BOB}/leads`]: refused(403, 'forbidden') });
	expect(error).toMatchObject({
		message: `The leads of ${BOBS} could not be read. ${REFUSED}`,
		description: expect.stringContaining(
			`${BOBS}: ${REFUSED} (forbidden)\n${REMEDY}\n${GO_ON} Request ID: `,
		) as string,
	});
	expect(error.failure).toBeUndefined();
});

it('it names ten in its message and its description, and counts the others', async () => {
	const clients = numbered(12, 10).map((end) => clientOf(ADA.replace(/..$/, end), `C${end}`));
	const parameters = { ...CHOSEN, clientIds: clients.map(({ user_id }) => user_id) };
	const { message, description } = await told(
		{ '/leads': refused(403, 'forbidden') },
		{ clients, parameters: parameters as IDataObject },
	);
	const one = 'C\\d\\d \\(6f1c[0-9a-f-]{32}\\)';
	expect(message).toMatch(
		new RegExp(`^The leads of 12 accounts could not be read: (${one}, ){10}and 2 more\\. The API`),
	);
	expect(message.length).toBeLessThanOrEqual(800);
	const lines = description.split('\n');
	// None of the lists is watched as usual.
	expect(lines.slice(10)).toEqual(['and 2 more', REMEDY, TRY_AGAIN]);
	for (const line of lines.slice(0, 10)) expect(line).toMatch(new RegExp(`^${one}: The API key`));
});

it('it names the list of clients beside others, and each once', async () => {
	const instead = {
		'/clients': refused(403, 'forbidden'),
		[`${BOB}/leads`]: refused(403, 'forbidden'),
	};
	const { message, description } = await told(instead, { parameters: ALL });
	expect(message).toBe(
		`The leads of ${BOBS} could not be read. ${REFUSED} The list of clients could not be read. The API key is not allowed to do this: No.`,
	);
	expect(description).toContain('the list of clients: The API key is not allowed to do this: No.');
});

it('other reports follow, with the account that they are about', async () => {
	const instead = { [`${ADA}/leads`]: refused(403, 'forbidden'), [`${BOB}/leads`]: pageOf([{}]) };
	expect((await told(instead)).message).toMatch(
		/^The leads of Ada \(.*\) could not be read\. The .* client: No\. Bob \(.*\): An entry without/,
	);
});

it('if all lists have to wait, it tells n8n to wait until the first of them may be read', async () => {
	const one = await told({ [`${BOB}/leads`]: throttled(3_601) });
	expect(one.message).toContain(`The leads of ${BOBS} could not be read.`);
	expect(one.failure).toBeUndefined();
	const instead = { [`${ADA}/leads`]: throttled(7_200), [`${BOB}/leads`]: throttled(3_601) };
	const both = await told(instead);
	expect(both.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_601_000 });
	const own = await told({ '/leads': throttled(3_601) }, { parameters: OWN });
	expect(own.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_601_000 });
});

it('the only client is also named, and n8n may wait if the service definitely refuses access', async () => {
	const parameters = { ...CHOSEN, clientIds: [BOB] };
	expect(await told({ '/leads': refused(403, 'forbidden') }, { parameters })).toMatchObject({
		message: `The leads of ${BOBS} could not be read. ${REFUSED}`,
		failure: { cause: 'configuration-invalid' },
	});
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
