/** The options of a multi-select field for clients, those with an active grant first. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isAccessible } from '../api/grant';
import { connectForEditor } from './editorClient';
import { listError } from './listError';
import { clientEntry } from './listSearch';

export async function getClients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const client = await connectForEditor(this);
		const { records } = await client.list('client.getAll');
		return records
			.toSorted((a, b) => Number(isAccessible(b)) - Number(isAccessible(a)))
			.flatMap((record) => clientEntry(record) ?? [])
			.map(({ name, value }) => ({ name, value }));
	} catch (error) {
		throw listError(this.getNode(), error);
	}
}
