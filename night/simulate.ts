/**
 * `npm run simulate`: the trigger's histories; `npm run simulate -- --writes`: those of writes. Both
 * take the number of histories and the first seed, play them in one process per core, and print their
 * sums. `npm run simulate -- --worlds`: named worlds, played through the trigger node. Ends with 1 if
 * one of them breaks a promise.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Seeds that a process plays before it reports. */
const SHARE = 100;
const PROGRESS_EVERY = 20 * SHARE;

export interface Share {
	readonly seed: number;
	readonly runs: number;
}

/** What is simulated, and what comes of it. */
export interface Simulation<Played> {
	/** As many histories as are played unless told. */
	readonly usual: number;
	/** In a process of its own. */
	readonly play: () => (share: Share) => Promise<Played>;
	/** How many histories, of those that were played, break a promise. */
	readonly add: (played: Played) => number;
	readonly print: () => void;
}

function wholeNumber(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(text))
		throw new Error(`"${text}" is no number of histories, nor a first seed`);
	return Number(text);
}

async function playAll<Played>(simulation: Simulation<Played>, numbers: readonly string[]) {
	const histories = wholeNumber(numbers[0], simulation.usual);
	const from = wholeNumber(numbers[1], 1);
	const started = Date.now();
	let [next, played, bad] = [0, 0, 0];
	const work = async (): Promise<void> =>
		await new Promise((resolve) => {
			const env = { ...process.env, PLAYS_SHARES: '1' };
			const worker = fork(__filename, process.argv.slice(2), { execArgv: process.execArgv, env });
			const give = (): void => {
				const runs = Math.min(SHARE, histories - next);
				if (runs <= 0) return void worker.kill();
				// Seeds that follow each other give histories that have nothing to do with each other.
				worker.send({ seed: from + next, runs });
				next += runs;
				worker.once('message', (outcome: Played) => {
					bad += simulation.add(outcome);
					played += runs;
					if (played % PROGRESS_EVERY < runs)
						console.error(`${played} of ${histories}, ${bad} bad`);
					give();
				});
			};
			worker.once('exit', () => resolve());
			give();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	simulation.print();
	const took = `${Date.now() - started} ms`;
	console.log(`${played} histories from seed ${from}, ${bad} bad, ${took}`);
	process.exitCode = bad > 0 || played !== histories ? 1 : 0;
}

async function run<Played>(simulation: Simulation<Played>, numbers: readonly string[]) {
	if (process.env.PLAYS_SHARES === undefined) return await playAll(simulation, numbers);
	const play = simulation.play();
	process.on('message', (share: Share) => {
		void play(share).then((played) => process.send?.(played));
	});
}

async function main(): Promise<void> {
	const [what, ...numbers] = process.argv.slice(2);
	if (what === '--worlds')
		await (await import('../test/watch/worlds/simulateWorlds')).simulateWorlds(numbers);
	else if (what === '--writes')
		await run((await import('../test/run/histories/simulate')).WRITES, numbers);
	else
		await run((await import('../test/watch/simulation/simulate')).TRIGGER, process.argv.slice(2));
}

void main();
