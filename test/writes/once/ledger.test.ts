/** What is stored about the items of a node, and that a damaged record starts empty. */
import { Ledger } from '../../../nodes/LeadGenPublishing/writes/once/ledger';
import type { Done } from '../../../nodes/LeadGenPublishing/writes/once/itemState';

const done: Done = { kind: 'done', parameters: 'p', result: { kind: 'tooLarge' } };
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
])('begins anew where the context holds %s', (_, damage) => {
	const context: Record<string, unknown> = {};
	open(context).set(3, done);
	const [[slot = '', stored] = []] = Object.entries(context);
	const ledger = open({ [slot]: { ...(stored as object), ...damage } });
	expect(ledger.state(3)).toEqual({ kind: 'untouched' });
	expect(ledger.seed).toMatch(/^[0-9a-f-]{36}$/);
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
