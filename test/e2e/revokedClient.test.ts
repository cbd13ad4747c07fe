// n8n is started again while one of two clients has revoked its grant: the other one's leads come.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost } from '../../scripts/n8n/host';
import { launch, type RunningN8n } from '../../scripts/n8n/launch';
import { CREDENTIAL_TYPE, N8nApi, type StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { installPackage, packPackage } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startService, type FakeService } from '../../fake-service';
import { collectDeliveries } from './deliveries';
import { until } from './quiet';

const TRIGGER = 'New Lead';
const START_MS = 900_000;
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, place) => ({
	...{ mode: 'custom', cronExpression: `${place * 5} * * * * *` },
}));

let folder: string;
let service: FakeService;
let n8n: RunningN8n;
let api: N8nApi;
let workflow: StoredWorkflow;
let start: () => Promise<RunningN8n>;

beforeAll(async () => {
	await installHost();
	folder = mkdtempSync(join(tmpdir(), 'revoked-'));
	service = await startService({ control: false });
	const { world, baseUrl } = service;
	await installPackage(await packPackage(), folder);
	const port = await freePort();
	// n8n's default: polls in its own memory, one of which it makes at every start.
	start = () => launch({ userFolder: folder, port });
	n8n = await start();
	api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const credential = await api.createCredential('Agency', {
		baseUrl,
		apiKey: world.keys.agency,
	});
	workflow = await api.createWorkflow({
		name: 'Leads of two clients',
		settings: { executionOrder: 'v1' },
		connections: {},
		nodes: [
			{
				...{ id: 'trigger', name: TRIGGER, typeVersion: 1, position: [0, 0] },
				type: 'n8n-nodes-leadgen-publishing.leadGenPublishingTrigger',
				parameters: {
					...{ event: 'newLead', watch: 'clients' },
					clientIds: [world.clientA.id, world.clientB.id],
					pollTimes: { item: EVERY_FIVE_SECONDS },
				},
				credentials: { [CREDENTIAL_TYPE]: { id: credential, name: 'Agency' } },
			},
		],
	});
	await api.activate(workflow);
}, START_MS);

afterAll(async () => {
	await n8n?.stop();
	await service?.close();
	rmSync(folder, { recursive: true, force: true });
}, 60_000);

const delivered = async (): Promise<string[]> =>
	(await collectDeliveries(api, workflow, TRIGGER)).deliveries.flatMap(({ leads }) => leads);

test('a restart with one revoked client goes on with the other', async () => {
	const { world } = service;
	// Publishing goes on after n8n has said that it will: what is there by then is not new.
	const polls = () => service.requests.filter(({ path }) => path.includes(world.clientB.id));
	await until(async () => polls().length >= 2);
	const first = world.addLead(world.clientB);
	await until(async () => (await delivered()).includes(first.id));
	await n8n.kill();
	world.revokeGrant(world.agency, world.clientA);
	const whileDown = world.addLead(world.clientB);
	n8n = await start();
	await api.logIn();
	await until(async () => (await delivered()).includes(whileDown.id));
	expect(await delivered()).toEqual([first.id, whileDown.id]);
	const later = world.addLead(world.clientB);
	await until(async () => (await delivered()).includes(later.id));
	expect(await delivered()).toEqual([first.id, whileDown.id, later.id]);
}, 300_000);
