/** Many histories, one table: `npm run simulate`, or `npm run simulate -- 2000 1` for the first 2,000. */
import { MODES } from './host';
import { playHistory } from './history';
import { MOVES, ORDERS } from './played-list';
import { noCounts, RARE_EVENTS, type Counts, type Tally } from './tally';

const [histories, from] = [wholeNumber(process.argv[2], 100_000), wholeNumber(process.argv[3], 1)];
const PROGRESS_EVERY = 5_000;

function wholeNumber(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(text))
		throw new Error(`"${text}" is no number of histories, nor a first one`);
	return Number(text);
}

type Sums = Record<string, number>;

const ADDED = Object.keys(noCounts()) as Array<keyof Counts>;
const rare = new Map<string, number>();

function add(sums: Sums, tally: Tally): void {
	sums.histories = (sums.histories ?? 0) + 1;
	for (const name of ADDED) sums[name] = (sums[name] ?? 0) + tally[name];
	for (const kind of RARE_EVENTS) rare.set(kind, (rare.get(kind) ?? 0) + tally.rare[kind]);
}

function row(sums: Sums): Record<string, number> {
	const of = (name: string): number => sums[name] ?? 0;
	const ratio = (top: string, bottom: string): number =>
		Math.round((100 * of(top)) / Math.max(1, of(bottom))) / 100;
	return {
		histories: of('histories'),
		delivered: of('delivered'),
		missed: of('missed'),
		twice: of('twice'),
		late: of('late'),
		'falsely new': of('falselyNew'),
		'after new scan': of('afterNewScan'),
		'gap missed': of('gapMissed'),
		'gap twice': of('gapTwice'),
		'in flight': of('inFlight'),
		repeated: of('repeated'),
		'unstored scan': of('rebaselined'),
		'damaged away': of('damagedAway'),
		'swapped away': of('swappedAway'),
		'departed away': of('departedAway'),
		'req/idle poll': ratio('idleRequests', 'idlePolls'),
		'req/delivered': ratio('requests', 'delivered'),
		'chars/record': ratio('stateChars', 'remembered'),
	};
}

/** What no page of the documentation allows. */
const isBad = (tally: Tally): boolean =>
	tally.missed + tally.twice + tally.late > 0 ||
	(tally.falselyNew > 0 && !MOVES.has(tally.order)) ||
	(tally.gapMissed > 0 && (tally.redelivers || tally.mode === 'D+'));

async function main(): Promise<void> {
	const table = new Map<string, Sums>();
	for (const order of ORDERS) for (const mode of MODES) table.set(`${order} ${mode}`, {});
	const started = Date.now();
	let bad = 0;
	for (let seed = from; seed < from + histories; seed++) {
		const tally = await playHistory(seed).catch((error: unknown) => {
			if (++bad <= 20)
				console.error(`seed ${seed}:`, error instanceof Error ? error.message : error);
			return undefined;
		});
		const played = seed - from + 1;
		if (played % PROGRESS_EVERY === 0) console.error(`${played} of ${histories}, ${bad} bad`);
		if (tally === undefined) continue;
		add(table.get(`${tally.order} ${tally.mode}`) ?? {}, tally);
		if (isBad(tally)) {
			bad++;
			if (bad <= 20) console.error('failed', JSON.stringify(tally));
		}
	}
	console.table(Object.fromEntries([...table].map(([name, sums]) => [name, row(sums)])));
	console.table(Object.fromEntries(rare));
	console.log(`${histories} histories from seed ${from}, ${bad} bad, ${Date.now() - started} ms`);
	process.exitCode = bad > 0 ? 1 : 0;
}

void main();
