// `npm run test:plugs`: pulls the plug of a real n8n again and again while leads keep coming, and then
// compares what the trigger has delivered, and what is in the CRM, with the service, lead by lead.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startService, type PlayedService } from '../service';
import { chanceOf } from './chance';
import { endAllPrograms } from './children';
import { collectDeliveries, countLeads } from './deliveries';
import { CREDENTIAL_NAMES, prepareExample, TABLES } from './examples';
import { installHost } from './host';
import { N8nApi, type StoredWorkflow } from './n8nApi';
import { DURABLE_CURSORS, launch, type N8nProcess } from './n8nProcess';
import { installPackage, packPackage } from './package';
import { freePort } from './ports';
import { say, seconds, step } from './progress';
import { runByHand } from './stage';

const HELP = `Kills n8n without warning while leads keep coming, and compares afterwards.

  --kills N          how often (20)
  --mode durable     with n8n's durable cursors: nothing missing, nothing twice (default)
  --mode memory      without: at most the batch in flight per kill, and it is printed
  --seed N           repeats the moments of an earlier run, as far as the machine does
  --keep             leaves n8n's folder with its log and database

Delivered counts the items of the executions that polls have started. An execution that a kill cut
short has been delivered by the trigger; it is run again at the end with n8n's own Retry, as a person
would do it, before the CRM is compared.
`;
const TRIGGER = 'New Lead';
const FIRST_LEADS = 30;
const PATIENCE_MS = 150_000;
/** The killing moments: any within this time after n8n is up, or shortly after a poll has begun. */
const ANY_MS = 9_000;
const POLL_MS = 700;
const DOWN_MS = 2_500;
const MOST_STARTS = 4;
const LEAD_MS = { least: 150, most: 1_400 };

const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '20' },
		mode: { type: 'string', default: 'durable' },
		seed: { type: 'string' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

interface Scene {
	service: PlayedService;
	api: N8nApi;
	workflow: StoredWorkflow;
	table: string;
	n8n: N8nProcess;
	restart: () => Promise<void>;
	/** How often n8n did not survive its own start. */
	failedStarts: number;
}

interface Verdict {
	leads: number;
	delivered: number;
	executions: number;
	/** Cut short by a kill, and run again with Retry. */
	interrupted: number;
	failed: string[];
	missing: string[];
	twice: string[];
	/** Missing or repeated leads that were not in the last batch before a kill. */
	unexplained: string[];
	/** Kills to which a difference belongs. */
	lossyKills: number;
	crm: { rows: number; missing: string[]; surplus: string[]; different: string[] };
}

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const { kills, seed, durable } = readOptions();
	const since = Date.now();
	say(`mode ${values.mode}, ${kills} kills, seed ${seed}`);
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'plugs-'));
	const service = await startService({ control: false, seed });
	try {
		const scene = await step('Starting n8n with the packed package', () =>
			setUp(folder, service, durable),
		);
		const killed = await pullPlugs(scene, kills, chanceOf(seed));
		await step('Waiting until everything has come', () => caughtUp(scene));
		const verdict = await step('Counting', () => judge(scene, killed));
		await scene.n8n.stop();
		const passed = isGood(verdict, durable);
		report(verdict, { kills: killed.length, durable, failedStarts: scene.failedStarts });
		say(`${passed ? 'Passed' : 'FAILED'} after ${seconds(since)} (seed ${seed})`);
		if (!passed || values.keep) say(`n8n's folder: ${folder}`);
		else rmSync(folder, { recursive: true, force: true });
		return passed ? 0 : 1;
	} finally {
		await endAllPrograms();
		await service.close();
	}
}

function readOptions(): { kills: number; seed: number; durable: boolean } {
	const { mode } = values;
	if (mode !== 'durable' && mode !== 'memory') throw new Error('--mode is durable or memory');
	const kills = Number(values.kills);
	const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
	if (!Number.isInteger(kills) || kills < 0) throw new Error('--kills is a whole number');
	if (!Number.isInteger(seed)) throw new Error('--seed is a whole number');
	return { kills, seed, durable: mode === 'durable' };
}

async function setUp(folder: string, service: PlayedService, durable: boolean): Promise<Scene> {
	const { world, baseUrl } = service;
	world.seedLeads(world.own, FIRST_LEADS);
	await installPackage(await packPackage(), folder);
	const port = await freePort();
	const env = durable ? DURABLE_CURSORS : {};
	const start = () => launch({ command: 'start', name: 'n8n', userFolder: folder, port, env });
	const n8n = await start();
	const api = new N8nApi(n8n.url);
	await api.setUpOwner();
	const credential = await api.createCredential(CREDENTIAL_NAMES.own, {
		baseUrl,
		apiKey: world.keys.own,
	});
	const ids = { own: credential, agency: credential };
	await runByHand(api, await api.createWorkflow(prepareExample('create-crm-tables', ids)));
	const workflow = await api.createWorkflow(prepareExample('new-leads-to-crm', ids));
	await api.activate(workflow);
	const table = await api.tableId(TABLES.own);
	const scene: Scene = {
		service,
		api,
		workflow,
		table,
		n8n,
		failedStarts: 0,
		restart: async () => {
			// n8n's recovery can fall over what the crash has left, and ends n8n; the start after that
			// leaves the recovery out. Whoever supervises n8n starts it again, and so do we.
			for (let tries = 1; ; tries++) {
				const started = await start().catch((error: unknown) => {
					if (tries === MOST_STARTS) throw error;
				});
				if (started) {
					scene.n8n = started;
					return;
				}
				scene.failedStarts++;
			}
		},
	};
	// Nothing is promised before the first scan has been kept.
	await until(async () => (await api.countRows(table)) >= world.own.leads.size);
	return scene;
}

async function pullPlugs(scene: Scene, kills: number, chance: () => number): Promise<number[]> {
	const stopLeads = keepLeadsComing(scene.service, chance);
	const killed: number[] = [];
	try {
		await step(`Pulling the plug ${kills} times`, async (note) => {
			for (let kill = 0; kill < kills; kill++) {
				// Every other time in the middle of a poll or of what follows it.
				if (kill % 2 === 0) await pause(chance() * ANY_MS);
				else await afterNextPoll(scene.service, chance() * POLL_MS);
				killed.push(Date.now());
				await scene.n8n.cutOff();
				await pause(chance() * DOWN_MS);
				await scene.restart();
				note(`${kill + 1} kills, ${scene.service.world.own.leads.size} leads`);
			}
		});
	} finally {
		stopLeads();
	}
	return killed;
}

function keepLeadsComing({ world }: PlayedService, chance: () => number): () => void {
	let timer: NodeJS.Timeout;
	const next = () => {
		const wait = LEAD_MS.least + chance() * (LEAD_MS.most - LEAD_MS.least);
		timer = setTimeout(() => {
			world.addLead(world.own);
			next();
		}, wait);
	};
	next();
	return () => clearTimeout(timer);
}

async function afterNextPoll({ requests }: PlayedService, waitMs: number): Promise<void> {
	const before = requests.length;
	const deadline = Date.now() + 60_000;
	while (requests.length === before && Date.now() < deadline) await pause(5);
	await pause(waitMs);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isSo()) && Date.now() < deadline) await pause(500);
}

/** Until a few polls in a row have brought nothing. */
async function caughtUp({ api, workflow, service }: Scene): Promise<void> {
	const { requests } = service;
	let known = -1;
	let quietSince = 0;
	await until(async () => {
		const executions = await api.executions({ workflowId: workflow.id });
		const busy = executions.some(({ status }) => status === 'new' || status === 'running');
		if (busy || executions.length !== known) {
			known = executions.length;
			quietSince = requests.length;
		}
		// Each poll asks at least once.
		return requests.length >= quietSince + 8;
	});
}

async function judge(scene: Scene, killed: readonly number[]): Promise<Verdict> {
	const { api, workflow, service } = scene;
	const { deliveries, interrupted, failed } = await collectDeliveries(api, workflow, TRIGGER);
	const leads = service.world.own.leads.toArray();
	const { firstIn, twice } = countLeads(deliveries);
	const missing = leads.filter(({ id }) => !firstIn.has(id));
	const lossy = new Set<number>();
	const unexplained: string[] = [];
	const explain = (lead: string, since: number, between: number) => {
		const kill = killed.find((at) => at >= since);
		const batches = deliveries.filter(
			({ startedAt }) => startedAt > since && kill !== undefined && startedAt < kill,
		);
		if (kill === undefined || batches.length > between) unexplained.push(lead);
		else lossy.add(kill);
	};
	// The batch before may have begun after this lead came, and too early to see it.
	for (const { id, created_at } of missing) explain(id, Date.parse(created_at ?? ''), 1);
	for (const id of twice) explain(id, firstIn.get(id)?.startedAt ?? 0, 0);
	return {
		leads: leads.length,
		delivered: deliveries.reduce((sum, delivery) => sum + delivery.leads.length, 0),
		executions: deliveries.length,
		interrupted,
		failed,
		missing: missing.map(({ id }) => id),
		twice: [...twice],
		unexplained,
		lossyKills: lossy.size,
		crm: await compareCrm(scene),
	};
}

async function compareCrm({ api, table, service }: Scene): Promise<Verdict['crm']> {
	const leads = service.world.own.leads.toArray();
	const wanted = new Map(leads.map((lead) => [lead.network_profile_url, lead]));
	const rows = await api.rows(table);
	const seen = new Set<string>();
	const crm: Verdict['crm'] = { rows: rows.length, missing: [], surplus: [], different: [] };
	for (const row of rows) {
		const profile = String(row.profile_url);
		const lead = wanted.get(profile);
		if (!lead || seen.has(profile)) crm.surplus.push(profile);
		else if (row.lead_id !== lead.id || row.name !== lead.name) crm.different.push(profile);
		seen.add(profile);
	}
	crm.missing = [...wanted.keys()].filter((profile) => !seen.has(profile));
	return crm;
}

function isGood(verdict: Verdict, durable: boolean): boolean {
	const { missing, twice, unexplained, failed, crm } = verdict;
	const sound = failed.length + crm.surplus.length + crm.different.length === 0;
	const difference = missing.length + twice.length;
	const allowed = durable ? difference === 0 : unexplained.length === 0;
	return sound && allowed && crm.missing.length === missing.length;
}

function report(
	verdict: Verdict,
	{ kills, durable, failedStarts }: { kills: number; durable: boolean; failedStarts: number },
): void {
	const { missing, twice, unexplained, failed, crm } = verdict;
	say();
	say(`kills:      ${kills}; ${failedStarts} starts that n8n's own crash recovery ended`);
	say(`leads:      ${verdict.leads} in the service`);
	say(`delivered:  ${verdict.delivered} by ${verdict.executions} executions that polls started`);
	say(`            ${verdict.interrupted} of them cut short by a kill, run again with Retry`);
	say(`missing:    ${missing.length} in no execution`);
	say(`twice:      ${twice.length} in more than one`);
	if (!durable) {
		say(`            at ${verdict.lossyKills} of the kills, all in the batch in flight`);
		say(`            but for ${unexplained.length}`);
	}
	say(
		`CRM:        ${crm.rows} rows; ${crm.missing.length} missing, ` +
			`${crm.surplus.length} too many, ${crm.different.length} different`,
	);
	say(`failed:     ${failed.length} executions`);
	for (const line of failed.slice(0, 5)) say(`  ${line}`);
	for (const lead of missing.slice(0, 5)) say(`  missing: ${lead}`);
	for (const lead of twice.slice(0, 5)) say(`  twice: ${lead}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => void endAllPrograms().finally(() => process.exit(1)));
}

main()
	.catch((error: unknown) => {
		process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		return 1;
	})
	.then(async (code) => {
		await endAllPrograms();
		process.exit(code);
	});
