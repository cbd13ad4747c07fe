/** The nodes of the built package, prepared as n8n's loader prepares them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import {
	NodeConnectionTypes,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import manifest from '../../package.json';
import { OUR_PACKAGE, ROOT } from './example';

const load = createRequire(__filename);
const DIST = /([^/]+)\.node\.js$/;

/** By the name that a workflow stores. */
export function builtNodes(): Map<string, INodeTypeDescription> {
	return new Map(
		manifest.n8n.nodes.flatMap((path) => {
			const className = DIST.exec(path)?.[1] ?? '';
			const loaded = load(join(ROOT, path)) as Record<string, new () => INodeType>;
			const Type = loaded[className];
			if (Type === undefined) throw new Error(`${path} exports no ${className}`);
			const { description } = new Type();
			const described = [withPolling(description), ...asTool(description)];
			return described.map((one): [string, INodeTypeDescription] => [
				`${OUR_PACKAGE}.${one.name}`,
				one,
			]);
		}),
	);
}

/** The tool that n8n makes of a node. */
const asTool = (description: INodeTypeDescription): INodeTypeDescription[] =>
	description.usableAsTool === undefined
		? []
		: [
				{
					...description,
					name: `${description.name}Tool`,
					inputs: [],
					outputs: [NodeConnectionTypes.AiTool],
					properties: [...TOOL_DESCRIPTION, ...description.properties],
				},
			];

const TOOL_DESCRIPTION: INodeProperties[] = [
	{
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options',
		options: ['auto', 'manual'].map((value) => ({ name: value, value })),
		default: 'auto',
	},
	{
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { descriptionType: ['manual'] } },
	},
];

const withPolling = (description: INodeTypeDescription): INodeTypeDescription =>
	description.polling === true
		? { ...description, properties: [...commonPollingParameters, ...description.properties] }
		: description;
