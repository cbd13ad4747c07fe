/** Many histories, one table: `npm run simulate`, or `npm run simulate -- 2000 1` for the first 2,000. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { MODES } from './host';
import { simulateHistory } from './history';
import { MOVES, ORDERS } from './simulatedList';
import { noCounts, RARE_EVENTS, type Counts, type Tally } from './tally';

const [histories, from] = [wholeNumber(process.argv[2], 100_000), wholeNumber(process.argv[3], 1)];
const PROGRESS_EVERY = 5_000;
/** Seeds that a process plays before it tells what came of them. */
const SHARE = 100;
const MAX_SHOWN = 20;

function wholeNumber(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(text))
		throw new Error(`"${text}" is no number of histories, nor a first one`);
	return Number(text);
}

type Sums = Record<string, number>;

const ADDED = Object.keys(noCounts()) as Array<keyof Counts>;

/** What came of some seeds. */
interface Played {
	histories: number;
	/** By order and mode. */
	sums: Record<string, Sums>;
	rare: Sums;
	bad: string[];
}

const increase = (sums: Sums, name: string, by: number): void => {
	sums[name] = (sums[name] ?? 0) + by;
};

function add(played: Played, tally: Tally): void {
	const sums = (played.sums[`${tally.order} ${tally.mode}`] ??= {});
	increase(sums, 'histories', 1);
	for (const name of ADDED) increase(sums, name, tally[name]);
	for (const kind of RARE_EVENTS) increase(played.rare, kind, tally.rare[kind]);
}

function merge(into: Played, more: Played): void {
	into.histories += more.histories;
	into.bad.push(...more.bad);
	for (const [kind, count] of Object.entries(more.rare)) increase(into.rare, kind, count);
	for (const [name, sums] of Object.entries(more.sums))
		for (const [key, count] of Object.entries(sums)) increase((into.sums[name] ??= {}), key, count);
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

const nothing = (): Played => ({ histories: 0, sums: {}, rare: {}, bad: [] });

async function play(first: number, count: number): Promise<Played> {
	const played = nothing();
	for (let seed = first; seed < first + count; seed++) {
		played.histories++;
		try {
			const tally = await simulateHistory(seed);
			add(played, tally);
			if (isBad(tally)) played.bad.push(`failed ${JSON.stringify(tally)}`);
		} catch (error) {
			played.bad.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	return played;
}

/** A process that plays the shares it is sent, until it is sent none. */
function playShares(): void {
	process.on('message', (share: [number, number]) => {
		void play(...share).then((played) => process.send?.(played));
	});
}

function* shares(): Generator<[number, number]> {
	const end = from + histories;
	for (let first = from; first < end; first += SHARE) yield [first, Math.min(SHARE, end - first)];
}

/** Hands out the shares to one process a core. */
async function playAll(): Promise<Played> {
	const all = nothing();
	const left = shares();
	const work = async (): Promise<void> =>
		await new Promise((resolve, reject) => {
			const worker = fork(__filename, {
				execArgv: process.execArgv,
				env: { ...process.env, SHARES: '1' },
			});
			const next = (): void => {
				const { value, done } = left.next();
				if (done) worker.kill();
				else worker.send(value);
			};
			worker.on('message', (played: Played) => {
				const before = Math.floor(all.histories / PROGRESS_EVERY);
				for (const text of played.bad.slice(0, Math.max(0, MAX_SHOWN - all.bad.length)))
					console.error(text);
				merge(all, played);
				if (Math.floor(all.histories / PROGRESS_EVERY) > before)
					console.error(`${all.histories} of ${histories}, ${all.bad.length} bad`);
				next();
			});
			worker.on('exit', (code, signal) =>
				signal === 'SIGTERM'
					? resolve()
					: reject(new Error(`A player ended with ${code ?? signal}`)),
			);
			next();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	return all;
}

async function main(): Promise<void> {
	const started = Date.now();
	const { sums, rare, bad, histories: played } = await playAll();
	const names = ORDERS.flatMap((order) => MODES.map((mode) => `${order} ${mode}`));
	console.table(Object.fromEntries(names.map((name) => [name, row(sums[name] ?? {})])));
	console.table(rare);
	console.log(
		`${played} histories from seed ${from}, ${bad.length} bad, ${Date.now() - started} ms`,
	);
	process.exitCode = bad.length > 0 || played !== histories ? 1 : 0;
}

if (process.env.SHARES) playShares();
else void main();
