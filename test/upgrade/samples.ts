/** How the present version is used: each operation with all that its form offers, and each event. */
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { activityAt, leadAt } from '../../fake-service/sample';
import { startService, type Account, type FakeService } from '../../fake-service/index';
import type { WatchEvent } from '../../nodes/LeadGenPublishing/feed/events/events';
import { prepareAll } from '../contract/everyParameter';
import { operations } from '../contract/forms';
import type { Saved } from './frozen';
import { ACTION, stopTime, TRIGGER } from './replay';
import { worldOf, type Holdings } from './world';

const PACKAGE = 'n8n-nodes-leadgen-publishing';
const SEED = 4711;

/** What happens between two polls. */
const EVENTS: Readonly<Record<WatchEvent, (client: Account, at: string) => Holdings>> = {
	newLead: (_, at) => ({ leads: [leadAt(SEED, 1, at)] }),
	newActivity: (_, at) => ({ activity: [activityAt(SEED, 1, at)] }),
	activityChanged: ({ activity }, at) => ({
		activity: activity.toArray().map((one) => ({ ...one, status: 'sent', updated_at: at })),
	}),
	clientChanged: () => ({ joins: 'Cleo Newcomer' }),
	leadChanged: ({ leads }, at) => ({
		leads: leads.toArray().map((lead) => ({
			...{ ...lead, latest_keyword: 'CHANGED', qualification_status: 'qualified' },
			updated_at: at,
		})),
	}),
	postStatusChanged: ({ posts }, at) => ({
		posts: posts.toArray().map((post) => ({ ...post, status: 'published', updated_at: at })),
	}),
};

/** As the editor stores it: nothing that has its default, and nothing that is not shown. */
function saved({ description }: typeof ACTION | typeof TRIGGER, parameters: object): INode {
	const typeVersion = [description.version].flat().at(-1) ?? 1;
	return {
		...{ id: 'frozen', name: 'Frozen', type: `${PACKAGE}.${description.name}`, typeVersion },
		position: [0, 0],
		parameters:
			NodeHelpers.getNodeParameters(
				description.properties,
				parameters as INodeParameters,
				...([false, false, { typeVersion }, description] as const),
			) ?? {},
	};
}

/** Makes the world in which a node is to run, and gives the rest of the sample. */
async function sampleOf(
	at: string,
	make: (service: FakeService) => Promise<Omit<Saved, 'world'>>,
): Promise<Saved> {
	stopTime(at);
	const service = await startService({ sample: 'none' });
	try {
		const { own, clientA } = service.world;
		for (const account of [own, clientA]) {
			service.world.addPost(account, { status: 'scheduled' });
			service.world.addLeadMagnet(account);
			service.world.seedLeads(account, 3);
			service.world.seedActivity(account, 4);
		}
		const sample = await make(service);
		return { ...sample, world: worldOf(service, at) };
	} finally {
		await service.close();
		jest.useRealTimers();
	}
}

export async function presentSamples(): Promise<Record<string, Saved>> {
	const samples: Record<string, Saved> = {};
	// The times of the samples lie ahead of the present, and all samples of one world show the same.
	const at = new Date().toISOString();
	for (const { name } of operations)
		samples[name] = await sampleOf(at, async (service) => {
			const { parameters, items } = await prepareAll(service, name);
			const isForClients = parameters.actAs === 'client' || parameters.resource === 'client';
			return {
				node: saved(ACTION, parameters),
				...{ key: isForClients ? 'agency' : 'own', hasFile: items !== undefined },
			};
		});
	for (const [event, later] of Object.entries(EVENTS))
		samples[event] = await sampleOf(at, async ({ world: { clientA } }) => {
			const options = { emitExisting: true, maxItemsPerPoll: 5, completeCheckEvery: 2 };
			const parameters = { event, watch: 'clients', clientIds: [clientA.id], options };
			const happens = later(clientA, at);
			const node = saved(TRIGGER, parameters);
			return await Promise.resolve({ node, key: 'agency', hasFile: false, later: happens });
		});
	return samples;
}
