/** The list of an agency's clients: how often it is asked for, and what is said when it fails. */
import { bareHost, leads, pageOf, type Answer } from './bareHost';

const ADA = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const ALL = { event: 'newLead', watch: 'allClients' };

it('is read once per poll, and the names of the items are taken from it', async () => {
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

// n8n replaces a message that holds the name of an error of its own by a general one.
describe('where the service names a failure of the network', () => {
	const refusal = {
		status: 403,
		body: { error: { code: 'forbidden', message: 'Upstream said ECONNREFUSED' } },
	};
	const answer: Answer = () => refusal;

	it.each([
		[ALL, /^"Watch" is set to "All Clients", .*Upstream said ECONNREFUSED/],
		[
			{ event: 'newLead', watch: 'clients', clientIds: [ADA] },
			/^The leads of 6f1c2f0e-.* could not be read\. .*Upstream said ECONNREFUSED/,
		],
	])('%j fails with the whole reason', async (parameters, message) => {
		await expect(bareHost({ answer, parameters }).poll()).rejects.toThrow(message);
	});
});
