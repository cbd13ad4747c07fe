// Waiting for n8n to have done what there is to do.

import { setTimeout as pause } from 'node:timers/promises';

import type { Execution, N8nApi, StoredWorkflow } from '../../scripts/n8n/n8nApi';
import type { FakeService } from '../../fake-service';

const PATIENCE_MS = 300_000;
const A_FEW_POLLS = 4;
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
	// Each poll asks for the first page once, however much it has to read.
	const polls = () => requests.filter(({ query }) => query.offset === '0').length;
	let calmSince = Date.now();
	await until(async () => {
		const executions = await api.executions({ workflowId: workflow.id });
		if (executions.some(isUnderWay) || executions.length !== known) {
			known = executions.length;
			since = polls();
			calmSince = Date.now();
		}
		return polls() >= since + A_FEW_POLLS && Date.now() - calmSince >= TIME_OF_A_FEW_POLLS_MS;
	});
}
