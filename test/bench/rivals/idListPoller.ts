// The trigger that one writes in an afternoon: every poll reads all pages and compares the ids with
// the list of ids in its state.

import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

const CREDENTIAL = 'leadGenPublishingApi';

interface Page {
	data: Array<IDataObject & { id: string }>;
	pagination: { has_more: boolean };
}

export class IdListPoller implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Id List Poller',
		name: 'idListPoller',
		group: ['trigger'],
		version: 1,
		description: '',
		polling: true,
		defaults: {},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>(CREDENTIAL);
		const state = this.getWorkflowStaticData('node');
		const first = state.ids === undefined;
		const known = new Set((state.ids ?? []) as string[]);
		const fresh: INodeExecutionData[] = [];
		for (let offset = 0, more = true; more; offset += 100) {
			const page = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
				url: `${baseUrl}/leads`,
				qs: { limit: 100, offset },
				json: true,
			})) as Page;
			for (const json of page.data) {
				if (known.has(json.id)) continue;
				known.add(json.id);
				fresh.push({ json });
			}
			more = page.pagination.has_more;
		}
		if (fresh.length === 0) return null;
		state.ids = [...known];
		return first ? null : [fresh];
	}
}
