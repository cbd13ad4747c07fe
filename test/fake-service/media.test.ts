import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import { post, remove } from '../../fake-service/asking';
import { conformance, each, refusal, type JsonObject } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, status } = kit;
beforeEach(() => kit.service.clearLog());

const PNG = { filename: 'a picture.png', content_type: 'image/png', file_size: 1000 };
const sign = (json: JsonObject) => ask('/media/upload-url', post(json));
const signed = async (json: JsonObject = PNG) => String((await sign(json)).data.upload_url);

async function upload(
	url: string,
	bytes: Buffer,
	headers: Record<string, string> = { 'content-type': 'image/png' },
	method: Dispatcher.HttpMethod = 'PUT',
) {
	const answer = await request(url, { method, headers, body: bytes });
	await answer.body.dump();
	return answer.statusCode;
}

test('2.5 the upload result, in either variant', async () => {
	const { data } = await sign(PNG);
	expect(data).toMatchObject({
		bucket: 'content-images',
		content_type: 'image/png',
		max_file_size: 5_242_880,
		public_url: expect.stringContaining(kit.service.storageUrl),
	});
	expect(String(data.upload_url).startsWith(kit.service.storageUrl)).toBe(true);
	expect(kit.service.storageUrl).not.toBe(new URL(kit.service.baseUrl).origin);
	Object.assign(kit.service.settings, { mediaPublicUrl: false, mediaMaxFileSize: false });
	expect(Object.keys((await sign(PNG)).data).sort()).toEqual(
		['bucket', 'content_type', 'path', 'token', 'upload_url'].sort(),
	);
	Object.assign(kit.service.settings, { mediaPublicUrl: true, mediaMaxFileSize: true });
});

test('part 8: five content types, 5 MB for images, 15 MB for PDF', async () => {
	const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
	for (const content_type of [...images, 'application/pdf']) {
		const file_size = (images.includes(content_type) ? 5 : 15) * 1024 * 1024;
		expect((await sign({ ...PNG, content_type, file_size })).status).toBe(200);
		const over = await sign({ ...PNG, content_type, file_size: file_size + 1 });
		expect([content_type, ...refusal(over)]).toEqual([content_type, 400, 'bad_request']);
	}
});

test('4.2 filename, content_type and file_size are required and checked', async () => {
	const { filename, content_type, file_size } = PNG;
	const halves: JsonObject[] = [
		...[
			{ filename, content_type },
			{ filename, file_size },
			{ content_type, file_size },
		],
	];
	const wrong: JsonObject[] = [
		...[{ filename: '' }, { content_type: 'image/svg+xml' }, { content_type: 'constructor' }],
		...[{ file_size: 0 }, { file_size: -5 }, { file_size: 1.5 }, { file_size: '1000' }],
		{ folder: 'x' },
	];
	await each(
		[{}, ...halves, ...wrong.map((more) => ({ ...PNG, ...more }))],
		async (json) => (await sign(json)).status,
		400,
	);
});

test.each(['PUT', 'POST'] as const)('2.5 %s: the bytes arrive, once', async (method) => {
	const bytes = randomBytes(1000);
	const { data } = await sign(PNG);
	const url = String(data.upload_url);
	const type = { 'content-type': 'image/png' };
	expect(await upload(url, bytes, type, method)).toBe(200);
	expect(await upload(url, bytes, type, method)).toBe(403);
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	expect(kit.service.storageRequests).toMatchObject([
		{ method, bytes: 1000, sha256, tokenOk: true, status: 200 },
		{ tokenOk: false, status: 403 },
	]);
	const shown = await request(String(data.public_url));
	expect(Buffer.from(await shown.body.arrayBuffer()).equals(bytes)).toBe(true);
	expect(kit.service.world.own.media.get(String(data.path))).toMatchObject({ sha256 });
});

test('2.5 an upload URL is short-lived, and good for its own path only', async () => {
	const url = await signed();
	const other = new URL(await signed());
	other.searchParams.set('token', new URL(url).searchParams.get('token') ?? '');
	expect(await upload(other.href, randomBytes(1000))).toBe(403);
	expect(await upload(url.split('?')[0] ?? '', randomBytes(1000))).toBe(403);
	kit.service.clock.advance(10 * 60_000);
	expect(await upload(url, randomBytes(1000))).toBe(403);
	kit.service.clock.reset();
});

test('4.2 the storage host takes what was announced, and nothing else', async () => {
	const url = await signed();
	expect(await upload(url, randomBytes(999))).toBe(400);
	expect(await upload(url, randomBytes(1001))).toBe(413);
	expect(await upload(url, randomBytes(1000), { 'content-type': 'image/gif' })).toBe(415);
	expect(await upload(url, randomBytes(1000), {})).toBe(415);
	const chunked = await request(url, {
		method: 'PUT',
		headers: { 'content-type': 'image/png' },
		body: Readable.from([randomBytes(1000)]),
	});
	expect(chunked.statusCode).toBe(411);
	expect(await upload(url, randomBytes(1000))).toBe(200);
});

test('5.2 an API key sent to the storage host is refused and recorded', async () => {
	const headers = { 'content-type': 'image/png', authorization: 'Bearer svc_live_x' };
	expect(await upload(await signed(), randomBytes(1000), headers)).toBe(400);
	expect(kit.service.storageRequests[0]?.headers.authorization).toBe('Bearer svc_live_x');
});

test('4.1 delete media: by path, in both modes, once', async () => {
	const { clientA, keys } = kit.service.world;
	for (const base of ['', `/clients/${clientA.id}`]) {
		const key = base ? keys.agency : keys.own;
		const { data } = await ask(`${base}/media/upload-url`, post(PNG, { key }));
		const gone = remove({ key, json: { path: data.path ?? '' } });
		expect(await status(`${base}/media`, gone)).toBe(404);
		await upload(String(data.upload_url), randomBytes(1000));
		const outside = remove({ key: keys.stranger, json: { path: data.path ?? '' } });
		expect(await status('/media', outside)).toBe(403);
		expect((await ask(`${base}/media`, gone)).data.deleted).toBe(true);
		expect(await status(`${base}/media`, gone)).toBe(404);
	}
	expect(await status('/media', remove())).toBe(400);
	expect(await status('/media', remove({ json: {} }))).toBe(400);
	expect(await status('/media', remove({ json: { url: 'x' } }))).toBe(400);
	kit.service.settings.fields.deleteMedia = ['url'];
	expect(await status('/media', remove({ json: { url: 'x' } }))).toBe(404);
	kit.service.settings.fields.deleteMedia = ['path'];
});

test('faults: the storage host fails on demand', async () => {
	const url = await signed();
	kit.service.faults.add({ kind: 'error', status: 503 }, { host: 'storage' });
	expect(await upload(url, randomBytes(1000))).toBe(503);
	kit.service.faults.add({ kind: 'reset', after: true }, { host: 'storage' });
	await expect(upload(url, randomBytes(1000))).rejects.toThrow();
	expect(kit.service.world.own.media.size).toBeGreaterThan(0);
	expect(await upload(url, randomBytes(1000))).toBe(403);
});
