/** Plays random histories, and stops at the first one that shows what must not be, shortened. */
import * as fc from 'fast-check';

import { describeSetups, setups, steps } from './commands';
import { addAll, type Counts } from './counts';
import { Play } from './play';
import type { Scene } from './scene';

export interface Outcome {
	readonly counts: Counts;
	/** The shortest history found that is wrong. */
	readonly wrong?: string;
}

export async function playHistories(
	scene: Scene,
	{ seed, runs }: { seed: number; runs: number },
): Promise<Outcome> {
	const counts: Counts = {};
	let last: { wrong: readonly string[]; setups: string } = { wrong: [], setups: '' };
	let isShortening = false;
	const property = fc.asyncProperty(setups, steps, async (given, commands) => {
		const play = new Play(scene, given);
		const seen = { tasks: given.length, ran: new Set<number>() };
		await fc.asyncModelRun(() => ({ model: seen, real: play }), commands);
		await play.end();
		// What is played to shorten a history does not count.
		if (!isShortening) addAll(counts, play.counts);
		if (play.wrong.length === 0) return;
		isShortening = true;
		last = { wrong: play.wrong, setups: describeSetups(given) };
		throw new Error(play.wrong.join('\n'));
	});
	const { failed, counterexample, errorInstance } = await fc.check(property, {
		seed,
		numRuns: runs,
	});
	if (!failed) return { counts };
	const [, commands] = counterexample ?? [];
	const wrong = [last.setups, String(commands), ...last.wrong];
	if (last.wrong.length === 0) wrong.push(String(errorInstance));
	return { counts, wrong: wrong.join('\n') };
}
