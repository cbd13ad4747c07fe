/** The list of clients that the trigger offers, loaded as n8n's editor loads it. */
import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { play } from '../contract/play';
import { stopInstance } from '../support/engine';
import { instance } from '../support/instance';
import { additionalDataOf, nodeTypesOf, subjectOf } from '../support/subject';

const played = play({ listInactiveGrants: true });
afterAll(async () => await stopInstance());

async function load(apiKey: string) {
	await instance();
	const { node, type, store } = subjectOf({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: played.service.baseUrl, apiKey },
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

it('names the clients, those with an active grant first', async () => {
	const { keys, clientA } = played.service.world;
	const clients = await load(keys.agency);
	expect(clients.map(({ value }) => value)).toContain(clientA.id);
	expect(clients.at(-1)?.name).toContain('not accessible: no active grant');
});

it('says what to do when the key may not list them', async () => {
	await expect(load(played.service.world.keys.own)).rejects.toThrow(
		/may not do this: Client routes need an agency key.*Only agency keys can list clients/,
	);
});
