/**
 * Media > Upload from a URL: which addresses are taken, what an answer may be, and that the key goes
 * nowhere, whoever gives the address. Against scripted answers of n8n's helper, then on its engine.
 */
import { Readable } from 'node:stream';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runAsTool } from '../support/engine';
import { MODES, setUpKit, subjectOf } from '../support/kit/index';
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

interface Answer {
	readonly status?: number;
	readonly headers?: JsonRecord;
	/** Chunks of the body. */
	readonly body?: readonly Buffer[];
	readonly error?: Error;
}

/** One upload, with what the addresses answer, and whether each body was left open. */
function fetching(url: unknown, answers: readonly Answer[] = [{}], baseUrl?: string) {
	const asked: JsonRecord[] = [];
	const bodies: Readable[] = [];
	const left = [...answers];
	const png = { 'content-type': 'image/png' };
	const fetch = async (http: JsonRecord) => {
		asked.push(http);
		const { status = 200, headers = png, body = [fileOf()], error } = left.shift() ?? {};
		if (error !== undefined) throw error;
		const stream = Readable.from(body);
		bodies.push(stream);
		return await Promise.resolve({ statusCode: status, headers, body: stream });
	};
	const parameters = { source: 'url', fileUrl: url };
	return { ...uploading({ parameters, fetch, baseUrl }), asked, bodies };
}
const to = (location: string): Answer => ({ status: 302, headers: { location }, body: [] });
const PICTURE = 'https://files.example.com/a/picture.png';

async function refusalOf(scene: ReturnType<typeof fetching>): Promise<InputError> {
	const error: unknown = await scene.run().catch((problem: unknown) => problem);
	if (!(error instanceof InputError)) throw new Error(`no refusal: ${JSON.stringify(error)}`);
	expect(error.message).toMatch(/^The parameter "File URL" .*/);
	expect(error.details).toMatchObject({ parameter: 'fileUrl' });
	// Nothing has been made at the service, and no connection stays open.
	expect(scene.sent).toEqual([]);
	expect(scene.bodies.every(({ destroyed }) => destroyed)).toBe(true);
	return error;
}

describe('an address that is not taken', () => {
	const INNER = 'leads into the network';
	const NO_HTTPS = 'is not https';
	it.each([
		['a file', 'file:///etc/passwd', NO_HTTPS],
		['http', 'http://files.example.com/a.png', NO_HTTPS],
		['no address', 'picture.png', 'is not a complete address'],
		['a name and password', 'https://a:b@files.example.com/a.png', 'holds a user name or password'],
		['this machine', 'https://localhost/a.png', INNER],
		['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data', INNER],
		['a private network', 'https://10.0.0.8/a.png', INNER],
		[
			'too long an address',
			`https://files.example.com/${'a'.repeat(8_000)}`,
			'is not a complete address',
		],
	])('%s: nothing is asked at all', async (_, url, words) => {
		const scene = fetching(url);
		const { message, remedy } = await refusalOf(scene);
		expect(message).toContain(words);
		expect(remedy).toContain('https://');
		expect(scene.asked).toEqual([]);
	});

	it.each([
		['http', 'http://files.example.com/a.png', 'that is not https'],
		['a file', 'file:///etc/passwd', 'that is not https'],
		['an inner address', 'https://10.0.0.8/a.png', 'that leads into the network'],
		['an inner address without a scheme', '//169.254.169.254/', 'that leads into the network'],
	])('by a redirect to %s: it is not followed', async (_, location, words) => {
		const scene = fetching(PICTURE, [to('/b.png'), to(location)]);
		expect((await refusalOf(scene)).message).toContain(`redirects to an address ${words}`);
		expect(scene.asked.map(({ url }) => url)).toEqual([PICTURE, 'https://files.example.com/b.png']);
	});

	it('this machine is one only where the service is there, too', async () => {
		const inner = 'http://127.0.0.1:9999/a.png';
		await refusalOf(fetching(inner, [{}], 'https://127.0.0.1.example.com/v1'));
		const demo = fetching(inner, [{}], 'http://127.0.0.1:3000/api/v1');
		await expect(demo.run()).resolves.toMatchObject({ size: 16 });
		// Nor is the network around it, wherever the service is.
		for (const service of ['http://127.0.0.1:3000/api/v1', 'https://api.corp.internal/v1'])
			await refusalOf(fetching('https://10.0.0.1/a.png', [{}], service));
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
			expect(JSON.stringify(one)).not.toMatch(/the-key|authorization/i);
		}
		expect(scene.stored).toMatchObject([{ method: 'PUT', body: fileOf() }]);
		expect(scene.sent).toMatchObject([{ body: { filename: 'y.png', file_size: 16 } }]);
	});

	it('is followed five times at most', async () => {
		const again = Array.from({ length: 9 }, (_, at) => to(`/${at}.png`));
		const scene = fetching(PICTURE, again);
		expect((await refusalOf(scene)).message).toContain('redirects again and again');
		expect(scene.asked).toHaveLength(6);
	});
});

describe('an answer that is no file', () => {
	const typed = (type: string, length?: string): Answer => ({
		headers: { 'content-type': type, ...(length && { 'content-length': length }) },
	});
	const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
	const blocked = Object.assign(new Error('10.0.0.1'), { name: 'SsrfBlockedIpError' });
	const TOO_MUCH = /holds 5242881 bytes, but at most 5242880 are allowed/;
	const OF_ANY_TYPE: Answer = { headers: { 'content-length': '15728641' } };
	const PAGE: Answer = { body: [Buffer.from('<html>secret</html>')] };
	it.each<[string, Answer, RegExp, boolean]>([
		['of a page', typed('text/html; charset=utf-8'), /something else/, false],
		['of a video', typed('video/mp4'), /something else/, false],
		['that announces too much for its type', typed('image/png', '5242881'), TOO_MUCH, false],
		['that announces too much for any', OF_ANY_TYPE, /at most 15728640 are allowed/, false],
		['that nobody may read', { status: 403 }, /status 403/, false],
		['that is not there', { status: 404 }, /status 404/, false],
		['that is busy', { status: 429 }, /status 429/, true],
		['that is broken', { status: 502 }, /status 502/, true],
		['that redirects nowhere', { status: 302, headers: {} }, /status 302/, false],
		['that is a page in disguise', PAGE, /something else/, false],
		['that is empty', { body: [] }, /something else/, false],
		['whose connection breaks', { error: reset }, /not be fetched: connection reset/, true],
		['that n8n blocks', { error: blocked }, /blocked by the SSRF protection/, false],
	])('%s', async (_, answer, expected, retryable) => {
		const error = await refusalOf(fetching(PICTURE, [answer]));
		expect(error.message).toMatch(expected);
		expect(error.details.retryable ?? false).toBe(retryable);
		expect(`${error.message} ${error.remedy}`).not.toContain('secret');
		expect(`${error.message} ${error.remedy}`).not.toContain('files.example.com');
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
		expect((await refusalOf(scene)).message).toContain('more than 15728640 bytes');
		expect(given).toBeLessThan(20);
	});
});

describe('a file', () => {
	it.each(Object.keys(BEGINNINGS))('%s is known by its content', async (type) => {
		for (const headers of [
			{},
			{ 'content-type': 'application/octet-stream' },
			{ 'content-type': 'image/gif' },
		]) {
			const scene = fetching('https://files.example.com/%2e%2e%2fa%00b', [
				{ headers, body: [fileOf(type, 40)] },
			]);
			await expect(scene.run()).resolves.toMatchObject({ size: 40, content_type: type });
			expect(scene.sent).toMatchObject([
				{ body: { content_type: type, file_size: 40, filename: '___a_b' } },
			]);
		}
	});

	it('is held to the limit of what it is, not of what it is called', async () => {
		const body = [fileOf('image/png', 6_000_000)];
		const scene = fetching(PICTURE, [{ headers: { 'content-type': 'application/pdf' }, body }]);
		expect((await refusalOf(scene)).message).toContain('6000000 bytes, but at most 5242880');
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
