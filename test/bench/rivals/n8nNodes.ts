// n8n's own nodes, out of the n8n that the end-to-end tests install: HTTP Request, Split Out,
// Remove Duplicates, Loop Over Items. They run in the same engine as ours; only their package comes
// from there, with the n8n-workflow that it was installed with.

import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { ICredentialType, INodeType, VersionedNodeType } from 'n8n-workflow';

import { HOST } from '../../../scripts/n8n/folders';
import { installHost } from '../../../scripts/n8n/host';
import type { Step, Steps } from './workflow';

const BASE = join(HOST, 'node_modules', 'n8n-nodes-base');
const FILES = {
	HttpRequest: 'nodes/HttpRequest/HttpRequest.node.js',
	SplitOut: 'nodes/Transform/SplitOut/SplitOut.node.js',
	RemoveDuplicates: 'nodes/Transform/RemoveDuplicates/RemoveDuplicates.node.js',
	SplitInBatches: 'nodes/SplitInBatches/SplitInBatches.node.js',
} as const;

type N8nNode = keyof typeof FILES;

type NodeClass = new () => INodeType | VersionedNodeType;

export interface N8nNodes {
	/** Of n8n-nodes-base. */
	version: string;
	/** Of the HTTP Request node. */
	httpRequestVersion: number;
	types: Record<string, INodeType>;
	/** A step of a workflow, in the newest version of the node. */
	step: (node: N8nNode, step: Omit<Step, 'type' | 'typeVersion'>) => Step;
	credential: (apiKey: string) => Steps['credential'];
}

/** Where a fresh process finds the HTTP Request node. */
export const HTTP_REQUEST_FILE = join(BASE, 'dist', FILES.HttpRequest);

const typeOf = (name: N8nNode): string =>
	`n8n-nodes-base.${name.charAt(0).toLowerCase()}${name.slice(1)}`;

export async function n8nNodes(): Promise<N8nNodes> {
	await installHost();
	const load = createRequire(join(BASE, 'package.json'));
	const types: N8nNodes['types'] = {};
	const versions = new Map<N8nNode, number>();
	for (const name of Object.keys(FILES) as N8nNode[]) {
		const Type = (load(join(BASE, 'dist', FILES[name])) as Record<string, NodeClass>)[name];
		if (Type === undefined) throw new Error(`n8n-nodes-base has no ${name}`);
		const made = new Type();
		const newest = 'nodeVersions' in made ? made.currentVersion : 1;
		types[typeOf(name)] = 'nodeVersions' in made ? made.getNodeType(newest) : made;
		versions.set(name, newest);
	}
	const file = join(BASE, 'dist/credentials/HttpBearerAuth.credentials.js');
	const { HttpBearerAuth } = load(file) as { HttpBearerAuth: new () => ICredentialType };
	const { version } = load(join(BASE, 'package.json')) as { version: string };
	return {
		version,
		httpRequestVersion: versions.get('HttpRequest') ?? Number.NaN,
		types,
		step: (node, step) => ({ ...step, type: typeOf(node), typeVersion: versions.get(node) }),
		credential: (token) => ({ type: new HttpBearerAuth(), data: { token } }),
	};
}
