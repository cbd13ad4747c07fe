/** Plays random histories, and stops at the first one that shows what must not be, shortened. */
import * as fc from 'fast-check';

import { addAll, type Counts } from './counts';
import { Play } from './play';
import type { Scene } from './scene';
import { describeSetups, notes, setups, shapes, steps } from './steps';

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
	let wrong: string | undefined;
	const property = fc.asyncProperty(
		setups,
		shapes,
		notes,
		steps,
		async (given, shape, kept, taken) => {
			const play = new Play(scene, given, { shapes: shape, notes: kept });
			const { findings } = play;
			try {
				for (const { take } of taken) await take(play);
				await play.end();
			} catch (error) {
				findings.wrong.push(String(error));
			}
			// What is played to shorten a history does not count.
			if (wrong === undefined) addAll(counts, findings.counts);
			if (findings.wrong.length === 0) return;
			const course = [
				describeSetups(given),
				shape,
				`notes: ${kept}`,
				...taken.map(({ words }) => words),
			];
			wrong = [...course, ...findings.wrong].join('\n');
			throw new Error(wrong);
		},
	);
	await fc.check(property, { seed, numRuns: runs });
	return { counts, wrong };
}
