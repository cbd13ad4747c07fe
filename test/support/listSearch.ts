/** Calls a list search method as the editor does when a resource locator is opened. */
import { LoadOptionsContext } from 'n8n-core';
import { type INodeListSearchResult, UserError, Workflow } from 'n8n-workflow';

import { instance } from './instance';
import { type SubjectOptions, additionalDataOf, nodeTypesOf, subjectOf } from './subject';

export interface ListSearchOptions extends SubjectOptions {
	method: string;
	filter?: string;
	paginationToken?: string;
	/** Where the locator stands among the parameters. */
	path?: string;
}

export async function listSearch(given: ListSearchOptions): Promise<INodeListSearchResult> {
	await instance();
	const { method, filter, paginationToken } = given;
	const subject = subjectOf({ ...given, nodeName: 'Temp-Node' });
	const { node, type, store } = subject;
	const search = type.methods?.listSearch?.[method];
	if (!search) throw new UserError(`The node has no list search method "${method}"`);
	const nodeTypes = nodeTypesOf({ [node.type]: type });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf({ store, parameters: node.parameters });
	const path = given.path ?? `parameters.${method}`;
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	return await workflow.expression.withIsolate(
		async () => await search.call(context, filter, paginationToken),
	);
}
