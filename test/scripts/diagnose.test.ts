/** `npm run diagnose`: the command says the same as the node, and what it saves is played. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DIFFERENCES } from '../../fake-service/differences';
import { startService, type FakeService, type ServiceOptions } from '../../fake-service/index';
import { readShapes } from '../../fake-service/shapes';
import { diagnose } from '../../scripts/diagnose/command';

const ROOT = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `npm run diagnose` in this process. */
async function diagnosed({ baseUrl, world }: FakeService, ...args: string[]) {
	let [out, progress] = ['', ''];
	const code = await diagnose(['--base-url', baseUrl, ...args], {
		env: { LEADGEN_API_KEY: world.keys.agency },
		stdout: { write: (text) => (out += text) },
		stderr: { write: (text) => (progress += text) },
	});
	return { code, out, progress };
}

async function saved(options: ServiceOptions, differences: readonly string[], file: string) {
	const service = await startService({ ...options, isStrict: false });
	for (const name of differences) DIFFERENCES[name]?.plant(service);
	const path = join(folder, file);
	const run = await diagnosed(service, '--save', path);
	await service.close();
	return { ...run, text: readFileSync(path, 'utf8') };
}

it('is a command, which takes its arguments and the key from where it is called', async () => {
	const service = await startService();
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'scripts/diagnose/main.ts', '--base-url', service.baseUrl, '--nothing'],
		{ cwd: ROOT, env: { ...process.env, LEADGEN_API_KEY: service.world.keys.agency } },
	);
	let words = '';
	child.stderr.on('data', (text) => (words += String(text)));
	expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2);
	await service.close();
	expect(words).toContain("Unknown option '--nothing'");
});

it('says in one sentence that everything works, and ends with 0', async () => {
	const service = await startService();
	const { code, out, progress } = await diagnosed(service);
	await service.close();
	expect(out).toMatch(
		/^OK {2}Summary: No check found a problem\. These work: your own account, 3 clients, /,
	);
	expect(progress).toMatch(/4\d requests/);
	expect(out.trim().split('\n')).toHaveLength(3);
	expect(code).toBe(0);
	expect(out + progress).not.toContain(service.world.keys.agency);
});

it.each([
	[['--base-url', 'nowhere'], 'The Base URL in the credential is not a valid URL\n    Open the'],
	[['--nothing'], "Unknown option '--nothing'"],
	[
		['--save', '/no/such/folder/shapes.json'],
		'--save: cannot write to /no/such/folder/shapes.json.',
	],
	[['--base-url', ''], '--base-url is missing. Enter the URL of the API v1.'],
])('says what is wrong with %j, without a stack', async (args, words) => {
	const service = await startService();
	const { code, progress } = await diagnosed(service, ...args);
	const { requests } = service;
	await service.close();
	expect(progress).toContain(words);
	expect(progress).not.toContain('    at ');
	expect(code).toBe(2);
	expect(requests).toEqual([]);
});

it('says that the key is missing', async () => {
	const service = await startService();
	Object.assign(service.world.keys, { agency: '' });
	const { code, progress } = await diagnosed(service);
	await service.close();
	expect(progress).toContain('LEADGEN_API_KEY is missing');
	expect(code).toBe(2);
});

it('lists every check if they are wanted', async () => {
	const service = await startService();
	const { out } = await diagnosed(service, '--all');
	await service.close();
	expect(out.match(/^(OK|NOT_CHECKED) {2}/gm)?.length).toBeGreaterThan(40);
	// Without n8n there is no protection of its own network to try.
	expect(out).toMatch(/NOT_CHECKED {2}n8n's own network/);
});

it('looks at an address where nothing answers', async () => {
	const service = await startService();
	await service.close();
	const { code, out } = await diagnosed(service);
	expect(out).toMatch(/^NEEDS_YOU {2}Base URL: n8n cannot reach the server/m);
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
		out.split('\n').filter((line) => /^(NEEDS_YOU|UNUSUAL)/.test(line));
	expect(finding(again)).toEqual(finding(first));
});

it('prints a table of what is said about planted differences', async () => {
	const service = await startService();
	const { code, out } = await diagnosed(service, '--differences', 'webPage', 'keyExpired');
	const other = await diagnosed(service, '--differences', 'nothingLikeThis');
	await service.close();
	expect(out.trim().split('\n')).toEqual([
		'| Name | Planted | Check | Result | Words | Seen |',
		'|---|---|---|---|---|---|',
		expect.stringMatching(
			/^\| webPage \| a web page answers \| Base URL \| needs_you \| The Base URL responds/,
		),
		expect.stringMatching(/^\| keyExpired \| the key has expired \| Key expiry \| needs_you \|/),
	]);
	expect(code).toBe(0);
	expect(other.progress).toContain('There is no difference called "nothingLikeThis".');
	expect(other.code).toBe(2);
	expect(service.requests).toEqual([]);
});

it('saves neither names nor texts nor addresses', async () => {
	const { text } = await saved({}, [], 'names.json');
	for (const leaked of ['Ada', 'https://', '@', 'GUIDE', '-4']) expect(text).not.toContain(leaked);
});
