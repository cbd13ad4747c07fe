// The versions of n8n that are tried and the Node that runs each; and what each of them is given, as
// files that n8n's command line imports.

import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

import { EVERY_FIVE_SECONDS } from '../../scripts/n8n/examples';
import { olderHost } from '../../scripts/n8n/host';
import { ENGINE, type Engine } from '../../scripts/n8n/launch';
import { CREDENTIAL_TYPE, type CredentialData } from '../../scripts/n8n/n8nApi';
import { inARow, ours, start } from '../../test/e2e/workflows';

const POLLING = 'matrixPolling001';
export const BY_HAND = 'matrixByHand0001';
const CREDENTIAL = { id: 'matrixCredential', name: 'Own account' };

export interface Candidate extends Engine {
	version: string;
	/** What activates the workflow that polls. */
	publish: string[];
	env?: Record<string, string>;
}

const OLDEST = {
	...{ ...olderHost('1.123'), version: '1.123.81' },
	publish: ['update:workflow', '--active=true', `--id=${POLLING}`],
};
const PUBLISH = ['publish:workflow', `--id=${POLLING}`];

/** The machine's own Node where n8n takes it, and the one that runs us. */
export const CANDIDATES: readonly Candidate[] = [
	// Its other expression engine has no binary for Node 20, which n8n itself takes.
	{ ...OLDEST, node: machineNode(), env: { N8N_EXPRESSION_ENGINE: 'legacy' } },
	{ ...OLDEST, node: process.execPath },
	{ ...olderHost('2.8'), version: '2.8.4', node: machineNode(), publish: PUBLISH },
	{ ...ENGINE, version: '2.41.1', publish: PUBLISH },
];

/** The first in the path that does not come from this project. */
function machineNode(): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const outside = folders.filter((folder) => !folder.includes(`${sep}node_modules`));
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return outside.map((folder) => join(folder, name)).find(existsSync) ?? process.execPath;
}

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
