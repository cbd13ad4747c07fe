/** The options of a multi-select field for clients: those with an active grant first, by name. */
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isAccessible } from '../api/grant';
import { connectForEditor } from './editorClient';
import { listError } from './listError';
import { clientEntry } from './listSearch';

export async function getClients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		const client = await connectForEditor(this);
		const { records } = await client.list('client.getAll');
		const entries = records.flatMap((record) => {
			const entry = clientEntry(record);
			return entry === undefined ? [] : [{ ...entry, rank: Number(!isAccessible(record)) }];
		});
		return entries
			.toSorted((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
			.map(({ name, value }) => ({ name, value }));
	} catch (error) {
		throw listError(this.getNode(), error);
	}
}
