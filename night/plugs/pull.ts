// Kills n8n again and again, and starts it again each time.

import { step } from '../../scripts/n8n/progress';
import type { Ground } from '../../test/e2e/ground';

/** What `kill` says of each kill, which it makes itself, until there are enough. */
export async function pullPlugs<K>(
	ground: Ground,
	isEnough: (killed: readonly K[]) => boolean,
	kill: (turn: number) => Promise<K>,
): Promise<K[]> {
	const killed: K[] = [];
	await step('Pulling the plug of n8n', async (note) => {
		while (!isEnough(killed)) {
			killed.push(await kill(killed.length));
			await ground.restart();
			note(`${killed.length} kills`);
		}
	});
	return killed;
}
