import { simulateHistory } from './history';
import { MODES } from './host';
import { MOVES, ORDERS } from './simulatedList';
import { RARE_EVENTS, type Tally } from './tally';

const HISTORIES = 2_000;
const tallies: Tally[] = [];

/** The seeds of histories that break a promise, printed on failure. */
const seedsWhere = (broken: (tally: Tally) => boolean): number[] =>
	tallies.filter(broken).map(({ seed }) => seed);

describe(`${HISTORIES} seeded histories`, () => {
	beforeAll(async () => {
		for (let seed = 1; seed <= HISTORIES; seed++) tallies.push(await simulateHistory(seed));
	}, 600_000);

	it('cover every order in every mode of n8n', () => {
		const simulated = new Set(tallies.map(({ order, mode }) => `${order} ${mode}`));
		expect(simulated.size).toBe(ORDERS.length * MODES.length);
		expect(tallies.reduce((sum, { delivered }) => sum + delivered, 0)).toBeGreaterThan(50_000);
	});

	it('miss nothing', () => {
		expect(seedsWhere(({ missed }) => missed > 0)).toEqual([]);
	});

	it('deliver nothing twice', () => {
		expect(seedsWhere(({ twice }) => twice > 0)).toEqual([]);
	});

	it('deliver in the very next poll what was added at the head or at the tail', () => {
		expect(seedsWhere(({ late }) => late > 0)).toEqual([]);
	});

	it('deliver nothing that was there before, where the list keeps an order of its own', () => {
		expect(seedsWhere(({ order, falselyNew }) => !MOVES.has(order) && falselyNew > 0)).toEqual([]);
	});

	it('have no crash gap with durable cursors', () => {
		expect(
			seedsWhere(({ mode, gapMissed, gapTwice }) => mode === 'D+' && gapMissed + gapTwice > 0),
		).toEqual([]);
	});

	it('lose no batch where the last one is delivered again after a restart', () => {
		expect(seedsWhere(({ redelivers, gapMissed }) => redelivers && gapMissed > 0)).toEqual([]);
	});

	it.each(RARE_EVENTS)('meet this at least once: %s', (kind) => {
		expect(tallies.some(({ rare }) => rare[kind] > 0)).toBe(true);
	});

	it('lose or repeat no more than the batches in flight without them', () => {
		expect(
			seedsWhere(({ gapMissed, gapTwice, inFlight }) => gapMissed + gapTwice > inFlight),
		).toEqual([]);
	});
});
