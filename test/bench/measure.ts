// Paired runs: in each round every contender runs once, in turn forwards and backwards, so that
// what the machine does meanwhile falls on all of them. Ratios are taken within a round.

import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Service } from './service';

interface Outcome {
	/** What came out, to be compared with what had to: fast and wrong does not count. */
	found: number;
	stateBytes?: number;
}

export interface Contender {
	name: string;
	run: () => Promise<Outcome>;
	/** Runs in the first rounds only: so many of them. */
	rounds?: number;
}

export interface Sample extends Outcome {
	ms: number;
	cpuMs: number;
	requests: number;
	atOnce: number;
}

/** Samples by contender, in the order of the rounds. */
export type Samples = Map<string, Sample[]>;

/** Until the last request of a contender has reached the service, in ms. */
const AFTERMATH = 50;

/**
 * In ms, what V8 does in other threads after a garbage collection is over by then. Else whoever
 * runs next pays for the heap of whoever ran before: some 20 ms after a large one.
 */
const SWEEPING = 150;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function collectAndSweep(): Promise<void> {
	collect();
	await wait(SWEEPING);
}

export async function measured(service: Service, contender: Contender): Promise<Sample> {
	await collectAndSweep();
	await service.pull('counted', {});
	const cpu = process.cpuUsage();
	const start = performance.now();
	const outcome = await contender.run();
	const ms = performance.now() - start;
	// Whoever is done before its last answers has to pay for them all the same.
	await wait(AFTERMATH);
	const { requests, atOnce, refused } = await service.pull('counted', {});
	const { user, system } = process.cpuUsage(cpu);
	if (refused > 0) throw new Error(`${contender.name}: ${refused} requests were refused`);
	return { ...outcome, ms, cpuMs: (user + system) / 1000, requests, atOnce };
}

export async function paired(given: {
	service: Service;
	contenders: readonly Contender[];
	rounds: number;
	/** What every contender has to bring. */
	expected: number;
}): Promise<Samples> {
	const { service, contenders, rounds, expected } = given;
	const samples: Samples = new Map(contenders.map(({ name }) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		const inTurn = round % 2 === 0 ? contenders : [...contenders].reverse();
		for (const contender of inTurn) {
			if (round >= (contender.rounds ?? rounds)) continue;
			const sample = await measured(service, contender);
			if (sample.found !== expected) {
				throw new Error(`${contender.name}: ${sample.found} found instead of ${expected}`);
			}
			samples.get(contender.name)?.push(sample);
		}
	}
	return samples;
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

export interface Ratio {
	median: number;
	min: number;
	max: number;
	pairs: number;
}

/** Of the pairs of one round each. */
export function ratioOf(
	samples: Samples,
	{ of, to, by }: { of: string; to: string; by: (sample: Sample) => number },
): Ratio | undefined {
	const mine = samples.get(of) ?? [];
	const theirs = samples.get(to) ?? [];
	const ratios = mine.flatMap((sample, round) => {
		const other = theirs[round];
		return other === undefined ? [] : [by(sample) / by(other)];
	});
	if (ratios.length === 0) return undefined;
	return {
		median: median(ratios),
		min: Math.min(...ratios),
		max: Math.max(...ratios),
		pairs: ratios.length,
	};
}

export const collectGarbage = async (): Promise<void> => {
	for (let round = 0; round < 3; round += 1) {
		await collectAndSweep();
	}
};
