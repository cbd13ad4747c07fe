// A credential and two workflows, as files that n8n's command line imports.

import { EVERY_FIVE_SECONDS } from '../../../scripts/n8n/examples';
import { CREDENTIAL_TYPE, type CredentialData } from '../../../scripts/n8n/n8nApi';
import { inARow, ours, start } from '../workflows';
import { POLLING } from './candidates';

export const BY_HAND = 'matrixByHand0001';
const CREDENTIAL = { id: 'matrixCredential', name: 'Own account' };

/** The command that imports each, and what is in its file. */
export function imports(data: CredentialData): [command: string, content: unknown][] {
	const write = ours('Write', CREDENTIAL, {
		...{ resource: 'post', operation: 'create', actAs: 'own', status: 'draft' },
		text: '=Hello {{ $json.id }}',
	});
	const read = ours('Read', CREDENTIAL, {
		...{ resource: 'lead', operation: 'getAll', actAs: 'own', returnAll: false, limit: 3 },
	});
	const poll = ours('Poll', CREDENTIAL, {
		...{ event: 'newLead', watch: 'own', pollTimes: EVERY_FIVE_SECONDS },
	});
	const stored = (id: string, nodes: Parameters<typeof inARow>[1]) => [
		{ ...inARow(id, nodes), id, pinData: {}, active: false },
	];
	return [
		['import:credentials', [{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]],
		['import:workflow', stored(BY_HAND, [start, read, write])],
		['import:workflow', stored(POLLING, [poll, write])],
	];
}
