// Workflows that are made here, one node after the other.

import type { CredentialIds } from '../../scripts/n8n/examples';
import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import {
	CREDENTIAL_TYPE,
	type JsonRecord,
	type Workflow,
	type WorkflowNode,
} from '../../scripts/n8n/n8nApi';

const PACKAGE = 'n8n-nodes-leadgen-publishing';

/** One of n8n's own, such as `webhook`. */
export const node = (
	name: string,
	[type, typeVersion]: readonly [string, number],
	parameters: JsonRecord = {},
	more: JsonRecord = {},
): WorkflowNode => ({
	...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
	...more,
});

/** One of ours: the trigger, if it is given an event. */
export const ours = (
	name: string,
	credential: { id: string; name: string },
	parameters: JsonRecord,
	more: JsonRecord = {},
): WorkflowNode => ({
	...node(name, ['', 1], parameters),
	type: `${PACKAGE}.leadGenPublishing${'event' in parameters ? 'Trigger' : ''}`,
	credentials: { [CREDENTIAL_TYPE]: credential },
	...more,
});

export const credentialOf = (ids: CredentialIds, of: keyof CredentialIds) => ({
	id: ids[of],
	name: CREDENTIAL_NAMES[of],
});

export const start = node('Start', ['manualTrigger', 1]);

export function inARow(name: string, nodes: readonly WorkflowNode[], more = {}): Workflow {
	const to = (next: WorkflowNode) => ({ main: [[{ node: next.name, type: 'main', index: 0 }]] });
	return {
		name,
		nodes: nodes.map((one, place) => ({ ...one, position: [place * 220, 0] })),
		connections: Object.fromEntries(
			nodes.slice(1).map((next, place) => [nodes[place]?.name, to(next)]),
		),
		settings: { executionOrder: 'v1', ...more },
	};
}
