/**
 * Simulates many histories and prints their tables: `npm run simulate`; `npm run simulate -- 2000 1`
 * for the first 2,000; `npm run simulate -- 500 1 "thin pages"` for histories of one world only.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { MODES } from './host';
import { simulateHistory } from './history';
import { MOVES, ORDERS, type Order } from './simulatedList';
import { noCounts, RARE_EVENTS, type Counts, type Tally } from './tally';
import { WORLDS, worldOf } from './worlds';

const [histories, from] = [wholeNumber(process.argv[2], 100_000), wholeNumber(process.argv[3], 1)];
const world = WORLDS.find((name) => name === (process.env.WORLD ?? process.argv[4]));
if (process.argv[4] !== undefined && world === undefined)
	throw new Error(`"${process.argv[4]}" is no world; there are: ${WORLDS.join(', ')}`);
const PROGRESS_EVERY = 5_000;
/** Seeds that a process runs before it reports the results. */
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

/** The results of some seeds. */
interface SeedsResult {
	histories: number;
	/** By order and mode, and by world. */
	sums: Record<string, Sums>;
	rare: Sums;
	bad: string[];
}

const increase = (sums: Sums, name: string, by: number): void => {
	sums[name] = (sums[name] ?? 0) + by;
};

function add(result: SeedsResult, tally: Tally): void {
	for (const group of [`${tally.order} ${tally.mode}`, tally.world]) {
		const sums = (result.sums[group] ??= {});
		increase(sums, 'histories', 1);
		for (const name of ADDED) increase(sums, name, tally[name]);
	}
	for (const kind of RARE_EVENTS) increase(result.rare, kind, tally.rare[kind]);
}

function merge(into: SeedsResult, more: SeedsResult): void {
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
		stuck: of('stuck'),
		delivered: of('delivered'),
		missed: of('missed'),
		twice: of('twice'),
		late: of('late'),
		overdue: of('overdue'),
		'falsely new': of('falselyNew'),
		'after new scan': of('afterNewScan'),
		'gap missed': of('gapMissed'),
		'gap twice': of('gapTwice'),
		'given up': of('givenUp'),
		'in flight': of('inFlight'),
		repeated: of('repeated'),
		'unstored scan': of('rebaselined'),
		'damaged away': of('damagedAway'),
		'swapped away': of('swappedAway'),
		'departed away': of('departedAway'),
		'out of reach': of('outOfReach') + of('cameIntoReach'),
		'req/blank poll': ratio('blankRequests', 'blankPolls'),
		'req/idle poll': ratio('idleRequests', 'idlePolls'),
		'req/delivered': ratio('requests', 'delivered'),
		'chars/record': ratio('stateChars', 'remembered'),
	};
}

/** Moments of a crash, as the simulated n8n calls them. */
const HAPPENED: Record<string, string> = {
	'crash-before': 'crash before anything was stored',
	'saved-not-run': 'crash after the state was saved, before the execution was created',
	'run-not-saved': 'crash after the execution was created, before the state was saved',
	refused: 'n8n created no execution',
	overlap: 'two polls could overlap',
};

function verdict(sums: SeedsResult['sums']): Array<[times: number, what: string]> {
	const total = (name: keyof Counts, orders: readonly Order[] = ORDERS): number =>
		orders
			.flatMap((order) => MODES.map((mode) => sums[`${order} ${mode}`]?.[name] ?? 0))
			.reduce((all, times) => all + times, 0);
	const moving = ORDERS.filter((order) => MOVES.has(order));
	const ordered = ORDERS.filter((order) => !MOVES.has(order));
	return [
		[total('delivered'), 'delivered'],
		[total('missed'), 'missed'],
		[total('twice'), 'delivered twice'],
		[total('late'), 'later than the next poll, in histories without faults'],
		[total('overdue'), 'later than a complete check and two polls, in such histories'],
		[total('falselyNew', ordered), 'falsely new, in lists with an order of their own'],
		[total('falselyNew', moving), 'falsely new, in lists sorted by last update or without order'],
		[total('afterNewScan'), 'delivered again after a new first scan, in the same lists'],
		[total('gapMissed'), 'missed by a crash between state and execution, without durable cursors'],
		[total('gapTwice'), 'delivered twice by such a crash'],
	];
}

/** What the documentation rules out. */
const isBad = (tally: Tally): boolean =>
	tally.missed + tally.twice + tally.late > 0 ||
	(tally.falselyNew > 0 && !MOVES.has(tally.order)) ||
	(tally.gapMissed > 0 && (tally.redelivers || tally.mode === 'D+'));

const nothing = (): SeedsResult => ({ histories: 0, sums: {}, rare: {}, bad: [] });

async function runSeeds(first: number, count: number): Promise<SeedsResult> {
	const result = nothing();
	for (let seed = first; seed < first + count; seed++) {
		result.histories++;
		try {
			const tally = await simulateHistory(seed, { world });
			add(result, tally);
			if (isBad(tally)) result.bad.push(`failed ${JSON.stringify(tally)}`);
		} catch (error) {
			const { name } = worldOf(seed, world);
			increase((result.sums[name] ??= {}), 'stuck', 1);
			result.bad.push(
				`seed ${seed} (${name}): ${error instanceof Error ? error.message : String(error)}`,
			);
		}
	}
	return result;
}

/** A process that runs the seeds it is sent until it is killed. */
function runShares(): void {
	process.on('message', (share: [number, number]) => {
		void runSeeds(...share).then((result) => process.send?.(result));
	});
}

function* shares(): Generator<[number, number]> {
	const end = from + histories;
	for (let first = from; first < end; first += SHARE) yield [first, Math.min(SHARE, end - first)];
}

/** Distributes the seeds over one process per core. */
async function runAll(): Promise<SeedsResult> {
	const all = nothing();
	const left = shares();
	const work = async (): Promise<void> =>
		await new Promise((resolve, reject) => {
			const worker = fork(__filename, {
				execArgv: process.execArgv,
				env: { ...process.env, SHARES: '1', WORLD: world },
			});
			const next = (): void => {
				const { value, done } = left.next();
				if (done) worker.kill();
				else worker.send(value);
			};
			worker.on('message', (result: SeedsResult) => {
				const before = Math.floor(all.histories / PROGRESS_EVERY);
				for (const text of result.bad.slice(0, Math.max(0, MAX_SHOWN - all.bad.length)))
					console.error(text);
				merge(all, result);
				if (Math.floor(all.histories / PROGRESS_EVERY) > before)
					console.error(`${all.histories} of ${histories}, ${all.bad.length} bad`);
				next();
			});
			worker.on('exit', (code, signal) =>
				signal === 'SIGTERM'
					? resolve()
					: reject(new Error(`A process ended with ${code ?? signal}`)),
			);
			next();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	return all;
}

async function main(): Promise<void> {
	const started = Date.now();
	const { sums, rare, bad, histories: result } = await runAll();
	const names = ORDERS.flatMap((order) => MODES.map((mode) => `${order} ${mode}`));
	for (const groups of [names, WORLDS])
		console.table(Object.fromEntries(groups.map((name) => [name, row(sums[name] ?? {})])));
	console.log('How often it happened:');
	for (const [kind, times] of Object.entries(rare))
		console.log(`  ${String(times).padStart(9)}  ${HAPPENED[kind] ?? kind}`);
	console.log('What must not be, and what comes near it:');
	for (const [times, what] of verdict(sums)) console.log(`  ${String(times).padStart(9)}  ${what}`);
	console.log(
		`${result} histories from seed ${from}, ${bad.length} bad, ${Date.now() - started} ms`,
	);
	process.exitCode = bad.length > 0 || result !== histories ? 1 : 0;
}

if (process.env.SHARES) runShares();
else void main();
