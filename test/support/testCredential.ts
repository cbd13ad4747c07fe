/** Tests a credential as the application does when it is saved: one routed request, then rules. */
import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	type ICredentialTestRequest,
	type IExecuteData,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
	UserError,
	Workflow,
	createEmptyRunExecutionData,
} from 'n8n-workflow';

import { instance } from './instance';
import { type SubjectOptions, additionalDataOf, nodeTypesOf, storeOf } from './subject';

const NO_OP = 'n8n-nodes-base.noOp';

function probeOf(credentialType: string, test: ICredentialTestRequest): INodeType {
	return {
		description: {
			displayName: 'No Operation, do nothing',
			name: 'noOp',
			group: ['organization'],
			version: 1,
			description: '',
			defaults: { name: 'No Operation, do nothing' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: credentialType, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
}

/** The value below a dotted path. */
const valueAt = (body: unknown, path: string): unknown =>
	path.split('.').reduce<unknown>((value, key) => {
		const isObject = typeof value === 'object' && value !== null;
		return isObject ? (value as Record<string, unknown>)[key] : undefined;
	}, body);

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
	const { stored } = store;
	if (!stored?.type.test) throw new UserError('The credential type has no test');
	const { type } = stored;
	const { test } = stored.type;
	const probe = probeOf(type.name, stored.type.test);
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: NO_OP,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: store.onNode,
	};
	const nodeTypes = nodeTypesOf({ [NO_OP]: probe });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf({ store });
	const executeData: IExecuteData = { node, data: {}, source: null };
	const input = { main: [[{ json: {} }]] };

	let response: INodeExecutionData[][] | undefined;
	try {
		const data = await store.applyDefaults({
			additionalData,
			data: stored.data,
			type: type.name,
			mode: 'internal',
		});
		const context = new ExecuteContext(
			workflow,
			node,
			additionalData,
			'internal',
			createEmptyRunExecutionData(),
			0,
			[],
			input,
			executeData,
			[],
		);
		const decrypted = { id: '1', name: 'Credential under test', type: type.name, data };
		response = await workflow.expression.withIsolate(
			async () => await new RoutingNode(context, probe, decrypted).runNode(),
		);
	} catch (error) {
		return explain(error as Failure, test?.rules);
	}
	const body = response?.[0]?.[0]?.json ?? {};
	const broken = test?.rules?.find(
		({ type: kind, properties }) =>
			kind === 'responseSuccessBody' && valueAt(body, properties.key) === properties.value,
	);
	if (broken) return failed(broken.properties.message);
	return { status: 'OK', message: 'Connection successful!' };
}
