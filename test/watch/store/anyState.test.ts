/**
 * What the trigger stores comes back as it was. Of a text that was damaged in any place, each list
 * is believed as it was written, or not at all.
 */
import * as fc from 'fast-check';

import {
	readExtras,
	sealExtras,
	type Extras,
} from '../../../nodes/LeadGenPublishing/watch/store/extras';
import { openList, sealList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { isPause } from '../../../nodes/LeadGenPublishing/watch/store/pauses';
import type { Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import {
	markDelivered,
	resumeLastBatch,
} from '../../../nodes/LeadGenPublishing/watch/store/redelivery';
import { SeenSet } from '../../../nodes/LeadGenPublishing/watch/store/seen';
import {
	openWatch,
	sealWatch,
	type WatchState,
} from '../../../nodes/LeadGenPublishing/watch/store/state';

const MAX_HASH = 2 ** 53 - 1;
const hash = fc.oneof(
	fc.maxSafeNat(),
	fc.constantFrom(0, 1, 2 ** 32, MAX_HASH - 1, MAX_HASH),
	fc.nat(1_000),
);
const count = fc.oneof(fc.nat(5_000), fc.constant(1e9));
const time = fc.oneof(fc.maxSafeNat(), fc.constant(1_800_000_000_000));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const flag = fc.constant<true>(true);
const growth = fc.constantFrom('head' as const, 'tail' as const, 'both' as const);

/** Without what is undefined, as JSON leaves it out. */
const present = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const place = {
	next: count,
	anchors: fc.array(hash, { maxLength: 8 }),
	restarts: fc.nat(9),
	blanks: maybe(count),
	shortSizes: maybe(fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 })),
	idle: maybe(count),
	inPages: maybe(flag),
};
const progress: fc.Arbitrary<Progress> = fc
	.record({
		end: count,
		limit: fc.integer({ min: 1, max: 100 }),
		first: maybe(hash),
		last: maybe(hash),
		grows: maybe(growth),
		grewLately: maybe(growth),
		agreed: maybe(fc.record({ end: growth, checks: count })),
		waiting: maybe(count),
		baseline: maybe(fc.record({ ...place, pages: count, passes: count, news: fc.boolean() })),
		check: fc.record({
			...place,
			kind: fc.constantFrom(
				'paced' as const,
				'gap' as const,
				'rest' as const,
				'everything' as const,
			),
			since: time,
			pages: count,
			foundElsewhere: maybe(flag),
			doubtful: maybe(flag),
			marks: maybe(flag),
		}),
		quietly: maybe(flag),
		searching: maybe(time),
		elsewhere: maybe(flag),
		repeats: maybe(flag),
		doubts: maybe(count),
		believes: maybe(flag),
		nearlyFull: maybe(flag),
		fullToldAt: maybe(time),
	})
	.map((one) => present(one) as Progress);

const contents = fc
	.tuple(
		fc.integer({ min: 0, max: 52 }),
		fc.uniqueArray(fc.tuple(hash, fc.maxSafeNat()), { selector: ([one]) => one, maxLength: 60 }),
	)
	.map(([width, pairs]) => ({
		width,
		values: new Map(pairs.map(([one, value]) => [one, width === 0 ? 0 : value % 2 ** width])),
	}));
type Contents = typeof contents extends fc.Arbitrary<infer T> ? T : never;
const setOf = ({ width, values }: Contents) => SeenSet.empty(width).with(values);

const pause = fc
	.record({
		failures: fc.nat(99),
		since: time,
		ms: fc.nat(1e9),
		faults: maybe(fc.nat(9)),
		first: maybe(time),
	})
	.map(present);
const failure = fc.record({ account: fc.string(), kind: fc.string(), message: fc.string() });
const identity = fc.record({ kind: fc.string(), digest: fc.string(), lasting: fc.boolean() });
const name = fc.oneof(fc.string(), fc.constantFrom('own', 'own2', '__proto__', 'constructor', '7'));
const named = <T>(value: fc.Arbitrary<T>) =>
	fc
		.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 })
		.map((pairs): Record<string, T> => Object.fromEntries(pairs));
const extras: fc.Arbitrary<Extras> = fc.record(
	{
		own: fc.record({
			credential: fc.string(),
			list: fc.string(),
			owners: named(fc.option(identity)),
		}),
		departures: fc.record(
			{ away: named(time), at: time, forgotten: fc.array(fc.string()) },
			{ requiredKeys: ['away', 'forgotten'] },
		),
		statuses: fc.array(fc.string()),
		news: fc.array(failure, { maxLength: 3 }),
	},
	{ requiredKeys: ['departures', 'statuses', 'news'] },
);
const state = fc
	.record({
		line: fc.string(),
		turn: fc.nat(),
		lists: named(fc.tuple(contents, progress)),
		served: named(fc.nat()),
		pauses: named(pause),
		owed: fc.array(failure, { maxLength: 3 }),
		extras: extras.map(sealExtras),
	})
	.map(({ lists, ...rest }) => {
		const sealed = Object.entries(lists).map(([key, [given, at]]) => [
			key,
			sealList(setOf(given), at),
		]);
		return sealWatch({ ...rest, lists: Object.fromEntries(sealed) as WatchState['lists'] });
	});

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('what is stored comes back', () => {
	it('of a set, with the value beside each hash', () => {
		fc.assert(
			fc.property(contents, fc.array(hash, { maxLength: 30 }), (given, others) => {
				const set = new SeenSet(stored(setOf(given).toText()));
				const { values } = given;
				expect(set.entries()).toEqual([...values].sort(([one], [other]) => one - other));
				for (const one of [...values.keys(), ...others]) expect(set.get(one)).toBe(values.get(one));
				const marked = set.clearMarks(true);
				expect(new SeenSet(stored(marked.toText())).entries()).toEqual(set.entries());
			}),
			{ numRuns: 300 },
		);
	});

	it('of a list, where its reading goes on included', () => {
		fc.assert(
			fc.property(contents, progress, fc.boolean(), (given, at, marked) => {
				const set = marked ? setOf(given).clearMarks(true) : setOf(given);
				const list = sealList(set, at);
				const opened = openList(stored(list), given.width);
				if (opened.kind !== 'ok') throw new Error(opened.kind);
				expect([opened.value.seen.toText(), opened.value.progress]).toEqual([set.toText(), at]);
				expect(sealList(opened.value.seen, opened.value.progress, list)).toEqual(list);
				for (const other of [given.width + 1, given.width - 1])
					expect(openList(stored(list), other).kind).toBe('damaged');
			}),
			{ numRuns: 300 },
		);
	});

	it('of the whole, with pauses and failures that are still to be reported', () => {
		fc.assert(
			fc.property(state, (given) => {
				expect(openWatch(stored(given))).toEqual({ kind: 'ok', value: stored(given) });
			}),
			{ numRuns: 200 },
		);
	});

	it('of what stands beside the lists', () => {
		fc.assert(
			fc.property(state, extras, (watch, given) => {
				const read = readExtras(stored({ ...watch, extras: sealExtras(given) }));
				expect(read).toEqual(stored(given));
			}),
			{ numRuns: 200 },
		);
	});
});

/** What may happen to a text: signs that are changed, lost, doubled or swapped. */
const damage = fc.record({
	at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
	length: fc.oneof(fc.constant(1), fc.nat(40)),
	put: fc.oneof(
		fc.constantFrom(
			'',
			'0',
			'1',
			'-',
			'A',
			'"',
			',',
			'{',
			'}',
			'null',
			'[]',
			'"x":',
			'9e9',
			'1e400',
		),
		fc.string({ maxLength: 3 }),
	),
	how: fc.constantFrom('altered', 'altered', 'altered', 'replaced', 'put in', 'lost', 'doubled'),
});
/** Another sign of the same kind, with which it is likely to be JSON still. */
const another = (sign: string): string =>
	/\d/.test(sign)
		? String((Number(sign) + 1) % 10)
		: sign.replace(/[a-z]/, 'k').replace(/[A-Z]/, 'K').replace(/[+/]/, '0');

function damaged(
	text: string,
	one: typeof damage extends fc.Arbitrary<infer T> ? T : never,
): string {
	const at = Math.floor(one.at * text.length);
	const rest = text.slice(at + one.length);
	const cut = text.slice(at, at + one.length);
	const altered = another(cut.charAt(0)) + cut.slice(1);
	const instead = {
		altered,
		replaced: one.put,
		'put in': cut + one.put,
		lost: '',
		doubled: cut + cut,
	};
	return text.slice(0, at) + instead[one.how] + rest;
}

/** Undefined where it is no JSON any more: n8n then has no state at all. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

it('of a damaged text, nothing throws, and no list is believed that was not written so', () => {
	let survived = 0;
	fc.assert(
		fc.property(state, fc.array(damage, { minLength: 1, maxLength: 3 }), (given, damages) => {
			const text = JSON.stringify(given);
			const found = parsed(damages.reduce(damaged, text));
			if (found === undefined) return;
			survived += 1;
			const opened = openWatch(found);
			const written = Object.values(given.lists).map((list) => JSON.stringify(list));
			const value = 'value' in opened ? opened.value : undefined;
			for (const list of Object.values(value?.lists ?? {}))
				for (let width = 0; width <= 52; width += 1) {
					const one = openList(list, width);
					if (one.kind !== 'ok') continue;
					const { seen, progress: at } = one.value;
					expect(written).toContain(JSON.stringify(sealList(seen, at)));
				}
			if (value === undefined) return;
			expect([Object.values(value.pauses).every(isPause), typeof value.line]).toEqual([
				true,
				'string',
			]);
			// Nothing that was repaired is damaged again.
			expect(openWatch(stored(value)).kind).toBe('ok');
			if (opened.kind === 'ok')
				expect([value.line, value.turn, Object.keys(value.lists)]).toEqual([
					given.line,
					given.turn,
					Object.keys(stored(given.lists)),
				]);
			const { own } = readExtras(value);
			const known = readExtras(given).own;
			if (own !== undefined) expect(own).toEqual(known);
		}),
		{ numRuns: 1_000 },
	);
	// JSON text is easily broken: enough of it must have been left to say something.
	expect(survived).toBeGreaterThan(150);
});

it('a delivery mark is resumed as it was written, or not at all', () => {
	const records = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });
	fc.assert(
		fc.property(records, fc.array(damage, { maxLength: 2 }), (ids, damages) => {
			const before = sealWatch({ line: 'l', turn: 1, lists: {}, served: {}, pauses: {}, owed: [] });
			const list = sealList(
				SeenSet.empty(0),
				present({
					end: 0,
					limit: 100,
					check: { next: 0, anchors: [], restarts: 0, kind: 'paced' as const, since: 0, pages: 0 },
				}),
			);
			const known = sealWatch({ ...before, lists: { 'scope.own': list } });
			const options = { width: 0, now: 1e12, maxTimes: 3 };
			const none = resumeLastBatch(known, { ...options, stored: undefined, process: 'one' });
			const delivered = ids.map((id) => ({ key: 'scope.own', id, previousValue: undefined }));
			const mark = markDelivered(none, { delivered, width: 0, now: 1e12 });
			const found = parsed(damages.reduce(damaged, JSON.stringify(mark)));
			const { toRedeliver, state: after } = resumeLastBatch(known, {
				...options,
				stored: found,
				process: 'two',
			});
			const again = toRedeliver.get('scope.own');
			expect([0, ids.length]).toContain(again?.size ?? 0);
			if (damages.length === 0) expect(again?.size).toBe(ids.length);
			expect(openWatch(stored(after)).kind).toBe('ok');
		}),
		{ numRuns: 500 },
	);
});
