import { createHash, randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { withBinary, type BinaryMode, type NodeRun, type RunNodeOptions } from '../support/engine';
import { type Mode, MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const IMAGE_LIMIT = 5_242_880;
const PDF_LIMIT = 15 * 1024 * 1024;
const BINARY_MODES: BinaryMode[] = ['filesystem', 'default'];

const media = (operation: string, parameters: Record<string, unknown> = {}) => ({
	resource: 'media',
	operation,
	...parameters,
});
const upload = (parameters: Record<string, unknown> = {}) =>
	media('upload', { binaryPropertyName: 'data', ...parameters });

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface FileOptions {
	size?: number;
	mimeType?: string;
	fileName?: string;
	mode?: BinaryMode;
}

const BYTES = randomBytes(PDF_LIMIT + 1);
const item = async ({ size = 1000, mimeType = 'image/png', ...rest }: FileOptions = {}) =>
	await withBinary({ json: {} }, { buffer: BYTES.subarray(0, size), mimeType, ...rest });

const withFile = async (options: FileOptions = {}): Promise<Partial<RunNodeOptions>> => ({
	items: [await item({ fileName: 'picture.png', ...options })],
	binaryMode: options.mode ?? 'filesystem',
});

/** Everything that anybody could see of a run. */
const everything = (run: NodeRun) => JSON.stringify([run.stored, run.logs, run.error?.message]);

function expectNoSecrets(run: NodeRun, mode: Mode) {
	const seen = everything(run);
	const { keys } = kit.service.world;
	expect(seen).not.toContain(mode === 'own' ? keys.own : keys.agency);
	expect(seen).not.toContain('upl_');
	expect(seen).not.toContain('upload/sign');
}

function expectNoKeyAtStorage() {
	for (const { headers, url } of kit.service.storageRequests) {
		expect(headers).not.toHaveProperty('authorization');
		expect(JSON.stringify([headers, url])).not.toContain('NOT_A_REAL_KEY');
	}
}

afterEach(expectNoKeyAtStorage);

describe.each(MODES)('as %s', (mode) => {
	describe.each(BINARY_MODES)('upload with files kept in "%s" mode', (kept) => {
		it('announces the file, sends it to the storage and gives what lasts', async () => {
			const run = await kit.run(kit.as(mode, upload()), await withFile({ mode: kept }));
			const [request] = kit.service.requests;
			expect(request).toMatchObject({
				method: 'POST',
				path: kit.path(mode, '/media/upload-url'),
				json: { filename: 'picture.png', content_type: 'image/png', file_size: 1000 },
			});
			expect(kit.service.storageRequests).toHaveLength(1);
			expect(kit.service.storageRequests[0]).toMatchObject({
				method: 'PUT',
				status: 200,
				bytes: 1000,
				sha256: sha256(BYTES.subarray(0, 1000)),
				headers: { 'content-type': 'image/png', 'content-length': '1000' },
			});
			const [out, ...others] = run.outputs[0] ?? [];
			expect(others).toEqual([]);
			expect(out?.pairedItem).toEqual({ item: 0 });
			const path = String(out?.json.path);
			expect(out?.json).toEqual({
				...kit.clientField(mode),
				path,
				public_url: expect.stringContaining(path),
				bucket: 'content-images',
				content_type: 'image/png',
				size: 1000,
			});
			expect(kit.account(mode).media.get(path)).toMatchObject({ size: 1000 });
			expectNoSecrets(run, mode);
		});
	});

	it('gives the upload URL to whoever asks for it', async () => {
		const { json } = await kit.item(
			kit.as(
				mode,
				media('createUploadUrl', {
					fileName: 'guide.pdf',
					contentType: 'application/pdf',
					fileSize: '2000',
				}),
			),
		);
		expect(kit.service.requests[0]).toMatchObject({
			method: 'POST',
			path: kit.path(mode, '/media/upload-url'),
			json: { filename: 'guide.pdf', content_type: 'application/pdf', file_size: 2000 },
		});
		expect(json).toMatchObject({ upload_url: expect.any(String), token: expect.any(String) });
	});

	it('deletes a file by its path', async () => {
		const uploaded = await kit.item(kit.as(mode, upload()), await withFile());
		kit.service.clearLog();
		const { path } = uploaded.json;
		const { json } = await kit.item(kit.as(mode, media('delete', { path })));
		expect(json).toEqual({ deleted: true, path, ...kit.clientField(mode) });
		expect(kit.service.requests[0]).toMatchObject({
			method: 'DELETE',
			path: kit.path(mode, '/media'),
			json: { path },
		});
		expect(kit.service.requests[0]?.headers).not.toHaveProperty('idempotency-key');
		expect(kit.account(mode).media.has(String(path))).toBe(false);
	});
});

describe('upload', () => {
	it.each(BINARY_MODES)('sends a PDF of 15 MB, complete, in "%s" mode', async (mode) => {
		const file = { size: PDF_LIMIT, mimeType: 'application/pdf', fileName: 'big.pdf', mode };
		const { json } = await kit.item(upload(), await withFile(file));
		expect(json).toMatchObject({ content_type: 'application/pdf', size: PDF_LIMIT });
		expect(kit.service.storageRequests[0]).toMatchObject({
			bytes: PDF_LIMIT,
			sha256: sha256(BYTES.subarray(0, PDF_LIMIT)),
			headers: { 'content-length': String(PDF_LIMIT) },
		});
	});

	it('sends one file for each item, paired with it', async () => {
		const items = [await item({ fileName: 'a.png' }), await item({ fileName: 'b.png', size: 7 })];
		const run = await kit.run(upload(), { items });
		expect(run.outputs[0]?.map(({ json, pairedItem }) => [json.size, pairedItem])).toEqual([
			[1000, { item: 0 }],
			[7, { item: 1 }],
		]);
	});

	it('names a file that has no name', async () => {
		await kit.item(upload(), { items: [await item({ mimeType: 'image/gif' })] });
		expect(kit.service.requests[0]?.json).toMatchObject({ filename: 'upload.gif' });
	});

	describe('refuses before anything is sent', () => {
		it.each<[string, FileOptions, Record<string, unknown>, RegExp]>([
			[
				'an image of 5 MB and a byte',
				{ size: IMAGE_LIMIT + 1 },
				{},
				/"Input Binary Field".*5242881 bytes.*5242880/,
			],
			[
				'a PDF of 15 MB and a byte',
				{ size: PDF_LIMIT + 1, mimeType: 'application/pdf' },
				{},
				/15728641 bytes.*15728640/,
			],
			['another kind of file', { mimeType: 'image/svg+xml' }, {}, /image\/svg\+xml/],
			['an empty file', { size: 0 }, {}, /content is empty/],
			['a field that is not there', {}, { binaryPropertyName: 'file' }, /"file", which the input/],
			[
				'a size that is not that of the file',
				{},
				{ options: { customFields: '{"file_size": 5}' } },
				/"Options > Custom Fields" gives "file_size"/,
			],
		])('%s', async (_, file, parameters, expected) => {
			const { error, details } = await kit.failure(upload(parameters), await withFile(file));
			expect(error).toMatch(expected);
			expect(details).toMatchObject({ code: 'invalid_input' });
			expect(kit.service.requests).toHaveLength(0);
		});
	});

	describe('that was interrupted', () => {
		const again = (run: NodeRun) => ({ runExecutionData: run.fullRun.data, executionId: '2000' });

		it('by a stop is carried out by "Retry execution", and what was finished is not', async () => {
			const items = [await item({ fileName: 'a.png' }), await item({ fileName: 'b.png' })];
			kit.service.faults.add({ kind: 'hang' }, { host: 'storage', nth: 2 });
			const stopped = await kit.run(upload(), {
				items,
				abortWhen: () => kit.service.storageRequests.length > 1,
			});
			expect(stopped.outputs).toEqual([]);
			kit.service.clearLog();
			const second = await kit.run(upload(), { items, ...again(stopped) });
			expect(second.error).toBeUndefined();
			expect(second.outputs[0]).toHaveLength(2);
			expect(kit.service.requests.map(({ json }) => json)).toMatchObject([{ filename: 'b.png' }]);
			expect(kit.service.storageRequests).toHaveLength(1);
		});

		it('by the binary storage of n8n is carried out by the next try', async () => {
			const open = jest
				.spyOn(Container.get(BinaryDataService), 'getAsStream')
				.mockRejectedValueOnce(new Error('The disk is busy'));
			const file = await withFile();
			const run = await kit.run(upload(), { ...file, retryOnFail: true, maxTries: 2 });
			expect([run.timesRun, run.error]).toEqual([2, undefined]);
			expect(kit.service.storageRequests).toHaveLength(1);
			open.mockRejectedValue(new Error('The disk is gone'));
			const failed = await kit.run(upload(), { ...file, retryOnFail: true, maxTries: 2 });
			expect(failed.error?.message).toBe('The disk is gone');
			open.mockRestore();
		});
	});

	describe('when the storage fails', () => {
		const onStorage = { host: 'storage' } as const;
		const trouble = async (parameters = upload(), more: Partial<RunNodeOptions> = {}) => {
			const run = await kit.run(parameters, {
				...(await withFile()),
				onError: 'continueErrorOutput',
				...more,
			});
			expectNoSecrets(run, 'own');
			return run;
		};
		const failedIn = (run: NodeRun) =>
			run.outputs[1]?.[0]?.json as { error: string; details: Record<string, unknown> } | undefined;

		it('gives up after the second try, without a word of the URL or the token', async () => {
			kit.service.faults.status(500, { ...onStorage, count: Infinity });
			const failed = failedIn(await trouble());
			expect(failed?.error).toMatch(/The storage did not accept the file \(HTTP 500\)/);
			expect(failed?.details).toMatchObject({
				http_status: 500,
				code: 'storage_error',
				retryable: true,
			});
			expect(kit.service.storageRequests).toHaveLength(2);
		});

		it.each([400, 401, 403, 404, 409, 410])(
			'asks for a new address once after %d, without waiting',
			async (status) => {
				kit.service.faults.status(status, onStorage);
				const started = Date.now();
				const run = await trouble(upload({ options: { maxWaitSeconds: 0 } }));
				expect(run.outputs[0]).toHaveLength(1);
				expect(Date.now() - started).toBeLessThan(20_000);
				const [first, second, ...others] = kit.service.storageRequests;
				expect(others).toEqual([]);
				expect(first?.url).not.toBe(second?.url);
				expect(second).toMatchObject({ status: 200, bytes: 1000 });
				expect(kit.answered()).toEqual(['POST 200', 'POST 200']);
			},
		);

		it('sends nothing more while the storage wants to be left alone, and says so', async () => {
			kit.service.faults.add(
				{ kind: 'raw', status: 429, body: '', headers: { 'retry-after': '120' } },
				{ ...onStorage, count: Infinity },
			);
			const items = [await item(), await item(), await item()];
			const run = await trouble(upload(), { items });
			const [first, ...others] = (run.outputs[1] ?? []).map(({ json }) => json);
			expect(kit.service.storageRequests).toHaveLength(1);
			expect(kit.service.requests).toHaveLength(1);
			expect(first?.details).toMatchObject({ http_status: 429, retry_after_seconds: 120 });
			expect(others).toHaveLength(2);
			for (const { error, details } of others) {
				expect(error).toMatch(/^Not sent, because the storage for uploads asked to wait until \d/);
				expect(details).toMatchObject({ code: 'rate_limited', retryable: true });
			}
			// Whoever runs all of it again is held back as well.
			const stopped = await kit.run(upload(), { items, retryOnFail: true, maxTries: 2 });
			expect(stopped.timesRun).toBe(2);
			expect(kit.service.storageRequests).toHaveLength(2);
			expect(stopped.error?.message).toMatch(/^Not sent, because the storage for uploads/);
		});

		it.each([
			['429', { kind: 'raw', status: 429, body: '', headers: { 'retry-after': '1' } } as const],
			['503', { kind: 'raw', status: 503, body: '', headers: { 'retry-after': '1' } } as const],
		])('lets no item send before the time that a %s names is up', async (_, effect) => {
			kit.service.faults.add(effect, onStorage);
			const refused = Date.now();
			const run = await trouble(upload(), { items: [await item(), await item()] });
			expect(run.outputs[0]).toHaveLength(2);
			expect(kit.service.storageRequests).toHaveLength(3);
			expect(Date.now() - refused).toBeGreaterThanOrEqual(990);
		});

		it.each<[string, number, Record<string, string>, number | undefined]>([
			['in seconds', 503, { 'retry-after': '90' }, 90],
			['in seconds and a part of one', 503, { 'retry-after': '89.2' }, 90],
			[
				'as a time by the clock of the storage',
				503,
				{
					'retry-after': 'Wed, 01 Jan 2020 10:01:30 GMT',
					date: 'Wed, 01 Jan 2020 10:00:00 GMT',
				},
				90,
			],
			['as nothing that is a time', 503, { 'retry-after': 'soon' }, undefined],
			['not at all', 503, {}, undefined],
			['for an address of which it knows no more', 403, { 'retry-after': '90' }, 90],
		])('says for how long the storage asks to wait: %s', async (...row) => {
			const [, status, headers, seconds] = row;
			kit.service.faults.add(
				{ kind: 'raw', status, body: '', headers },
				{ ...onStorage, count: Infinity },
			);
			const failed = failedIn(await trouble(upload({ options: { maxWaitSeconds: 0 } })));
			expect(failed?.details).toMatchObject({ http_status: status, code: 'storage_error' });
			expect((failed?.details as Record<string, unknown>).retry_after_seconds).toBe(seconds);
		});

		it.each<[number, RegExp, RegExp]>([
			[405, /did not accept the file \(HTTP 405\)/, /^Check the file/],
			[411, /did not accept the file \(HTTP 411\)/, /^Check the file/],
			[413, /does not take a file of this size \(HTTP 413\)/, /^Make the file smaller/],
			[415, /does not take a file of this type \(HTTP 415\)/, /"Content Type"/],
			[422, /did not accept the file \(HTTP 422\)/, /^Check the file/],
			[507, /did not accept the file \(HTTP 507\)/, /^Run the upload again later/],
		])('does not repeat after %d, and says what to do', async (status, what, next) => {
			kit.service.faults.status(status, onStorage);
			const failed = failedIn(await trouble());
			expect(failed?.error).toMatch(what);
			expect(failed?.details).toMatchObject({ http_status: status, retryable: false });
			expect(String(failed?.details.next)).toMatch(next);
			expect(failed?.error.includes('limit of')).toBe(status === 413);
			expect(kit.service.storageRequests).toHaveLength(1);
		});

		it.each([
			['"413"', 413, /does not take a file of this size/, 1],
			['415', 415, /does not take a file of this type/, 1],
			['"403"', 403, /did not accept the file/, 2],
			['"none"', 400, /did not accept the file/, 2],
			['200', 400, /did not accept the file/, 2],
		])('takes the status from a 400 that says %s', async (said, status, what, times) => {
			const body = `{"statusCode": ${said}, "message": "Refused"}`;
			const storage = { kind: 'raw', status: 400, body } as const;
			kit.service.faults.add(storage, { ...onStorage, count: Infinity });
			const failed = failedIn(await trouble());
			expect(failed?.error).toMatch(what);
			expect(failed?.error).toContain(`(HTTP ${status})`);
			expect(kit.service.storageRequests).toHaveLength(times);
		});

		it('hides the address even where the storage itself names it', async () => {
			const body = JSON.stringify({
				message: 'PUT https://storage.example/upload/sign/x?token=upl_abc was refused',
			});
			kit.service.faults.add({ kind: 'raw', status: 400, body }, { ...onStorage, count: Infinity });
			expect(failedIn(await trouble())?.error).toContain('hidden] was refused');
		});

		it('hides the signature of the address where the storage quotes it alone', async () => {
			kit.service.faults.add({
				kind: 'change',
				change: (envelope) => {
					const data = envelope.data as Record<string, unknown>;
					return {
						...envelope,
						data: { ...data, upload_url: `${String(data.upload_url)}&signature=4fd09a%2Fc3b7` },
					};
				},
			});
			const body = JSON.stringify({ message: 'The signature 4fd09a/c3b7 does not match' });
			kit.service.faults.add({ kind: 'raw', status: 412, body }, onStorage);
			const run = await trouble();
			expect(failedIn(run)?.error).toContain('The signature [hidden] does not match');
			expect(run.stored).not.toContain('c3b7');
		});

		it('does not follow a redirect', async () => {
			kit.service.faults.add({ kind: 'raw', status: 307, body: '' }, onStorage);
			expect(failedIn(await trouble())?.error).toMatch(/redirect \(HTTP 307\)/);
			expect(kit.service.redirected).toHaveLength(0);
		});

		it('uploads again when n8n runs the node again, but only what is not stored yet', async () => {
			kit.service.faults.status(415, { ...onStorage, nth: 2 });
			const items = [await item({ fileName: 'a.png' }), await item({ fileName: 'b.png' })];
			const run = await kit.run(upload(), { items, retryOnFail: true, maxTries: 2 });
			expect(run.outputs[0]).toHaveLength(2);
			expect(kit.service.storageRequests.map(({ status }) => status)).toEqual([200, 415, 200]);
		});
	});

	it.each([
		['not https', 'http://storage.example.com/x', /not https/],
		['not an address', 'storage', /no usable upload address/],
		['not there', null, /no usable upload address/],
	])('sends nothing to an upload URL that is %s', async (_, url, expected) => {
		kit.service.faults.add({
			kind: 'change',
			change: (envelope) => ({
				...envelope,
				data: { ...(envelope.data as Record<string, never>), upload_url: url },
			}),
		});
		const { error, details } = await kit.failure(upload(), await withFile());
		expect(error).toMatch(expected);
		expect(details).toMatchObject({ code: 'unusable_upload_url' });
		expect(kit.service.storageRequests).toHaveLength(0);
	});

	it('stops at once when the execution is cancelled', async () => {
		kit.service.faults.add({ kind: 'hang' }, { host: 'storage' });
		const started = Date.now();
		const run = await kit.run(upload(), {
			...(await withFile()),
			abortWhen: () => kit.service.storageRequests.length > 0,
		});
		expect(run.status).toBe('canceled');
		expect(Date.now() - started).toBeLessThan(20_000);
		expect(kit.service.storageRequests).toHaveLength(1);
	});
});

describe('createUploadUrl', () => {
	it.each<[string, Record<string, unknown>, RegExp]>([
		[
			'a size over the limit',
			{ fileSize: IMAGE_LIMIT + 1 },
			/"File Size \(Bytes\)" has 5242881 bytes/,
		],
		['no size', { fileSize: 0 }, /"File Size \(Bytes\)" must be a whole number/],
		['no name', { fileName: ' ' }, /"File Name" is empty/],
		['another type', { contentType: 'image/tiff' }, /"Content Type" must be one of/],
		[
			'another type in the custom fields',
			{ options: { customFields: '{"content_type": "image/tiff"}' } },
			/"Options > Custom Fields" gives "content_type"/,
		],
	])('refuses %s before anything is sent', async (_, parameters, expected) => {
		const given = { fileName: 'a.png', contentType: 'image/png', fileSize: 5, ...parameters };
		const { error } = await kit.failure(media('createUploadUrl', given));
		expect(error).toMatch(expected);
		expect(kit.service.requests).toHaveLength(0);
	});
});

describe('delete', () => {});
