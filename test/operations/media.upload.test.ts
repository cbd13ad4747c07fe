/** Uploads and upload URLs: which file, what is announced, what is tried again, what comes of it. */
import { spoken } from '../support/facts';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createUploadUrl } from '../../nodes/LeadGenPublishing/operations/media/createUploadUrl';
import { fileReceived } from '../support/replies';
import { expectRefused, expectUnsent, failing, failure, itemOf } from './itemScene';
import { ADDRESS, IMAGE, uploading, type Given } from './uploadScene';

/** What was sent before it was refused. */
async function refusal(given: Given): Promise<unknown[]> {
	const item = uploading(given);
	await expectRefused(item);
	return [...item.sent, ...item.stored];
}

/** How a file may be named, and the name that is sent. */
const NAMES: Array<[given: string, sent: string]> = [
	['folder/../b.png', 'b.png'],
	['C:\\pictures\\c.png', 'c.png'],
	['d\u0000\u202e.png', 'd.png'],
	['e\ud83d.png', 'e\ufffd.png'],
];

describe('the file', () => {
	it('is announced by name, type and size, with custom fields beside them', async () => {
		const { run, sent, stored } = uploading({
			parameters: { binaryPropertyName: ' data ', options: { customFields: { folder: 'x' } } },
			binary: { data: { ...IMAGE, fileName: ' a.png ' } },
		});
		await run();
		const body = { filename: 'a.png', content_type: 'image/png', file_size: 6, folder: 'x' };
		expect(sent).toEqual([{ name: 'media.createUploadUrl', body }]);
		expect(stored).toMatchObject([{ headers: { 'Content-Type': 'image/png' } }]);
	});

	it('has the name and the type of the options, where they are given', async () => {
		const { run, sent } = uploading({
			parameters: { options: { fileName: ' b.webp ', contentType: 'image/webp' } },
			binary: { data: { ...IMAGE, fileName: 'a.png' } },
		});
		await run();
		expect(sent[0]?.body).toMatchObject({ filename: 'b.webp', content_type: 'image/webp' });
	});

	it.each([['..', 'upload.png'], ['folder/', 'upload.png'], ...NAMES])(
		'named %j is announced as %j',
		async (fileName, filename) => {
			const { run, sent } = uploading({ binary: { data: { ...IMAGE, fileName } } });
			await run();
			expect(sent[0]?.body).toMatchObject({ filename });
		},
	);

	it.each(NAMES)('named %j in the options is announced as %j', async (fileName, filename) => {
		const { run, sent } = uploading({ parameters: { options: { fileName } } });
		await run();
		expect(sent[0]?.body).toMatchObject({ filename });
	});

	it.each([
		...['.', '../', '\u200b/'].map((fileName) => ({ fileName })),
		...[null, '', 7].map((filename) => ({ customFields: { filename } })),
	])('is not announced without a name, as with %j', async (options) => {
		expect(await refusal({ parameters: { options } })).toEqual([]);
	});

	it.each([
		[' IMAGE/JPG ; name=x', 'image/jpeg', 'upload.jpg'],
		['image/pjpeg', 'image/jpeg', 'upload.jpg'],
		['application/pdf;charset=binary', 'application/pdf', 'upload.pdf'],
		['image/webp', 'image/webp', 'upload.webp'],
	])('of the type %j is announced as %s', async (mimeType, content_type, filename) => {
		const { run, sent } = uploading({ binary: { data: { ...IMAGE, mimeType } } });
		await run();
		expect(sent[0]?.body).toMatchObject({ content_type, filename });
	});

	it.each([
		['image/jpeg', 'image/png', '\x89PNG\r\n\x1a\n and so on'],
		['image/png', 'application/pdf', '%PDF-1.7 and so on'],
		['application/octet-stream', 'application/pdf', '%PDF-1.7 and so on'],
	])(
		'whose item says %s is announced as %s by its bytes',
		async (mimeType, content_type, bytes) => {
			const data = Buffer.from(bytes, 'latin1').toString('base64');
			const { run, sent } = uploading({ binary: { data: { data, mimeType } } });
			await run();
			expect(sent[0]?.body).toMatchObject({ content_type });
		},
	);

	it('must be there, and an error names the fields that are', async () => {
		for (const names of [['one', 'two'], []])
			expect(
				await refusal({ binary: Object.fromEntries(names.map((name) => [name, IMAGE])) }),
			).toEqual([]);
	});

	it('of no type in particular is taken once the option says which it is', async () => {
		const binary = { data: { ...IMAGE, mimeType: 'application/octet-stream' } };
		expect(await refusal({ binary })).toEqual([]);
		const named = uploading({ binary, parameters: { options: { contentType: 'image/png' } } });
		await named.run();
		expect(named.sent[0]?.body).toMatchObject({ content_type: 'image/png' });
	});

	it.each([{ content_type: 'x/y' }, { content_type: ['image/png'] }, { file_size: 7 }, {}])(
		'is refused as what is to blame: %j',
		async (customFields) => {
			const binary = { data: { ...IMAGE, mimeType: 'text/plain' } };
			const more = 'file_size' in customFields ? {} : { binary };
			expect(await refusal({ parameters: { options: { customFields } }, ...more })).toEqual([]);
		},
	);
});

describe('what a Code node makes is refused before anything is sent', () => {
	const data = IMAGE.data;
	const about = { mimeType: 'image/png' };

	it.each<[string, unknown]>([
		['no content type', { data }],
		['no content', about],
		['content that is no text', { ...about, data: { type: 'Buffer', data: [1] } }],
		['a data URL', { ...about, data: `data:image/png;base64,${data}` }],
		['what stands for a file elsewhere', { ...about, data: 'filesystem-v2' }],
		['null', null],
		['an empty file', { ...about, data: '' }],
	])('%s', async (_, made) => {
		expect(await refusal({ binary: { data: made as JsonRecord } })).toEqual([]);
	});

	it.each<[string, JsonRecord]>([
		['neither name, size, extension nor ID', { data }],
		['a blank name', { data, fileName: ' \u200b' }],
		['a name that is no text', { data, fileName: 5, fileSize: 5, fileExtension: 5, id: 5 }],
		['content in lines', { data: `${data.slice(0, 4)}\r\n${data.slice(4)}\n` }],
	])('but not for %s', async (_, made) => {
		const { run, sent, stored } = uploading({ binary: { data: { ...about, ...made } } });
		await run();
		expect(sent[0]?.body).toMatchObject({ filename: 'upload.png', file_size: 6 });
		expect(stored).toMatchObject([{ body: Buffer.from('a file') }]);
	});
});

describe('the limit that the service names', () => {
	const withLimit = (max_file_size: unknown) => [{ ...ADDRESS, max_file_size }];

	it.each([5, 1])('of %i bytes is below a file of 6, which is not sent then', async (limit) => {
		expect(await refusal({ answers: withLimit(limit) })).toHaveLength(1);
	});

	it.each([6, 0, -1, '5', null, undefined])('%p lets a file of 6 bytes pass', async (limit) => {
		const { run, stored } = uploading({ answers: withLimit(limit) });
		expect(await run()).toMatchObject({ size: 6 });
		expect(stored).toHaveLength(1);
	});

	it.each([
		['binaryPropertyName', {}],
		[
			'fileUrl',
			{
				parameters: { source: 'url', fileUrl: 'https://files.example.com/a.png' },
				fetch: async () =>
					await Promise.resolve(
						fileReceived({ body: [Buffer.from('\x89PNG\r\n\x1a\n!', 'latin1')] }),
					),
			},
		],
	])('names the parameter that the file comes from, "%s"', async (parameter, given: Given) => {
		const { run } = uploading({ ...given, answers: withLimit(5) });
		await expect(run()).rejects.toMatchObject({ details: { parameter, max_file_size: 5 } });
	});

	it('may be 1 byte', async () => {
		const binary = { data: { ...IMAGE, data: Buffer.from('a').toString('base64') } };
		const storage = [{ statusCode: 413 }];
		const { run } = uploading({ binary, answers: withLimit(1), storage });
		expect(spoken((await failing(run())).facts).found).toContain('a limit of 1 bytes');
	});
});

describe('the result', () => {
	it('is what the service said of the file', async () => {
		const about = { path: 'a/b.png', public_url: 'https://x/y', bucket: 'b', content_type: 'c/d' };
		expect(await uploading({ answers: [{ ...ADDRESS, ...about }] }).run()).toEqual({
			...about,
			size: 6,
		});
	});

	it('leaves out a public URL that the service does not show, and says what to use', async () => {
		for (const public_url of [null, '', undefined]) {
			const item = uploading({ answers: [{ ...ADDRESS, path: 'a/b.png', public_url }] });
			expect(await item.run()).not.toHaveProperty('public_url');
			expect(item.said).toEqual([expect.stringContaining('$json.public_url ?? $json.path')]);
		}
	});

	it('has no value where the service said nothing, but for what was sent', async () => {
		expect(await uploading().run()).toEqual({
			...{ path: null, bucket: null },
			...{ content_type: 'image/png', size: 6 },
		});
	});
});

describe('a failure', () => {
	const times = async (given: Given) => {
		const item = uploading(given);
		const failed = await failing(item.run()).catch(() => undefined);
		const counts = [item.sent.length, item.stored.length];
		return { counts, waited: item.waited(), facts: failed?.facts };
	};
	const answered = (status: number, headers?: JsonRecord) => ({ statusCode: status, headers });

	it.each<[string, Given, number, number]>([
		['of the storage', { storage: [answered(503)] }, 500, 2],
		// The client waits then, and says so where that would take too long.
		['of the storage, which asks to wait', { storage: [answered(429, retryAfter(7))] }, 0, 2],
		['of an address', { storage: [answered(403)] }, 0, 2],
		['of an address, with a time', { storage: [answered(403, retryAfter(7))] }, 0, 2],
		['of the service', { answers: [failure(502), ADDRESS] }, 500, 1],
	])('%s is followed by one more try, after a pause', async (_, given, waited, stored) => {
		expect(await times(given)).toEqual({ counts: [2, stored], waited, facts: undefined });
	});

	it.each([400, 401, 403, 404, 409, 410])(
		'HTTP %i may be that of the address: another one is asked for at once, without any time',
		async (status) => {
			const given = { storage: [answered(status)], maxWaitMs: 0 };
			expect(await times(given)).toMatchObject({ counts: [2, 2], waited: 0, facts: undefined });
		},
	);

	it.each([307, 405, 411, 413, 415, 422, 501])('HTTP %i is not tried again', async (status) => {
		const { counts, facts } = await times({ storage: [answered(status)] });
		expect(counts).toEqual([1, 1]);
		expect(facts).toMatchObject({ status });
		expect(facts?.found?.[0]?.kind).toBe(status === 413 ? 'fileAndLimit' : undefined);
	});

	it('of an address that cannot be one is told, and no file is sent there', async () => {
		const { counts, facts } = await times({ answers: [{ ...ADDRESS, upload_url: null }] });
		expect(counts).toEqual([1, 0]);
		expect(facts).toMatchObject({
			...{ kind: 'unusableUrl', problem: 'incomplete', uncertain: false },
		});
	});

	it('is not followed by a third try', async () => {
		const { counts, facts } = await times({ storage: [answered(503), answered(503)] });
		expect(counts).toEqual([2, 2]);
		expect(facts).toMatchObject({ status: 503, attempts: 2, uncertain: false });
	});

	it.each(['outOfTime', 'heldBack'] as const)(
		'that another try comes too late is told as the first one was: %s',
		async (kind) => {
			const late = failure(0, { kind, status: undefined });
			const given = { answers: [ADDRESS, late], storage: [answered(503)] };
			expect((await times(given)).facts).toMatchObject({ status: 503 });
		},
	);

	const ofService = { endpoint: 'media.createUploadUrl' } as const;
	it.each<[string, Given]>([
		['after a throttle, for which the client has waited', { answers: [failure(429, ofService)] }],
		['of what was never sent', { answers: [failure(0, { ...ofService, kind: 'outOfTime' })] }],
		['that lasts', { answers: [failure(403)] }],
	])('%s is not tried again', async (_, given) => {
		const { counts, waited, facts } = await times(given);
		expect([counts, waited]).toEqual([[1, 0], 0]);
		expect(facts).toMatchObject({ attempts: 1, uncertain: false });
	});

	it('is not tried again for a longer pause than the item may wait', async () => {
		const storage = [answered(503)];
		expect((await times({ storage, maxWaitMs: 499 })).counts).toEqual([1, 1]);
		expect((await times({ storage, maxWaitMs: 500 })).counts).toEqual([2, 2]);
	});
});

function retryAfter(seconds: number): JsonRecord {
	return { 'retry-after': String(seconds) };
}

describe('an upload URL', () => {
	const asking = (parameters: JsonRecord) =>
		itemOf(
			createUploadUrl,
			{ fileName: ' a.png ', contentType: 'image/png', fileSize: ' 16 ', ...parameters },
			{ answers: { 'media.createUploadUrl': [{ token: 't' }] } },
		);
	const custom = (customFields: JsonRecord) => ({ options: { customFields } });
	const pdf = (fileSize: number) => ({ contentType: 'application/pdf', fileSize });

	it('is asked for by name, type and size, with custom fields over them', async () => {
		const { run, sent } = asking(custom({ folder: 'x', file_size: 17 }));
		expect(await run()).toEqual({ token: 't' });
		const body = { filename: 'a.png', content_type: 'image/png', file_size: 17, folder: 'x' };
		expect(sent[0]?.body).toEqual(body);
	});

	it('comes without a public URL that the service does not show, and says what to use', async () => {
		for (const public_url of [null, '']) {
			const { run, said } = itemOf(
				createUploadUrl,
				{ fileName: 'a.png', contentType: 'image/png', fileSize: '16' },
				{ answers: { 'media.createUploadUrl': [{ token: 't', path: 'a/b.png', public_url }] } },
			);
			expect(await run()).toEqual({ token: 't', path: 'a/b.png' });
			expect(said).toEqual([expect.stringContaining('$json.public_url ?? $json.path')]);
		}
	});

	it.each(NAMES)('is asked for a file named %j as %j', async (fileName, filename) => {
		const { run, sent } = asking({ fileName });
		await run();
		expect(sent[0]?.body).toMatchObject({ filename });
	});

	it.each([{ fileSize: 1 }, { fileSize: 5_242_880 }, pdf(15_728_640)])(
		'may be for %j',
		async (given) => {
			expect(await asking(given).run()).toEqual({ token: 't' });
		},
	);

	it.each<JsonRecord>([
		...[{ fileSize: 0 }, { fileSize: 5_242_881 }, pdf(15_728_641)],
		...[5_242_881, 0, 1.5, '5'].map((file_size) => custom({ file_size })),
		...['x/y', '', 7].map((content_type) => custom({ content_type })),
		...[{ fileName: '..' }, { fileName: 'a/' }, custom({ filename: null })],
	])('is not asked for with %j', async (parameters) => {
		await expectUnsent(asking(parameters));
	});
});
