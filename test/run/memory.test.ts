/** To which writes the memory of an execution belongs, and what makes their keys different. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isUuid } from '../../nodes/LeadGenPublishing/api/route';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/define';
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
}

function opened({
	instance = 'instance',
	workflow = 'workflow',
	execution = '7',
	run,
	node = { id: 'node', name: 'Node' },
	context = {},
	operation = WRITE,
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
		getNode: () => node,
		getInputData: () => [{}, {}, {}],
	};
	const memory = openMemory(
		functions as unknown as IExecuteFunctions,
		operation as unknown as Operation,
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
