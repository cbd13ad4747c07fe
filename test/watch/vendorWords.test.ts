/**
 * The trigger with a service that uses other names for itself and the network than the API
 * document.
 */
import type { IDataObject } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { profileKeyOf } from '../../nodes/LeadGenPublishing/output/profileUrl';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration, runNode, runPoll } from '../support/engine';

let service: FakeService;
let name = 0;

beforeEach(async () => {
	const words = { service: 'acme_io', network: 'pronet' };
	service = await startService({ sample: 'none', words });
});
afterEach(async () => await service.close());
const subject = (more: IDataObject = {}) => ({
	credentialType: LeadGenPublishingApi,
	credentials: { baseUrl: service.baseUrl, apiKey: service.world.keys.own, ...more },
});
function trigger(parameters: IDataObject, credential: IDataObject = {}) {
	name += 1;
	const node = LeadGenPublishingTrigger;
	const ids = { workflowId: `words-${name}`, nodeId: `words-${name}` };
	return { node, ...subject(credential), parameters: { watch: 'own', ...parameters }, ...ids };
}

const registered = (parameters: IDataObject) =>
	pollRegistration({ ...trigger(parameters), durability: 'inMemory' });

test.each(['newLead', 'leadChanged'])(
	'%s gives "profile_url", raw records as they are',
	async (event) => {
		const { world } = service;
		for (const simplify of [true, false]) {
			const node = registered({ event, simplify });
			const known = world.addLead(world.own);
			await node.activate();
			const lead =
				event === 'newLead'
					? world.addLead(world.own)
					: world.patchLead(world.own, known.id, { name: `Renamed ${String(simplify)}` });
			const { items } = await node.tick();
			const [item, ...others] = (items ?? []).map(({ json }) => json);
			expect(others).toEqual([]);
			expect(item).toMatchObject({
				id: lead.id,
				[simplify ? 'profile_url' : 'pronet_profile_url']: lead.network_profile_url,
			});
			expect(item).not.toHaveProperty(simplify ? 'pronet_profile_url' : 'profile_url');
			expect(item?.profile_key).toBe(simplify ? profileKeyOf(lead.network_profile_url) : undefined);
		}
	},
);

test('a changed address on the network is a change, and a company’s is none', async () => {
	const { world } = service;
	const lead = world.addLead(world.own);
	const node = registered({ event: 'leadChanged' });
	await node.activate();
	world.patchLead(world.own, lead.id, { network_profile_url: 'https://pronet.example/in/new' });
	const { items } = await node.tick();
	expect(items?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ id: lead.id, profile_url: 'https://pronet.example/in/new' }),
	]);
	world.patchLead(world.own, lead.id, { company_profile_url: 'https://c.example' } as object);
	expect((await node.tick()).items).toBeNull();
});

test('a sample of activity keeps the author’s address, and names the network’s neutrally', async () => {
	const { world } = service;
	const [plain, rich] = [world.addActivity(world.own), world.addActivity(world.own)];
	world.patchActivity(world.own, rich.id, { pronet_profile_url: 'https://p.example' } as object);
	const { items } = await runPoll({ ...trigger({ event: 'newActivity' }), mode: 'manual' });
	const shown = new Map((items ?? []).map(({ json }) => [json.id, json]));
	expect(shown.get(plain.id)).toMatchObject({ author_profile_url: plain.author_profile_url });
	expect(shown.get(plain.id)).not.toHaveProperty('profile_url');
	expect(shown.get(rich.id)).toMatchObject({
		author_profile_url: rich.author_profile_url,
		profile_url: 'https://p.example',
	});
	expect(shown.get(rich.id)).not.toHaveProperty('pronet_profile_url');
});

test('the word of the credential decides where a lead shows several addresses', async () => {
	const { world } = service;
	const lead = world.addLead(world.own, { other_profile_url: 'https://o.example' } as object);
	const event = { event: 'newLead' };
	const { items } = await runPoll({
		...trigger(event, { setWords: true, networkWord: 'pronet' }),
		mode: 'manual',
	});
	expect(items?.[0]?.json).toMatchObject({
		profile_url: lead.network_profile_url,
		other_profile_url: 'https://o.example',
	});
	const doubtful = await runPoll({ ...trigger(event), mode: 'manual' });
	expect(doubtful.items?.[0]?.json).toMatchObject({ profile_url: null });
});

test('what a poll has shown, the action node of the same credential knows', async () => {
	service.world.addLead(service.world.own);
	await runPoll({ ...trigger({ event: 'newLead' }), mode: 'manual' });
	service.clearLog();
	const parameters = { resource: 'networkOrganization', operation: 'refresh' };
	await runNode({ ...subject(), node: LeadGenPublishing, parameters });
	expect(service.requests.map(({ path }) => path)).toEqual(['/pronet/organizations/refresh']);
});

test('a word that is none is refused by its label, before anything is sent', async () => {
	const { error } = await runPoll(
		trigger({ event: 'newLead' }, { setWords: true, networkWord: 'two words' }),
	);
	expect(error?.message).toContain('"Network Word" in the credential');
	expect(service.requests).toEqual([]);
});
