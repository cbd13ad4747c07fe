// Our nodes as they are published: the bundle in dist/, loaded as n8n loads a package.

import type { ICredentialType, INodeExecutionData, INodeType } from 'n8n-workflow';

import { ROOT } from '../../scripts/n8n/folders';
import { type BinaryMode, loadPackage } from '../support/engine';
import { runSteps } from './rivals/workflow';

export interface Ours {
	trigger: INodeType;
	credential: ICredentialType;
	/** One run of the action node in a workflow of its own. */
	run: (given: {
		baseUrl: string;
		apiKey: string;
		parameters: Record<string, unknown>;
		items?: INodeExecutionData[];
		binaryMode?: BinaryMode;
	}) => Promise<INodeExecutionData[]>;
}

const TYPE = 'n8n-nodes-leadgen-publishing.leadGenPublishing';

export async function ours(): Promise<Ours> {
	const { nodeTypes, credentialTypes } = await loadPackage(ROOT);
	const action = nodeTypes.leadGenPublishing?.type;
	const trigger = nodeTypes.leadGenPublishingTrigger?.type;
	const credential = credentialTypes.leadGenPublishingApi?.type;
	if (!isNode(action) || !isNode(trigger) || credential === undefined) {
		throw new Error('dist/ does not hold both nodes and the credential');
	}
	return {
		trigger,
		credential,
		run: async ({ baseUrl, apiKey, parameters, ...rest }) => {
			const steps = [{ name: 'Node', type: TYPE, parameters, credential: true }];
			const data = { baseUrl, apiKey };
			const given = { steps, types: { [TYPE]: action }, credential: { type: credential, data } };
			const [output = []] = await runSteps({ ...given, ...rest }, 'Node');
			return output;
		},
	};
}

const isNode = (type: unknown): type is INodeType =>
	typeof type === 'object' && type !== null && 'description' in type && !('nodeVersions' in type);
