/**
 * 300 watched clients with 2,000 leads each: what an idle poll costs, with one client answering
 * in 2 s, and whether anybody waits for that one. `npm run bench:clients`
 */
import 'reflect-metadata';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials.js';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.js';
import { startService } from '../service/index';
import { pollRegistration, stopInstance } from '../support/engine';

const CLIENTS = 300;
const LEADS = 2_000;
const SLOW = 2_000;

async function main(): Promise<void> {
	const service = await startService({ sample: 'none' });
	const { world } = service;
	const clients = Array.from({ length: CLIENTS }, (_, index) =>
		world.addClient(world.agency, `Client ${index}`),
	);
	for (const client of clients) world.seedLeads(client, LEADS);
	const node = pollRegistration({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: world.keys.agency },
		parameters: { event: 'newLead', watch: 'allClients' },
		durability: 'durableCursors',
	});
	const timed = async (what: string, poll: () => Promise<{ items: unknown[] | null }>) => {
		service.clearLog();
		const start = performance.now();
		const { items } = await poll();
		const ms = performance.now() - start;
		const pages = service.requests.filter(({ path }) => path.endsWith('/leads'));
		const last = Math.max(
			...pages.filter(({ clientId }) => clientId !== slow?.id).map(({ endedAt }) => endedAt ?? 0),
		);
		const others = last - (service.requests[0]?.startedAt ?? 0);
		console.log(
			`${what.padEnd(34)} ${String(service.requests.length).padStart(6)} requests ${ms.toFixed(0).padStart(7)} ms   ` +
				`all others read after ${others.toFixed(0)} ms   ${items?.length ?? 0} items`,
		);
	};
	const slow = clients[17];
	await timed('baseline', node.activate);
	await timed('first scheduled poll', node.tick);
	for (let run = 1; run <= 3; run += 1) await timed(`idle ${run}`, node.tick);
	if (slow !== undefined) service.latency.client(slow.id, SLOW);
	for (let run = 1; run <= 3; run += 1)
		await timed(`idle ${run}, one client answers in 2 s`, node.tick);
	world.addLead(clients[0]?.id ?? '');
	await timed('one new lead, one client slow', node.tick);
	console.log(
		`state: ${JSON.stringify(node.stored).length} characters for ${CLIENTS * LEADS} leads`,
	);
	await service.close();
	await stopInstance();
}

void main();
