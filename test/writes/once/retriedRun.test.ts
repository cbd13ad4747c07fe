/** Which run a call of the node continues: in a workflow by its index, as a tool also by what it does. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { nodeRunOf } from '../../../nodes/LeadGenPublishing/n8n/execution';
import type { Done, Refused } from '../../../nodes/LeadGenPublishing/writes/once/itemState';
import { openRun, type RetriedRun } from '../../../nodes/LeadGenPublishing/writes/once/retriedRun';
import { failure } from '../../operations/itemScene';

const DONE: Done = { kind: 'done', parameters: 'p', result: { kind: 'notKept' } };
const FAILED: Refused = {
	...{ kind: 'refused', execution: '7', refusals: 1 },
	facts: failure(403).facts,
};

interface Call {
	readonly context?: object;
	readonly type?: 'action' | 'tool';
	/** Undefined in an n8n that does not have the function. */
	readonly isDirect?: boolean | undefined;
	readonly index?: number | undefined;
	/** The input of all tries of a call is one object. */
	readonly input?: object;
	readonly items?: number;
	/** What is sent, as text. */
	readonly sends?: string;
}

function open({ type = 'action', items = 1, ...call }: Call = {}): RetriedRun {
	const { context = {}, input = {}, sends = 'A post' } = call;
	const functions = {
		getContext: () => context,
		getInputData: () => Array.from({ length: items }, () => ({ json: input })),
		getWorkflowDataProxy: () => ({ $runIndex: 'index' in call ? call.index : 0 }),
		getNode: () => ({ id: 'n', name: 'Node', type: type === 'tool' ? 'x.nodeTool' : 'x.node' }),
		getExecutionId: () => '7',
		...('isDirect' in call && { isToolExecution: () => call.isDirect }),
	} as unknown as IExecuteFunctions;
	return openRun(nodeRunOf(functions), { what: 'post.create', deciding: () => [sends] });
}
const nameOf = (call: Call): string => open(call).ledger.runName;

it('in a workflow, each round of a loop has its own', () => {
	const context = {};
	expect([0, 1].map((index) => nameOf({ context, index }))).toEqual([
		'0/post.create/',
		'1/post.create/',
	]);
	open({ context }).ledger.set(0, FAILED);
	expect(nameOf({ context, sends: 'Another post' })).toBe('0/post.create/');
	expect(open({ context }).ledger.state(0)).toEqual(FAILED);
});

describe('as a tool that n8n runs as a node', () => {
	const tool = { type: 'tool' } as const;

	it.each([{}, { isDirect: false }])('continues the run of its index: %j', (n8n) => {
		const context = {};
		open({ ...tool, ...n8n, context }).ledger.set(0, DONE);
		const again = open({ ...tool, ...n8n, context, sends: 'Another post' });
		expect(again.ledger.state(0)).toEqual(DONE);
		expect(nameOf({ ...tool, ...n8n, context, index: 1, sends: 'Third' })).toBe('1/post.create/');
	});
});

describe('as a tool that an agent calls directly', () => {
	const direct = { type: 'tool', isDirect: true } as const;

	it('a try continues the run of its call, whatever its parameters have become', () => {
		const [context, input] = [{}, {}];
		open({ ...direct, context, input }).ledger.set(0, DONE);
		const again = open({ ...direct, context, input, index: 1, sends: 'At another time' });
		expect(again.ledger.state(0)).toEqual(DONE);
	});

	it('a call that does the same as one that failed continues it', () => {
		const context = {};
		for (const index of [0, 1]) {
			const run = open({ ...direct, context, index, sends: `${index}` });
			run.ledger.set(0, FAILED);
			run.ledger.set(1, DONE);
		}
		expect(nameOf({ ...direct, context, index: 5, sends: '0' })).toBe('0/post.create/');
		expect(nameOf({ ...direct, context, index: 5, sends: '1' })).toBe('1/post.create/');
	});

	it('of two calls at once that did the same and failed, the later one is continued', () => {
		const context = {};
		const runs = [0, 1].map((index) => open({ ...direct, context, index }));
		for (const { ledger } of runs) ledger.set(0, FAILED);
		expect(nameOf({ ...direct, context, index: 2 })).toBe('1/post.create/');
	});

	it('a call that does the same as one that has succeeded is a new one', () => {
		const context = {};
		open({ ...direct, context }).ledger.set(0, DONE);
		expect(nameOf({ ...direct, context, index: 1 })).toBe('1/post.create/');
	});

	it('a call that does something else is a new one, even with the same index', () => {
		const context = {};
		open({ ...direct, context }).ledger.set(0, FAILED);
		const other = open({ ...direct, context, sends: 'Another post' });
		expect([other.ledger.runName, other.ledger.isEmpty]).toEqual(['0/post.create//', true]);
	});

	it('a call without items is one as well', () => {
		expect(nameOf({ ...direct, items: 0 })).toBe('0/post.create/');
	});
});

it('without an index it is the first', () => {
	expect(nameOf({ index: undefined })).toBe('0/post.create/');
});

it('keys differ by item, by round, by operation and by rejection, and not by try', () => {
	const context = {};
	const first = open({ context });
	const keys = [
		first.keyOf(0),
		first.keyOf(1),
		open({ context, index: 1 }).keyOf(0),
		open({}).keyOf(0),
	];
	expect(new Set(keys).size).toBe(4);
	expect(open({ context }).keyOf(0)).toBe(keys[0]);
	first.ledger.set(0, FAILED);
	expect(first.keyOf(0)).not.toBe(keys[0]);
});
