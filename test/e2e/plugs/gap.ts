// The gap that n8n leaves without durable cursors: the trigger's state is stored, and the execution
// that carries the batch is not yet. Seen from outside, in n8n's own database, and hit there.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';

import { openState } from '../../../nodes/LeadGenPublishing/watch/state';
import { asRecord } from '../../../scripts/n8n/n8nApi';
import { openDatabase } from '../ground';
import { until } from '../waiting';
import type { Scene } from './scene';

const LONGEST_WAIT_MS = 60_000;

interface Stored {
	/** The records that the trigger knows. */
	known: string;
	/** When it has last marked a delivery as one that may have to come again. */
	markedAt: number;
	executions: unknown;
}

/**
 * Kills n8n as soon as the state says more than the executions do. True if that was in the gap. What
 * was lost at an earlier kill has come by then: it comes three times at most, so that three kills in a
 * row would lose it whatever the trigger does.
 */
export async function killInGap({ folder, workflow, n8n }: Scene): Promise<boolean> {
	const database = openDatabase(folder);
	const changes = database.prepare('PRAGMA data_version');
	const { executions } = read(database, workflow.id);
	await until(() => Promise.resolve(read(database, workflow.id).executions !== executions));
	let before = read(database, workflow.id);
	let version = changes.get()?.data_version;
	try {
		const deadline = Date.now() + LONGEST_WAIT_MS;
		for (;;) {
			await turn();
			const now = changes.get()?.data_version;
			if (now === version && Date.now() < deadline) continue;
			version = now;
			const stored = read(database, workflow.id);
			const isInGap = isGap(before, stored);
			if (isInGap || Date.now() >= deadline) {
				await n8n.kill();
				break;
			}
			// The state of a batch whose execution came first, or a poll of another kind.
			if (stored.executions !== before.executions) before = stored;
		}
	} finally {
		database.close();
	}
	// n8n may have stored the execution while it was being killed.
	const left = openDatabase(folder);
	const after = read(left, workflow.id);
	left.close();
	return isGap(before, after);
}

/** More was delivered than there are executions. What is only confirmed later takes marks away. */
const isGap = (before: Stored, after: Stored): boolean =>
	(after.known !== before.known || after.markedAt > before.markedAt) &&
	after.executions === before.executions;

function read(database: DatabaseSync, workflow: string): Stored {
	const state = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?');
	const executions = database.prepare('SELECT MAX(id) AS last FROM execution_entity');
	return {
		...deliveredIn(state.get(workflow)?.staticData),
		executions: executions.get()?.last,
	};
}

/** What changes in the state with each batch, and in this scene with nothing else. */
function deliveredIn(staticData: unknown): Pick<Stored, 'known' | 'markedAt'> {
	const nodes = asRecord(JSON.parse(typeof staticData === 'string' ? staticData : '{}'));
	const states = Object.values(nodes).flatMap((node) => {
		const { watch } = asRecord(node);
		const { state } = openState(watch);
		if (watch !== undefined && state === undefined) throw new Error('The state cannot be read');
		return state ?? [];
	});
	const marks = states.flatMap(({ rest }) => Object.values(rest.mark?.records ?? {}).flat());
	return {
		known: JSON.stringify(
			states.flatMap(({ lists }) => Object.values(lists).map((list) => list.seen)),
		),
		markedAt: Math.max(0, ...marks.map(([, , , at]) => at)),
	};
}
