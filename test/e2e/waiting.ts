// Waiting for n8n to have done what there is to do.

import { setTimeout as pause } from 'node:timers/promises';

import type { Execution, N8nApi, StoredWorkflow } from '../../scripts/n8n/n8nApi';
import type { FakeService } from '../../fake-service';

const PATIENCE_MS = 300_000;
/** Each poll asks at least once. */
const REQUESTS_OF_A_FEW_POLLS = 8;
/** One poll alone asks as often when it has much to read. */
const TIME_OF_A_FEW_POLLS_MS = 15_000;

export const isUnderWay = ({ status }: Pick<Execution, 'status'>): boolean =>
	['new', 'running', 'waiting'].includes(status);

/** Until it is so, or for a good while: whoever compares afterwards sees what is not. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isSo()) && Date.now() < deadline) await pause(500);
}

interface Watched {
	service: FakeService;
	api: N8nApi;
	workflow: StoredWorkflow;
}

/** No execution is under way any more, and a few polls in a row have brought nothing. */
export async function quiet({ service: { requests }, api, workflow }: Watched): Promise<void> {
	let known = -1;
	let since = 0;
	let calmSince = Date.now();
	await until(async () => {
		const executions = await api.executions({ workflowId: workflow.id });
		if (executions.some(isUnderWay) || executions.length !== known) {
			known = executions.length;
			since = requests.length;
			calmSince = Date.now();
		}
		return (
			requests.length >= since + REQUESTS_OF_A_FEW_POLLS &&
			Date.now() - calmSince >= TIME_OF_A_FEW_POLLS_MS
		);
	});
}
