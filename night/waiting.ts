// Until n8n has done what there is to do; and what goes on meanwhile.

import type { FakeService } from '../fake-service';
import { isUnderWay, type N8nApi, type StoredWorkflow } from '../scripts/n8n/n8nApi';
import { until } from '../scripts/n8n/waiting';

const A_FEW_POLLS = 4;
const TIME_OF_A_FEW_POLLS_MS = 15_000;

interface Watched {
	service: FakeService;
	api: N8nApi;
	workflow: StoredWorkflow;
}

/** No execution is under way any more, and a few polls in a row have brought nothing. */
export async function quiet({ service: { requests }, api, workflow }: Watched): Promise<void> {
	// Each poll asks for the first page once, however much it has to read.
	const polls = () => requests.filter(({ query }) => query.offset === '0').length;
	let calm = { executions: -1, polls: 0, since: Date.now() };
	await until(async () => {
		const executions = await api.executions({ workflowId: workflow.id });
		if (executions.some(isUnderWay) || executions.length !== calm.executions)
			calm = { executions: executions.length, polls: polls(), since: Date.now() };
		const isLong = Date.now() - calm.since >= TIME_OF_A_FEW_POLLS_MS;
		return isLong && polls() >= calm.polls + A_FEW_POLLS;
	});
}

/** Does it again and again, at pauses between these; gives what ends it. */
export function nowAndThen(
	[leastMs, mostMs]: readonly [number, number],
	chance: () => number,
	act: () => void,
): () => void {
	let timer: NodeJS.Timeout;
	const next = () => {
		timer = setTimeout(
			() => {
				act();
				next();
			},
			leastMs + chance() * (mostMs - leastMs),
		);
	};
	next();
	return () => clearTimeout(timer);
}
