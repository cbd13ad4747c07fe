/** The trigger's histories, as `npm run simulate` plays them: sums, by what they have in common. */
import type { Simulation } from '../../../night/simulate';
import { simulateHistory } from './history';
import { MODES } from '../worlds/playedN8n';
import { ORDERS } from './simulatedList';
import { brokenBy, noCounts, RARE_EVENTS, type Counts, type Tally } from './tally';
import { WORLDS } from './worlds';

interface Played {
	tallies: Tally[];
	bad: string[];
}

type Sums = Counts & { histories: number };
const NAMES = ['histories', ...Object.keys(noCounts())] as Array<keyof Sums>;

/** Of all histories, and of those that have something in common. */
const groups = new Map<string, Sums>();
const rare = new Map<string, number>();

function sumsOf(group: string): Sums {
	const sums = groups.get(group) ?? { histories: 0, ...noCounts() };
	groups.set(group, sums);
	return sums;
}

export const TRIGGER: Simulation<Played> = {
	usual: 100_000,
	play:
		() =>
		async ({ seed: first, runs }) => {
			const played: Played = { tallies: [], bad: [] };
			for (let seed = first; seed < first + runs; seed++)
				try {
					const tally = await simulateHistory(seed);
					played.tallies.push(tally);
					const broken = brokenBy(tally);
					if (broken.length > 0)
						played.bad.push(`not so: ${broken.join()}: ${JSON.stringify(tally)}`);
				} catch (error) {
					played.bad.push(`seed ${seed}: ${String(error)}`);
				}
			return played;
		},
	add: ({ tallies, bad }) => {
		for (const text of bad) console.error(text);
		for (const tally of tallies) {
			for (const group of ['all', `${tally.order} ${tally.mode}`, tally.world]) {
				const sums = sumsOf(group);
				for (const name of NAMES) sums[name] += name === 'histories' ? 1 : tally[name];
			}
			for (const kind of RARE_EVENTS) rare.set(kind, (rare.get(kind) ?? 0) + tally.rare[kind]);
		}
		return bad.length;
	},
	print: () => {
		const lists = ORDERS.flatMap((order) => MODES.map((mode) => `${order} ${mode}`));
		for (const of of [lists, WORLDS])
			console.table(Object.fromEntries(of.map((group) => [group, sumsOf(group)])));
		const all = sumsOf('all');
		for (const [name, times] of [...rare, ...NAMES.map((name) => [name, all[name]] as const)])
			console.log(`${String(times).padStart(9)}  ${name}`);
	},
};
