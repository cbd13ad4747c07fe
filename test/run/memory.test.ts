/** To which writes the memory of an execution belongs, and what makes their keys different. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isUuid } from '../../nodes/LeadGenPublishing/api/route';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/define';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import type { FailedAttempt } from '../../nodes/LeadGenPublishing/run/writeOnce/entries';
import { openMemory } from '../../nodes/LeadGenPublishing/run/writeOnce/memory';

const NONE = () => [];
const WRITE = { kind: 'write', value: 'create', endpoints: ['post.create', 'post.getAll'] };

interface Where {
	readonly instance?: string | null;
	readonly workflow?: string;
	readonly execution?: string;
	readonly run?: number;
	readonly node?: { id?: string; name: string };
	readonly context?: JsonRecord;
	readonly operation?: Record<string, unknown>;
	/** What the parameters of a tool evaluate to. */
	readonly tool?: Record<string, unknown>;
	/** Whether n8n says so, too. */
	readonly isToolExecution?: boolean;
	readonly input?: object;
}

function opened({
	instance = 'instance',
	workflow = 'workflow',
	execution = '7',
	run,
	node = { id: 'node', name: 'Node' },
	context = {},
	operation = WRITE,
	tool,
	isToolExecution,
	input = {},
}: Where = {}) {
	const asked: string[] = [];
	const functions = {
		getContext: (of: string) => {
			asked.push(of);
			return context;
		},
		getExecutionId: () => execution,
		...(instance === null ? {} : { getInstanceId: () => instance }),
		getWorkflow: () => ({ id: workflow === '' ? undefined : workflow }),
		getWorkflowDataProxy: (item: number) => ({ $runIndex: item === 0 ? run : 'of an item' }),
		getNode: () => ({
			...node,
			type: tool === undefined ? 'x' : 'xTool',
			parameters: { ...tool },
		}),
		getInputData: () => [{ json: input }, {}, {}],
		...(isToolExecution === undefined ? {} : { isToolExecution: () => isToolExecution }),
	};
	const values = new Values((name) => {
		const value = tool?.[name];
		if (value instanceof Error) throw value;
		return value;
	});
	const memory = openMemory(
		functions as unknown as IExecuteFunctions,
		operation as unknown as Operation,
		[values],
	);
	return { ...memory, asked, context };
}
const seedOf = (where: Where) => opened(where).ledger.seed;

it('is kept in the context of the node, for writes alone', () => {
	const write = opened();
	expect(write.asked).toEqual(['node']);
	expect(Object.keys(write.context)).toEqual(['leadGenPublishingWrites']);
	expect([write.execution, write.size, write.nodeId]).toEqual(['7', 3, 'node']);
	for (const kind of ['read', 'local']) {
		const other = opened({ operation: { ...WRITE, kind } });
		expect([other.asked, other.context, other.execution]).toEqual([[], {}, '']);
	}
});

it('has one seed for each execution, which no other one has', () => {
	expect(seedOf({})).toBe(seedOf({ run: 3 }));
	const seeds = [
		seedOf({}),
		seedOf({ instance: 'another' }),
		seedOf({ instance: null }),
		seedOf({ workflow: 'another' }),
		seedOf({ workflow: '' }),
		seedOf({ execution: '8' }),
	];
	expect(new Set(seeds).size).toBe(seeds.length);
	expect(seedOf({ instance: null })).toBe(seedOf({ instance: '' }));
	expect(seedOf({ workflow: '' })).toBe(seedOf({ workflow: '' }));
});

it('has a seed of its own where the execution has no name', () => {
	const [one, other] = [seedOf({ execution: '' }), seedOf({ execution: '' })];
	expect([isUuid(one), one === other]).toEqual([true, false]);
});

it('keeps the seed that it was begun with', () => {
	const { context, ledger } = opened();
	expect(opened({ context, execution: '8' }).ledger.seed).toBe(ledger.seed);
});

it('names its items by run and operation', () => {
	expect(opened().keyOf(4)).toBe('0/post.create/4');
	expect(opened({ run: 2 }).keyOf(0)).toBe('2/post.create/0');
	expect(opened({ operation: { ...WRITE, endpoints: [] } }).keyOf(1)).toBe('0/create/1');
});

it('tells runs and operations apart', () => {
	const context: JsonRecord = {};
	const done = { result: { id: 'x' }, readable: false, itemTexts: NONE, size: 1 };
	opened({ context }).ledger.setDone(0, done);
	const other = { ...WRITE, endpoints: ['leadMagnet.create'] };
	const known = [{}, { run: 1 }, { operation: other }].map(
		(where) => opened({ context, ...where }).ledger.entry(0, NONE)?.state,
	);
	expect(known).toEqual(['done', undefined, undefined]);
});

it('calls a node by its ID, or by its name where it has none', () => {
	expect(opened({ node: { name: 'Node' } }).nodeId).toBe('Node');
	expect(opened({ node: { id: '', name: 'Node' } }).nodeId).toBe('Node');
});

describe('of a tool', () => {
	const LOST: FailedAttempt = {
		...{ execution: '7', refusals: 0, mayHaveSucceeded: 'unkeyed' },
		facts: {
			...{ kind: 'unreachable', endpoint: 'post.create', agency: false },
			...{ retryable: true, attempts: 1, uncertain: true },
		},
	};
	const calls = (isToolExecution?: boolean) => {
		const context: JsonRecord = {};
		return (text: unknown, where: Where = {}) => {
			const memory = opened({ context, isToolExecution, tool: { text }, ...where });
			return {
				run: memory.keyOf(0).split('/post.create/')[0],
				key: memory.keyOf(0),
				ledger: memory.ledger,
				fail: () => memory.ledger.setFailed(0, LOST),
			};
		};
	};
	const versions = [
		['says which calls are those of a tool', true],
		['does not say it', undefined],
	] as const;

	describe.each(versions)('in an n8n that %s', (_, isToolExecution) => {
		it('all tries of a call are one run, whatever their parameters are by now', () => {
			const call = calls(isToolExecution);
			const input = {};
			const first = call('at 1', { input });
			expect(call('at 2', { input, run: 1 }).key).toBe(first.key);
			first.fail();
			expect(call('at 3', { input, run: 2 }).key).toBe(first.key);
			first.ledger.clear();
			expect(call('at 4', { input, run: 3 }).run).toBe('3');
		});

		it('a further call belongs to the newest one that did the same and has failed', () => {
			const call = calls(isToolExecution);
			const runs = [0, 1, 2].map((run) => call('same', { run }));
			// Those that have not failed may still be running.
			expect(runs.map(({ run }) => run)).toEqual(['0', '1', '2']);
			runs[0]?.fail();
			runs[1]?.fail();
			expect(call('same', { run: 3 }).run).toBe('1');
			expect(call('other', { run: 4 }).run).toBe('4');
			expect(call(new Error('unreadable'), { run: 5 }).run).toBe('5');
			const operation = { ...WRITE, endpoints: ['leadMagnet.create'] };
			expect(call('same', { run: 6, operation }).key).toBe('6/leadMagnet.create/0');
		});

		it('calls that share a run share its memory, since they may overlap', () => {
			const call = calls(isToolExecution);
			call('same').fail();
			const [one, other] = [1, 2].map((run) => call('same', { run }));
			one?.fail();
			expect(other?.ledger).toBe(one?.ledger);
		});
	});

	it('agents side by side, whose calls have the same index, share no run', () => {
		const call = calls(true);
		const keys = ['one', 'other', 'other'].map((text) => call(text).key);
		expect(keys).toEqual(['0/post.create/0', '0/post.create//0', '0/post.create///0']);
	});

	it('a call that is a run of its own keeps it when the execution is retried', () => {
		const call = calls();
		call('at 1').fail();
		expect(call('at 2').key).toBe('0/post.create/0');
	});
});
