// One version of n8n: does it load the package, read, write, and start a workflow for a new lead?

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { runProgram } from '../../../scripts/n8n/children';
import { installHost } from '../../../scripts/n8n/host';
import { launch, n8nProgram } from '../../../scripts/n8n/launch';
import { asRecord, N8nApi } from '../../../scripts/n8n/n8nApi';
import { installPackage, packageName } from '../../../scripts/n8n/package';
import { freePort } from '../../../scripts/n8n/ports';
import { say, seconds, step } from '../../../scripts/n8n/progress';
import { startService, type FakeService } from '../../../fake-service';
import { BY_HAND, imports, type Candidate } from './candidates';

const LEADS = 30;
const PATIENCE_MS = 300_000;

export interface Outcome {
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

export interface Trial {
	candidate: Candidate;
	tarball: string;
	keep: boolean;
}

interface Scene {
	candidate: Candidate;
	folder: string;
	service: FakeService;
	outcome: Outcome;
}

export async function tryOut({ candidate, tarball, keep }: Trial): Promise<Outcome> {
	const since = Date.now();
	const { version } = candidate;
	const none = { loads: '–', read: '–', write: '–', poll: '–', node: '–' };
	const outcome: Outcome = { version, ...none, passed: false, time: '', problem: '' };
	const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
	const service = await startService({ control: false });
	const scene: Scene = { candidate, folder, service, outcome };
	try {
		await installHost(candidate);
		outcome.node = await nodeVersion(scene);
		await step(`n8n ${version} on Node ${outcome.node}`, async (note) => {
			service.world.seedLeads(service.world.own, LEADS);
			await installPackage(tarball, folder);
			await furnish(scene);
			note('reads and writes');
			await byHand(scene);
			note('polls');
			await polling(scene);
		});
		outcome.passed = true;
	} catch (error) {
		outcome.problem = error instanceof Error ? error.message : String(error);
	} finally {
		await service.close();
		if (outcome.passed && !keep) rmSync(folder, { recursive: true, force: true });
		else say(`n8n's folder: ${folder}`);
	}
	outcome.time = seconds(since);
	return outcome;
}

async function nodeVersion({ candidate, folder }: Scene): Promise<string> {
	let version = '';
	const onLine = (line: string) => void (version = line);
	await runProgram({ command: candidate.node, args: ['--version'], cwd: folder, onLine });
	return version;
}

/** One command of n8n, to its end. */
async function n8n({ candidate, folder }: Scene, args: string[]): Promise<void> {
	const { env } = candidate;
	const port = await freePort();
	await runProgram(await n8nProgram({ engine: candidate, args, userFolder: folder, port, env }));
}

async function furnish(scene: Scene): Promise<void> {
	const { baseUrl, world } = scene.service;
	for (const [command, content] of imports({ baseUrl, apiKey: world.keys.own })) {
		const file = join(scene.folder, 'import.json');
		writeFileSync(file, JSON.stringify(content));
		await n8n(scene, [command, `--input=${file}`]);
	}
}

async function byHand(scene: Scene): Promise<void> {
	const { service, outcome } = scene;
	const { world } = service;
	const before = world.own.posts.size;
	await n8n(scene, ['execute', `--id=${BY_HAND}`]);
	const reads = readsOf(service).length;
	const created = world.own.posts.size - before;
	outcome.read = `${reads} request`;
	outcome.write = `${created} posts`;
	if (reads === 0 || created !== 3) throw new Error(`${created} posts were made, not 3`);
}

const readsOf = ({ requests }: FakeService) =>
	requests.filter(({ path, status }) => path === '/leads' && status === 200);

async function polling(scene: Scene): Promise<void> {
	const { candidate, folder, service, outcome } = scene;
	const { world, requests } = service;
	const { env, publish } = candidate;
	await n8n(scene, publish);
	service.clearLog();
	const running = await launch({ engine: candidate, userFolder: folder, env });
	let over = false;
	void running.ended.then(() => (over = true));
	const wait = async (what: string, isThere: () => boolean) => {
		const deadline = Date.now() + PATIENCE_MS;
		while (!isThere()) {
			if (over || Date.now() > deadline) {
				throw new Error(`${what} did not come, see ${running.logFile}`);
			}
			await pause(200);
		}
	};
	try {
		const api = new N8nApi(running.url);
		await api.setUpOwner();
		const types = (await api.nodeTypes()).filter((type) => type.startsWith(packageName()));
		outcome.loads = `${types.length} types`;
		if (types.length < 2) throw new Error(`n8n knows only ${types.join(', ') || 'none'} of ours`);
		await wait('the first polls', () => readsOf(service).length >= 2);
		const { id } = world.addLead(world.own);
		const made = () =>
			requests.filter(({ path, method }) => method === 'POST' && path === '/posts');
		await wait('the post for the new lead', () => made().length > 0);
		// Two polls more must not bring it again.
		const seen = readsOf(service).length;
		await wait('further polls', () => readsOf(service).length >= seen + 2);
		const posts = made();
		outcome.poll = `${readsOf(service).length} polls, ${posts.length} lead`;
		const isIts = posts.every(({ json }) => asRecord(json).text === `Hello ${id}`);
		if (posts.length !== 1 || !isIts) throw new Error(`${posts.length} posts for one new lead`);
	} finally {
		await running.stop();
	}
}
