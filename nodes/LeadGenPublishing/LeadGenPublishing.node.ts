import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { toNodeError } from './api/errors';
import { OpenWriteError } from './api/failure';
import { searchClients, searchLeadMagnets, searchPosts } from './methods/listSearch';
import { describe, subtitleOf } from './operations/describe';
import { RESOURCES } from './operations/index';
import { openBatch } from './run/batch';
import { failedItem } from './run/failedItem';
import { inOrder } from './run/inOrder';

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
		subtitle: subtitleOf(RESOURCES),
		description:
			'Publish posts, manage lead magnets, and read leads and activity, for yourself or for agency clients',
		defaults: { name: 'Lead Gen & Publishing' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To work for a client of an agency, set actAs to "client" and clientId. To send a file, use media > upload. Before socialAction > create for several items, put schedule > spread. To react to new leads or activity, start with the trigger of this package instead of getAll on a schedule.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-leadgen-publishing.leadGenPublishingTrigger',
					relationHint:
						'Starts the workflow for new or changed leads, new activity and post statuses',
				},
			],
		},
		// Together they allow uploading on behalf of the account.
		sensitiveOutputFields: ['upload_url', 'token'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'leadGenPublishingApi',
				required: true,
				// Schedule sends no requests.
				displayOptions: { hide: { resource: ['schedule'] } },
			},
		],
		properties: describe(RESOURCES),
	};

	methods = { listSearch: { searchClients, searchPosts, searchLeadMagnets } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const opened = await openBatch(this).catch((error: unknown) => ({ error }));
		if ('error' in opened) {
			// If thrown with "continue" set, n8n would pass the input to the success output.
			if (!this.continueOnFail()) throw toNodeError(this.getNode(), opened.error);
			return [
				items.map((_, item) => ({
					json: failedItem(this, opened.error, item),
					pairedItem: { item },
				})),
			];
		}
		const batch = opened;
		const before = this.continueOnFail() ? undefined : batch.earlierFailure();
		if (before !== undefined)
			throw toNodeError(this.getNode(), before.error, { itemIndex: before.itemIndex });
		let failures = 0;
		let unresolved: { error: OpenWriteError; itemIndex: number } | undefined;
		const perItem = await inOrder(batch, async (item): Promise<INodeExecutionData[]> => {
			try {
				const records = await batch.run(item);
				const binary = batch.keepsBinary ? items[item]?.binary : undefined;
				return records.map((json) => ({
					json: json as INodeExecutionData['json'],
					...(binary === undefined ? {} : { binary }),
					pairedItem: { item },
				}));
			} catch (error) {
				if (error instanceof OpenWriteError && !this.continueOnFail()) {
					// Its outcome is unknown since an earlier attempt: the other items still run first.
					unresolved ??= { error, itemIndex: item };
					return [];
				}
				if (!this.continueOnFail() || batch.cancelled())
					throw toNodeError(this.getNode(), error, { itemIndex: item });
				failures += 1;
				return [
					{ json: failedItem(this, error, item, batch.clientId(item)), pairedItem: { item } },
				];
			}
		});
		if (unresolved !== undefined) {
			throw toNodeError(this.getNode(), unresolved.error, { itemIndex: unresolved.itemIndex });
		}
		batch.end(failures);
		return [perItem.flat()];
	}
}
