/** The nodes of the built package, as n8n loads them, and the tool that n8n makes from one. */
import type { INodeTypeDescription } from 'n8n-workflow';

import { loadPackage } from '../support/loadPackage';
import { toolTypeOf } from '../support/runAsTool';
import { OUR_PACKAGE, ROOT } from './example';

/** Keyed by the name that a workflow stores. */
export async function builtNodes(): Promise<Map<string, INodeTypeDescription>> {
	const { nodeTypes } = await loadPackage(ROOT);
	const loaded = Object.values(nodeTypes).flatMap(({ type }) =>
		'nodeVersions' in type
			? []
			: [type, ...(type.description.usableAsTool ? [toolTypeOf(type)] : [])],
	);
	return new Map(
		loaded.map(({ description }) => [`${OUR_PACKAGE}.${description.name}`, description]),
	);
}
