/** What is stored about the items of a node, and that a damaged record starts empty. */
import { Ledger } from '../../../nodes/LeadGenPublishing/writes/once/ledger';
import type { FailureFacts } from '../../../nodes/LeadGenPublishing/api/failure';
import type { Done } from '../../../nodes/LeadGenPublishing/writes/once/itemState';
import type { Row } from '../../../nodes/LeadGenPublishing/writes/once/keptRow';

const done: Done = { kind: 'done', parameters: 'p', result: { kind: 'notKept' } };
const open = (context: Record<string, unknown>) => Ledger.open(context, () => 'run');

it('is found again in the context, with its seed and its items', () => {
	const context = {};
	const first = open(context);
	first.set(3, done);
	const again = open(JSON.parse(JSON.stringify(context)) as Record<string, unknown>);
	expect([again.seed, again.state(3), again.state(4)]).toEqual([
		first.seed,
		done,
		{ kind: 'untouched' },
	]);
});

it.each<[string, object]>([
	['another version', { version: 0 }],
	['no seed', { seed: 5 }],
	['no runs', { runs: 'many' }],
])('starts over where the context holds %s', (_, damage) => {
	const context: Record<string, unknown> = {};
	open(context).set(3, done);
	const [[slot = '', stored] = []] = Object.entries(context);
	const ledger = open({ [slot]: { ...(stored as object), ...damage } });
	expect(ledger.state(3)).toEqual({ kind: 'untouched' });
	expect(ledger.seed).toMatch(/^[0-9a-f-]{36}$/);
});

describe('many items', () => {
	const id = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
	const text = 'x'.repeat(900);
	const sizeWith = (count: number, row: (item: number) => Row) => {
		const context = {};
		const ledger = open(context);
		for (let item = 0; item < count; item += 1) ledger.set(item, row(item));
		const kept = Array.from({ length: count }, (_, item) => ledger.state(item));
		return { kept, size: JSON.stringify(context).length };
	};
	const facts: FailureFacts = {
		...{ kind: 'answered', endpoint: 'post.create', agency: false, attempts: 1, uncertain: true },
		...{ status: 500, code: 'internal_error', serviceMessage: 'm'.repeat(300) },
		...{ serviceDetails: { text }, details: { text }, requestId: 'req_1' },
	};
	const unknown: Row = {
		...{ kind: 'unknown', execution: '7', parameters: 'p', refusals: 0, next: 'sameRequest' },
		...{ request: { name: 'post.create', fingerprint: 'f', recognisedBy: 'k' }, facts },
	};

	it('with a record each keep some records, then IDs, then only that they are done', () => {
		const record = { id, text };
		const { kept } = sizeWith(12_000, () => ({
			...done,
			result: { kind: 'record', record },
		}));
		const kinds = kept.map((state) => (state.kind === 'done' ? state.result.kind : state.kind));
		expect(kinds[0]).toBe('record');
		expect(kinds[2_000]).toBe('id');
		expect(kinds.at(-1)).toBe('notKept');
	});

	it('keep what the node has said of a record that is no longer stored', () => {
		const said = { action: 'created', changed_fields: [] };
		const { kept } = sizeWith(2_001, () => ({
			...done,
			result: { kind: 'record', record: { id, text, ...said } },
		}));
		expect(kept.at(-1)).toEqual({ ...done, result: { kind: 'id', id, said } });
	});

	it('stay within the bound', () => {
		const record = { id, text };
		const { size } = sizeWith(12_000, () => ({ ...done, result: { kind: 'record', record } }));
		expect(size).toBeLessThan(1_000_000 + 12_000 * 75);
	});

	it('whose outcomes are unknown keep what the next attempt needs', () => {
		const { kept, size } = sizeWith(4_000, () => unknown);
		expect(kept[0]).toEqual(unknown);
		const last = kept.at(-1);
		expect(last).toMatchObject({
			...{ kind: 'unknown', next: 'sameRequest', request: { recognisedBy: 'k' } },
			facts: { status: 500, code: 'internal_error', requestId: 'req_1' },
		});
		expect(JSON.stringify(last)).not.toMatch(/xxx|mmm/);
		expect(size).toBeLessThan(1_000_000 + 4_000 * 350);
	});

	it('may be set again and again', () => {
		const context = {};
		const ledger = open(context);
		for (let time = 0; time < 3_000; time += 1)
			ledger.set(0, { ...done, result: { kind: 'record', record: { id, text } } });
		expect(ledger.state(0)).toMatchObject({ result: { kind: 'record' } });
	});
});

it('is gone with its last run', () => {
	const context = {};
	const [one, other] = ['one', 'other'].map((name) => Ledger.open(context, () => name));
	one?.set(0, done);
	other?.set(0, done);
	one?.clear();
	expect(other?.state(0)).toEqual(done);
	other?.clear();
	expect(context).toEqual({});
});
