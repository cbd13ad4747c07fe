// Paired runs: in each round every contender runs once, in turn forwards and backwards, so that what
// the machine does meanwhile falls on all of them. A ratio is taken within a round. Before the first
// round, each has run once: nobody pays for code that is loaded and compiled for all.

import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Service } from './service';

export interface Contender {
	name: string;
	/** Runs before each run, and is not measured. */
	prepare?: () => Promise<void>;
	/** Gives how many records came out: fast and wrong does not count. */
	run: () => Promise<number>;
	/** Of what it stores between two runs. */
	stateBytes?: number;
}

export interface Sample {
	ms: number;
	cpuMs: number;
	requests: number;
}

/** Until the last request of a contender has reached the service, in ms. */
const AFTERMATH = 50;
/**
 * In ms: what V8 does in other threads after a garbage collection is over by then. Else whoever runs
 * next pays for the heap of whoever ran before: some 20 ms after a large one.
 */
const SWEEPING = 150;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function collectGarbage(): Promise<void> {
	collect();
	await pause(SWEEPING);
}

async function measured(
	service: Service,
	{ contender, expected }: { contender: Contender; expected: number },
): Promise<Sample> {
	await contender.prepare?.();
	await collectGarbage();
	await service.pull('counted');
	const cpu = process.cpuUsage();
	const start = performance.now();
	const found = await contender.run();
	const ms = performance.now() - start;
	// Whoever is done before its last answers has to pay for them all the same.
	await pause(AFTERMATH);
	const { requests, refused } = await service.pull('counted');
	const { user, system } = process.cpuUsage(cpu);
	if (refused > 0) throw new Error(`${contender.name}: ${refused} requests were refused`);
	if (found !== expected)
		throw new Error(`${contender.name}: ${found} found instead of ${expected}`);
	return { ms, cpuMs: (user + system) / 1000, requests };
}

/** The samples of each contender, in the order of the rounds. */
export async function paired(
	service: Service,
	given: { contenders: readonly Contender[]; rounds: number; expected: number },
): Promise<Map<Contender, Sample[]>> {
	const { contenders, rounds, expected } = given;
	const samples = new Map<Contender, Sample[]>(contenders.map((one) => [one, []]));
	for (const contender of contenders) await measured(service, { contender, expected });
	for (let round = 0; round < rounds; round += 1)
		for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse())
			samples.get(contender)?.push(await measured(service, { contender, expected }));
	return samples;
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	const middle = sorted.length / 2;
	const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
	return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
