/** `npm run diagnose`: can I work, which doubts are settled, and what do the responses look like? */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService, type ServiceOptions } from '../../fake-service/index';
import { readShapes } from '../../fake-service/shapes';
import { diagnose } from '../../scripts/diagnose/command';
import { doubtNames } from '../../scripts/diagnose/doubts';

const ROOT = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'diagnose-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
	readonly code: number;
	readonly out: string;
	readonly progress: string;
	/** By doubt, what is printed about it. */
	readonly doubts: Readonly<Record<string, string>>;
}

/** `npm run diagnose` in this process. */
async function run(
	{ baseUrl }: FakeService,
	apiKey: string,
	args: readonly string[] = [],
	ask?: (question: string) => Promise<string>,
): Promise<Run> {
	let [out, progress] = ['', ''];
	const code = await diagnose(['--base-url', baseUrl, ...args], {
		env: { LEADGEN_API_KEY: apiKey },
		stdout: { write: (text) => (out += text) },
		stderr: { write: (text) => (progress += text) },
		ask,
	});
	const found = [...out.matchAll(/^(SETTLED|NEEDED|OPEN) {2}(\w+): .*\n {4}Saw: (.*)$/gm)];
	const doubts = Object.fromEntries(
		found.map(([, kind = '', name = '', saw = '']) => [name, `${kind} ${saw}`]),
	);
	return { code, out, progress, doubts };
}

async function runWith(
	options: ServiceOptions,
	args: readonly string[] = [],
	prepare: (service: FakeService) => void = () => undefined,
): Promise<Run & { service: FakeService }> {
	const service = await startService({ isStrict: false, ...options });
	prepare(service);
	const done = await run(service, service.world.keys.ownTest, args);
	await service.close();
	return { ...done, service };
}

const WRITES = ['--try-writes'] as const;

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

it('says that everything works, names every doubt, and ends with 0', async () => {
	const { code, out, progress, doubts, service } = await runWith({});
	expect(out).toMatch(
		/^# Can I work with this service\?\n\nOK {2}Summary: No check found a problem\./,
	);
	expect(Object.keys(doubts).sort()).toEqual([...doubtNames].sort());
	expect(out).toContain('### GET /leads: HTTP 200');
	expect(progress).toMatch(/\d+ requests/);
	expect(code).toBe(0);
	expect(out + progress).not.toContain(service.world.keys.ownTest);
	expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it.each([
	[['--base-url', 'nowhere'], 'The Base URL in the credential is not a valid URL\n    Open the'],
	[['--nothing'], "Unknown option '--nothing'"],
	[['--lead-magnet'], '--lead-magnet needs --try-writes.'],
	[
		['--save', '/no/such/folder/shapes.json'],
		'--save: cannot write to /no/such/folder/shapes.json.',
	],
	[['--base-url', ''], '--base-url is missing. Enter the URL of the API v1.'],
])('says what is wrong with %j, without a stack', async (args, words) => {
	const { code, progress, service } = await runWith({}, args);
	expect(progress).toContain(words);
	expect(progress).not.toContain('    at ');
	expect(code).toBe(2);
	expect(service.requests).toEqual([]);
});

it('says that the key is missing', async () => {
	const service = await startService();
	const { code, progress } = await run(service, ' ');
	await service.close();
	expect(progress).toContain('LEADGEN_API_KEY is missing');
	expect(code).toBe(2);
});

it('lists every check if they are wanted', async () => {
	const { out } = await runWith({}, ['--all']);
	expect(out.match(/^(OK|NOT_CHECKED) {2}/gm)).toHaveLength(10);
});

it('observes nothing at an address where nothing responds', async () => {
	const service = await startService();
	await service.close();
	const { code, out, doubts } = await run(service, service.world.keys.own);
	expect(out).toMatch(/^NEEDS_YOU {2}URL and key: The service could not be reached/m);
	expect(Object.values(doubts).filter((saw) => !saw.startsWith('OPEN'))).toEqual([]);
	expect(code).toBe(1);
});

describe('the register', () => {
	it('is settled by a service as documented, but for what nothing shows', async () => {
		const { doubts, code } = await runWith({ likelyShapes: false }, WRITES);
		expect(code).toBe(0);
		const open = Object.entries(doubts).filter(([, saw]) => !saw.startsWith('SETTLED'));
		expect(open.map(([name]) => name).sort()).toEqual([
			...[
				'capabilityReasons',
				'followupFields',
				'notesKept',
				'pollProcess',
				'serviceClock',
				'socialActionFields',
			],
		]);
	});

	it.each<[string, ServiceOptions, (service: FakeService) => void, string]>([
		['notesInLists', { likelyShapes: true }, () => undefined, 'NEEDED lists show no notes'],
		['timeNames', { likelyShapes: true }, () => undefined, 'NEEDED .*: posts$'],
		['listOrder', {}, ({ orders }) => (orders.leads = 'oldest'), 'NEEDED .*leads: oldest first'],
		['listOrder', {}, ({ orders }) => (orders.leads = 'uuid'), 'NEEDED .*leads: not sorted'],
		[
			'etagName',
			{ etagField: 'version_etag' },
			() => undefined,
			'SETTLED its name is version_etag',
		],
		['deleteMediaBody', { deleteMediaIn: 'query' }, () => undefined, 'NEEDED path in the query'],
		[
			'deleteMediaBody',
			{ fields: { deleteMedia: ['key'] } },
			() => undefined,
			'NEEDED neither path in the body nor path in the query',
		],
		[
			'offsetDepth',
			{},
			({ faults }) =>
				void faults.add(
					{ kind: 'error', status: 400 },
					{ when: ({ query }) => Number(query.offset) > 10_000, count: Infinity },
				),
			'NEEDED offset 1,000,000 is rejected',
		],
		[
			'offsetUnit',
			{},
			({ faults }) =>
				void faults.add(
					{ kind: 'error', status: 400 },
					{ when: ({ query }) => query.offset === '1', count: Infinity },
				),
			'NEEDED offset 1 is rejected',
		],
		[
			'repeatedPages',
			{},
			({ faults }) =>
				void faults.add(
					{ kind: 'emptyPage' },
					{ when: ({ query }) => query.offset === '100', count: Infinity },
				),
			'NEEDED .* said that more records follow',
		],
		[
			'emptySuccess',
			{},
			({ faults }) =>
				void faults.add(
					{ kind: 'raw', status: 204, body: '', after: true },
					{ method: 'DELETE', host: 'api', count: Infinity },
				),
			'NEEDED without the envelope: post.delete, media.delete',
		],
		[
			'storageRules',
			{},
			({ faults }) => void faults.add({ kind: 'error', status: 403 }, { host: 'storage' }),
			'NEEDED a PUT is rejected',
		],
		[
			'fastResponseFields',
			{},
			({ world }) => (world.own.fastResponse = false),
			'OPEN Fast Response is not enabled',
		],
		[
			'lateWrites',
			{},
			({ faults }) =>
				void faults.add({ kind: 'error', status: 404 }, { route: 'posts.get', nth: 7, count: 1 }),
			'',
		],
		[
			'vendorWords',
			{},
			({ faults }) =>
				void faults.add(
					{
						kind: 'change',
						change: ({ data, ...rest }) => ({
							...rest,
							data: [data ?? []]
								.flat()
								.map((lead) => ({ ...(lead as object), sales_profile_url: '' })),
						}),
					},
					{ route: 'leads.list', count: Infinity },
				),
			'NEEDED fields of leads that end in _profile_url: 2',
		],
		[
			'meShape',
			{},
			({ faults }) =>
				void faults.add(
					{ kind: 'change', change: (envelope) => ({ ...envelope, data: { plan: 'pro' } }) },
					{ route: 'me', count: Infinity },
				),
			'NEEDED /me does not show an ID of the account',
		],
		[
			'followupFields',
			{},
			({ world }) => {
				for (const { id } of world.own.posts.toArray())
					world.patchPost(world.own, id, { followups: [{ due_on: 'x', message: 'y' }] });
			},
			'SETTLED fields: due_on and message',
		],
	])('%s with %j', async (name, options, prepare, saw) => {
		const { doubts } = await runWith({ likelyShapes: false, ...options }, WRITES, prepare);
		expect(doubts[name]).toMatch(new RegExp(`^${saw}`));
	});
});

describe('--try-writes', () => {
	const counts = ({ world: { own } }: FakeService) => [
		own.posts.size,
		own.media.size,
		own.leadMagnets.toArray().filter(({ status }) => status !== 'archived').length,
	];

	it('removes all that it creates', async () => {
		const service = await startService();
		const before = counts(service);
		const { keys } = service.world;
		const { code, out } = await run(service, keys.ownTest, [...WRITES, '--lead-magnet']);
		await service.close();
		expect(code).toBe(0);
		expect(out).toContain('Everything that was created was removed.');
		expect(counts(service)).toEqual(before);
		const written = service.requests.filter(({ method }) => method !== 'GET');
		expect(written.map(({ route }) => route)).toEqual([
			...['posts.create', 'posts.update', 'fastResponse.start', 'posts.delete'],
			...['media.uploadUrl', 'media.delete', 'leadMagnets.create', 'leadMagnets.archive'],
		]);
		const magnet = written.find(({ route }) => route === 'leadMagnets.create');
		expect(magnet?.body).toMatch(/"keyword":"[A-Z]{20}"/);
	});

	it('does not create a lead magnet unless it should', async () => {
		const { service } = await runWith({}, WRITES);
		const routes = service.requests.map(({ route }) => route);
		expect(routes).toContain('posts.create');
		expect(routes).not.toContain('leadMagnets.create');
	});

	it.each([
		['y', true],
		['yes', true],
		['', false],
		['n', false],
		[undefined, false],
	])(
		'asks before it writes with a key that is no test key, and is told %j',
		async (answer, may) => {
			const service = await startService();
			const questions: string[] = [];
			const ask = async (question: string) => {
				questions.push(question);
				return await Promise.resolve(answer ?? '');
			};
			const { code, progress } = await run(
				service,
				service.world.keys.own,
				WRITES,
				answer === undefined ? undefined : ask,
			);
			await service.close();
			expect(service.requests.some(({ method }) => method !== 'GET')).toBe(may);
			expect(questions).toHaveLength(answer === undefined ? 0 : 1);
			expect([code, progress.includes('Nothing was sent.')]).toEqual(may ? [0, false] : [2, true]);
		},
	);

	it('does not ask with --yes, nor with a test key', async () => {
		const service = await startService();
		const ask = async () => await Promise.reject(new Error('asked'));
		const { keys } = service.world;
		expect((await run(service, keys.own, [...WRITES, '--yes'], ask)).code).toBe(0);
		expect((await run(service, keys.ownTest, WRITES, ask)).code).toBe(0);
		await service.close();
	});

	it.each([
		['posts.delete', /Please delete these if they still exist: draft [\w-]{36}\./],
		['media.delete', /Please delete these if they still exist: file \S+\.png\./],
		[
			'leadMagnets.archive',
			/if they still exist: lead magnet [\w-]{36} with the keyword [A-Z]{20}\./,
		],
	])('names what %s could not remove, and ends with 1', async (route, words) => {
		const { code, out } = await runWith({}, [...WRITES, '--lead-magnet'], ({ faults }) => {
			faults.add({ kind: 'error', status: 403 }, { route, count: Infinity });
		});
		expect(out).toMatch(words);
		expect(code).toBe(1);
	});

	it('finds and removes a draft whose response was lost', async () => {
		const { out, service } = await runWith({}, WRITES, ({ faults }) => {
			faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
		});
		expect(out).toContain('Everything that was created was removed.');
		expect(
			service.world.own.posts
				.toArray()
				.map(({ text }) => text)
				.join(),
		).not.toContain('Trial');
	});

	it('names a draft that it cannot find', async () => {
		const { out } = await runWith({}, WRITES, ({ faults }) => {
			faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
			faults.add({ kind: 'error', status: 403 }, { route: 'posts.list', count: Infinity });
		});
		expect(out).toMatch(
			/if they still exist: perhaps a draft whose text contains n8n-diagnosis-[\w-]{36}\./,
		);
	});
});

describe('--save', () => {
	const saved = async (options: ServiceOptions, file: string) => {
		const path = join(folder, file);
		const done = await runWith(options, ['--save', path]);
		return { ...done, text: readFileSync(path, 'utf8') };
	};

	it.each<[string, ServiceOptions]>([
		['as documented', { likelyShapes: false }],
		['in the likely shapes', { likelyShapes: true }],
		['of its own', { limitCap: 50, defaultLimit: 20, leadTimestamps: false, etagField: 'v_etag' }],
	])(
		'saves the shapes of a service %s, and the fake service responds in them',
		async (_, options) => {
			const first = await saved(options, 'first.json');
			const shapes = readShapes(first.text);
			const again = await saved({ likelyShapes: false, shapes }, 'again.json');
			expect(readShapes(again.text)).toEqual(shapes);
			for (const name of ['notesInLists', 'timeNames', 'listOrder', 'etagName'])
				expect([name, again.doubts[name]]).toEqual([name, first.doubts[name]]);
		},
	);

	it('saves neither names nor texts nor addresses', async () => {
		const { text } = await saved({}, 'names.json');
		for (const leaked of ['Ada', 'https://', '@', 'GUIDE', '-4'])
			expect(text).not.toContain(leaked);
	});
});
