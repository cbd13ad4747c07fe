/** The list of clients that the trigger offers, loaded as n8n's editor loads it. */
import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { instance } from '../support/instance';
import { additionalDataOf, nodeTypesOf, subjectOf } from '../support/subject';

export async function loadClients(credentials: { baseUrl: string; apiKey: string }) {
	await instance();
	const { node, type, store } = subjectOf({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials,
		parameters: { watch: 'clients' },
	});
	const nodeTypes = nodeTypesOf({ [node.type]: type });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataOf({ store, parameters: node.parameters });
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.clientIds');
	return await workflow.expression.withIsolate(
		async () => await new LeadGenPublishingTrigger().methods.loadOptions.getClients.call(context),
	);
}
