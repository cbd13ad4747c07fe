/** Opens the list of a resource locator or a multi-select field as the editor does. */
import { LoadOptionsContext } from 'n8n-core';
import {
	type INodeListSearchResult,
	type INodePropertyOptions,
	UserError,
	Workflow,
} from 'n8n-workflow';

import { instance } from './instance';
import { type SubjectOptions, additionalDataOf, nodeTypesOf, subjectOf } from './subject';

interface ListOptions extends SubjectOptions {
	method: string;
	filter?: string;
}

async function editorOf(given: ListOptions) {
	await instance();
	const { node, type, store } = subjectOf({ ...given, nodeName: 'Temp-Node' });
	const nodeTypes = nodeTypesOf({ [node.type]: type });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf({ store, parameters: node.parameters });
	const path = `parameters.${given.method}`;
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	const open = async <T>(list: () => Promise<T>): Promise<T> =>
		await workflow.expression.withIsolate(list);
	return { methods: type.methods, context, open };
}

export async function listSearch(
	given: ListOptions & { paginationToken?: string },
): Promise<INodeListSearchResult> {
	const { methods, context, open } = await editorOf(given);
	const search = methods?.listSearch?.[given.method];
	if (!search) throw new UserError(`The node has no list search method "${given.method}"`);
	return await open(async () => await search.call(context, given.filter, given.paginationToken));
}

export async function loadOptions(given: ListOptions): Promise<INodePropertyOptions[]> {
	const { methods, context, open } = await editorOf(given);
	const load = methods?.loadOptions?.[given.method];
	if (!load) throw new UserError(`The node has no method "${given.method}" for its options`);
	return await open(async () => await load.call(context));
}
