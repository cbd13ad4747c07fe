/** The node under test, prepared as n8n's loader prepares it, and what every run of it shares. */
import { Container } from '@n8n/di';
import { ExternalSecretsProxy } from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
	UserError,
	deepCopy,
} from 'n8n-workflow';

import { CredentialStore } from './credentialStore';

const PACKAGE = 'n8n-nodes-leadgen-publishing';

type InstanceOrClass<T> = T | (new () => T);

export interface SubjectOptions {
	node: InstanceOrClass<INodeType>;
	credentialType?: InstanceOrClass<ICredentialType>;
	/** The stored fields. Leave out to run the node without a credential selected on it. */
	credentials?: Record<string, unknown>;
	parameters?: Record<string, unknown>;
	/** By default, the newest one. */
	typeVersion?: number;
	nodeName?: string;
	nodeId?: string;
	workflowId?: string;
}

export interface Subject {
	type: INodeType;
	store: CredentialStore;
	node: INode;
	workflowId: string;
	timesRun: () => number;
}

const make = <T>(given: InstanceOrClass<T>): T =>
	typeof given === 'function' ? new (given as new () => T)() : given;

export function storeOf(given: Pick<SubjectOptions, 'credentialType' | 'credentials'>) {
	const { credentialType, credentials } = given;
	if (credentials === undefined) return new CredentialStore(undefined);
	if (credentialType === undefined) throw new UserError('`credentials` need a `credentialType`');
	const data = deepCopy(credentials) as ICredentialDataDecryptedObject;
	return new CredentialStore({ type: make(credentialType), data });
}

/** Counts executions, and gives a polling node the schedule fields that n8n's loader adds. */
function prepare(original: INodeType, onRun: () => void): INodeType {
	const type = Object.create(original) as INodeType;
	const { description } = original;
	if (description.polling) {
		const properties = [...commonPollingParameters, ...description.properties];
		type.description = { ...description, properties };
	}
	const { execute } = original;
	if (execute) {
		type.execute = async function (...args) {
			onRun();
			return await execute.apply(this, args);
		};
	}
	return type;
}

export function subjectOf(given: SubjectOptions): Subject {
	let runs = 0;
	const type = prepare(make(given.node), () => (runs += 1));
	const store = storeOf(given);
	const { version, name } = type.description;
	const node: INode = {
		id: given.nodeId ?? '6f0a1f0e-5f0b-4d3b-9a7e-2c8f6f1b0001',
		name: given.nodeName ?? 'Node under test',
		type: `${PACKAGE}.${name}`,
		typeVersion: given.typeVersion ?? [version].flat().at(-1) ?? 1,
		position: [200, 0],
		parameters: deepCopy(given.parameters ?? {}) as INodeParameters,
		credentials: store.onNode,
	};
	const workflowId = given.workflowId ?? 'workflow-under-test';
	return { type, store, node, workflowId, timesRun: () => runs };
}

export function nodeTypesOf(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string): INodeType => {
		const type = types[name];
		if (!type) throw new UserError(`Unknown node type "${name}"`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

const notAvailable = async (): Promise<never> => {
	throw new UserError('This part of n8n is not available in tests');
};

/** What the application gives the engine in addition to the workflow. */
export function additionalDataOf(given: {
	store: CredentialStore;
	workflowId?: string;
	executionId?: string;
	parameters?: INodeParameters;
}): IWorkflowExecuteAdditionalData {
	const base = 'http://127.0.0.1:5678/';
	return {
		credentialsHelper: given.store,
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		executionId: given.executionId,
		workflowId: given.workflowId,
		currentNodeParameters: given.parameters,
		currentNodeExecutionIndex: 0,
		variables: {},
		userId: 'user-under-test',
		restApiUrl: `${base}rest`,
		instanceBaseUrl: base,
		formBaseUrl: `${base}form`,
		formWaitingBaseUrl: `${base}form-waiting`,
		formTestBaseUrl: `${base}form-test`,
		webhookBaseUrl: `${base}webhook`,
		webhookWaitingBaseUrl: `${base}webhook-waiting`,
		webhookTestBaseUrl: `${base}webhook-test`,
		mcpBaseUrl: `${base}mcp`,
		mcpTestBaseUrl: `${base}mcp-test`,
		executeWorkflow: notAvailable,
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		startRunnerTask: notAvailable,
		logAiEvent: () => undefined,
	};
}
