/**
 * Plays many histories and prints their sums: `npm run simulate`, or `npm run simulate -- 2000 1` for
 * the first 2,000. Ends with 1 if one of them breaks a promise.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { simulateHistory } from './history';
import { MODES } from './host';
import { ORDERS } from './simulatedList';
import { brokenBy, noCounts, RARE_EVENTS, type Counts, type Tally } from './tally';
import { WORLDS } from './worlds';

const [histories, from] = [wholeNumber(process.argv[2], 100_000), wholeNumber(process.argv[3], 1)];
const PROGRESS_EVERY = 5_000;
/** Seeds that a process runs before it reports the results. */
const SHARE = 100;

function wholeNumber(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(text))
		throw new Error(`"${text}" is no number of histories, nor a first one`);
	return Number(text);
}

interface Played {
	tallies: Tally[];
	bad: string[];
}

async function play(first: number, count: number): Promise<Played> {
	const played: Played = { tallies: [], bad: [] };
	for (let seed = first; seed < first + count; seed++) {
		try {
			const tally = await simulateHistory(seed);
			played.tallies.push(tally);
			const broken = brokenBy(tally);
			if (broken.length > 0) played.bad.push(`not so: ${broken.join()}: ${JSON.stringify(tally)}`);
		} catch (error) {
			played.bad.push(`seed ${seed}: ${String(error)}`);
		}
	}
	return played;
}

/** A process that runs the seeds it is sent until it is killed. */
function playShares(): void {
	process.on('message', (share: [number, number]) => {
		void play(...share).then((played) => process.send?.(played));
	});
}

type Sums = Counts & { histories: number };
const NAMES = ['histories', ...Object.keys(noCounts())] as Array<keyof Sums>;

/** The sums of all histories, and of those that have something in common. */
class Report {
	private readonly sums = new Map<string, Sums>();
	private readonly rare = new Map<string, number>();
	readonly bad: string[] = [];

	get played(): number {
		return this.sumsOf('all').histories;
	}

	private sumsOf(group: string): Sums {
		const sums = this.sums.get(group) ?? { histories: 0, ...noCounts() };
		this.sums.set(group, sums);
		return sums;
	}

	add({ tallies, bad }: Played): void {
		this.bad.push(...bad);
		for (const text of bad) console.error(text);
		for (const tally of tallies) {
			for (const group of ['all', `${tally.order} ${tally.mode}`, tally.world]) {
				const sums = this.sumsOf(group);
				for (const name of NAMES) sums[name] += name === 'histories' ? 1 : tally[name];
			}
			for (const kind of RARE_EVENTS)
				this.rare.set(kind, (this.rare.get(kind) ?? 0) + tally.rare[kind]);
		}
	}

	print(): void {
		const lists = ORDERS.flatMap((order) => MODES.map((mode) => `${order} ${mode}`));
		for (const groups of [lists, WORLDS])
			console.table(Object.fromEntries(groups.map((group) => [group, this.sumsOf(group)])));
		const all = this.sumsOf('all');
		for (const [name, times] of [...this.rare, ...NAMES.map((name) => [name, all[name]] as const)])
			console.log(`${String(times).padStart(9)}  ${name}`);
	}
}

/** Distributes the seeds over one process per core. */
async function playAll(): Promise<Report> {
	const report = new Report();
	let next = from;
	const work = async (): Promise<void> =>
		await new Promise((resolve) => {
			const worker = fork(__filename, {
				execArgv: process.execArgv,
				env: { ...process.env, SHARES: '1' },
			});
			const give = (): void => {
				const count = Math.min(SHARE, from + histories - next);
				if (count <= 0) return void worker.kill();
				worker.send([next, count]);
				next += count;
			};
			worker.on('message', (played: Played) => {
				report.add(played);
				if (report.played % PROGRESS_EVERY < SHARE)
					console.error(`${report.played} of ${histories}, ${report.bad.length} bad`);
				give();
			});
			worker.on('exit', () => resolve());
			give();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	return report;
}

async function main(): Promise<void> {
	const started = Date.now();
	const report = await playAll();
	report.print();
	const { played, bad } = report;
	const took = `${Date.now() - started} ms`;
	console.log(`${played} histories from seed ${from}, ${bad.length} bad, ${took}`);
	process.exitCode = bad.length > 0 || played !== histories ? 1 : 0;
}

if (process.env.SHARES) playShares();
else void main();
