// The versions of n8n that are tried, and the Node that runs each.

import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

import { olderHost } from '../../../scripts/n8n/host';
import { ENGINE, type Engine } from '../../../scripts/n8n/launch';

export const POLLING = 'matrixPolling001';

export interface Candidate extends Engine {
	version: string;
	/** What activates the workflow that polls. */
	publish: string[];
	env?: Record<string, string>;
}

const OLDEST = {
	...olderHost('1.123'),
	version: '1.123.81',
	publish: ['update:workflow', '--active=true', `--id=${POLLING}`],
};
const PUBLISH = ['publish:workflow', `--id=${POLLING}`];

/** The machine's own Node where n8n takes it, and the one that runs us. */
export const CANDIDATES: readonly Candidate[] = [
	// Its other expression engine has no binary for Node 20, which n8n itself takes.
	{ ...OLDEST, node: machineNode(), env: { N8N_EXPRESSION_ENGINE: 'legacy' } },
	{ ...OLDEST, node: process.execPath },
	{ ...olderHost('2.8'), version: '2.8.4', node: machineNode(), publish: PUBLISH },
	{ ...ENGINE, version: '2.40.7', publish: PUBLISH },
];

/** The first in the path that does not come from this project. */
function machineNode(): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const outside = folders.filter((folder) => !folder.includes(`${sep}node_modules`));
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return outside.map((folder) => join(folder, name)).find(existsSync) ?? process.execPath;
}
