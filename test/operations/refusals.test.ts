/**
 * What Create and Create or Update refuse, in the words that the user reads, where no other test of the
 * operation shows them.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import type { Json, JsonObject } from '../../fake-service/types';
import { scriptedRun } from '../run/scriptedRun';
import { withBinary } from '../support/engine';
import { setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ seed: 49, sample: 'none' });

/** Another one for each test: the process remembers what it has lately sent. */
let key = '';
beforeEach(() => {
	key = `row-${randomUUID()}`;
});

const post = (more: Parameters = {}): Parameters => ({
	...{ resource: 'post', operation: 'upsert', uniqueKey: key, text: 'A post', status: 'draft' },
	...more,
	options: { maxWaitSeconds: 0, ...(more.options as object) },
});
const magnet = (more: Parameters = {}): Parameters => ({
	...{ resource: 'leadMagnet', operation: 'upsert', deliveryMode: 'external_link' },
	...{ keyword: key, resourceName: 'Guide', resourceLink: 'https://example.com/guide' },
	...more,
	options: { maxWaitSeconds: 0, ...(more.options as object | undefined) },
});
const withFiles = (files: Parameters[], more: Parameters = {}) =>
	post({ ...more, additionalFields: { attachments: { files } } });
const FILE = { source: 'binary', binaryPropertyName: 'data' };

const png = (size = 16): Buffer => {
	const bytes = Buffer.alloc(size, 'x');
	Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
	bytes.write('IEND', size - 4);
	return bytes;
};
const itemWith = async (buffer: Buffer) => [
	await withBinary({ json: {} }, { buffer, mimeType: 'image/png', fileName: 'a.png' }),
];
const changeData = (change: (record: JsonObject) => JsonObject) => ({
	kind: 'change' as const,
	change: ({ data, ...envelope }: JsonObject): JsonObject => ({
		...envelope,
		data: Array.isArray(data)
			? data.map((one: Json): Json => change(one as JsonObject))
			: change(data as JsonObject),
	}),
});

describe('an existing record without its ID', () => {
	const withoutId = changeData(({ id: _id, ...others }) => others);

	it('of a post', async () => {
		await kit.item(post());
		kit.service.clearLog();
		kit.service.faults.add(withoutId, { method: 'GET', count: Infinity });
		const { error, message } = await kit.failure(post({ text: 'Other' }));
		expect(error).toMatch(/not its ID.* Nothing was sent$/);
		expect(message).toContain('Post > Get Many');
		expect(kit.writes()).toEqual([]);
	});

	it('of a lead magnet', async () => {
		await kit.item(magnet());
		kit.service.clearLog();
		kit.service.faults.add(withoutId, { method: 'GET', count: Infinity });
		const given = magnet({ resourceLink: 'https://example.com/other' });
		const { error } = await kit.failure(given);
		expect(error).toBe(
			'The service returns the lead magnet with this keyword and resource name, but not its ID, so the node cannot change it. Nothing was sent',
		);
		expect(kit.writes()).toEqual([]);
	});
});

describe('a request that was sent a moment ago', () => {
	// A second update does no harm, so nobody waits for the first one.
	it.each([
		['post', post, { text: 'Other' }],
		['lead magnet', magnet, { resourceLink: 'https://example.com/other' }],
	])('and may still change the %s is sent again', async (_, given, change: Parameters) => {
		await kit.item(given());
		const changed = given(change);
		kit.service.faults.add({ kind: 'reset' }, { method: 'PATCH' });
		await kit.failure(changed);
		kit.service.clearLog();
		expect((await kit.item(changed)).json).toMatchObject({ action: 'updated' });
		expect(kit.writes()).toHaveLength(1);
	});

	it('by another execution, which has not ended', async () => {
		kit.service.faults.add({ kind: 'delay', ms: 4_000 }, { route: 'posts.create' });
		const first = kit.item(post({ options: { maxWaitSeconds: 10 } }));
		const { error } = await kit.failure(post({ options: { maxWaitSeconds: 1 } }));
		expect(error).toBe(
			'Another execution is creating the same post, and did not finish within "Max Wait (Seconds)". Nothing was sent',
		);
		expect((await first).json).toMatchObject({ action: 'created' });
	});
});

describe('a key', () => {
	it('that notes cannot hold', async () => {
		const { error } = await kit.failure(post({ options: { customFields: '{"notes": 5}' } }));
		expect(error).toContain('is not text, so the Unique Key cannot be added to it');
		expect(kit.sent()).toEqual([]);
	});

	it('that is missing where "If Exists" needs it', async () => {
		const { uniqueKey: _key, ...given } = post({
			operation: 'create',
			options: { ifExists: 'return' },
		});
		const { error } = await kit.failure(given);
		expect(error).toContain('"Options > If Exists" has no effect without "Unique Key"');
		expect(kit.sent()).toEqual([]);
	});

	it.each([
		['keyword', 'Keyword'],
		['resourceName', 'Resource Name'],
	])('of a lead magnet whose %s is empty', async (name, label) => {
		const creation = { operation: 'create', options: { ifExists: 'return' } };
		for (const empty of ['={{ "" }}', '={{ " " }}', '={{ null }}', '={{ $json.nope }}']) {
			const updated = await kit.failure(magnet({ [name]: empty }));
			expect(updated.error).toContain(`"${label}" is`);
			expect(updated.message).toContain('Map a value that each item has.');
			const created = await kit.failure(magnet({ ...creation, [name]: empty }));
			expect(created.error).toContain(`"${label}" contains an expression that returned no value`);
			expect(created.message).toContain('Map a value that each item has, or set "If Exists"');
		}
		expect(kit.sent()).toEqual([]);
	});

	it.each(['keyword', 'resource_name'])(
		'of a lead magnet whose %s Custom Fields remove',
		async (name) => {
			const options = { maxWaitSeconds: 0, customFields: JSON.stringify({ [name]: null }) };
			const { error, message } = await kit.failure({ ...magnet(), options });
			expect(error).toBe(
				`The parameter "Options > Custom Fields" sets "${name}" to a value that is empty, but the node needs it to find an existing lead magnet`,
			);
			expect(message).toContain('Enter both "Keyword" and "Resource Name".');
			expect(kit.sent()).toEqual([]);
		},
	);
});

it('a post without text or files', async () => {
	const { error, message } = await kit.failure(
		post({ options: { customFields: '{"text": null}' } }),
	);
	expect(error).toBe(
		'The parameter "Options > Custom Fields" sets "text" to a value that is empty',
	);
	expect(message).toContain(
		'Enter the text of the post, or map it from the input item. To create a post without text, set "text" to "" in "Custom Fields".',
	);
	expect(kit.sent()).toEqual([]);
});

describe('a list that cannot be read', () => {
	it.each([
		['post', post],
		['lead magnet', magnet],
	])('so that an existing %s may be overlooked', async (what, given) => {
		kit.service.faults.status(500, { method: 'GET', count: Infinity });
		const { message } = await kit.failure(given());
		expect(message).toMatch(
			new RegExp(`whether the ${what} already exists, so it created nothing`),
		);
		expect(kit.writes()).toEqual([]);
	});
});

describe('a file', () => {
	it('that is empty', async () => {
		const { error } = await kit.failure(withFiles([FILE]), {
			items: await itemWith(Buffer.alloc(0)),
		});
		expect(error).toContain('names an empty file');
		expect(kit.sent()).toEqual([]);
	});

	it('too many of them', async () => {
		const files = Array.from({ length: 101 }, () => FILE);
		const { error } = await kit.failure(withFiles(files), { items: await itemWith(png()) });
		expect(error).toBe(
			'The parameter "Additional Fields > Attachments" names 101 files, but the node attaches at most 100 to a post',
		);
		expect(kit.sent()).toEqual([]);
	});

	it('too large together', async () => {
		const large = png(5 * 1024 * 1024);
		const fileUrl = Array.from({ length: 13 }, (_, at) => `https://files.example.com/${at}.png`);
		const { error, asked } = await scriptedRun({
			parameters: withFiles([{ source: 'url', fileUrl }], { actAs: 'own' }),
			storage: async () =>
				await Promise.resolve({ statusCode: 200, headers: {}, body: Readable.from([large]) }),
		});
		expect(error?.message).toContain('downloads at most 64 MB of files for an item');
		expect(asked).toEqual([]);
	});

	it('whose address the service does not give', async () => {
		kit.service.faults.add(
			changeData((record) => ({ ...record, path: null, public_url: null })),
			{ route: 'media.uploadUrl' },
		);
		const { error } = await kit.failure(withFiles([FILE]), { items: await itemWith(png()) });
		expect(error).toBe(
			'The service accepted a file but returned neither a public URL nor a path, so the post cannot use it. No post was created',
		);
		expect(kit.sent().filter((one) => one.endsWith('/posts'))).toEqual([]);
	});
});
