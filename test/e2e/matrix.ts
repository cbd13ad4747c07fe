// `npm run test:matrix`: the packed package in the oldest n8n we care about, one between, and the
// newest. Everything is done through n8n's own command line, which all of them have.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { startService, type PlayedService } from '../service';
import { cleanEnv, endAllPrograms, endProgram, npm, runProgram, startProgram } from './children';
import { HOST, HOST_MANIFEST, ROOT } from './folders';
import { installHost } from './host';
import { asRecord, CREDENTIAL_TYPE, N8nApi } from './n8nApi';
import { installPackage, packageName, packPackage } from './package';
import { freePort } from './ports';
import { say, seconds, step } from './progress';

const HELP = `Runs the packed package in several versions of n8n: does it load, read, write and poll?

  --only 2.8         one of them
  --keep             leaves n8n's folders with their logs

A version that is not there yet is installed once, about 2 GB each.
`;

interface Host {
	version: string;
	folder: string;
	/** The machine's own Node where n8n takes it, otherwise the one that runs us. */
	node: string;
	publish: string[];
	/** Where its ranges have since come to allow what does not fit together. */
	beside?: Record<string, string>;
	env?: Record<string, string>;
}

interface Outcome {
	version: string;
	node: string;
	loads: string;
	read: string;
	write: string;
	poll: string;
	passed: boolean;
	time: string;
	problem: string;
}

const LEADS = 30;
const PATIENCE_MS = 120_000;
const START_MS = 240_000;
const NAMES = { byHand: 'matrixByHand0001', polling: 'matrixPolling001' } as const;
const CREDENTIAL = { id: 'matrixCredential', name: 'Own account' };
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, place) => ({
	mode: 'custom',
	cronExpression: `${place * 5} * * * * *`,
}));
/** n8n takes it from elsewhere than the registry, which not every machine can reach. */
const OVERRIDES = { xlsx: '0.18.5' };
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_LOG_OUTPUT: 'console',
};

const { values } = parseArgs({
	options: {
		only: { type: 'string' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const cache = (name: string) => join(ROOT, '.cache', name);
const HOSTS: Host[] = [
	{
		version: '1.123.81',
		folder: cache('n8n-1.123'),
		node: machineNode(),
		publish: ['update:workflow', '--active=true', `--id=${NAMES.polling}`],
		beside: { '@langchain/langgraph-checkpoint': '1.0.0' },
		// Its other engine has no binary for Node 20, which n8n itself takes.
		env: { N8N_EXPRESSION_ENGINE: 'legacy' },
	},
	{
		version: '1.123.81',
		folder: cache('n8n-1.123'),
		node: process.execPath,
		publish: ['update:workflow', '--active=true', `--id=${NAMES.polling}`],
		beside: { '@langchain/langgraph-checkpoint': '1.0.0' },
	},
	{
		version: '2.8.4',
		folder: cache('n8n-2.8'),
		node: machineNode(),
		publish: ['publish:workflow', `--id=${NAMES.polling}`],
		beside: { '@langchain/langgraph-checkpoint': '1.0.0', '@opentelemetry/core': '2.1.0' },
	},
	{
		version: '2.40.7',
		folder: HOST,
		node: process.execPath,
		publish: ['publish:workflow', `--id=${NAMES.polling}`],
	},
];

async function main(): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const { only } = values;
	const hosts = HOSTS.filter(({ version }) => only === undefined || version.startsWith(only));
	if (hosts.length === 0) throw new Error(`--only is one of ${HOSTS.map((host) => host.version)}`);
	const tarball = await step('Building and packing the package', packPackage);
	const outcomes: Outcome[] = [];
	for (const host of hosts) {
		outcomes.push(await step(`n8n ${host.version}`, () => tryOut(host, tarball)));
	}
	say();
	for (const { problem, version } of outcomes) if (problem) say(`n8n ${version}: ${problem}\n`);
	printTable(outcomes);
	const passed = outcomes.every((outcome) => outcome.passed);
	const left = HOSTS.length - hosts.length;
	say(`${passed ? 'Passed' : 'FAILED'}${left ? `; ${left} of ${HOSTS.length} left out` : ''}`);
	return passed ? 0 : 1;
}

async function tryOut(host: Host, tarball: string): Promise<Outcome> {
	const since = Date.now();
	const none = { loads: '–', read: '–', write: '–', poll: '–' };
	const outcome: Outcome = {
		...{ version: host.version, node: '', ...none, passed: false, time: '', problem: '' },
	};
	const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
	const service = await startService({ control: false });
	try {
		await installed(host);
		outcome.node = await printed(host, folder, ['--version'], true);
		service.world.seedLeads(service.world.own, LEADS);
		await installPackage(tarball, folder);
		await furnish(host, folder, service);
		await byHand(host, folder, service, outcome);
		await polling(host, folder, service, outcome);
		outcome.passed = true;
	} catch (error) {
		outcome.problem = error instanceof Error ? error.message : String(error);
	} finally {
		await service.close();
		if (outcome.passed && !values.keep) rmSync(folder, { recursive: true, force: true });
		else say(`n8n's folder: ${folder}`);
	}
	outcome.time = seconds(since);
	return outcome;
}

/** Into a folder of its own, once, as n8n's own dependencies stand today. */
async function installed({ version, folder, beside }: Host): Promise<void> {
	if (folder === HOST) return await installHost();
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	const stamp = join(folder, '.complete');
	if (existsSync(stamp) && existsSync(manifest) && versionIn(manifest) === version) return;
	rmSync(stamp, { force: true });
	mkdirSync(folder, { recursive: true });
	const dependencies = { n8n: version, ...beside };
	const manifestOfHost = { name: 'n8n-host', private: true, dependencies, overrides: OVERRIDES };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestOfHost));
	const inFolder = (args: string[]) =>
		runProgram({ ...npm([...args, '--prefix', folder, '--no-audit', '--no-fund']), cwd: folder });
	await inFolder(['i', '--legacy-peer-deps', '--ignore-scripts']);
	await inFolder(['rebuild', 'sqlite3', '--ignore-scripts=false']);
	writeFileSync(stamp, `${version}\n`);
}

/** One credential, a workflow to run by hand, and one that polls; both end in a new post. */
async function furnish(host: Host, folder: string, service: PlayedService): Promise<void> {
	const { baseUrl, world } = service;
	const data = { baseUrl, apiKey: world.keys.own };
	const ours = (name: string, type: string, parameters: Record<string, unknown>) => ({
		...{ id: name, name, typeVersion: 1, position: [0, 0], parameters },
		type: type.includes('.') ? type : `${packageName()}.${type}`,
		credentials: type.includes('.') ? undefined : { [CREDENTIAL_TYPE]: CREDENTIAL },
	});
	const write = ours('Write', 'leadGenPublishing', {
		...{ resource: 'post', operation: 'create', actAs: 'own', status: 'draft' },
		text: '=Hello {{ $json.id }}',
	});
	const read = ours('Read', 'leadGenPublishing', {
		...{ resource: 'lead', operation: 'getAll', actAs: 'own', returnAll: false, limit: 3 },
	});
	const poll = ours('Poll', 'leadGenPublishingTrigger', {
		...{ event: 'newLead', watch: 'own', pollTimes: { item: EVERY_FIVE_SECONDS } },
	});
	const start = ours('Start', 'n8n-nodes-base.manualTrigger', {});
	const credential = { ...CREDENTIAL, type: CREDENTIAL_TYPE, data };
	const files = {
		credentials: [credential],
		byHand: [workflow(NAMES.byHand, [start, read, write])],
		polling: [workflow(NAMES.polling, [poll, write])],
	};
	for (const [name, content] of Object.entries(files)) {
		const file = join(folder, `${name}.json`);
		writeFileSync(file, JSON.stringify(content));
		const command = name === 'credentials' ? 'import:credentials' : 'import:workflow';
		await printed(host, folder, [command, `--input=${file}`]);
	}
}

function workflow(id: string, nodes: { name: string }[]) {
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name: node }, place) => {
			return [nodes[place]?.name, { main: [[{ node, type: 'main', index: 0 }]] }];
		}),
	);
	const settings = { executionOrder: 'v1' };
	return { id, name: id, nodes, connections, settings, pinData: {}, active: false };
}

async function byHand(host: Host, folder: string, service: PlayedService, outcome: Outcome) {
	const { world, requests } = service;
	const before = world.own.posts.size;
	await printed(host, folder, ['execute', `--id=${NAMES.byHand}`]);
	const reads = requests.filter(({ path, status }) => path === '/leads' && status === 200);
	const created = world.own.posts.size - before;
	outcome.read = `${reads.length} request`;
	outcome.write = `${created} posts`;
	if (reads.length === 0 || created !== 3) throw new Error(`${created} posts were made, not 3`);
}

async function polling(host: Host, folder: string, service: PlayedService, outcome: Outcome) {
	const { world, requests } = service;
	await printed(host, folder, host.publish);
	service.clearLog();
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	let over = false;
	const lines: string[] = [];
	const child = startProgram({
		...(await program(host, folder, ['start'], port)),
		onLine: (line) => lines.push(line),
	});
	const end = () => (over = true);
	child.once('exit', end).once('error', end);
	const wait = async (what: string, isThere: () => boolean | Promise<boolean>, ms: number) => {
		const deadline = Date.now() + ms;
		while (!(await isThere())) {
			if (!over && Date.now() < deadline) await pause(200);
			else throw new Error(`${what} did not come:\n${lines.slice(-15).join('\n')}`);
		}
	};
	try {
		await wait('n8n', async () => await isUp(url), START_MS);
		const api = new N8nApi(url);
		await api.setUpOwner();
		const types = (await api.nodeTypes()).filter((type) => type.startsWith(packageName()));
		outcome.loads = `${types.length} types`;
		if (types.length < 2) throw new Error(`n8n knows only ${types.join(', ') || 'none'} of ours`);
		const polls = () => requests.filter(({ path, status }) => path === '/leads' && status === 200);
		await wait('the first polls', () => polls().length >= 2, PATIENCE_MS);
		const { id } = world.addLead(world.own);
		const posts = () =>
			requests.filter(({ path, method, json }) => {
				return method === 'POST' && path === '/posts' && asRecord(json).text === `Hello ${id}`;
			});
		await wait('the post for the new lead', () => posts().length > 0, PATIENCE_MS);
		// Two polls more must not bring it again.
		const seen = polls().length;
		await wait('further polls', () => polls().length >= seen + 2, PATIENCE_MS);
		outcome.poll = `${polls().length} polls, ${posts().length} lead`;
		const made = requests.filter(({ method, path }) => method === 'POST' && path === '/posts');
		if (made.length !== 1) throw new Error(`${made.length} posts for one new lead`);
	} finally {
		await endProgram(child);
		writeFileSync(join(folder, 'start.log'), lines.join('\n'));
	}
}

async function isUp(url: string): Promise<boolean> {
	try {
		for (const path of ['/healthz/readiness', '/rest/settings']) {
			const response = await fetch(`${url}${path}`);
			const type = response.headers.get('content-type') ?? '';
			if (!response.ok || !type.includes('json')) return false;
		}
		return true;
	} catch {
		return false;
	}
}

/** Runs one command to its end, and gives its last line. */
async function printed(host: Host, folder: string, args: string[], onlyNode = false) {
	let last = '';
	const all = await program(host, folder, args, await freePort());
	const onLine = (line: string) => void (last = line || last);
	await runProgram({ ...all, ...(onlyNode ? { args } : {}), onLine });
	return last;
}

async function program(host: Host, folder: string, args: string[], port: number) {
	const n8n = join(host.folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return {
		command: host.node,
		args: ['--require', join(HOST_MANIFEST, 'exitWithParent.cjs'), n8n, ...args],
		cwd: folder,
		channel: true,
		env: {
			...cleanEnv(),
			...QUIET,
			...host.env,
			N8N_USER_FOLDER: folder,
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		},
	};
}

/** The first in the path that does not come from this project. */
function machineNode(): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const outside = folders.filter((folder) => !folder.includes(`${sep}node_modules`));
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	return outside.map((folder) => join(folder, name)).find(existsSync) ?? process.execPath;
}

function versionIn(manifest: string): unknown {
	return asRecord(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

function printTable(outcomes: Outcome[]): void {
	const head = ['n8n', 'Node', 'loads', 'read', 'write', 'poll', 'time', ''];
	const rows = outcomes.map(({ version, node, loads, read, write, poll, time, passed }) => {
		return [version, node, loads, read, write, poll, time, passed ? 'passed' : 'FAILED'];
	});
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	for (const row of [head, ...rows]) {
		say(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
	}
}

main()
	.then(async (code) => {
		await endAllPrograms();
		process.exit(code);
	})
	.catch(async (error: unknown) => {
		await endAllPrograms();
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(1);
	});
