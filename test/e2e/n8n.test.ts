import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { activityIds, agrees, caughtUp, countDeliveries } from '../../scripts/demo/ledger';
import { KEYWORD } from '../../scripts/demo/life';
import { runByHand } from '../../scripts/demo/furnishN8n';
import { openStage, type Stage } from '../../scripts/demo/stage';
import { EXAMPLE_NAMES } from '../../scripts/n8n/examples';
import { EXAMPLES } from '../../scripts/n8n/folders';
import { freePort } from '../../scripts/n8n/ports';
import { describeHttpRequestNode } from './httpRequestNode';

const INSTALL_AND_START_MS = 900_000;
const TRIGGERS = ['new-leads-to-crm', 'all-clients-new-leads', 'keyword-comments'] as const;

let stage: Stage;
let before: Set<string>;

beforeAll(async () => {
	stage = await openStage({ name: 'test' });
	before = activityIds(stage);
}, INSTALL_AND_START_MS);

afterAll(async () => {
	await stage?.close();
}, 60_000);

async function tablesAgree(): Promise<void> {
	const tables = await caughtUp(stage, before);
	expect(tables.filter((table) => !agrees(table))).toEqual([]);
}

describe('the packed package in a real n8n', () => {
	it('is loaded as a community package, the action as an AI tool too', async () => {
		const ours = (await stage.api.nodeTypes()).filter((name) => name.includes('leadGenPublishing'));
		expect(ours.sort()).toEqual([
			'n8n-nodes-leadgen-publishing.leadGenPublishing',
			'n8n-nodes-leadgen-publishing.leadGenPublishingTool',
			'n8n-nodes-leadgen-publishing.leadGenPublishingTrigger',
		]);
	});
});

describe('the test of the credential', () => {
	const tested = (change: { baseUrl?: string; apiKey?: string }) => {
		const { service, api, credentials } = stage;
		const good = { baseUrl: service.baseUrl, apiKey: service.world.keys.own };
		return api.testCredential(credentials.own, { ...good, ...change });
	};

	it('accepts a good key', async () => {
		expect(await tested({})).toMatchObject({ status: 'OK' });
	});

	it.each(['unknown', 'revoked', 'inactive'] as const)('says that a key is %s', async (which) => {
		expect(await tested({ apiKey: stage.service.world.keys[which] })).toEqual({
			status: 'Error',
			message: expect.stringContaining('API key was not accepted'),
		});
	});

	it('says that nobody answers at the address', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}/api/v1`;
		expect(await tested({ baseUrl })).toEqual({
			status: 'Error',
			message: expect.stringContaining('ECONNREFUSED'),
		});
	});

	it('says that another service answers at the address', async () => {
		expect(await tested({ baseUrl: `${stage.service.controlUrl}/api/v1` })).toEqual({
			status: 'Error',
			message: expect.stringContaining('not with the API'),
		});
	});
});

describeHttpRequestNode(() => stage);

describe('the example workflows', () => {
	it('are all imported', () => {
		const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
		expect(files.sort()).toEqual(EXAMPLE_NAMES.map((name) => `${name}.json`).sort());
	});

	it('can make their tables twice', async () => {
		await runByHand(stage.api, stage.workflows['create-crm-tables']);
		expect(await stage.api.tableId('Own leads')).toBe(stage.tables.own);
	});

	it('read every lead with an email address, by hand', async () => {
		const { output } = await runByHand(stage.api, stage.workflows['read-leads']);
		const leads = stage.service.world.own.leads.toArray();
		const reachable = leads.filter(({ emails }) => Object.values(emails).some(Boolean));
		const read = output('Get Leads');
		expect(read.map(({ id }) => id).sort()).toEqual(reachable.map(({ id }) => id).sort());
		expect(read.every(({ email }) => typeof email === 'string')).toBe(true);
	});
});

describe('the trigger, active', () => {
	let lastBatches: ReadonlySet<string>;

	it('brings in what was there, of the own account and of all clients', tablesAgree);

	it('delivers each new lead and comment', async () => {
		const { own, clientA, clientC } = stage.service.world;
		for (const account of [own, clientA, clientC]) {
			stage.service.world.comment(account, KEYWORD);
		}
		stage.service.world.seedLeads(own, 150, { from: Date.now(), everyMs: 0 });
		await tablesAgree();
	});

	it('has delivered nothing twice, as long as n8n has not ended', async () => {
		expect((await countDeliveries(stage)).twice).toEqual([]);
	});

	it('misses nothing that happens while n8n is down after a crash', async () => {
		const { world } = stage.service;
		// Batches that come within ten seconds count as one. These comments, which may come in two, count
		// without the leads before them.
		await pause(13_000);
		for (const account of [world.own, world.clientA, world.clientC])
			world.comment(account, KEYWORD);
		await tablesAgree();
		lastBatches = (await countDeliveries(stage)).last;
		await stage.crashN8n(() => {
			for (const account of [world.own, world.clientB]) world.comment(account, KEYWORD);
			world.seedLeads(world.clientA, 110, { from: Date.now(), everyMs: 0 });
		});
		await tablesAgree();
	});

	it('has repeated only the last batch before the crash, and no execution has failed', async () => {
		const { executions, failed, twice } = await countDeliveries(stage);
		expect(executions).toBeGreaterThanOrEqual(TRIGGERS.length);
		const others = twice.filter((record) => !lastBatches.has(record));
		expect({ failed, others }).toEqual({ failed: [], others: [] });
	});
});
