/**
 * How n8n keeps a trigger's state is played by `runPoll.ts`, since n8n's application is not installed.
 * All else of the engine is n8n's own, and is run by the tests of the nodes.
 */
import {
	type INodeType,
	type INodeTypeDescription,
	NodeApiError,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { pollRegistration, runPoll } from './engine';

class Counter implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Counter',
		name: 'counter',
		group: ['trigger'],
		version: 1,
		description: 'Counts its polls',
		polling: true,
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Way', name: 'way', type: 'string', default: 'echo' }],
	};

	poll: NonNullable<INodeType['poll']> = async function () {
		const state = this.getWorkflowStaticData('node');
		const count = Number(state.count ?? 0) + 1;
		state.count = count;
		const way = this.getNodeParameter('way') as string;
		if (way === 'fail') {
			throw new NodeApiError(this.getNode(), { message: 'too many' }, { httpCode: '429' });
		}
		if (way === 'nothing' || (way === 'odd' && count % 2 === 0)) return null;
		return [[{ json: { count, mode: this.getMode(), budget: this.getPollBudgetMs?.() } }]];
	};
}

describe('a trigger polled on the engine', () => {
	it('reads and writes its static data', async () => {
		const first = await runPoll({ node: Counter });
		expect(first.items?.[0]?.json).toEqual({ count: 1, mode: 'trigger', budget: 300_000 });
		expect(first).toMatchObject({ staticData: { count: 1 }, changed: true });

		const { staticData } = first;
		const second = await runPoll({ node: Counter, staticData, budgetMs: 36_000 });
		expect(second.items?.[0]?.json).toMatchObject({ count: 2, budget: 36_000 });
		expect(staticData).toEqual({ count: 1 });
	});

	it('hands back null and errors', async () => {
		const nothing = await runPoll({ node: Counter, parameters: { way: 'nothing' } });
		expect(nothing).toMatchObject({ items: null, outputs: null });
		const failing = await runPoll({ node: Counter, parameters: { way: 'fail' } });
		expect(failing.error).toMatchObject({ name: 'NodeApiError', httpCode: '429' });
	});

	it('polls manually', async () => {
		const run = await runPoll({ node: Counter, mode: 'manual' });
		expect(run.items?.[0]?.json.mode).toBe('manual');
	});

	it('keeps the state in memory, and loses what only null polls wrote, in a crash', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'odd' },
			durability: 'inMemory',
		});
		await polls.activate();
		expect(polls.stored).toEqual({ count: 1 });
		await polls.tick();
		expect(polls.stored).toEqual({ count: 1 });
		expect((await polls.tick()).staticData).toEqual({ count: 3 });
		expect(polls.stored).toEqual({ count: 3 });
		await polls.tick();
		polls.crash();
		expect((await polls.tick()).staticData).toEqual({ count: 4 });
	});

	it('starts every durable poll from what is stored', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'nothing' },
			durability: 'durable',
		});
		await polls.activate();
		await polls.tick();
		await polls.tick();
		expect(polls.stored).toEqual({ count: 1 });
	});

	it('commits a cursor without items, the activation excepted', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'nothing' },
			durability: 'durableCursors',
		});
		await polls.activate();
		expect(polls.stored).toBeUndefined();
		await polls.tick();
		await polls.tick();
		expect(polls.stored).toEqual({ count: 2 });
	});

	it.each(['durable', 'durableCursors'] as const)(
		'drops a thrown poll (%s)',
		async (durability) => {
			const polls = pollRegistration({ node: Counter, parameters: { way: 'fail' }, durability });
			await polls.tick();
			expect(polls.stored).toBeUndefined();
		},
	);
});
