import { CREDENTIAL_NAMES } from '../../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type JsonRecord, type Workflow } from '../../../scripts/n8n/n8nApi';

const OURS = 'n8n-nodes-leadgen-publishing.leadGenPublishing';

/** Reads whole lists, and creates and deletes a post, every ten seconds; no node stops the others. */
export function readsAndWrites(credential: string): Workflow {
	const ours = (name: string, place: number, parameters: JsonRecord) => ({
		...{ id: name, name, type: OURS, typeVersion: 1, position: [place * 220, 0] },
		...{ parameters, alwaysOutputData: true, executeOnce: true, onError: 'continueRegularOutput' },
		credentials: { [CREDENTIAL_TYPE]: { id: credential, name: CREDENTIAL_NAMES.agency } },
	});
	const schedule = {
		...{ id: 'schedule', name: 'Every Ten Seconds', typeVersion: 1.2, position: [0, 0] },
		type: 'n8n-nodes-base.scheduleTrigger',
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 10 }] } },
	};
	const nodes = [
		schedule,
		ours('Read Leads', 1, { resource: 'lead', operation: 'getAll', returnAll: true }),
		ours('Read Clients', 2, { resource: 'client', operation: 'getAll', returnAll: true }),
		ours('Create Post', 3, {
			...{ resource: 'post', operation: 'create', status: 'draft', text: 'A draft' },
			options: { uniqueKey: '={{ "soak " + $execution.id }}' },
		}),
		ours('Delete Post', 4, {
			...{ resource: 'post', operation: 'delete' },
			postId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		}),
	];
	const next = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name }, place) => [String(nodes[place]?.name), next(name)]),
	);
	return {
		name: 'Read and write every ten seconds',
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
		nodes,
		connections,
	};
}
