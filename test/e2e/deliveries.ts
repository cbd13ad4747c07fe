// What the trigger has delivered, by the executions that its polls have started. Rows that are
// upserted hide a second delivery; executions do not.

import {
	asRecord,
	type Execution,
	type N8nApi,
	type StoredWorkflow,
} from '../../scripts/n8n/n8nApi';
import { logIn } from '../../scripts/n8n/session';

export interface Delivery {
	execution: string;
	/** When n8n stored it: before that a kill leaves nothing of it. */
	storedAt: number;
	/** The ids of the leads. */
	leads: string[];
}

export interface Delivered {
	deliveries: Delivery[];
	/** The leads that have come, and those of them that came again. */
	come: Set<string>;
	twice: Set<string>;
	/** Cut short by a kill, and run again with n8n's Retry. */
	interrupted: number;
	failed: string[];
}

/** Runs again what a kill has cut short, as a person would do it with n8n's Retry. */
export async function collectDeliveries(
	api: N8nApi,
	workflow: StoredWorkflow,
	trigger: string,
): Promise<Delivered> {
	const { retry } = await logIn(api.url);
	const [come, twice] = [new Set<string>(), new Set<string>()];
	const collected: Delivered = { deliveries: [], come, twice, interrupted: 0, failed: [] };
	const started = await api.executions({ workflowId: workflow.id });
	for (const execution of started.reverse()) {
		let result = await api.execution(execution.id);
		if (result.status === 'crashed') {
			collected.interrupted++;
			// n8n has kept what the trigger gave it, but shows it only once it runs.
			result = await api.execution(await retry(execution.id));
		}
		if (result.status !== 'success') {
			collected.failed.push(`execution ${execution.id}: ${result.status} ${result.problem}`);
		}
		// n8n puts a stand-in without an id into an execution that it has recovered.
		const ids = result.output(trigger).map(({ id }) => id);
		const leads = ids.filter((id): id is string => typeof id === 'string');
		for (const lead of leads) (come.has(lead) ? twice : come).add(lead);
		collected.deliveries.push({ execution: execution.id, storedAt: storedAt(execution), leads });
	}
	return collected;
}

export function storedAt(execution: Execution): number {
	const { createdAt } = asRecord(execution);
	if (typeof createdAt !== 'string') throw new Error(`execution ${execution.id} has no time`);
	return Date.parse(createdAt);
}
