import { isLong, times } from '../../support/long';
import { simulateHistory } from './history';
import { MODES } from '../worlds/playedN8n';
import { ORDERS } from './simulatedList';
import { brokenBy, RARE_EVENTS, type Tally } from './tally';

/** Two with every change, the others at night. */
const PARTS = times(2, 80);
const HISTORIES_OF_A_PART = 25;

/** Histories in which a rule was once missing, each with 20 minutes between two polls. */
const ONCE_BROKEN = [
	[39354, 'damage to the note of whose the list is, after another list had replaced one'],
	[48075, 'the same damage, after a key was replaced while a first walk was unfinished'],
	[113493, 'a walk that passed records which waited for their turn, at one item a poll'],
	[29596, 'damage to a list whose last batch is delivered again after the restart'],
	[49877, 'a first walk that ends in a poll beside another one, and damage to its state'],
	[65757, 'a first walk past a page that shows little, while the list becomes shorter'],
	[68086, 'a first walk that meets answers without records again and again, and gets on between'],
	[
		710410,
		'a key of an account without records, while the first walk of another one is unfinished',
	],
	[54731, 'damage to a state in which a first walk had ended unnoted by the simulation'],
	[404, 'a list that is empty from some moment on, at one page a poll'],
	[5100, 'a batch that is taken back in a poll that has to report a failure'],
	[5007433, 'a list that was read to its end, then grows past the last offset that is answered'],
	[5004459, 'the same, with a check that comes less far than the one before'],
	[7031971, 'an old answer to the last page that a first walk reads'],
	[7043209, 'a first walk that has looked for its place, and then waits for its turn'],
	[
		611631,
		'an older state of a first walk that had searched for its place while later pages failed',
	],
	[61513, 'a key whose records are known from a list that was started over, and from the new one'],
] as const;

it.each(ONCE_BROKEN)('keeps each promise in history %i: %s', async (seed) => {
	expect(brokenBy(await simulateHistory(seed, 20 * 60_000))).toEqual([]);
});

/** The same with an interval that the seed draws. */
const ONCE_BROKEN_OFTEN = [
	[610044, 'later pages that fail while the first reading still meets old records'],
	[611002, 'the same, with a batch that is delivered again'],
] as const;

it.each(ONCE_BROKEN_OFTEN)('keeps each promise in history %i: %s', async (seed) => {
	expect(brokenBy(await simulateHistory(seed))).toEqual([]);
});

const parts = new Map<number, Promise<Tally[]>>();

/** Each part is played once, by whichever test asks for it first. */
async function talliesOf(part: number): Promise<Tally[]> {
	const known = parts.get(part) ?? playPart(part);
	parts.set(part, known);
	return await known;
}

async function playPart(part: number): Promise<Tally[]> {
	const played: Tally[] = [];
	for (let index = 1; index <= HISTORIES_OF_A_PART; index++)
		played.push(await simulateHistory(part * HISTORIES_OF_A_PART + index));
	return played;
}

async function allTallies(): Promise<Tally[]> {
	const all: Tally[] = [];
	for (let part = 0; part < PARTS; part++) all.push(...(await talliesOf(part)));
	return all;
}

describe(`${PARTS * HISTORIES_OF_A_PART} seeded histories`, () => {
	it.each(Array.from({ length: PARTS }, (_, part) => part))(
		'keep each promise: part %i',
		async (part) => {
			const some = await talliesOf(part);
			const broken = some.map((tally) => ({ seed: tally.seed, broken: brokenBy(tally) }));
			expect(broken.filter((one) => one.broken.length > 0)).toEqual([]);
		},
		600_000,
	);

	it('cover orders and modes of n8n, all of them at night', async () => {
		const all = await allTallies();
		const simulated = new Set(all.map(({ order, mode }) => `${order} ${mode}`));
		const pairs = ORDERS.length * MODES.length;
		expect(simulated.size).toBeGreaterThanOrEqual(times(pairs / 2, pairs));
		expect(all.reduce((sum, { delivered }) => sum + delivered, 0)).toBeGreaterThan(
			PARTS * 25 * HISTORIES_OF_A_PART,
		);
	});

	// A few histories do not meet all of them.
	if (isLong)
		it.each(RARE_EVENTS)('meet this at least once: %s', async (kind) => {
			const all = await allTallies();
			expect(all.some(({ rare }) => rare[kind] > 0)).toBe(true);
		});
});
