/**
 * Plays many histories of writes and prints one table: `npm run simulate -- --writes`, or `npm run
 * simulate -- --writes 2000 1` for the first 2,000. Ends with 1 if a count that must be zero is not.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { aligned } from '../../../scripts/n8n/progress';
import { stopInstance } from '../../support/engine';
import { addAll, ALL_NAMES, NEVER, total, type Counts } from './counts';
import { playHistories, type Outcome } from './histories';
import { Scene } from './scene';

/** Histories of one seed, which a process plays before it reports. */
const SHARE = 100;
const PROGRESS_EVERY = 2_000;

interface Share {
	readonly seed: number;
	readonly runs: number;
}

/** A process that plays the shares it is sent, until it is killed. */
export function playShares(): void {
	const opened = Scene.open();
	process.on('message', (share: Share) => {
		void opened
			.then(async (scene) => await playHistories(scene, share))
			.catch((error: unknown): Outcome => ({ counts: {}, wrong: String(error) }))
			.then((outcome) => process.send?.(outcome));
	});
	process.on('SIGTERM', () => void stopInstance().finally(() => process.exit(0)));
}

export async function simulateWrites({ histories, from }: { histories: number; from: number }) {
	const started = Date.now();
	const counts: Counts = {};
	let played = 0;
	let isWrong = false;
	let next = 0;
	const work = async (): Promise<void> =>
		await new Promise((resolve) => {
			const worker = fork(process.argv[1] ?? '', {
				execArgv: process.execArgv,
				env: { ...process.env, PLAYS_WRITES: '1' },
			});
			const give = (): void => {
				const runs = Math.min(SHARE, histories - next);
				if (runs <= 0) return void worker.kill();
				// Seeds that follow each other give histories that have nothing to do with each other.
				worker.send({ seed: from + next, runs });
				next += runs;
				worker.once('message', (outcome: Outcome) => {
					addAll(counts, outcome.counts);
					played += runs;
					if (outcome.wrong !== undefined) {
						isWrong = true;
						console.error(outcome.wrong);
					}
					if (played % PROGRESS_EVERY < runs)
						console.error(`${played} of ${histories} played, ${total(counts, NEVER)} wrong`);
					give();
				});
			};
			worker.once('exit', () => resolve());
			give();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	for (const line of aligned(ALL_NAMES.map((name) => [String(total(counts, [name])), name])))
		console.log(line);
	console.log(`${played} histories of writes from seed ${from}, ${Date.now() - started} ms`);
	process.exitCode = isWrong || total(counts, NEVER) > 0 || played !== histories ? 1 : 0;
}
