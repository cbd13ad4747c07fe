/** The nodes of the built package, prepared as n8n's loader prepares them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import manifest from '../../package.json';
import { OUR_PACKAGE, ROOT } from './example';

const load = createRequire(__filename);
const DIST = /([^/]+)\.node\.js$/;

/** By the name that a workflow stores. */
export function builtNodes(): Map<string, INodeTypeDescription> {
	return new Map(
		manifest.n8n.nodes.map((path) => {
			const className = DIST.exec(path)?.[1] ?? '';
			const loaded = load(join(ROOT, path)) as Record<string, new () => INodeType>;
			const Type = loaded[className];
			if (Type === undefined) throw new Error(`${path} exports no ${className}`);
			const { description } = new Type();
			return [`${OUR_PACKAGE}.${description.name}`, withPolling(description)];
		}),
	);
}

const withPolling = (description: INodeTypeDescription): INodeTypeDescription =>
	description.polling === true
		? { ...description, properties: [...commonPollingParameters, ...description.properties] }
		: description;
