// With durable cursors, n8n pauses a trigger for 30 minutes after an error that it takes for a lasting
// one. A failure of one request or of one client must not lead there.

import { setTimeout as pause } from 'node:timers/promises';

import type { StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { inTime } from '../../scripts/n8n/waiting';
import type { Ground } from './ground';
import {
	cameTo,
	closeGround,
	errorsOf,
	openEmptyGround,
	publishTrigger,
	settled,
} from './triggers';

const START_MS = 900_000;
const POLL_EVERY_MS = 30_000;
const EVERY_HALF_MINUTE = {
	item: [0, 30].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
};
const MAX_POLLS = 2;

let ground: Ground;
let ownLeads: StoredWorkflow;
let chosenClients: StoredWorkflow;
let allClients: StoredWorkflow;

beforeAll(async () => {
	ground = await openEmptyGround('with durable cursors');
	const { world } = ground.service;
	const newLead = { event: 'newLead', pollTimes: EVERY_HALF_MINUTE };
	ownLeads = await publishTrigger(ground, {
		name: 'Own leads',
		key: 'own',
		parameters: { ...newLead, watch: 'own' },
	});
	const clientIds = [world.clientA, world.clientB, world.clientC].map(({ id }) => id);
	chosenClients = await publishTrigger(ground, {
		name: 'Leads of chosen clients',
		key: 'agency',
		parameters: { ...newLead, watch: 'clients', clientIds },
	});
	allClients = await publishTrigger(ground, {
		name: 'Leads of all clients',
		key: 'agency',
		parameters: { ...newLead, watch: 'allClients' },
	});
	await settled(ground, { '/leads': 1, [`/clients/${world.clientB.id}/leads`]: 2 });
}, START_MS);

afterAll(async () => await closeGround(ground), 60_000);

/** How many polls were due from one time to the other. */
const pollsBetween = (from: number, to: number): number =>
	Math.floor(to / POLL_EVERY_MS) - Math.floor(from / POLL_EVERY_MS);

/** The number of the poll that delivers the lead, counted from now. */
async function pollsUntil(workflow: StoredWorkflow, lead: string, since: number): Promise<number> {
	const came = await inTime(
		`The lead in "${workflow.name}"`,
		async () => (await cameTo(ground, workflow)).find(({ item }) => item.id === lead),
		{ patienceMs: (MAX_POLLS + 2) * POLL_EVERY_MS },
	);
	return pollsBetween(since, came.at);
}

const failed = async (workflow: StoredWorkflow, words: RegExp): Promise<string> =>
	await inTime(
		`An error of "${workflow.name}"`,
		async () => (await errorsOf(ground, workflow)).find((message) => words.test(message)),
		{ patienceMs: 5 * POLL_EVERY_MS },
	);

test('one HTML 404 of a gateway delays the next lead by two polls at most', async () => {
	const { world, faults } = ground.service;
	faults.add({ kind: 'html', status: 404 }, { path: '/leads' });
	await inTime('The 404', () => faults.list()[0]?.over, { patienceMs: 3 * POLL_EVERY_MS });
	// The poll that was hit may still be reading.
	await pause(5_000);
	const since = Date.now();
	const lead = world.addLead(world.own);
	expect(await pollsUntil(ownLeads, lead.id, since)).toBeLessThanOrEqual(MAX_POLLS);
	expect(faults.list()).toMatchObject([{ hits: 1 }]);
});

test('a client that has revoked its grant does not delay the leads of the others', async () => {
	const { world } = ground.service;
	world.revokeGrant(world.agency, world.clientA);
	const words = new RegExp(world.clientA.id);
	expect(await failed(chosenClients, words)).toContain(world.clientA.fullName);
	expect(await failed(allClients, words)).toContain(world.clientA.fullName);
	const since = Date.now();
	const lead = world.addLead(world.clientB);
	for (const workflow of [chosenClients, allClients])
		expect(await pollsUntil(workflow, lead.id, since)).toBeLessThanOrEqual(MAX_POLLS);
});

test('nor does one whose list answers 401', async () => {
	const { world, faults } = ground.service;
	faults.status(401, { clientId: world.clientC.id, count: Infinity });
	const words = new RegExp(world.clientC.id);
	await failed(chosenClients, words);
	await failed(allClients, words);
	const since = Date.now();
	const lead = world.addLead(world.clientB);
	for (const workflow of [chosenClients, allClients])
		expect(await pollsUntil(workflow, lead.id, since)).toBeLessThanOrEqual(MAX_POLLS);
});

test('each lead came once', async () => {
	for (const [workflow, leads] of [
		[ownLeads, 1],
		[chosenClients, 2],
		[allClients, 2],
	] as const)
		expect(await cameTo(ground, workflow)).toHaveLength(leads);
});
