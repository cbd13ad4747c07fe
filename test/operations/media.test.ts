import { createHash, randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { withBinary, type BinaryMode, type NodeRun, type RunNodeOptions } from '../support/engine';
import { MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const PDF_LIMIT = 15 * 1024 * 1024;
const BINARY_MODES: BinaryMode[] = ['filesystem', 'default'];

const upload = (parameters: Record<string, unknown> = {}) => ({
	...{ resource: 'media', operation: 'upload', binaryPropertyName: 'data', ...parameters },
});

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
		});
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
			const file = await withFile();
			return await kit.run(parameters, { ...file, onError: 'continueErrorOutput', ...more });
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
				const run = await trouble(upload({ options: { maxWaitSeconds: 0 } }));
				expect(run.outputs[0]).toHaveLength(1);
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

		it('does not follow a redirect', async () => {
			kit.service.faults.add({ kind: 'raw', status: 307, body: '' }, onStorage);
			expect(failedIn(await trouble())?.error).toMatch(/redirect \(HTTP 307\)/);
			expect(kit.service.redirected).toHaveLength(0);
		});
	});

	it.each([
		['not https', 'http://storage.example.com/x', /not https/],
		['not an address', 'storage', /is not a complete address/],
		['not there', null, /is not a complete address/],
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
});
