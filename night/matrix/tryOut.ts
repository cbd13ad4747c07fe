// One version of n8n: does it load the package, read, write, and start a workflow for a new lead?

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService } from '../../fake-service';
import { runProgram } from '../../scripts/n8n/children';
import { installHost } from '../../scripts/n8n/host';
import { launch, n8nProgram } from '../../scripts/n8n/launch';
import { asRecord, N8nApi } from '../../scripts/n8n/n8nApi';
import { installPackage, packageName } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { say, seconds, step } from '../../scripts/n8n/progress';
import { until } from '../../scripts/n8n/waiting';
import { BY_HAND, imports, type Candidate } from './candidates';

const LEADS = 30;

export interface Outcome {
	node: string;
	loads: string;
	read: string;
	write: string;
	poll: string;
	time: string;
	/** Why it has not passed. */
	problem?: string;
}

interface Scene {
	candidate: Candidate;
	folder: string;
	service: FakeService;
	outcome: Outcome;
}

export async function tryOut(
	candidate: Candidate,
	{ tarball, keep }: { tarball: string; keep: boolean },
): Promise<Outcome> {
	const since = Date.now();
	const outcome: Outcome = { node: '–', loads: '–', read: '–', write: '–', poll: '–', time: '' };
	const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
	const service = await startService({ control: false });
	const scene: Scene = { candidate, folder, service, outcome };
	try {
		await installHost(candidate);
		const onLine = (line: string) => void (outcome.node = line);
		await runProgram({ command: candidate.node, args: ['--version'], cwd: folder, onLine });
		await step(`n8n ${candidate.version} on Node ${outcome.node}`, async (note) => {
			service.world.seedLeads(service.world.own, LEADS);
			await installPackage(tarball, folder);
			await furnish(scene);
			note('reads and writes');
			await byHand(scene);
			note('polls');
			await polling(scene);
		});
	} catch (error) {
		outcome.problem = error instanceof Error ? error.message : String(error);
	} finally {
		await service.close();
	}
	if (outcome.problem === undefined && !keep) rmSync(folder, { recursive: true, force: true });
	else say(`n8n's folder: ${folder}`);
	return { ...outcome, time: seconds(since) };
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
	const { posts } = service.world.own;
	const before = posts.size;
	await n8n(scene, ['execute', `--id=${BY_HAND}`]);
	const [reads, created] = [readsOf(service), posts.size - before];
	outcome.read = `${reads} request`;
	outcome.write = `${created} posts`;
	if (reads === 0 || created !== 3) throw new Error(`${created} posts were made, not 3`);
}

const readsOf = ({ requests }: FakeService): number =>
	requests.filter(({ path, status }) => path === '/leads' && status === 200).length;

async function polling(scene: Scene): Promise<void> {
	const { candidate, folder, service, outcome } = scene;
	const { world, requests } = service;
	await n8n(scene, candidate.publish);
	service.clearLog();
	const running = await launch({ engine: candidate, userFolder: folder, env: candidate.env });
	let over = false;
	void running.ended.then(() => (over = true));
	const wait = async (what: string, isThere: () => boolean) => {
		await until(() => over || isThere());
		if (!isThere()) throw new Error(`${what} did not come, see ${running.logFile}`);
	};
	try {
		const api = new N8nApi(running.url);
		await api.setUpOwner();
		const types = (await api.nodeTypes()).filter((type) => type.startsWith(packageName()));
		outcome.loads = `${types.length} types`;
		if (types.length < 2) throw new Error(`n8n knows only ${types.join(', ') || 'none'} of ours`);
		await wait('the first polls', () => readsOf(service) >= 2);
		const { id } = world.addLead(world.own);
		const made = () =>
			requests.filter(({ path, method }) => method === 'POST' && path === '/posts');
		await wait('the post for the new lead', () => made().length > 0);
		// Two polls more must not bring it again.
		const seen = readsOf(service);
		await wait('further polls', () => readsOf(service) >= seen + 2);
		const texts = made().map(({ json }) => asRecord(json).text);
		outcome.poll = `${readsOf(service)} polls, ${texts.length} lead`;
		if (texts.join() !== `Hello ${id}`) throw new Error(`posts for one new lead: ${texts.join()}`);
	} finally {
		await running.stop();
	}
}
