/** Upload addresses, the host that takes the files, and their deletion, as 2.5, 4.2 and part 8 have them. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';

import type { JsonObject } from '../../fake-service/types';
import { conformance } from './conformance';

const kit = conformance({ sample: 'none' });
const { ask, expectAll, pass } = kit;
beforeEach(() => kit.service.clearLog());

const PNG = { filename: 'a picture.png', content_type: 'image/png', file_size: 1000 };
const BYTES = randomBytes(1000);
const TYPE = { 'content-type': 'image/png' };
const MB = 1024 * 1024;
const sign = async (more: JsonObject = {}) =>
	await ask('POST /media/upload-url', { json: { ...PNG, ...more } });
const signed = async () => String((await sign()).data.upload_url);

async function upload(
	url: string,
	{ bytes = BYTES, headers = TYPE as Record<string, string>, method = 'PUT' } = {},
): Promise<number> {
	const given = { method: method as Dispatcher.HttpMethod, headers, body: bytes };
	const answer = await request(url, given);
	await answer.body.dump();
	return answer.statusCode;
}

test('part 8: an address is given for five types, 5 MB for images and 15 MB for PDF', async () => {
	const images = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
	for (const content_type of [...images, 'application/pdf']) {
		const file_size = (images.includes(content_type) ? 5 : 15) * MB;
		expect((await sign({ content_type, file_size })).told).toBe('200');
		const over = await sign({ content_type, file_size: file_size + 1 });
		expect([content_type, over.told]).toEqual([content_type, '400 bad_request']);
	}
});

test('4.2 filename, content_type and file_size are required and checked', async () => {
	const without = Object.keys(PNG).map((name) => ({ ...PNG, [name]: undefined }));
	const wrong = [
		...[{ filename: '' }, { content_type: 'image/svg+xml' }, { content_type: 'constructor' }],
		...[{ file_size: 0 }, { file_size: -5 }, { file_size: 1.5 }, { file_size: '1000' }],
		{ folder: 'x' },
	].map((more) => ({ ...PNG, ...more }));
	const asked = async (json: object) => await ask('POST /media/upload-url', { json });
	await expectAll([{}, ...without, ...wrong], asked, '400 bad_request');
});

test.each(['PUT', 'POST'])('2.5 %s: the bytes arrive, once, on another host', async (method) => {
	const { data } = await sign();
	const url = String(data.upload_url);
	expect(new URL(url).origin).not.toBe(new URL(kit.service.baseUrl).origin);
	expect([await upload(url, { method }), await upload(url, { method })]).toEqual([200, 403]);
	const sha256 = createHash('sha256').update(BYTES).digest('hex');
	expect(kit.service.storageRequests).toMatchObject([
		{ method, bytes: 1000, sha256, tokenOk: true, status: 200 },
		{ tokenOk: false, status: 403 },
	]);
	const shown = await request(String(data.public_url));
	expect(Buffer.from(await shown.body.arrayBuffer()).equals(BYTES)).toBe(true);
});

test('2.5 an address is good for ten minutes and its own path', async () => {
	const [url, other] = [await signed(), new URL(await signed())];
	other.searchParams.set('token', new URL(url).searchParams.get('token') ?? '');
	expect(await upload(other.href)).toBe(403);
	expect(await upload(url.split('?')[0] ?? '')).toBe(403);
	pass(10);
	expect(await upload(url)).toBe(403);
});

test('4.2 the host takes what was announced and nothing else, and no API key', async () => {
	const url = await signed();
	expect(await upload(url, { bytes: randomBytes(999) })).toBe(400);
	expect(await upload(url, { bytes: randomBytes(1001) })).toBe(413);
	expect(await upload(url, { headers: { 'content-type': 'image/gif' } })).toBe(415);
	expect(await upload(url, { headers: {} })).toBe(415);
	const body = Readable.from([BYTES]);
	expect((await request(url, { method: 'PUT', headers: TYPE, body })).statusCode).toBe(411);
	const headers = { ...TYPE, authorization: 'Bearer svc_live_x' };
	expect(await upload(url, { headers })).toBe(400);
	expect(kit.service.storageRequests.at(-1)?.headers).toMatchObject(headers);
	expect(await upload(url)).toBe(200);
});

test('4.1 a file is deleted by its path, once, by whom it belongs to', async () => {
	const { clientA, keys } = kit.service.world;
	for (const base of ['', `/clients/${clientA.id}`]) {
		const key = base ? keys.agency : keys.own;
		const { data } = await ask(`POST ${base}/media/upload-url`, { json: PNG, key });
		const json = { path: data.path ?? '' };
		const gone = async () => (await ask(`DELETE ${base}/media`, { json, key })).told;
		expect(await gone()).toBe('404 not_found');
		await upload(String(data.upload_url));
		const others = await ask('DELETE /media', { json, key: keys.stranger });
		expect(others.told).toBe('403 forbidden');
		expect([await gone(), await gone()]).toEqual(['200', '404 not_found']);
	}
	const wrong: Array<JsonObject | undefined> = [undefined, {}, { url: 'x' }];
	await expectAll(wrong, async (json) => await ask('DELETE /media', { json }), '400 bad_request');
	kit.service.settings.fields.deleteMedia = ['url'];
	expect((await ask('DELETE /media', { json: { url: 'x' } })).told).toBe('404 not_found');
	kit.service.settings.fields.deleteMedia = ['path'];
});
