/**
 * `runPoll.ts` simulates how n8n stores a trigger's state, because n8n's application is not
 * installed. The rest of the engine is n8n's own, and the tests of the nodes run it.
 */
import { type INodeType, NodeConnectionTypes } from 'n8n-workflow';

import { pollRegistration } from './engine';

/** One letter for each poll: an item (`i`), nothing (`n`) or an error (`e`). */
class Counter implements INodeType {
	description: INodeType['description'] = {
		...{ displayName: 'Counter', name: 'counter', version: 1, description: 'Counts its polls' },
		...{ group: ['trigger'], polling: true, defaults: {}, inputs: [] },
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Ways', name: 'ways', type: 'string', default: 'i' }],
	};

	poll: NonNullable<INodeType['poll']> = async function () {
		const state = this.getWorkflowStaticData('node');
		const count = Number(state.count ?? 0) + 1;
		state.count = count;
		const ways = this.getNodeParameter('ways') as string;
		const way = ways[(count - 1) % ways.length];
		if (way === 'e') throw new Error('It failed');
		if (way === 'n') return null;
		return [[{ json: { count } }]];
	};
}

describe('a trigger polled on the engine', () => {
	/** What is stored after the activation and each poll, and what the last one, after a crash, counts. */
	it.each([
		['inMemory', 'in', [1, 1, 3, 3], 4],
		['inMemory', 'n', [1, 1, 1, 1], 2],
		['durable', 'n', [1, 1, 1, 1], 2],
		['durableCursors', 'n', [undefined, 1, 2, 3], 4],
		['durable', 'e', [undefined, undefined, undefined, undefined], 1],
		['durableCursors', 'e', [undefined, undefined, undefined, undefined], 1],
	] as const)('keeps its state %s, when it gives %s', async (...row) => {
		const [durability, ways, expected, last] = row;
		const subject = { node: Counter, parameters: { ways }, durability };
		const polls = pollRegistration(subject);
		const stored: unknown[] = [];
		for (let poll = 0; poll < 4; poll += 1) {
			await (poll === 0 ? polls.activate() : polls.tick());
			stored.push(polls.stored?.count);
		}
		const again = pollRegistration({ ...subject, stored: polls.stored });
		expect([stored, (await again.tick()).staticData.count]).toEqual([expected, last]);
	});
});
