/** Files attached to a new post: what is uploaded, what the post gets, and what is left when it fails. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { LOST, tries } from '../run/scriptedRun';
import { runAsTool, withBinary, type NodeRun } from '../support/engine';
import { MODES, setUpKit, subjectOf, type Parameters } from '../support/kit/index';
import { ok, pageOf } from '../support/replies';

const kit = setUpKit({ resource: 'post', seed: 45 });

const png = (more = ''): Buffer =>
	Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from(more)]);
const PDF = Buffer.from('%PDF-1.7 and some pages %%EOF');

type Files = Record<string, { buffer: Buffer; mimeType?: string; fileName?: string }>;

async function itemWith(files: Files, json: JsonRecord = {}): Promise<INodeExecutionData> {
	let item: INodeExecutionData = { json: json as INodeExecutionData['json'] };
	for (const [name, file] of Object.entries(files)) {
		const given = { mimeType: 'image/png', fileName: `${name}.png`, ...file };
		const { binary } = await withBinary({ json: {} }, given);
		item = {
			...item,
			binary: { ...item.binary, [name]: binary?.data ?? { data: '', mimeType: '' } },
		};
	}
	return item;
}

const row = (binaryPropertyName = 'data') => ({ source: 'binary', binaryPropertyName });
const fromUrl = (fileUrl: unknown) => ({ source: 'url', fileUrl });

interface Given {
	readonly files?: unknown;
	readonly additional?: Parameters;
	readonly options?: Parameters;
	readonly more?: Parameters;
}
const creating = ({ files = [row()], additional, options = {}, more }: Given = {}): Parameters => ({
	operation: 'create',
	text: 'With a file',
	additionalFields: { attachments: { files }, ...additional },
	options: { maxWaitSeconds: 5, ...options },
	...more,
});

/** Where the fake service has a file for everybody: on this machine, where the service is, too. */
async function urlOf(buffer: Buffer, mimeType = 'image/png'): Promise<string> {
	const items = [await itemWith({ data: { buffer, mimeType } })];
	const { json } = await kit.item(
		{ resource: 'media', operation: 'upload', binaryPropertyName: 'data' },
		{ items },
	);
	kit.service.clearLog();
	return String(json.public_url);
}

const bodyOf = (): JsonRecord => {
	const created = kit.writes().find(({ url, method }) => method === 'POST' && /\/posts$/.test(url));
	return (created?.json ?? {}) as JsonRecord;
};
/** What was sent that changes something, without the addresses. */
const steps = (): string[] =>
	kit.writes().map(({ method, url }) => `${method} ${url.replace(/^.*?\/(posts|media)/, '/$1')}`);
const UPLOAD = 'POST /media/upload-url';
const CREATE = 'POST /posts';
const DELETE = 'DELETE /media';

const storedPaths = (): string[] => [...kit.service.world.own.media.keys()];
beforeEach(() => kit.service.world.own.media.clear());

describe('a post gets', () => {
	it.each(MODES)('an image of the item (%s)', async (mode) => {
		const items = [await itemWith({ data: { buffer: png('1') } })];
		const { json } = await kit.item(kit.as(mode, creating()), { items });
		const [path = ''] = [...kit.account(mode).media.keys()].slice(-1);
		expect(bodyOf().images).toEqual([expect.stringContaining(path)]);
		expect(json.images).toEqual(bodyOf().images);
		expect(kit.sent().filter((one) => !one.startsWith('GET'))).toEqual([
			`POST ${kit.path(mode, '/media/upload-url')}`,
			`POST ${kit.path(mode, '/posts')}`,
		]);
		expect(bodyOf()).not.toHaveProperty('document_url');
	});

	it('several images in the order of their rows, from the item and from URLs', async () => {
		const url = await urlOf(png('at a URL'));
		const items = [await itemWith({ one: { buffer: png('1') }, two: { buffer: png('2') } })];
		await kit.item(creating({ files: [row('two'), fromUrl(url), row('one')] }), { items });
		const names = (bodyOf().images as string[]).map((one) => one.replace(/^.*-/, ''));
		expect(names).toEqual(['two.png', expect.stringMatching(/png$/), 'one.png']);
		expect(steps()).toEqual([UPLOAD, UPLOAD, UPLOAD, CREATE]);
	});

	it('a PDF as its document, whatever the item calls its type', async () => {
		const items = [await itemWith({ data: { buffer: PDF, mimeType: 'application/octet-stream' } })];
		await kit.item(creating(), { items });
		expect(bodyOf()).toMatchObject({ document_url: expect.stringContaining('http') as string });
		expect(bodyOf()).not.toHaveProperty('images');
		expect(kit.writes()[0]?.json).toMatchObject({ content_type: 'application/pdf' });
	});

	it('nothing but its files, if Custom Fields empty its text', async () => {
		const items = [await itemWith({ data: { buffer: png() } })];
		await kit.item(creating({ options: { customFields: '{"text": ""}', maxWaitSeconds: 60 } }), {
			items,
		});
		expect(bodyOf()).toMatchObject({ text: '', images: [expect.stringContaining('http')] });
		kit.service.clearLog();
		for (const text of ['={{ $json.text }}', '={{ "" }}']) {
			const { error } = await kit.failure(creating({ more: { text } }), { items });
			expect(error).toBe('The parameter "Text" is an expression that returned no value');
		}
		expect(kit.sent()).toEqual([]);
	});

	it('several files of one row, where its expression gives a list', async () => {
		const urls = [await urlOf(png('a')), await urlOf(png('b'))];
		const given = creating({ files: [fromUrl('={{ $json.pictures }}')] });
		await kit.item(given, { items: [{ json: { pictures: urls } }] });
		expect(bodyOf().images).toHaveLength(2);
	});
});

describe('a row is left out whose expression gives', () => {
	it.each(['""', 'null', '[]', '"  "'])('%s', async (nothing) => {
		for (const one of [row(`={{ ${nothing} }}`), fromUrl(`={{ ${nothing} }}`)]) {
			kit.service.clearLog();
			await kit.item(creating({ files: [one] }));
			expect(steps()).toEqual([CREATE]);
			expect(bodyOf()).not.toHaveProperty('images');
		}
	});

	it('but not what is undefined, as if its column were missing', async () => {
		for (const [one, label] of [
			[row('={{ $json.nope }}'), 'Input Binary Field'],
			[fromUrl('={{ $json.nope }}'), 'File URL'],
		] as const) {
			const { error, message } = await kit.failure(creating({ files: [one] }));
			expect(error).toContain(`"Additional Fields > Attachments > ${label}" is an expression`);
			expect(message).toContain('end the expression with ?? "".');
		}
		expect(kit.sent()).toEqual([]);
	});
});

describe('refused before anything is sent:', () => {
	const cases: ReadonlyArray<[string, Files, Given]> = [
		['a field that the item does not have', {}, {}],
		[
			'a file that is neither an image nor a PDF',
			{ data: { buffer: Buffer.from('#!/bin/sh and more') } },
			{},
		],
		['an image of more than 5 MB', { data: { buffer: png('x'.repeat(5 * 1024 * 1024)) } }, {}],
		[
			'a PDF and an image',
			{ one: { buffer: PDF }, two: { buffer: png() } },
			{ files: [row('one'), row('two')] },
		],
		[
			'two PDFs',
			{ one: { buffer: PDF }, two: { buffer: Buffer.concat([PDF, PDF]) } },
			{ files: [row('one'), row('two')] },
		],
		[
			'images by hand beside them',
			{ data: { buffer: png() } },
			{ additional: { images: ['https://x.example/a.png'] } },
		],
		[
			'a document by hand beside them',
			{ data: { buffer: png() } },
			{ additional: { documentUrl: 'https://x.example/a.pdf' } },
		],
		[
			'images in custom fields beside them',
			{ data: { buffer: png() } },
			// Even none: the files would become images all the same.
			{ options: { customFields: '{"images": []}' } },
		],
		[
			'a document in custom fields beside them',
			{ data: { buffer: png() } },
			{ options: { customFields: '{"document_url": null}' } },
		],
		['a URL in the network of n8n', {}, { files: [fromUrl('https://10.0.0.1/a.png')] }],
		[
			'a second file that is not allowed',
			{ one: { buffer: png() }, two: { buffer: Buffer.from('text') } },
			{ files: [row('one'), row('two')] },
		],
		['a text that is too long', { data: { buffer: png() } }, { more: { text: 'x'.repeat(3001) } }],
		[
			'a time in the past',
			{ data: { buffer: png() } },
			{ more: { status: 'scheduled', scheduledAt: '2001-01-01T00:00:00Z' } },
		],
		['no binary field', {}, { files: [row('')] }],
	];

	it.each(cases)('%s', async (_, files, given) => {
		const { message, details } = await kit.failure(creating(given), {
			items: [await itemWith(files)],
		});
		expect(message).toMatchSnapshot();
		expect(details).toMatchObject({ code: 'invalid_input' });
		expect([kit.sent(), kit.service.storageRequests]).toEqual([[], []]);
	});
});

describe('a creation that fails', () => {
	const failing = async (given: Given = {}, count = 2) => {
		const files = Array.from({ length: count }, (_, place) => `file${place}`);
		const items = [
			await itemWith(Object.fromEntries(files.map((name) => [name, { buffer: png(name) }]))),
		];
		return await kit.failure(creating({ files: files.map(row), ...given }), { items });
	};

	it('with a final error deletes the files that were uploaded for it', async () => {
		kit.service.faults.add(
			{ kind: 'error', status: 400, code: 'bad_request' },
			{ route: 'posts.create' },
		);
		const { message, details } = await failing();
		expect(message).toMatch(/files .* were deleted/);
		expect(details).not.toHaveProperty('uploaded_paths');
		expect(steps()).toEqual([UPLOAD, UPLOAD, CREATE, DELETE, DELETE]);
		expect(storedPaths()).toEqual([]);
	});

	it('names the paths of files that could not be deleted, and never a URL', async () => {
		kit.service.faults.add(
			{ kind: 'error', status: 422, code: 'bad_request' },
			{ route: 'posts.create' },
		);
		kit.service.faults.add({ kind: 'error', status: 403 }, { method: 'DELETE' });
		const { message, details } = await failing();
		const [left = ''] = storedPaths();
		expect(storedPaths()).toHaveLength(1);
		expect(message).toContain(` could not be deleted: ${left}.`);
		expect(message).toContain('Media > Delete');
		expect(details.uploaded_paths).toEqual([left]);
		expect(JSON.stringify([message, details])).not.toMatch(/token=|upl_|https?:/);
	});

	it('with an unknown outcome deletes nothing, and says so', async () => {
		kit.service.faults.add({ kind: 'error', status: 502, after: true }, { route: 'posts.create' });
		const { message, details } = await failing({}, 1);
		expect(message).toMatch(/stays, because the post may use it: [\w/.-]+\./);
		expect(details).toMatchObject({ outcome: 'unknown', uploaded_paths: storedPaths() });
		expect(steps()).toEqual([UPLOAD, CREATE]);
	});

	it('for now keeps the files for the next attempt', async () => {
		kit.service.faults.rateLimit(60, { route: 'posts.create' });
		const { message, details } = await failing({ options: { maxWaitSeconds: 0 } }, 1);
		expect(message).toContain('stays for the next attempt');
		expect(details).toMatchObject({ retryable: true, uploaded_paths: storedPaths() });
		expect(steps()).toEqual([UPLOAD, CREATE]);
	});

	it('since a file was refused deletes those before it', async () => {
		kit.service.faults.add({ kind: 'error', status: 413 }, { host: 'storage', nth: 2 });
		const { details } = await failing();
		expect(details).toMatchObject({ http_status: 413 });
		expect(steps()).toEqual([UPLOAD, UPLOAD, DELETE]);
		expect(storedPaths()).toEqual([]);
	});
});

describe('a post with a unique key', () => {
	const keyed = (key: string, options: Parameters = {}) =>
		creating({ options: { uniqueKey: key, ...options } });
	const withFile = async (content: string, fileName = 'data.png') => [
		await itemWith({ data: { buffer: png(content), fileName } }),
	];

	it('keeps a digest of its files in the marker, of one length for any number of files', async () => {
		await kit.item(keyed('one'), { items: await withFile('1') });
		const shape = /^\[unique-key: one files=1\.17\.[\w-]{16}\]$/;
		expect(bodyOf().notes).toMatch(shape);
		kit.service.clearLog();
		const names = Array.from({ length: 30 }, (_, place) => `f${place}`);
		const files = Object.fromEntries(names.map((name) => [name, { buffer: png(name) }]));
		const many = creating({ files: names.map(row), options: { uniqueKey: 'many' } });
		await kit.item(many, { items: [await itemWith(files)] });
		expect(bodyOf().notes).toMatch(/^\[unique-key: many files=30\.\d+\.[\w-]{16}\]$/);
	});

	it('is returned, and nothing is uploaded, where its files are the same under another name', async () => {
		const first = await kit.item(keyed('same'), { items: await withFile('s') });
		kit.service.clearLog();
		const again = await kit.item(keyed('same'), { items: await withFile('s', 'other.png') });
		expect(again.json).toMatchObject({ id: first.json.id, already_existed: true });
		expect([steps(), kit.service.storageRequests]).toEqual([[], []]);
	});

	it('is an error where a file is another one, or was taken out, and nothing is uploaded', async () => {
		const { json } = await kit.item(keyed('other'), { items: await withFile('o') });
		kit.service.clearLog();
		const { error, details } = await kit.failure(keyed('other'), { items: await withFile('x') });
		expect(error).toContain('already exists');
		expect(error).toContain('but differs in: attachments');
		expect(details.differs).toEqual(['attachments']);
		const post = kit.service.world.own.posts.get(String(json.id));
		if (post !== undefined) post.images = [];
		const emptied = await kit.failure(keyed('other'), { items: await withFile('o') });
		expect(emptied.details.differs).toEqual(['images']);
		expect([steps(), kit.service.storageRequests]).toEqual([[], []]);
	});

	it('of another text, whose files nobody has attached, differs in them', async () => {
		const plain = { operation: 'create', text: 'With a file', options: { uniqueKey: 'bare' } };
		await kit.item(plain);
		const { details } = await kit.failure(keyed('bare'), { items: await withFile('b') });
		expect(details.differs).toContain('attachments');
	});

	it('of two items of a run is uploaded once', async () => {
		const items = [...(await withFile('twice')), ...(await withFile('twice'))];
		const out = await kit.items(keyed('twice'), { items });
		expect(new Set(out.map(({ json }) => json.id)).size).toBe(1);
		expect(steps()).toEqual([UPLOAD, CREATE]);
	});

	it('is created once although the answer was lost, and nothing is uploaded again', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
		const { json } = await kit.item(keyed('lost'), { items: await withFile('l') });
		expect(json.images).toHaveLength(1);
		expect(steps()).toEqual([UPLOAD, CREATE]);
		expect(storedPaths()).toHaveLength(1);
	});
});

describe('a further try', () => {
	const retrying = ({ fullRun }: NodeRun) => ({
		runExecutionData: fullRun.data,
		executionId: '2000',
	});
	const keyed = creating({ options: { uniqueKey: 'retried', maxWaitSeconds: 0 } });
	const items = async () => [await itemWith({ data: { buffer: png('r') } })];

	it('uses the files again that an earlier one has uploaded', async () => {
		kit.service.faults.rateLimit(undefined, { route: 'posts.create' });
		const given = creating({ options: { maxWaitSeconds: 0 } });
		const failed = await kit.run(given, { items: await items() });
		expect(failed.error?.description).toContain('stays for the next attempt');
		// The service has asked to wait.
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		const { error } = await kit.run(given, { items: await items(), ...retrying(failed) });
		expect(error).toBeUndefined();
		expect(steps()).toEqual([UPLOAD, CREATE, CREATE]);
		expect(storedPaths()).toHaveLength(1);
	});

	it('by "Retry execution" finds what a lost answer has created, and uploads nothing', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
		// Then the node cannot see what came of it.
		kit.service.faults.status(500, {
			method: 'GET',
			count: Infinity,
			when: () => steps().includes(CREATE),
		});
		const lost = await kit.run(keyed, { items: await items() });
		expect(lost.error?.description).toContain('because the post may use it');
		kit.service.faults.clear();
		const again = await kit.run(keyed, { items: await items(), ...retrying(lost) });
		expect(again.error).toBeUndefined();
		expect(steps()).toEqual([UPLOAD, CREATE]);
	});

	it('by "Retry execution" sends what was not created with the same files', async () => {
		let isUp = false;
		const address = { upload_url: 'https://storage.example.com/up?token=t', path: 'a/b.png' };
		const { next, kept } = tries({
			parameters: { resource: 'post', actAs: 'own', ...keyed },
			items: [
				{ json: {}, binary: { data: { data: png().toString('base64'), mimeType: 'image/png' } } },
			],
			answer: ({ method, path }) => {
				if (method === 'GET') return pageOf([]);
				if (path.includes('media')) return ok(address);
				return isUp ? ok({ id: 'p' }) : LOST;
			},
		});
		const lost = await next();
		expect(lost.asked).toContain('POST /posts');
		expect(JSON.stringify(kept())).not.toContain('token');
		isUp = true;
		const later = await next({ execution: '8', after: 600 });
		expect([later.error, later.asked.filter((one) => one.startsWith('POST'))]).toEqual([
			undefined,
			['POST /posts'],
		]);
		expect(later.writes[0]?.body.images).toEqual(['a/b.png']);
		expect(JSON.stringify(kept())).not.toContain('a/b.png');
	});

	it('runs after one that was stopped during its upload: that was no attempt at a post', async () => {
		kit.service.faults.add({ kind: 'hang' }, { host: 'storage' });
		const stopped = await kit.run(creating(), {
			items: await items(),
			abortWhen: () => kit.service.storageRequests.length > 0,
		});
		expect(stopped.error).toBeDefined();
		expect(steps()).toEqual([UPLOAD]);
		const again = await kit.run(creating(), { items: await items(), ...retrying(stopped) });
		expect(again.error).toBeUndefined();
		expect(steps()).toEqual([UPLOAD, UPLOAD, CREATE]);
	});

	it('uploads again what it could not use, once that was deleted', async () => {
		kit.service.faults.add({ kind: 'error', status: 400 }, { route: 'posts.create' });
		const refused = await kit.run(creating(), { items: await items() });
		const again = await kit.run(creating(), {
			items: await items(),
			...retrying(refused),
		});
		expect(again.error).toBeUndefined();
		expect(steps()).toEqual([UPLOAD, CREATE, DELETE, UPLOAD, CREATE]);
	});
});

it('a dry run checks and fetches, shows the request, and uploads nothing', async () => {
	const url = await urlOf(png('dry'));
	const given = creating({ files: [fromUrl(url)], options: { dryRun: true } });
	const { json } = await kit.item(given);
	expect(json).toMatchObject({
		dry_run: true,
		request: {
			method: 'POST',
			path: '/posts',
			body: { images: [expect.stringMatching(/^\(URL of .*data\.png\)$/)] },
		},
	});
	expect(kit.writes()).toEqual([]);
	expect(kit.service.storageRequests.map(({ method }) => method)).toEqual(['GET']);
});

describe('an agent', () => {
	const tool = async (parameters: Parameters, args: JsonRecord) =>
		await runAsTool({
			...subjectOf(kit.credentials(parameters)),
			parameters: { resource: 'post', ...parameters },
			args: args as Record<string, string>,
		});
	const byModel = creating({
		files: [fromUrl("={{ $fromAI('address') }}")],
		more: { status: 'draft' },
	});

	it('may attach a picture to a draft, and reaches nothing in the network of n8n', async () => {
		const url = await urlOf(png('by an agent'));
		expect((await tool(byModel, { address: url })).errorMessage).toBeUndefined();
		kit.service.clearLog();
		for (const hostile of [
			...['file:///etc/passwd', 'http://example.com/a.png', 'https://10.0.0.1/rest/credentials'],
			...['https://169.254.169.254/latest/meta-data', 'https://n8n.internal/rest/settings'],
		])
			expect((await tool(byModel, { address: hostile })).errorMessage).toContain('File URL"');
		expect([kit.sent(), kit.service.storageRequests]).toEqual([[], []]);
	});

	it('uploads nothing for a post that only a person may publish', async () => {
		const address = await urlOf(png('published by an agent'));
		for (const status of ['published', 'nextFreeSlot']) {
			const slots = { planBy: 'slots', slots: 'Monday 09:00', minimumGapMinutes: 60 };
			const { errorMessage } = await tool({ ...byModel, ...slots, status }, { address });
			expect(errorMessage).toContain('only a person may decide');
		}
		expect(kit.writes()).toEqual([]);
		expect(kit.service.storageRequests.every(({ method }) => method === 'GET')).toBe(true);
	});
});
