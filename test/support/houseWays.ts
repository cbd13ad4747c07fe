/** The runs that the benchmark measures, on n8n's engine against a fake service. */
import type { INodeType } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { startService } from '../../fake-service/index';
import { filesCrossed } from '../../scripts/measure/house';
import { pollRegistration, runNode, stopInstance } from './engine';

/** Runs each once before it is measured, so that loading is not measured. */
export async function measureWays(nodes: {
	action: new () => INodeType;
	trigger: new () => INodeType;
}): Promise<Record<'one post.get' | 'an idle poll', string[]>> {
	// n8n creates a node once, when it loads it, so this time does not belong to a run.
	const [action, polling] = [new nodes.action(), new nodes.trigger()];
	const service = await startService({});
	try {
		const { world, baseUrl } = service;
		const { id } = world.addPost(world.own);
		const shared = {
			credentialType: LeadGenPublishingApi,
			credentials: { baseUrl, apiKey: world.keys.own },
		};
		const get = async () => {
			const { error } = await runNode({
				...shared,
				node: action,
				parameters: {
					resource: 'post',
					operation: 'get',
					postId: { __rl: true, mode: 'id', value: id },
				},
			});
			if (error !== undefined) throw new Error(error.message);
		};
		const trigger = pollRegistration({
			...shared,
			node: polling,
			parameters: { event: 'newLead', watch: 'own' },
			workflowId: 'house',
			nodeId: 'house',
			durability: 'inMemory',
		});
		await get();
		const ofGet = await filesCrossed(get);
		for (let polls = 0; polls < 3; polls += 1) await trigger.tick();
		const ofPoll = await filesCrossed(async () => await trigger.tick());
		return { 'one post.get': ofGet, 'an idle poll': ofPoll };
	} finally {
		await service.close();
		await stopInstance();
	}
}
