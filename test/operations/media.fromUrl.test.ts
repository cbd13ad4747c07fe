/**
 * Media > Upload from a URL: which files are taken, as what, and that the key goes nowhere, whoever
 * gives the URL. What a URL and its response may be, `test/api/download.test.ts` says.
 */
import type { Readable } from 'node:stream';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runAsTool } from '../support/engine';
import { MODES, setUpKit, subjectOf } from '../support/kit/index';
import { fileReceived } from '../support/replies';
import { expectRefused } from './itemScene';
import { uploading } from './uploadScene';

const BEGINNINGS: Readonly<Record<string, string>> = {
	'image/jpeg': 'ffd8ffe000104a46',
	'image/png': '89504e470d0a1a0a',
	'image/gif': '474946383961',
	'image/webp': '524946460000000057454250',
	'application/pdf': '255044462d312e37',
};
const fileOf = (type = 'image/png', size = 16): Buffer =>
	Buffer.concat([Buffer.from(BEGINNINGS[type] ?? '', 'hex'), Buffer.alloc(size)]).subarray(0, size);

interface FileResponse {
	readonly status?: number;
	readonly headers?: JsonRecord;
	/** Parts of the body. */
	readonly body?: readonly Buffer[];
}

/** One upload, with what the addresses answer, and whether each body was left open. */
function fetching(
	url: unknown,
	answers: readonly FileResponse[] = [{}],
	{
		maxWaitMs,
		takesMs = 0,
		options,
	}: { maxWaitMs?: number; takesMs?: number; options?: object } = {},
) {
	const asked: JsonRecord[] = [];
	const bodies: Readable[] = [];
	const left = [...answers];
	let now = 0;
	const png = { 'content-type': 'image/png' };
	const fetch = async (http: JsonRecord) => {
		asked.push(http);
		now += takesMs;
		const { body = [fileOf()], headers, ...rest } = left.shift() ?? {};
		const response = fileReceived({ ...rest, body, headers: { ...png, ...headers } });
		bodies.push(response.body);
		return await Promise.resolve(response);
	};
	const parameters = { source: 'url', fileUrl: url, ...(options && { options }) };
	const scene = uploading({ parameters, fetch, maxWaitMs, now: () => now });
	return { ...scene, asked, bodies };
}
const to = (location: string): FileResponse => ({ status: 302, headers: { location }, body: [] });
const PICTURE = 'https://files.example.com/a/picture.png';

async function expectRefusal(scene: ReturnType<typeof fetching>): Promise<void> {
	await expectRefused(scene);
	// Nothing has been made at the service, and no connection stays open.
	expect(scene.sent).toEqual([]);
	expect(scene.bodies.every(({ destroyed }) => destroyed)).toBe(true);
}

it('is sent to the storage, and only what was fetched', async () => {
	const scene = fetching(PICTURE, [to('https://cdn.example.net/x/y.png?sig=1'), {}]);
	await expect(scene.run()).resolves.toMatchObject({ size: 16, content_type: 'image/png' });
	expect(JSON.stringify(scene.asked)).not.toMatch(/the-key|authorization/i);
	expect(scene.stored).toMatchObject([{ method: 'PUT', body: fileOf() }]);
	expect(scene.sent).toMatchObject([{ body: { filename: 'y.png', file_size: 16 } }]);
});

describe('without a file, nothing is sent', () => {
	it.each<[string, FileResponse]>([
		['another attempt may help', { status: 502 }],
		['nobody may read it', { status: 403 }],
	])('%s', async (_, answer) => {
		await expectRefusal(fetching(PICTURE, [answer]));
	});

	it('in the time of "Max Wait (Seconds)", redirects included', async () => {
		const scene = fetching(PICTURE, [to('/b.png'), to('/c.png'), {}], {
			maxWaitMs: 30_000,
			takesMs: 20_000,
		});
		await expectRefusal(scene);
		expect(scene.asked.map(({ timeout }) => timeout)).toEqual([30_000, 10_000]);
	});

	it('in a minute if nothing may wait', async () => {
		const scene = fetching(PICTURE, [{}], { maxWaitMs: 0 });
		await scene.run();
		expect(scene.asked[0]).toMatchObject({ timeout: 60_000 });
	});
});

describe('a file', () => {
	it.each(Object.keys(BEGINNINGS))(
		'%s is known by its content, whatever it is called',
		async (type) => {
			const called = [
				'application/octet-stream',
				'application/force-download',
				'text/plain',
				'text/html',
				'image/gif',
			];
			for (const headers of [{}, ...called.map((name) => ({ 'content-type': name }))]) {
				const scene = fetching('https://files.example.com/%2e%2e%2fa%00b', [
					{ headers, body: [fileOf(type, 40)] },
				]);
				await expect(scene.run()).resolves.toMatchObject({ size: 40, content_type: type });
				expect(scene.sent).toMatchObject([
					{ body: { content_type: type, file_size: 40, filename: '___a_b' } },
				]);
			}
		},
	);

	it('is what the option says, if that is set', async () => {
		const body = [Buffer.from('  %PDF-1.7 behind two blanks')];
		const scene = fetching(PICTURE, [{ headers: { 'content-type': 'text/plain' }, body }], {
			options: { contentType: 'application/pdf' },
		});
		await expect(scene.run()).resolves.toMatchObject({ content_type: 'application/pdf' });
		await expectRefusal(fetching(PICTURE, [{ body }]));
	});

	/** Whole files by their own structure, and how much of their end may be missing. */
	const exif = Buffer.from('ffe1000affd9000000000000', 'hex');
	const scan = Buffer.from('ffda000200112233ffd9', 'hex');
	const webp = Buffer.concat([fileOf('image/webp', 12), Buffer.alloc(28)]);
	webp.writeUInt32LE(32, 4);
	const WHOLE: Readonly<Record<string, Buffer>> = {
		'image/jpeg': Buffer.concat([Buffer.from('ffd8', 'hex'), exif, scan]),
		'image/png': Buffer.concat([fileOf(), Buffer.from('IEND\xaeB`\x82', 'latin1')]),
		'image/gif': Buffer.concat([fileOf('image/gif'), Buffer.from(';\0')]),
		'image/webp': webp,
		'application/pdf': Buffer.concat([fileOf('application/pdf'), Buffer.from('%%EOF\n')]),
	};

	it.each(Object.entries(WHOLE))('%s without a length must be whole', async (_, whole) => {
		const unknown = { 'content-length': undefined };
		const of = (bytes: Buffer, headers: object = unknown) =>
			fetching(PICTURE, [{ headers: { ...headers }, body: [bytes] }]);
		await expect(of(whole).run()).resolves.toMatchObject({ size: whole.length });
		const half = whole.subarray(0, whole.length - 8);
		await expectRefusal(of(half));
		// Its length says that this is all.
		await of(half, {}).run();
	});

	it('is held to the limit of what it is, not of what it is called', async () => {
		const body = [fileOf('image/png', 6_000_000)];
		const scene = fetching(PICTURE, [{ headers: { 'content-type': 'application/pdf' }, body }]);
		await expectRefusal(scene);
	});

	it('without a name in its address gets one by its type', async () => {
		const scene = fetching('https://files.example.com/');
		await scene.run();
		expect(scene.sent).toMatchObject([{ body: { filename: 'upload.png' } }]);
	});
});

describe('on the engine', () => {
	const kit = setUpKit({ resource: 'media' });
	const stored = () => {
		const { world, storageUrl } = kit.service;
		const path = `${world.own.id}/${world.uuid()}.png`;
		const bytes = fileOf('image/png', 40);
		const about = { content_type: 'image/png', size: 40, sha256: '', bytes };
		world.own.media.set(path, { path, ...about });
		return `${storageUrl}/storage/v1/object/public/content-images/${path}`;
	};

	it.each(MODES)('is uploaded as from an item (%s)', async (mode) => {
		const { json } = await kit.item(
			kit.as(mode, { operation: 'upload', source: 'url', fileUrl: stored() }),
		);
		expect(json).toMatchObject({ size: 40, content_type: 'image/png' });
		const [fetched, sent] = kit.service.storageRequests;
		expect(fetched).toMatchObject({ method: 'GET' });
		expect(fetched?.headers).not.toHaveProperty('authorization');
		expect(sent).toMatchObject({ method: 'PUT', bytes: 40, tokenOk: true });
	});

	it('is fetched, and nothing is stored, in a dry run', async () => {
		const parameters = {
			operation: 'upload',
			source: 'url',
			fileUrl: stored(),
			options: { dryRun: true },
		};
		expect((await kit.item(parameters)).json).toMatchObject({ dry_run: true });
		expect(kit.sent()).toEqual([]);
		expect(kit.service.storageRequests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('an agent can attach a picture with it, and reaches nothing else', async () => {
		const parameters = {
			...{ resource: 'media', operation: 'upload', source: 'url' },
			fileUrl: "={{ $fromAI('address') }}",
		};
		const tool = async (address: string) =>
			await runAsTool({ ...subjectOf(kit.credentials(parameters)), parameters, args: { address } });
		expect((await tool(stored())).errorMessage).toBeUndefined();
		kit.service.clearLog();
		for (const hostile of [
			...['file:///etc/passwd', 'http://example.com/a.png', 'https://10.0.0.1/rest/credentials'],
			...['https://169.254.169.254/latest/meta-data', 'https://n8n.internal/rest/settings'],
			'https://user:pass@example.com/a.png',
		])
			expect((await tool(hostile)).errorMessage).toContain('"File URL"');
		expect(kit.service.requests).toEqual([]);
		expect(kit.service.storageRequests).toEqual([]);
	});
});
