/** The tables of what is prepared for a post: what its files make of it, and what becomes of them. */
import { InputError, OpenWriteError } from '../../../nodes/LeadGenPublishing/words/inputError';
import {
	digestOfFiles,
	fieldsToCome,
	mediaOf,
	type AttachedFile,
} from '../../../nodes/LeadGenPublishing/writes/media/attachedMedia';
import { readAttachments } from '../../../nodes/LeadGenPublishing/operations/post/attachments';
import { fateOf, Preparation } from '../../../nodes/LeadGenPublishing/writes/media/preparation';
import type { WriteCall } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { openUploads } from '../../../nodes/LeadGenPublishing/writes/media/uploads';
import type { BoundApi } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { Values } from '../../../nodes/LeadGenPublishing/panel/parameters/values';
import { failure } from '../../operations/itemScene';

const IMAGE = 'image/png';
const DOCUMENT = 'application/pdf';
const file = (contentType: string, sha256 = 'a', size = 5): AttachedFile => ({
	file: {
		parameter: 'fileUrl',
		values: new Values(() => undefined),
		mimeType: contentType,
		size,
		open: async () => await Promise.resolve(Buffer.alloc(size)),
	},
	body: {},
	contentType,
	sha256,
});

describe('what a post gets from files', () => {
	it.each<[string, readonly string[], string | undefined]>([
		['none', [], undefined],
		['an image', [IMAGE], 'images'],
		['images of several types', [IMAGE, 'image/gif'], 'images'],
		['a PDF', [DOCUMENT], 'document'],
	])('%s: %j gives %s', (_, types, kind) => {
		expect(mediaOf(types.map((type) => file(type)))?.kind).toBe(kind);
	});

	it.each<[string, readonly string[]]>([
		['contains 2 PDFs, but a post has at most one document', [DOCUMENT, DOCUMENT]],
		['contains a PDF and an image', [DOCUMENT, IMAGE]],
		['contains a PDF and an image', [IMAGE, DOCUMENT, DOCUMENT]],
	])('%s', (problem, types) => {
		expect(() => mediaOf(types.map((type) => file(type)))).toThrow(problem);
	});
});

describe('the digest of files', () => {
	const digest = (...files: AttachedFile[]) => {
		const media = mediaOf(files);
		return media && digestOfFiles(media);
	};
	const [a, b] = [file(IMAGE, 'a', 5), file(IMAGE, 'b', 7)];

	it('says their number and their size in all, and has one length', () => {
		expect(digest()).toBeUndefined();
		expect(digest(a)).toMatch(/^1\.5\.[\w-]{16}$/);
		expect(digest(a, b)).toMatch(/^2\.12\.[\w-]{16}$/);
	});

	it('is another one for another content, order or number, and the same for the same', () => {
		const all = [digest(a), digest(b), digest(a, b), digest(b, a), digest(a, a), digest(a, b, a)];
		expect(new Set(all).size).toBe(all.length);
		expect(digest(file(IMAGE, 'a', 5))).toBe(digest(a));
	});
});

describe('what came of sending a post', () => {
	it.each<[string, unknown, string]>([
		['bad input', new InputError('Bad', 'Mend it.'), 'refused'],
		['a write that is open', new OpenWriteError('Open', 'Look.'), 'unknown'],
		['an interruption', new Error('aborted'), 'unknown'],
		['nothing that is known', undefined, 'unknown'],
		['a refusal', failure(400), 'refused'],
		['a conflict', failure(409, { reason: 'team_boost_spacing_conflict' }), 'refused'],
		['a file that is too large', failure(413, { endpoint: 'media.upload' }), 'refused'],
		[
			'a storage that is down',
			failure(503, { endpoint: 'media.upload', uncertain: false }),
			'notDone',
		],
		['a throttle', failure(429), 'notDone'],
		['no time left to send', failure(0, { kind: 'outOfTime', status: undefined }), 'notDone'],
		['a lost answer', failure(502, { endpoint: 'post.create' }), 'unknown'],
		[
			'an answer that cannot be read',
			failure(200, { kind: 'unreadable', uncertain: true }),
			'unknown',
		],
	])('%s: %#', (_, error, fate) => {
		expect(fateOf(error)).toBe(fate);
	});
});

it.each([
	['the same account', 'a', 1],
	['another account', 'b', 2],
])(
	'a file that an earlier try has uploaded is used again only for the same account: %s',
	async (_, next, count) => {
		const memory = {};
		let urls = 0;
		const uploadedFor = async (accountId: string) => {
			const api = {
				accountId,
				call: async () => await Promise.resolve({ data: { path: `${accountId}/${(urls += 1)}` } }),
				upload: async () => await Promise.resolve(),
			} as unknown as BoundApi;
			const call = { api, contextOfNode: () => memory, stableKey: () => 'item' };
			return await openUploads(call, { kind: 'images', files: [file(IMAGE)] }).upload();
		};
		expect(await uploadedFor('a')).toEqual({ images: ['a/1'] });
		expect(await uploadedFor(next)).toEqual({ images: [`${next}/${count}`] });
		expect(urls).toBe(count);
	},
);

it.each([
	['over', -1, 2],
	['less than ten seconds away', 9_999, 2],
	['ten seconds away', 10_000, 1],
])(
	'if its time is %s after the upload, a post has one of a later slot or keeps it',
	async (_, left, taken) => {
		const now = Date.UTC(2030, 0);
		const times = [now + left, now + 60_000];
		const given: string[] = [];
		const call = { api: { now: () => now }, isDryRun: false } as unknown as WriteCall;
		const prepared = new Preparation(call, {
			takeTime: async () => {
				const time = times[given.length] ?? NaN;
				given.push(new Date(time).toISOString());
				return await Promise.resolve({ time, giveBack: () => undefined, moveTo: () => undefined });
			},
		});
		await prepared.takeTime();
		const fields = await prepared.fieldsFor({ files: true, time: true });
		expect([fields, given.length]).toEqual([{ scheduled_at: given.at(-1) }, taken]);
	},
);

it('before the files are uploaded, a post shows where their URLs will be', () => {
	const named = (filename: string, type: string) => ({ ...file(type), body: { filename } });
	const ofFiles = (...files: AttachedFile[]) => fieldsToCome(mediaOf(files));
	expect(ofFiles()).toEqual({});
	expect(ofFiles(named('a.png', IMAGE), named('b.png', IMAGE))).toEqual({
		images: ['(URL of a.png)', '(URL of b.png)'],
	});
	expect(ofFiles(named('c.pdf', DOCUMENT))).toEqual({ document_url: '(URL of c.pdf)' });
});

describe('the rows of "Attachments"', () => {
	const read = (files: unknown, stored: unknown = files) => {
		const group = (rows: unknown): Values =>
			new Values((name) => (name === 'attachments' ? rows : undefined));
		const values = new Values((name) => group({ files }).raw(name), {
			group: () => 'Additional Fields',
			getStored: (name) => group({ files: stored }).raw(name),
		});
		return readAttachments(values).map((one) => (one.kind === 'url' ? one.url : one.property));
	};
	const url = (fileUrl: unknown) => ({ source: 'url', fileUrl });
	const mapped = url('={{ $json.picture }}');

	it.each<[string, unknown, unknown, unknown]>([
		['none', undefined, undefined, []],
		['one that is no list', url('https://x/a'), undefined, ['https://x/a']],
		['the field of a file that n8n shows at first', {}, undefined, ['data']],
		['two fields of a row', { binaryPropertyName: 'a, b' }, undefined, ['a', 'b']],
		[
			'a list from an expression',
			[url(['https://x/a', 'https://x/b'])],
			[mapped],
			['https://x/a', 'https://x/b'],
		],
		[
			'nothing from an expression',
			[url(null), url(''), url([]), url('https://x/a')],
			[mapped, mapped, mapped, mapped],
			['https://x/a'],
		],
	])('%s', (_, files, stored, expected) => {
		expect(read(files, stored ?? files)).toEqual(expected);
	});

	it.each<[string, unknown, unknown, string]>([
		[
			'a missing column',
			[url(undefined)],
			[mapped],
			'Attachments > File URL" is an expression that returned no value',
		],
		[
			'a missing column in a list',
			[url([undefined])],
			[mapped],
			'is an expression that returned no value',
		],
		['an empty field', [url('')], undefined, 'Attachments > File URL" is empty'],
		['a URL that is none', [url({ a: 1 })], undefined, 'must be text, not an object'],
		['a source that is none', [{ source: 'ftp' }], undefined, 'must be one of binary, url'],
		[
			'a row that is none',
			['data'],
			undefined,
			'has an entry in "files" that is not a JSON object',
		],
		['the second of two', [{}, url('')], undefined, 'Attachments > File 2 > File URL" is empty'],
	])('%s is refused', (_, files, stored, problem) => {
		expect(() => read(files, stored ?? files)).toThrow(problem);
	});

	it('are refused where one expression for all of them gives nothing', () => {
		const values = new Values(() => undefined, {
			group: () => 'Additional Fields',
			getStored: () => '={{ $json.files }}',
		});
		expect(() => readAttachments(values)).toThrow(
			'"Additional Fields > Attachments" is an expression that returned no value',
		);
	});
});
