// n8n is started again while one of two clients has revoked its grant: the other one's leads come.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService } from '../../fake-service';
import { EVERY_FIVE_SECONDS } from '../../scripts/n8n/examples';
import { installHost } from '../../scripts/n8n/host';
import type { StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { until } from '../../scripts/n8n/waiting';
import { collectDeliveries } from './deliveries';
import { openGround, type Ground } from './ground';
import { credentialOf, inARow, ours } from './workflows';

const TRIGGER = 'New Lead';
const START_MS = 900_000;

let ground: Ground;
let workflow: StoredWorkflow;

beforeAll(async () => {
	await installHost();
	const service = await startService({ control: false });
	const folder = mkdtempSync(join(tmpdir(), 'revoked-'));
	// n8n's default: polls in its own memory, one of which it makes at every start.
	ground = await openGround({ folder, service });
	const { api, ids } = ground;
	const clientIds = [service.world.clientA.id, service.world.clientB.id];
	const watched = { event: 'newLead', watch: 'clients', clientIds };
	const trigger = ours(TRIGGER, credentialOf(ids, 'agency'), {
		...{ ...watched, pollTimes: EVERY_FIVE_SECONDS },
	});
	workflow = await api.createWorkflow(inARow('Leads of two clients', [trigger]));
	await api.activate(workflow);
}, START_MS);

afterAll(async () => {
	await ground?.n8n.stop();
	await ground?.service.close();
	rmSync(ground?.folder ?? '', { recursive: true, force: true });
}, 60_000);

const delivered = async (): Promise<string[]> =>
	(await collectDeliveries(ground.api, workflow, TRIGGER)).deliveries.flatMap(({ leads }) => leads);

test('a restart with one revoked client goes on with the other', async () => {
	const { world, requests } = ground.service;
	// Publishing goes on after n8n has said that it will: what is there by then is not new.
	const polls = () => requests.filter(({ path }) => path.includes(world.clientB.id));
	await until(async () => Promise.resolve(polls().length >= 2));
	const first = world.addLead(world.clientB);
	await until(async () => (await delivered()).includes(first.id));
	await ground.n8n.kill();
	world.revokeGrant(world.agency, world.clientA);
	const whileDown = world.addLead(world.clientB);
	await ground.restart();
	await until(async () => (await delivered()).includes(whileDown.id));
	expect(await delivered()).toEqual([first.id, whileDown.id]);
	const later = world.addLead(world.clientB);
	await until(async () => (await delivered()).includes(later.id));
	expect(await delivered()).toEqual([first.id, whileDown.id, later.id]);
}, 300_000);
