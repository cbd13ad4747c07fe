/**
 * Plays many histories of writes and prints one table: `npm run simulate -- --writes`, or `npm run
 * simulate -- --writes 2000 1` for the first 2,000. Ends with 1 if a count that must be zero is not.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { aligned } from '../../../scripts/n8n/progress';
import { stopInstance } from '../../support/engine';
import {
	addAll,
	ALL_NAMES,
	EXCUSED,
	mustBeZero,
	NEVER,
	NEVER_WITH_KEY,
	total,
	WITHOUT_KEY,
	WORK,
	type Counts,
} from './counts';
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

const wrongCount = (counts: Counts): number =>
	ALL_NAMES.filter(mustBeZero).reduce((sum, name) => sum + total(counts, name), 0);

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
					const before = played;
					played += runs;
					if (outcome.wrong !== undefined) {
						isWrong = true;
						console.error(outcome.wrong);
					}
					if (Math.floor(played / PROGRESS_EVERY) > Math.floor(before / PROGRESS_EVERY))
						console.error(`${played} of ${histories} played, ${wrongCount(counts)} wrong`);
					give();
				});
			};
			worker.once('exit', () => resolve());
			give();
		});
	await Promise.all(Array.from({ length: availableParallelism() }, work));
	report(counts);
	console.log(`${played} histories of writes from seed ${from}, ${Date.now() - started} ms`);
	process.exitCode = isWrong || wrongCount(counts) > 0 || played !== histories ? 1 : 0;
}

function report(counts: Counts): void {
	console.log(`${WORK.map((name) => `${total(counts, name)} ${name}`).join(', ')}\n`);
	console.log('What must never happen:');
	print([...NEVER, ...NEVER_WITH_KEY].map((name) => [String(total(counts, name)), MEANING[name]]));
	console.log(
		'\nRows of input that are there twice or more often, by what had become of the run before:',
	);
	const kinds = Object.entries(counts).filter(([, row]) => REMAINS.some((name) => row[name]));
	print([
		['', ...REMAINS.map((name) => name.replace('twice, run again ', ''))],
		...kinds
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([kind, row]) => [kind, ...REMAINS.map((name) => String(row[name] ?? 0))]),
	]);
}

const REMAINS = [...WITHOUT_KEY, ...EXCUSED] as const;

const MEANING: Record<(typeof NEVER)[number] | (typeof NEVER_WITH_KEY)[number], string> = {
	'twice within an execution': 'carried out more than once within one execution and its retries',
	'success, but not done': 'success reported, but not carried out',
	'existing, but another one': 'reported as existing, but another one',
	'"not done", but done': 'reported as failed for certain, but carried out',
	'refusal sent again': 'a final refusal sent again in the same execution',
	'review passed over': 'a newer version that a person had to review written over',
	'key of another input': 'an idempotency key sent with another input',
	'sent by a dry run': 'sent by a dry run',
	twice: 'with a unique key: there twice, but for the exceptions below',
	'not settled': 'with a unique key: not there after one more run',
};

const isCount = (cell: string): boolean => /^\d+$/.test(cell);

function print(rows: readonly (readonly string[])[]): void {
	const lines = aligned(rows, (cell, width) =>
		isCount(cell) ? cell.padStart(width) : cell.padEnd(width),
	);
	for (const line of lines) console.log(`  ${line.trimEnd()}`);
}
