/** The histories of writes, as `npm run simulate -- --writes` plays them: one table of counts. */
import { aligned } from '../../../scripts/n8n/progress';
import type { Simulation } from '../../../night/simulate';
import { stopInstance } from '../../support/engine';
import { addAll, ALL_NAMES, NEVER, total, type Counts } from './counts';
import { playHistories, type Outcome } from './histories';
import { Scene } from './scene';

const counts: Counts = {};

export const WRITES: Simulation<Outcome> = {
	usual: 50_000,
	play: () => {
		const opened = Scene.open();
		process.on('SIGTERM', () => void stopInstance().finally(() => process.exit(0)));
		return async (share) =>
			await opened
				.then(async (scene) => await playHistories(scene, share))
				.catch((error: unknown): Outcome => ({ counts: {}, wrong: String(error) }));
	},
	add: ({ counts: some, wrong }) => {
		addAll(counts, some);
		if (wrong !== undefined) console.error(wrong);
		return Math.max(total(some, NEVER), wrong === undefined ? 0 : 1);
	},
	print: () => {
		for (const line of aligned(ALL_NAMES.map((name) => [String(total(counts, [name])), name])))
			console.log(line);
	},
};
