// A credential and two workflows, as files that n8n's command line imports.

import { CREDENTIAL_TYPE, type CredentialData } from '../../../scripts/n8n/n8nApi';
import { packageName } from '../../../scripts/n8n/package';
import { POLLING } from './candidates';

export const BY_HAND = 'matrixByHand0001';
const CREDENTIAL = { id: 'matrixCredential', name: 'Own account' };
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 5} * * * * *`,
}));

/** The command that imports each, and what is in its file. */
export function imports(data: CredentialData): [command: string, content: unknown][] {
	const write = ours('Write', 'leadGenPublishing', {
		...{ resource: 'post', operation: 'create', actAs: 'own', status: 'draft' },
		text: '=Hello {{ $json.id }}',
	});
	const read = ours('Read', 'leadGenPublishing', {
		...{ resource: 'lead', operation: 'getAll', actAs: 'own', returnAll: false, limit: 3 },
	});
	const poll = ours('Poll', 'leadGenPublishingTrigger', {
		...{ event: 'newLead', watch: 'own', pollTimes: { item: EVERY_FIVE_SECONDS } },
	});
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	return [
		['import:credentials', [{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]],
		['import:workflow', [workflow(BY_HAND, [start, read, write])]],
		['import:workflow', [workflow(POLLING, [poll, write])]],
	];
}

const node = (name: string, type: string, parameters: Record<string, unknown>) => ({
	...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters },
});

const ours = (name: string, type: string, parameters: Record<string, unknown>) => ({
	...node(name, `${packageName()}.${type}`, parameters),
	credentials: { [CREDENTIAL_TYPE]: CREDENTIAL },
});

/** One node after the other. */
function workflow(id: string, nodes: { name: string }[]) {
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name: next }, place) => {
			return [nodes[place]?.name, { main: [[{ node: next, type: 'main', index: 0 }]] }];
		}),
	);
	const settings = { executionOrder: 'v1' };
	return { id, name: id, nodes, connections, settings, pinData: {}, active: false };
}
