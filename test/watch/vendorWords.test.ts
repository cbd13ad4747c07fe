/**
 * The trigger with a service that uses other names for itself and the network than the API
 * document.
 */
import type { IDataObject } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { profileKeyOf } from '../../nodes/LeadGenPublishing/panel/output/profileUrl';
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
/** What a test event shows. */
async function sample(event: string, credential: IDataObject = {}): Promise<IDataObject[]> {
	const run = await runPoll({ ...trigger({ event }, credential), mode: 'manual' });
	return (run.items ?? []).map(({ json }) => json);
}

test.each([
	['newLead', true],
	['newLead', false],
	['leadChanged', true],
	['leadChanged', false],
])('%s gives "profile_url" if simplified (%s), or else the record', async (event, simplify) => {
	const { world } = service;
	const node = pollRegistration({ ...trigger({ event, simplify }), durability: 'inMemory' });
	const known = world.addLead(world.own);
	await node.activate();
	const lead =
		event === 'newLead'
			? world.addLead(world.own)
			: world.patchLead(world.own, known.id, { network_profile_url: 'https://pronet.example/new' });
	const { items } = await node.tick();
	const { id, network_profile_url: url } = lead;
	expect(items?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ id, [simplify ? 'profile_url' : 'pronet_profile_url']: url }),
	]);
	const other = simplify ? 'pronet_profile_url' : 'profile_url';
	expect(items?.[0]?.json).not.toHaveProperty(other);
	expect(items?.[0]?.json.profile_key).toBe(simplify ? profileKeyOf(url) : undefined);
});

test('activity names the one profile URL neutrally, and the network’s if there are several', async () => {
	const { world } = service;
	const { id, author_profile_url } = world.addActivity(world.own);
	world.patchActivity(world.own, id, { pronet_profile_url: 'https://p.example' } as object);
	const words = { setWords: true, networkWord: 'pronet' };
	const [shown] = await sample('newActivity', words);
	expect(shown).toMatchObject({ author_profile_url, profile_url: 'https://p.example' });
	expect(shown).not.toHaveProperty('pronet_profile_url');
	const plain = world.addActivity(world.own);
	const [newest] = await sample('newActivity');
	expect(newest).toMatchObject({ id: plain.id, profile_url: plain.author_profile_url });
	expect(newest).not.toHaveProperty('author_profile_url');
});

test('the word of the credential decides if a lead shows several URLs', async () => {
	const { world } = service;
	const other_profile_url = 'https://o.example';
	const lead = world.addLead(world.own, { other_profile_url } as object);
	expect(await sample('newLead', { setWords: true, networkWord: 'pronet' })).toMatchObject([
		{ profile_url: lead.network_profile_url, other_profile_url },
	]);
	expect(await sample('newLead')).toMatchObject([{ profile_url: null }]);
});

test('the action node of the same credential knows what a poll has shown', async () => {
	service.world.addLead(service.world.own);
	await sample('newLead');
	service.clearLog();
	const parameters = { resource: 'networkOrganization', operation: 'refresh' };
	await runNode({ ...subject(), node: LeadGenPublishing, parameters });
	expect(service.requests.map(({ path }) => path)).toEqual(['/pronet/organizations/refresh']);
});

test('a wrong word is rejected with its label before anything is sent', async () => {
	const words = { setWords: true, networkWord: 'two words' };
	const { error } = await runPoll(trigger({ event: 'newLead' }, words));
	expect(error?.message).toContain('"Network Word" in the credential');
	expect(service.requests).toEqual([]);
});
