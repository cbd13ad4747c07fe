/** `npm run diagnose`: the command says the same as the node, and what it saves is played. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DIFFERENCES } from '../../fake-service/differences';
import { startService, type FakeService, type ServiceOptions } from '../../fake-service/index';
import { readShapes } from '../../fake-service/shapes';
import { undescribed } from '../support/followOpenApi';

const ROOT = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function diagnosed({ baseUrl, world }: FakeService, ...args: string[]) {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'scripts/diagnose/main.ts', '--base-url', baseUrl, ...args],
		{ cwd: ROOT, env: { ...process.env, LEADGEN_API_KEY: world.keys.agency } },
	);
	let [out, progress] = ['', ''];
	child.stdout.on('data', (text) => (out += String(text)));
	child.stderr.on('data', (text) => (progress += String(text)));
	const code = await new Promise((resolve) => child.once('exit', resolve));
	return { code, out, progress };
}

async function saved(options: ServiceOptions, differences: readonly string[], file: string) {
	const service = await startService(options);
	for (const name of differences) DIFFERENCES[name]?.plant(service);
	const path = join(folder, file);
	const run = await diagnosed(service, '--save', path);
	await service.close();
	undescribed();
	return { ...run, text: readFileSync(path, 'utf8') };
}

it('says that all is as documented, and ends with 0', async () => {
	const service = await startService();
	const { code, out, progress } = await diagnosed(service);
	await service.close();
	expect(out).toMatch(/^HOLDS {2}Summary: \d+ checks with 34 requests/);
	expect(progress).toContain('34 requests');
	expect(code).toBe(0);
	expect(out + progress).not.toContain(service.world.keys.agency);
});

it.each([
	[
		['--base-url', 'nowhere'],
		'The Base URL in the credential is not a valid address\n    Open the',
	],
	[['--nothing'], "Unknown option '--nothing'"],
])('says what is wrong with %j, without a stack', async (args, words) => {
	const service = await startService();
	const { code, progress } = await diagnosed(service, ...args);
	await service.close();
	expect(progress).toContain(words);
	expect(progress).not.toContain('    at ');
	expect(code).toBe(2);
});

it('looks at an address where nothing answers', async () => {
	const service = await startService();
	await service.close();
	const { code, out } = await diagnosed(service);
	expect(out).toMatch(/^FAILED {2}/m);
	expect(out).toContain('connection refused');
	expect(code).toBe(1);
});

it.each([
	[['smallPages', 'oldestFirst', 'otherEtag', 'notesNotListed', 'noTimes', 'otherDefault']],
	[['newField']],
	[['intentAsText']],
])('answers in the shapes of a service with %s once they are saved', async (differences) => {
	const first = await saved({}, differences, 'first.json');
	expect(first.code).toBe(differences.some((name) => !/newField/.test(name)) ? 1 : 0);
	const shapes = readShapes(first.text);
	const again = await saved({ shapes }, [], 'again.json');
	expect(JSON.parse(again.text)).toEqual(shapes);
	const finding = ({ out }: { out: string }) =>
		out.split('\n').filter((line) => /^(DIFFERS|FAILED)/.test(line));
	expect(finding(again)).toEqual(finding(first));
});

it('saves neither names nor texts nor addresses', async () => {
	const { text } = await saved({}, [], 'names.json');
	for (const leaked of ['Ada', 'https://', '@', 'GUIDE', '-4']) expect(text).not.toContain(leaked);
});
