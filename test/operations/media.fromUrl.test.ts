/**
 * Media > Upload from a URL: which addresses are taken, what an answer may be, and that the key goes
 * nowhere, whoever gives the address. Against scripted answers of n8n's helper, then on its engine.
 */
import { Readable } from 'node:stream';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runAsTool } from '../support/engine';
import { MODES, setUpKit, subjectOf } from '../support/kit/index';
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
	/** Chunks of the body; null: there is none. */
	readonly body?: readonly Buffer[] | null;
	readonly error?: Error;
	/** By which Node's own streams are known. */
	readonly ofStream?: object;
}

/** One upload, with what the addresses answer, and whether each body was left open. */
function fetching(
	url: unknown,
	answers: readonly FileResponse[] = [{}],
	baseUrl?: string,
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
		const { status = 200, body = [fileOf()], error, ofStream, ...given } = left.shift() ?? {};
		// Unless told, the length says that the file is whole.
		const length = Array.isArray(body) ? String(Buffer.concat(body).length) : undefined;
		const headers = { ...png, 'content-length': length, ...given.headers };
		if (error !== undefined) throw error;
		const stream = body === null ? undefined : Object.assign(Readable.from(body), ofStream);
		if (stream !== undefined) bodies.push(stream);
		return await Promise.resolve({ statusCode: status, headers, body: stream });
	};
	const parameters = { source: 'url', fileUrl: url, ...(options && { options }) };
	const scene = uploading({ parameters, fetch, baseUrl, maxWaitMs, now: () => now });
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

describe('an address that is not taken', () => {
	it.each([
		['a file', 'file:///etc/passwd'],
		['http', 'http://files.example.com/a.png'],
		['no address', 'picture.png'],
		['a name and password', 'https://a:b@files.example.com/a.png'],
		['this machine', 'https://localhost/a.png'],
		['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data'],
		['a private network', 'https://10.0.0.8/a.png'],
		['too long an address', `https://files.example.com/${'a'.repeat(8_000)}`],
	])('%s: nothing is asked at all', async (_, url) => {
		const scene = fetching(url);
		await expectRefusal(scene);
		expect(scene.asked).toEqual([]);
	});

	it.each([
		['http', 'http://files.example.com/a.png'],
		['a file', 'file:///etc/passwd'],
		['an inner address', 'https://10.0.0.8/a.png'],
		['an inner address without a scheme', '//169.254.169.254/'],
	])('by a redirect to %s: it is not followed', async (_, location) => {
		const scene = fetching(PICTURE, [to('/b.png'), to(location)]);
		await expectRefusal(scene);
		expect(scene.asked.map(({ url }) => url)).toEqual([PICTURE, 'https://files.example.com/b.png']);
	});

	it('this machine is one only where the service is there, too', async () => {
		const inner = 'http://127.0.0.1:9999/a.png';
		await expectRefusal(fetching(inner, [{}], 'https://127.0.0.1.example.com/v1'));
		const demo = fetching(inner, [{}], 'http://127.0.0.1:3000/api/v1');
		await expect(demo.run()).resolves.toMatchObject({ size: 16 });
		// Nor is the network around it, wherever the service is.
		for (const service of ['http://127.0.0.1:3000/api/v1', 'https://api.corp.internal/v1'])
			await expectRefusal(fetching('https://10.0.0.1/a.png', [{}], service));
	});
});

describe('a redirect', () => {
	it('is followed to another address, without any header of the key', async () => {
		const scene = fetching(PICTURE, [to('https://cdn.example.net/x/y.png?sig=1'), {}]);
		await expect(scene.run()).resolves.toMatchObject({ size: 16, content_type: 'image/png' });
		const [first, second] = scene.asked;
		expect([first?.url, second?.url]).toEqual([PICTURE, 'https://cdn.example.net/x/y.png?sig=1']);
		for (const one of [first, second]) {
			expect(one).toMatchObject({ method: 'GET', disableFollowRedirect: true, encoding: 'stream' });
			expect(one?.headers).toEqual({
				Accept: 'image/*, application/pdf, */*;q=0.1',
				'Accept-Encoding': 'identity',
			});
			expect(JSON.stringify(one)).not.toMatch(/the-key|authorization/i);
		}
		expect(scene.stored).toMatchObject([{ method: 'PUT', body: fileOf() }]);
		expect(scene.sent).toMatchObject([{ body: { filename: 'y.png', file_size: 16 } }]);
	});

	it('is followed five times at most', async () => {
		const again = Array.from({ length: 9 }, (_, at) => to(`/${at}.png`));
		const scene = fetching(PICTURE, again);
		await expectRefusal(scene);
		expect(scene.asked).toHaveLength(6);
	});
});

describe('a response that is no file', () => {
	const named = (code: string, more: object = {}) =>
		Object.assign(new Error('odd'), { code, ...more });
	const blocked = Object.assign(new Error('10.0.0.1'), { name: 'SsrfBlockedIpError' });
	const PAGE = [Buffer.from('<html>a page of sixteen bytes or more</html>')];
	it.each<[string, FileResponse]>([
		['of a page', { headers: { 'content-type': 'text/html' }, body: PAGE }],
		['that is a page in disguise', { body: PAGE }],
		['that is a short page in disguise', { body: [Buffer.from('<html>')] }],
		['that nobody may read', { status: 403 }],
		['that is not there', { status: 404 }],
		['of a proxy that asks for a login', { status: 407 }],
		['that is busy', { status: 429 }],
		['that is broken', { status: 502 }],
		['that redirects nowhere', { status: 302, headers: {} }],
		['that is empty', { body: [] }],
		['that has no body', { body: null }],
		['whose connection breaks', { error: named('ECONNRESET') }],
		['whose connection is refused', { error: named('ECONNREFUSED') }],
		['whose connection cannot be opened', { error: named('EMFILE', { syscall: 'connect' }) }],
		['that n8n blocks', { error: blocked }],
		['that says it is compressed', { headers: { 'content-encoding': 'gzip' } }],
		['that n8n has decompressed', { ofStream: { bytesWritten: 5 } }],
		['that is shorter than announced', { headers: { 'content-length': '17' } }],
	])('%s', async (_, answer) => {
		await expectRefusal(fetching(PICTURE, [answer]));
	});

	it('that takes longer than "Max Wait (Seconds)", redirects included', async () => {
		const scene = fetching(PICTURE, [to('/b.png'), to('/c.png'), {}], undefined, {
			maxWaitMs: 30_000,
			takesMs: 20_000,
		});
		await expectRefusal(scene);
		expect(scene.asked.map(({ timeout }) => timeout)).toEqual([30_000, 10_000]);
	});

	it('may take a minute if nothing may wait', async () => {
		const scene = fetching(PICTURE, [{}], undefined, { maxWaitMs: 0 });
		await scene.run();
		expect(scene.asked[0]).toMatchObject({ timeout: 60_000 });
	});

	it('that never ends is read up to the limit', async () => {
		let given = 0;
		const endless = function* () {
			for (;;) {
				given += 1;
				yield given === 1 ? fileOf('image/png', 1_048_576) : Buffer.alloc(1_048_576);
			}
		};
		const scene = fetching(PICTURE, [{ body: endless() as unknown as Buffer[] }]);
		await expectRefusal(scene);
		expect(given).toBeLessThan(20);
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
		const scene = fetching(
			PICTURE,
			[{ headers: { 'content-type': 'text/plain' }, body }],
			undefined,
			{
				options: { contentType: 'application/pdf' },
			},
		);
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
