/** Which records of a page are delivered, and in which order, and what is remembered of the others. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	Findings,
	selectDeliveries,
	type ReadPhase,
	type Selection,
} from '../../../nodes/LeadGenPublishing/watch/list/diff';
import { rulesFor, type ListRules } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { statusHash } from '../../../nodes/LeadGenPublishing/watch/store/fingerprint';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import { newLeads } from '../pollHelpers';
import { byKeyword } from '../readings';

const posts = rulesFor('postStatusChanged', {});
const [HELD_BACK, PASSES] = [0, 1];

interface Page {
	phase?: ReadPhase;
	offset?: number;
	records: readonly JsonRecord[];
}

function findingsOf(
	pages: readonly Page[],
	{
		rules = newLeads,
		known = {},
		rememberOnly = false,
	}: { rules?: ListRules; known?: Record<string, number>; rememberOnly?: boolean } = {},
): Findings {
	const values = Object.entries(known).map(([id, value]) => [hash53(id), value] as const);
	const seen = SeenSet.empty(rules.width).with(new Map(values));
	const findings = new Findings(seen, rules, { rememberOnly });
	for (const { phase = 'head', offset = 0, records } of pages) {
		const entries = records.map((record) => ({ hash: hash53(String(record.id)), record }));
		findings.addPage({ offset, asked: 100, entries, limit: 100, more: true }, phase);
	}
	return findings;
}

const named = (...ids: string[]): JsonRecord[] => ids.map((id) => ({ id }));
const matching = (...ids: string[]) => ids.map((id) => ({ id, latest_keyword: 'GUIDE' }));
const idsOf = (list: ReadonlyArray<{ record: JsonRecord }>) => list.map(({ record }) => record.id);
const select = (
	findings: Findings,
	{ rules = newLeads, quota = 100, room = 100 } = {},
): Selection => selectDeliveries(findings, rules, { quota, room });
const changesOf = ({ changes }: Selection, ...ids: string[]): unknown[] =>
	ids.map((id) => changes.get(hash53(id)));

describe('what is delivered comes in the order of the list', () => {
	const [upper, lower] = [named('a', 'b'), named('c', 'd')];

	it.each<[ReadPhase, string[]]>([
		['baseline', ['a', 'b', 'c', 'd']],
		['check', ['a', 'b', 'c', 'd']],
		['tail', ['a', 'b', 'c', 'd']],
		['head', ['d', 'c', 'b', 'a']],
	])('if it was met by the %s, in whatever order', (phase, expected) => {
		const pages = [
			{ phase, offset: 100, records: lower },
			{ phase, offset: 10, records: upper },
		];
		expect(idsOf(select(findingsOf(pages)).delivered)).toEqual(expected);
		expect(idsOf(select(findingsOf(pages.toReversed())).delivered)).toEqual(expected);
	});

	it('if its head was met, but it has grown at its end', () => {
		const findings = findingsOf([{ records: [...upper, ...lower] }]);
		findings.grewAtEnd = true;
		expect(idsOf(select(findings).delivered)).toEqual(['a', 'b', 'c', 'd']);
	});

	it('the deepest first: what the check met before the tail, and the head last', () => {
		const findings = findingsOf([
			{ phase: 'head', offset: 0, records: named('h') },
			{ phase: 'tail', offset: 300, records: named('t') },
			{ phase: 'check', offset: 200, records: named('c') },
		]);
		expect(idsOf(select(findings).delivered)).toEqual(['c', 't', 'h']);
	});

	it('of time, if each record says when it happened', () => {
		const at = (id: string, created_at?: string) => ({ id, created_at });
		const dated = [at('a', '2030-01-02'), at('b', '2030-01-03'), at('c', '2030-01-01')];
		expect(idsOf(select(findingsOf([{ records: dated }])).delivered)).toEqual(['c', 'a', 'b']);
		const partly = [...dated, at('d')];
		const { delivered } = select(findingsOf([{ records: partly }]));
		expect(idsOf(delivered)).toEqual(['d', 'c', 'b', 'a']);
	});
});

it('a record is compared once, by what it was met for first, and none that has no ID', () => {
	const findings = findingsOf([
		{ phase: 'tail', records: named('a') },
		{ phase: 'head', records: named('a', 'b') },
	]);
	expect(findings.unknownByPhase).toEqual({ head: 1, tail: 1, check: 0, baseline: 0 });
	const entries = [{ hash: 1, record: {}, withoutId: true as const }];
	findings.addPage({ offset: 0, asked: 100, entries, limit: 100, more: false }, 'head');
	expect([findings.unknown, findings.wasFound(1)]).toEqual([2, false]);
	expect(idsOf(select(findings).delivered)).toEqual(['a', 'b']);
});

describe('a filter', () => {
	const rules = byKeyword;

	it.each<[string, number | undefined, JsonRecord[], unknown, unknown, boolean]>([
		['an unknown record that matches', undefined, matching('x'), ['x'], PASSES, true],
		['an unknown record that does not', undefined, named('x'), [], HELD_BACK, true],
		['one that matches by now', HELD_BACK, matching('x'), ['x'], PASSES, true],
		['one that still does not', HELD_BACK, named('x'), [], undefined, false],
		['one that was delivered', PASSES, matching('x'), [], undefined, false],
		['one that was, and matches no more', PASSES, named('x'), [], undefined, false],
	])('%s (%s)', (_, value, records, expected, remembered, isNews) => {
		const known: Record<string, number> = value === undefined ? {} : { x: value };
		const findings = findingsOf([{ records }], { rules, known });
		const selection = select(findings, { rules });
		expect([idsOf(selection.delivered), ...changesOf(selection, 'x')]).toEqual([
			expected,
			remembered,
		]);
		expect(findings.isNews(hash53('x'))).toBe(isNews);
		expect(findings.isUnknown(hash53('x'))).toBe(value === undefined);
	});

	it('none: nothing is stored beside a record', () => {
		expect(changesOf(select(findingsOf([{ records: named('x') }])), 'x')).toEqual([0]);
	});

	it('during a first scan is remembered as well, and nothing is delivered', () => {
		const records = [...matching('a'), ...named('b')];
		const selection = select(findingsOf([{ records }], { rules, rememberOnly: true }), { rules });
		expect(selection.delivered).toEqual([]);
		expect(changesOf(selection, 'a', 'b')).toEqual([PASSES, HELD_BACK]);
	});
});

describe('a change', () => {
	const post = (status: string): JsonRecord => ({ id: 'x', status });
	const draft = statusHash('draft');

	it.each<[string, number | undefined, string, boolean, boolean]>([
		['as it was', draft, 'draft', false, false],
		['changed', draft, 'published', true, true],
		['unknown, as posts begin', undefined, 'draft', false, true],
		['unknown, further on', undefined, 'scheduled', true, true],
	])('%s', (_, value, status, isDelivered, isNews) => {
		const known: Record<string, number> = value === undefined ? {} : { x: value };
		const findings = findingsOf([{ records: [post(status)] }], { rules: posts, known });
		const selection = select(findings, { rules: posts });
		expect(selection.delivered).toHaveLength(isDelivered ? 1 : 0);
		expect(changesOf(selection, 'x')).toEqual([isNews ? statusHash(status) : undefined]);
		expect(findings.isNews(hash53('x'))).toBe(isNews);
	});

	it('during a first scan is remembered alone', () => {
		const options = { rules: posts, rememberOnly: true };
		const selection = select(findingsOf([{ records: [post('published')] }], options));
		expect([selection.delivered, ...changesOf(selection, 'x')]).toEqual([
			[],
			statusHash('published'),
		]);
	});

	it('that a filter holds back is remembered', () => {
		const rules = rulesFor('leadChanged', { keyword: 'GUIDE' });
		const options = { rules, known: { a: 7, b: 7 } };
		const records = [...matching('a'), ...named('b')];
		const selection = select(findingsOf([{ records }], options), { rules });
		expect(idsOf(selection.delivered)).toEqual(['a']);
		expect(changesOf(selection, 'a', 'b')).toEqual(
			records.map((record) => rules.fingerprint(record)),
		);
		expect(idsOf(select(findingsOf([{ records: matching('c') }], options)).delivered)).toEqual([]);
	});
});

describe('the memory', () => {
	const rules = byKeyword;

	it.each<[number, string[], boolean]>([
		[0, [], true],
		[2, ['d', 'c'], true],
		[3, ['d', 'c', 'b'], true],
		[4, ['d', 'c', 'b', 'a'], false],
	])('with room for %i takes the deepest: %j', (room, expected, full) => {
		const selection = select(findingsOf([{ records: named('a', 'b', 'c', 'd') }]), { room });
		expect([idsOf(selection.delivered), selection.full]).toEqual([expected, full]);
		expect([selection.left.length, selection.waiting]).toEqual([
			4 - expected.length,
			4 - expected.length,
		]);
	});

	it('is not full where the number of items is what leaves some over', () => {
		const selection = select(findingsOf([{ records: named('a', 'b') }]), { quota: 1, room: 2 });
		expect([selection.full, idsOf(selection.left)]).toEqual([false, ['a']]);
	});

	it('needs no room for what it knows', () => {
		const known = { a: HELD_BACK, b: HELD_BACK };
		const records = [...matching('a', 'b', 'c'), ...named('d', 'e')];
		const findings = findingsOf([{ records }], { rules, known });
		for (const [room, learned, full] of [
			[1, 0, true],
			[2, 1, true],
			[3, 2, false],
			[4, 2, false],
		] as const) {
			const selection = select(findings, { rules, room });
			expect(idsOf(selection.delivered)).toEqual(['c', 'b', 'a']);
			expect([selection.changes.size, selection.full]).toEqual([3 + learned, full]);
		}
	});

	it('needs none for changes that a filter holds back, either', () => {
		const options = { rules: rulesFor('leadChanged', { keyword: 'GUIDE' }), known: { a: 7, b: 7 } };
		const { full, changes } = select(findingsOf([{ records: named('a', 'b') }], options), {
			...options,
			room: 0,
		});
		expect([full, changes.size]).toEqual([false, 2]);
	});

	it('takes nothing else while records are left over, since those would look known', () => {
		const findings = findingsOf([{ records: [...matching('a', 'b'), ...named('c')] }], { rules });
		const { left, changes } = select(findings, { rules, quota: 1 });
		expect([left.length, [...changes.keys()]]).toEqual([1, [hash53('b')]]);
	});
});

describe('unknown records wait at the head', () => {
	const rules = byKeyword;

	it('if they are left over there, with those that a filter holds back', () => {
		const records = [...matching('a', 'b'), ...named('c')];
		const waiting = (quota: number): number =>
			select(findingsOf([{ records }], { rules }), { rules, quota }).waiting;
		expect([waiting(0), waiting(1), waiting(2)]).toEqual([3, 2, 0]);
	});

	it('whatever else was delivered, or left over', () => {
		const pages: Page[] = [
			{ phase: 'tail', offset: 300, records: matching('t', 'u') },
			{ phase: 'head', records: matching('a', 'known', 'b') },
		];
		const findings = findingsOf(pages, { rules, known: { known: HELD_BACK } });
		const waiting = (quota: number): number => select(findings, { rules, quota }).waiting;
		expect([0, 1, 2, 3, 4, 5].map(waiting)).toEqual([2, 2, 2, 1, 1, 0]);
		expect(select(findingsOf(pages.slice(0, 1), { rules }), { rules, quota: 1 }).waiting).toBe(0);
	});
});
