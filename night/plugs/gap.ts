// The gap that n8n leaves without durable cursors: the trigger's state is stored, and the execution
// that carries the batch is not yet. Seen from outside, in n8n's own database, and hit there.

import type { DatabaseSync } from 'node:sqlite';

import { openState } from '../../nodes/LeadGenPublishing/feed/memory/state';
import { asRecord } from '../../scripts/n8n/n8nApi';
import { until } from '../../scripts/n8n/waiting';
import { openDatabase } from '../../test/e2e/ground';
import type { Scene } from './scene';

const LONGEST_WAIT_MS = 60_000;

interface Stored {
	/** The records that the trigger knows. */
	known: string;
	/** When it has last stored a delivery as one that may have to come again. */
	markedAt: number;
	executions: unknown;
}

/**
 * Kills n8n as soon as the state says more than the executions do. True if that was in the gap. What
 * was lost at an earlier kill has come by then: it comes three times at most, so that three kills in a
 * row would lose it whatever the trigger does.
 */
export async function killInGap({ folder, workflow, n8n }: Scene): Promise<boolean> {
	const stored = (database: DatabaseSync) => read(database, workflow.id);
	const database = openDatabase(folder);
	const { executions } = stored(database);
	await until(() => stored(database).executions !== executions, { everyMs: 50 });
	let before = stored(database);
	const isNow = () => {
		const now = stored(database);
		if (isGap(before, now)) return true;
		// The state of a batch whose execution came first, or a poll of another kind.
		if (now.executions !== before.executions) before = now;
		return false;
	};
	await until(isNow, { everyMs: 1, patienceMs: LONGEST_WAIT_MS });
	await n8n.kill();
	database.close();
	// n8n may have stored the execution while it was being killed.
	const left = openDatabase(folder);
	const after = stored(left);
	left.close();
	return isGap(before, after);
}

/** More was delivered than there are executions. What is only confirmed later takes marks away. */
const isGap = (before: Stored, after: Stored): boolean =>
	(after.known !== before.known || after.markedAt > before.markedAt) &&
	after.executions === before.executions;

/** What changes in the state with each batch, and in this scene with nothing else. */
function read(database: DatabaseSync, workflow: string): Stored {
	const state = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?');
	const executions = database.prepare('SELECT MAX(id) AS last FROM execution_entity');
	const nodes = asRecord(JSON.parse(String(state.get(workflow)?.staticData ?? '{}')));
	const states = Object.values(nodes).flatMap((node) => {
		const { watch } = asRecord(node);
		const opened = openState(watch);
		if (opened.kind === 'damaged') throw new Error('The state cannot be read');
		return opened.kind === 'sound' ? opened.state : [];
	});
	const known = states.flatMap(({ lists }) => Object.values(lists).map(({ seen }) => seen));
	const marks = states.flatMap(({ rest }) => Object.values(rest.lastBatch?.records ?? {}).flat());
	return {
		known: JSON.stringify(known),
		markedAt: Math.max(0, ...marks.map(([, , , at]) => at)),
		executions: executions.get()?.last,
	};
}
