import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { LISTS } from './panel/lists/listSearch';
import { describe, subtitleOf } from './operations/describe';
import { RESOURCES } from './operations/index';
import { executeItems } from './run/executeItems';

// Made once, because n8n creates the node again for each execution.
const SUBTITLE = subtitleOf(RESOURCES);
const PROPERTIES = describe(RESOURCES);

export class LeadGenPublishing implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lead Gen & Publishing',
		name: 'leadGenPublishing',
		icon: {
			light: 'file:../../icons/leadGenPublishing.svg',
			dark: 'file:../../icons/leadGenPublishing.dark.svg',
		},
		group: ['transform'],
		version: [1],
		subtitle: SUBTITLE,
		description:
			'Publish posts, manage lead magnets, and read leads and activity, for yourself or for agency clients',
		defaults: { name: 'Lead Gen & Publishing' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To work for a client of an agency, set actAs to "client" and clientId. To send a file, use media > upload. Put schedule > spread before socialAction > create if there are several items, and schedule > nextFreeSlot before post > create. For rows that people edit, use post > upsert: it updates the post of each row. To find certain records, set the filters of getAll instead of reading everything and adding an If node. To react to new leads or activity, start with the trigger of this package instead of getAll on a schedule.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-leadgen-publishing.leadGenPublishingTrigger',
					relationHint:
						'Starts the workflow for new or changed leads, new activity and post statuses',
				},
			],
		},
		// Together, they let anyone upload a file to the account.
		sensitiveOutputFields: ['upload_url', 'token'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'leadGenPublishingApi',
				required: true,
				// Spread does not send requests.
				displayOptions: { hide: { operation: ['spread'] } },
			},
		],
		properties: PROPERTIES,
	};

	methods = { listSearch: LISTS };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeItems(this);
	}
}
