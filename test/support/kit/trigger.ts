/** Runs a trigger on n8n's own PollContext against the fake service. */
import type { IDataObject } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import type { FakeService } from '../../../fake-service/index';
import { pollRegistration, type PollDurability } from '../engine';

export const OWN = { event: 'newLead', watch: 'own' };
let name = 0;

export function triggerOf(
	service: FakeService,
	{
		parameters = OWN,
		key = service.world.keys.own,
	}: { parameters?: IDataObject; key?: string } = {},
) {
	name += 1;
	return {
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: key },
		parameters,
		// Each test uses its own node, because a process remembers by workflow and node.
		workflowId: `workflow-${name}`,
		nodeId: `node-${name}`,
	};
}

type TriggerSetup = ReturnType<typeof triggerOf>;

let processes = 0;
/** The same node in another process, which knows only what was stored. */
export function inAnotherProcess(
	trigger: TriggerSetup,
	durability: PollDurability,
	stored: IDataObject | undefined,
	changes: Partial<TriggerSetup> = {},
) {
	processes += 1;
	const nodeId = `${trigger.nodeId}-process-${processes}`;
	return pollRegistration({ ...trigger, ...changes, nodeId, durability, stored });
}

export const idsOf = (run: { items: Array<{ json: IDataObject }> | null }): unknown[] =>
	(run.items ?? []).map(({ json }) => json.id);

const now = Date.now.bind(Date);

/** The clock of this process, which the test moves. */
export function adjustableClock() {
	let ahead = 0;
	const spy = jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
	return {
		advance: (ms: number) => void (ahead += ms),
		restore: () => spy.mockRestore(),
	};
}
