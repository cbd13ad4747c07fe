/** The lists of an agency: how often its clients are asked for, and what is said when one fails. */
import { bareHost, leads, pageOf, refusalOf, type Answer } from './bareHost';

const ADA = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const ALL = { event: 'newLead', watch: 'allClients' };

it('the list of clients is read once per poll, and the names of the items are taken from it', async () => {
	let ids = ['a'];
	const node = bareHost({
		parameters: ALL,
		answer: ({ path }) =>
			path === '/clients'
				? pageOf([{ user_id: ADA, full_name: 'Ada', grant: { status: 'active' } }])
				: pageOf(leads(...ids)),
	});
	await node.poll();
	for (const id of ['b', 'c']) {
		ids = [id, ...ids];
		node.takeAsked();
		expect(await node.poll()).toMatchObject([{ id, client_name: 'Ada' }]);
		expect(node.takeAsked().filter(({ path }) => path === '/clients')).toHaveLength(1);
	}
});

it('a client whose list fails is called by its name, which is read for that', async () => {
	let fails = false;
	const node = bareHost({
		...{ parameters: { event: 'newLead', watch: 'clients', clientIds: [ADA] }, budgetMs: 36_000 },
		answer: ({ path }) => {
			if (path === '/clients') return pageOf([{ user_id: ADA, full_name: 'Ada' }]);
			return fails ? refusalOf(403) : pageOf(leads('a'));
		},
	});
	await node.poll();
	fails = true;
	await expect(node.poll()).rejects.toThrow(`The leads of Ada (${ADA}) could not be read. `);
});

it('the list of clients is given up where it does not answer within its share of the poll', async () => {
	const node = bareHost({
		...{ parameters: ALL, budgetMs: 300 },
		answer: async () => await new Promise<never>(() => undefined),
	});
	expect([await node.poll(), await node.poll()]).toEqual([null, null]);
	await expect(node.poll()).rejects.toThrow(/no answer within the time of one poll/);
});

describe.each([
	['a redirect', { status: 302, body: {} }, /redirect.*not followed/, /final address.*Base URL/],
	['no API', { status: 404, body: {} }, /is not one of this API/, /Base URL/],
	['no such list', refusalOf(404, 'not_found'), /found nothing there/, /Base URL/],
])('a base URL at which there is %s', (_, reply, message, description) => {
	it.each(['trigger', 'manual'] as const)(
		'is not called a key without rights (%s)',
		async (mode) => {
			const node = bareHost({ answer: () => reply, parameters: ALL, mode });
			const error: unknown = await node.poll().catch((one: unknown) => one);
			expect(error).toMatchObject({
				message: expect.stringMatching(message) as string,
				description: expect.stringMatching(description) as string,
			});
			expect((error as Error).message).not.toMatch(/"All Clients"/);
		},
	);
});

// n8n replaces a message that holds the name of an error of its own by a general one.
describe('where the service names a failure of the network', () => {
	const refusal = {
		status: 403,
		body: { error: { code: 'forbidden', message: 'Upstream said ECONNREFUSED' } },
	};
	const answer: Answer = () => refusal;

	it('the list of clients fails with the whole reason', async () => {
		const node = bareHost({ answer, parameters: ALL });
		await expect(node.poll()).rejects.toThrow(
			/^"Watch" is set to "All Clients", .*Upstream said ECONNREFUSED/,
		);
		// Nor is it asked for a second time, for names.
		expect(node.asked.map(({ path }) => path)).toEqual(['/clients']);
	});

	it.each([
		['newLead', 'leads'],
		['newActivity', 'activity'],
		['postStatusChanged', 'posts'],
	])('so does the list of a client on %s, which is called the %s', async (event, records) => {
		const parameters = { event, watch: 'clients', clientIds: [ADA] };
		const message = await bareHost({ answer, parameters })
			.poll()
			.catch((error: unknown) => (error as Error).message);
		expect(message).toMatch(/Upstream said ECONNREFUSED/);
		expect(message).toContain(`The ${records} of ${ADA} could not be read. `);
	});
});
