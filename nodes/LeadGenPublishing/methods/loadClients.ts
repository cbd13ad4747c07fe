/** The options of a multi-select field for clients: those with an active grant first, by name. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { connectForEditor } from './editorClient';
import { listError } from './listError';
import { clientEntry, inOrder } from './listSearch';

export async function getClients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const client = await connectForEditor(this);
		const { records } = await client.list('client.getAll');
		return inOrder(records.flatMap((record) => clientEntry(record) ?? []));
	} catch (error) {
		throw listError(this.getNode(), error);
	}
}
