/** What a request shows of the service to those who try it out: each attempt, and how it ended. */
import { lost, ok, pageOf, refused } from '../support/replies';
import { scriptedClient, type Script } from './scriptedN8n';

const exchanged = async (answers: Script['answers']) => {
	const { client } = await scriptedClient({ answers, settings: { timeoutMs: 1_000 } });
	const seen: unknown[] = [];
	const exchange = await client.exchange('lead.getAll', {
		witness: ({ status }) => seen.push(status),
	});
	const statuses = exchange.attempts.map(({ status }) => status);
	// Whoever watches sees the same, while it happens.
	expect(seen).toEqual(statuses);
	return { exchange, statuses };
};

it('has every attempt, and the response that ended it', async () => {
	const { exchange, statuses } = await exchanged([refused(503), lost(), pageOf([{ id: '1' }])]);
	expect(statuses).toEqual([503, undefined, 200]);
	expect(exchange).toMatchObject({ name: 'lead.getAll', body: { data: [{ id: '1' }] } });
	expect(exchange.failure).toBeUndefined();
});

it('learns the word of the network from leads, and from nothing else', async () => {
	const lead = { id: '1', pronet_profile_url: 'https://pronet.example/in/ada' };
	const { client } = await scriptedClient({ answers: [pageOf([lead])] });
	await client.exchange('activity.getAll');
	expect(client.networkWord).toBeUndefined();
	await client.exchange('lead.getAll');
	expect(client.networkWord).toBe('pronet');
});

it('has the failure that ended it', async () => {
	const { exchange, statuses } = await exchanged([refused(403, 'forbidden')]);
	expect(statuses).toEqual([403]);
	expect(exchange.failure).toMatchObject({ kind: 'answered', status: 403, code: 'forbidden' });
	expect(exchange.body).toBeUndefined();
});

it('needs nobody who watches', async () => {
	const { client } = await scriptedClient({ answers: [ok({ id: '1' })] });
	const { attempts } = await client.exchange('account.getSubject');
	expect(attempts).toHaveLength(1);
});
