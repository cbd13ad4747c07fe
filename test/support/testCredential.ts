/** Tests a credential as the application does when it is saved: one routed request, then rules. */
import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	type ICredentialTestRequest,
	type INodeCredentialTestResult,
	type INodeType,
	NodeConnectionTypes,
	UserError,
	Workflow,
	createEmptyRunExecutionData,
} from 'n8n-workflow';

import { instance } from './instance';
import { type SubjectOptions, additionalDataOf, nodeTypesOf, storeOf } from './subject';
import { helperNode } from './workflowRun';

const NO_OP = 'n8n-nodes-base.noOp';

const probeOf = (credentialType: string, { request }: ICredentialTestRequest): INodeType => ({
	description: {
		...{ displayName: 'No Operation, do nothing', name: 'noOp', version: 1, description: '' },
		...{ group: ['organization'], defaults: {} },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: credentialType, required: true }],
		properties: [
			{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
		],
	},
});

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

interface Failure {
	message?: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

function explain(error: Failure, rules: ICredentialTestRequest['rules']) {
	const { response, code } = error.cause ?? {};
	if (!response) return failed(code ?? String(error.message));
	const rule = rules?.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response.status,
	);
	if (rule) return failed(rule.properties.message);
	return failed(response.statusText || `Received HTTP status code: ${response.status}`);
}

export async function testCredential(
	given: Pick<SubjectOptions, 'credentialType' | 'credentials'>,
): Promise<INodeCredentialTestResult> {
	await instance();
	const store = storeOf({ credentials: {}, ...given });
	const { type, data: stored } = store.stored ?? {};
	if (!type?.test) throw new UserError('The credential type has no test');
	const { rules } = type.test;
	const probe = probeOf(type.name, type.test);
	const node = { ...helperNode('Temp-Node', NO_OP, [0, 0]), credentials: store.onNode };
	const nodeTypes = nodeTypesOf({ [NO_OP]: probe });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf({ store });
	const about = { additionalData, data: stored ?? {}, type: type.name, mode: 'internal' as const };
	let body: unknown;
	try {
		const data = await store.applyDefaults(about);
		const context = new ExecuteContext(
			workflow,
			node,
			additionalData,
			'internal',
			createEmptyRunExecutionData(),
			0,
			[],
			{ main: [[{ json: {} }]] },
			{ node, data: {}, source: null },
			[],
		);
		const decrypted = { id: '1', name: 'Credential under test', type: type.name, data };
		const response = await workflow.expression.withIsolate(
			async () => await new RoutingNode(context, probe, decrypted).runNode(),
		);
		body = response?.[0]?.[0]?.json ?? {};
	} catch (error) {
		return explain(error as Failure, rules);
	}
	const broken = rules?.find(
		({ type: kind, properties }) =>
			kind === 'responseSuccessBody' &&
			(body as Record<string, unknown>)[properties.key] === properties.value,
	);
	if (broken) return failed(broken.properties.message);
	return { status: 'OK', message: 'Connection successful!' };
}
