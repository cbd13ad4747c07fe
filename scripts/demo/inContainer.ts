// The demo's own program in compose.yaml. It plays the service, and fills and watches the n8n of the
// other container. Both share one network, so that each is on loopback for the other: the node only
// sends a key without encryption to its own machine.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { startService, type FakeService } from '../../fake-service';
import { N8nApi } from '../n8n/n8nApi';
import { say, seconds, step } from '../n8n/progress';
import { READY_PATHS, respondsWithJson } from '../n8n/ready';
import { inTime } from '../n8n/waiting';
import { check } from './check';
import { furnishN8n, reopenN8n, type Demo, type Kept } from './furnishN8n';
import { furnish, giveNewIds } from './life';
import { showTo, welcome } from './welcome';

/** compose.yaml publishes these ports under the same numbers, so the URLs also work outside. */
const N8N_URL = `http://127.0.0.1:${portOf('N8N_PORT')}`;
const CONTROL_PORT = portOf('CONTROL_PORT');
const API_PORT = 4010;
/** On n8n's volume, so that it lives as long as what it describes. */
const KEPT = '/home/node/.n8n/demo.json';
const START_OVER = 'docker compose down --volumes';

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		likely: { type: 'boolean', default: false },
		/** The version that must run: an image that was asked for is not always the one that starts. */
		n8n: { type: 'string' },
	},
});

function portOf(variable: string): number {
	const port = Number(process.env[variable]);
	if (!Number.isInteger(port) || port <= 0) throw new Error(`${variable} must be a port`);
	return port;
}

async function openDemo(service: FakeService): Promise<Demo> {
	const kept = readKept();
	if (kept !== undefined && values.check) throw new Error('--check needs an empty n8n.');
	furnish(service, values.check ? 'many' : 'few');
	if (kept !== undefined) giveNewIds(service, kept.starts);
	const api = new N8nApi(N8N_URL);
	await step('Waiting for n8n', async () => {
		for (const path of READY_PATHS.main)
			await inTime(`n8n's ${path}`, () => respondsWithJson(`${N8N_URL}${path}`));
	});
	const filled =
		kept === undefined
			? await step('Creating owner, credentials, tables and workflows', async () => {
					await api.setUpOwner();
					return await furnishN8n(api, service);
				})
			: await step('Opening your workflows', () => reopenN8n(api, { kept, service }));
	const { credentials, workflows, tables } = filled;
	await requireVersion(api);
	const starts = (kept?.starts ?? 0) + 1;
	writeFileSync(KEPT, JSON.stringify({ credentials, workflows, tables, starts }));
	return { service, api, credentials, workflows, tables };
}

async function requireVersion(api: N8nApi): Promise<void> {
	const version = await api.version();
	say(`n8n ${version} runs.`);
	if (values.n8n !== undefined && values.n8n !== version)
		throw new Error(`n8n ${values.n8n} was asked for, but n8n ${version} runs.`);
}

const readKept = (): Kept | undefined =>
	existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Kept) : undefined;

async function main(): Promise<void> {
	const since = Date.now();
	const service = await startService({
		control: true,
		controlPort: CONTROL_PORT,
		controlHost: '0.0.0.0',
		port: API_PORT,
		autoPublish: true,
		likelyShapes: values.likely,
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
	const demo = await openDemo(service);
	if (!values.check) {
		showTo(demo);
		say(`\nReady after ${seconds(since)}.\n${welcome(demo, START_OVER)}`);
		return;
	}
	const complete = await check(demo);
	say(complete ? '\nThe CRM is complete.' : '\nThe CRM does not match the service.');
	process.exit(complete ? 0 : 1);
}

main().catch((error: unknown) => {
	say(`\n${error instanceof Error ? error.message : String(error)}\nTo start over: ${START_OVER}`);
	process.exit(1);
});
