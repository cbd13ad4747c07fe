/** What the ledger of an execution knows of its items, from one attempt to the next. */
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { Ledger } from '../../nodes/LeadGenPublishing/run/writeOnce/ledger';

const UUID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const NONE = () => [];
const FACTS: FailureFacts = {
	...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 400 },
	...{ retryable: false, attempts: 1, uncertain: false },
};
const attempt = (refusals = 0, facts = FACTS) => ({ execution: '1', facts, refusals });
const opened = (context: JsonRecord, run = '0/a/') => Ledger.open(context, { seed: 'seed', run });
/** Too large to be kept, so that what is kept is its ID, if it has one. */
const large = (id?: string): JsonRecord => ({
	...(id === undefined ? {} : { id }),
	text: Array.from({ length: 40_000 }, (_, index) => `${index ** 3}`).join(' '),
});
const done = (result: JsonRecord) => ({ result, readable: false, itemTexts: NONE, size: 10 });

it('remembers each item by what could be kept, after it was stored', () => {
	const context: JsonRecord = {};
	const ledger = opened(context);
	ledger.setDone(0, done({ id: UUID, text: 'A text' }));
	ledger.setDone(1, done(large(UUID)));
	ledger.setDone(2, done(large('not-a-uuid')));
	ledger.setDone(3, done(large()));
	ledger.setFailed(4, attempt(2));
	const again = opened(JSON.parse(JSON.stringify(context)) as JsonRecord);
	expect([0, 1, 2, 3, 4, 5].map((item) => again.entry(item, NONE))).toEqual([
		{ state: 'done', result: { id: UUID, text: 'A text' } },
		{ state: 'doneById', id: UUID },
		{ state: 'doneById', id: 'not-a-uuid' },
		{ state: 'doneOnly' },
		{ state: 'failed', ...attempt(2) },
		undefined,
	]);
	expect([3, 4].map((item) => again.refusals(item))).toEqual([0, 2]);
});

it('tells the failures in the order of the items, and none of an item that was carried out since', () => {
	const ledger = opened({});
	for (const item of [9, 3, 2, 1, 0, 5]) ledger.setFailed(item, attempt(item));
	const results = [{ id: UUID }, large(UUID), large('not-a-uuid'), large()];
	for (const [item, result] of results.entries()) ledger.setDone(item, done(result));
	expect([...ledger.failures()]).toEqual([
		[5, attempt(5)],
		[9, attempt(9)],
	]);
});

it.each<[string, (ledger: Ledger) => void]>([
	['a result', (ledger) => ledger.setDone(0, done({ id: UUID }))],
	['an ID', (ledger) => ledger.setDone(0, done(large(UUID)))],
	['another ID', (ledger) => ledger.setDone(0, done(large('not-a-uuid')))],
	['that something was done', (ledger) => ledger.setDone(0, done(large()))],
	['a failure', (ledger) => ledger.setFailed(0, attempt())],
])('is not empty once it knows %s', (_, learn) => {
	const ledger = opened({});
	expect(ledger.isEmpty).toBe(true);
	learn(ledger);
	expect(ledger.isEmpty).toBe(false);
});

it('keeps the runs of a node apart, and leaves nothing behind when all are cleared', () => {
	const context: JsonRecord = { others: 1 };
	const [one, other] = [opened(context, '0/a/'), opened(context, '1/a/')];
	one.setFailed(0, attempt());
	other.setFailed(0, attempt(3));
	one.clear();
	expect(opened(context, '0/a/').entry(0, NONE)).toBeUndefined();
	expect(opened(context, '1/a/').refusals(0)).toBe(3);
	for (const run of ['0/a/', '1/a/']) opened(context, run).clear();
	expect(context).toEqual({ others: 1 });
});

it.each<[string, unknown, string]>([
	['the seed it was made with', { seed: 'first', runs: {} }, 'first'],
	['the new one where none is stored', { runs: {} }, 'seed'],
	['the new one where no runs are stored', { seed: 'first', runs: null }, 'seed'],
	['the new one where something else is stored', 'odd', 'seed'],
])('has %s', (_, stored, expected) => {
	expect(opened({ leadGenPublishingWrites: stored }).seed).toBe(expected);
});

it('shortens a failure whose details are too long, but keeps it', () => {
	const ledger = opened({});
	const serviceDetails = { long: 'x'.repeat(9_000), is: true };
	ledger.setFailed(0, attempt(1, { ...FACTS, serviceDetails }));
	expect(ledger.entry(0, NONE)).toEqual({
		state: 'failed',
		...attempt(1, { ...FACTS, serviceDetails: { is: true, shortened: true } }),
	});
});
