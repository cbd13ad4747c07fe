import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { getClients } from './panel/lists/listSearch';
import { ACTIVITY } from './operations/activity/simplify';
import { CLIENT } from './operations/client/simplify';
import { LEAD } from './operations/lead/simplify';
import { POST } from './operations/post/simplify';
import { TRIGGER_PROPERTIES, TRIGGER_SUBTITLE } from './watch/properties';
import { pollOnce } from './watch/trigger';

export class LeadGenPublishingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Lead Gen & Publishing Trigger',
		name: 'leadGenPublishingTrigger',
		icon: {
			light: 'file:../../icons/leadGenPublishing.svg',
			dark: 'file:../../icons/leadGenPublishing.dark.svg',
		},
		group: ['trigger'],
		version: [1],
		subtitle: TRIGGER_SUBTITLE,
		description:
			'Starts the workflow on new leads or activity, or when leads, activity, posts or clients change',
		defaults: { name: 'Lead Gen & Publishing Trigger' },
		polling: true,
		activationMessage:
			'The first poll only records what already exists, unless Emit Existing or Start From is set. Records that arrive later start the workflow.',
		eventTriggerDescription:
			'Waiting for new data. The service does not send events, so the trigger checks it at each poll time.',
		builderHint: {
			searchHint:
				'One event per node. Repeats are rare: upsert by id instead of adding a Remove Duplicates node. To watch all clients of an agency, set watch to "allClients". Each item then has client_id and client_name. Items are simplified: a lead has email, email_work, email_submitted and email_personal as flat fields.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-leadgen-publishing.leadGenPublishing',
					relationHint: 'Reads and changes posts, lead magnets and media of the same account',
				},
			],
		},
		hints: [
			{
				message:
					'A test event shows up to 10 matching records from the first page of each list. A poll delivers what is new in all watched accounts, up to "Max Items per Poll".',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'leadGenPublishingApi', required: true }],
		properties: TRIGGER_PROPERTIES,
	};

	methods = { loadOptions: { getClients } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollOnce(this, { lead: LEAD, activity: ACTIVITY, post: POST, client: CLIENT });
	}
}
