// n8n's recovery can fail over what a crash has left, and then ends n8n; the start after that leaves
// the recovery out. Whoever supervises n8n starts it again, and so do we.

import type { RunningN8n } from '../../../scripts/n8n/launch';

const MAX_STARTS = 4;

export async function startAgain(
	start: () => Promise<RunningN8n>,
): Promise<{ n8n: RunningN8n; failed: number }> {
	for (let failed = 0; ; failed++) {
		const n8n = await start().catch((error: unknown) => {
			if (failed + 1 === MAX_STARTS) throw error;
		});
		if (n8n) return { n8n, failed };
	}
}
