// The gap that n8n leaves without durable cursors: the trigger's state is stored, and the execution
// that carries the batch is not yet. Seen from outside, in n8n's own database, and hit there.

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';

import { asRecord } from '../../../scripts/n8n/n8nApi';
import { openDatabase } from '../ground';
import type { Scene } from './scene';

const LONGEST_WAIT_MS = 60_000;

interface Stored {
	state: unknown;
	executions: unknown;
}

/** Kills n8n as soon as the state says more than the executions do. True if that was in the gap. */
export async function killInGap({ folder, workflow, n8n }: Scene): Promise<boolean> {
	const database = openDatabase(folder);
	const changes = database.prepare('PRAGMA data_version');
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
			const isInGap = stored.state !== before.state && stored.executions === before.executions;
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
	return after.state !== before.state && after.executions === before.executions;
}

function read(database: DatabaseSync, workflow: string): Stored {
	const state = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?');
	const executions = database.prepare('SELECT MAX(id) AS last FROM execution_entity');
	return {
		state: deliveredIn(state.get(workflow)?.staticData),
		executions: executions.get()?.last,
	};
}

/** What changes in the state with each batch, and with nothing else: a first scan is stored as well. */
function deliveredIn(staticData: unknown): string {
	const nodes = asRecord(JSON.parse(typeof staticData === 'string' ? staticData : '{}'));
	return JSON.stringify(
		Object.values(nodes).map((node) => {
			const { lists, extras } = asRecord(asRecord(node).watch);
			const { batches } = asRecord(asRecord(extras).mark);
			const marked = Array.isArray(batches) ? batches.map((batch) => asRecord(batch).at) : [];
			return [Object.values(asRecord(lists)).map((list) => asRecord(list).n), marked];
		}),
	);
}
