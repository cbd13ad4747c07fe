/** Post > Create with a Unique Key: at most one post for each key, whatever happens on the way. */
import type { Effect } from '../../fake-service/index';
import type { NodeRun, RunNodeOptions } from '../support/engine';
import { HOUR, inMs, MODES, setUpKit, type Mode } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

/** Another one for each test, because the process remembers what it has lately sent. */
let number = 0;
const key = () => `row-${number}`;
const marker = () => `[unique-key: ${key()}]`;
type Parameters = Record<string, unknown>;

const create = (options: Parameters = {}, more: Parameters = {}) => ({
	operation: 'create',
	text: 'Hello',
	options: { uniqueKey: key(), ...options },
	...more,
});
const posts = (mode: Mode) => kit.account(mode).posts.toArray();
const withKey = (mode: Mode) => posts(mode).filter(({ notes }) => notes?.includes(marker()));
const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);
const rows = (...keys: unknown[]): Partial<RunNodeOptions> => ({
	items: keys.map((key, index) => ({
		json: { key: `${String(key)}-${number}`, text: `Text ${index}` } as never,
	})),
});
const FROM_ROW = {
	operation: 'create',
	text: '={{ $json.text }}',
	options: { uniqueKey: '={{ $json.key }}' },
};
const lists = () => kit.service.requests.filter(({ route }) => route === 'posts.list').length;
const creations = () => kit.service.requests.filter(({ route }) => route === 'posts.create').length;

beforeEach(() => {
	number += 1;
	kit.service.settings.hiddenPostFields = { list: [], record: [] };
	for (const mode of MODES) for (const { id } of posts(mode)) kit.account(mode).posts.remove(id);
});

describe.each(MODES)('as %s', (mode) => {
	it('creates the post, with the key at the end of its notes', async () => {
		const { json: record } = await kit.item(
			kit.as(mode, create({}, { additionalFields: { notes: 'Approved by marketing' } })),
		);
		expect(record).toMatchObject({ text: 'Hello', notes: `Approved by marketing\n${marker()}` });
		expect(record).not.toHaveProperty('already_existed');
		expect(kit.answered()).toEqual(['GET 200', 'POST 201']);
	});

	it('returns the existing post in another run, and sends nothing', async () => {
		const first = await kit.item(kit.as(mode, create()));
		kit.service.clearLog();
		const run = await kit.run(kit.as(mode, create()));
		expect(json(run)).toEqual([{ ...first.json, already_existed: true }]);
		expect(kit.answered()).toEqual(['GET 200']);
		expect(run.runData['Node under test']?.[0]?.hints?.[0]?.message).toMatch(
			/^1 post already existed and was returned as stored; nothing was created for it\.$/,
		);
	});

	it('fails for the existing post, if asked to', async () => {
		const { json: record } = await kit.item(kit.as(mode, create()));
		const { error, details } = await kit.failure(kit.as(mode, create({ ifExists: 'fail' })));
		expect(error).toBe(
			`A post with this Unique Key already exists (${String(record.id)}). Nothing was created`,
		);
		expect(details).toMatchObject({
			code: 'already_exists',
			parameter: 'uniqueKey',
			post_id: record.id,
		});
		expect(posts(mode)).toHaveLength(1);
	});

	it('reads the list once for all items, and sees its own posts', async () => {
		const run = await kit.run(kit.as(mode, FROM_ROW), rows('a', 'b', 'a', 'c', 'b'));
		expect(run.error).toBeUndefined();
		expect(json(run).map(({ already_existed }) => already_existed)).toEqual([
			undefined,
			undefined,
			true,
			undefined,
			true,
		]);
		expect([lists(), creations()]).toEqual([1, 3]);
		expect(json(run)[2]?.id).toBe(json(run)[0]?.id);
	});

	it.each<[string, Effect]>([
		['a reset', { kind: 'reset', after: true }],
		['a 500', { kind: 'error', status: 500, after: true }],
		['a web page', { kind: 'html', status: 200, after: true }],
		['an answer that is cut off', { kind: 'cut', abort: true }],
		['an empty answer', { kind: 'empty' }],
	])('finds the post after %s', async (_name, effect) => {
		kit.service.faults.add(effect, { route: 'posts.create' });
		const run = await kit.run(kit.as(mode, create()));
		expect(run.error).toBeUndefined();
		expect(json(run)[0]).toMatchObject({ text: 'Hello', notes: marker() });
		expect([posts(mode).length, creations()]).toEqual([1, 1]);
	});

	it('finds a post that appears only after a while', async () => {
		kit.service.faults.add({ kind: 'late', ms: 2_500 }, { route: 'posts.create' });
		const run = await kit.run(kit.as(mode, create()));
		expect(run.error).toBeUndefined();
		expect(json(run)[0]).toMatchObject({ notes: marker() });
		expect([posts(mode).length, creations()]).toEqual([1, 1]);
	});

	it('looks again in the next try of the item', async () => {
		kit.service.faults.add({ kind: 'late', ms: 1_500 }, { route: 'posts.create' });
		const run = await kit.run(kit.as(mode, create({ maxWaitSeconds: 0 })), {
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 2_500,
		});
		expect(run.error).toBeUndefined();
		expect(json(run)[0]).toMatchObject({ notes: marker() });
		expect(json(run)[0]).not.toHaveProperty('already_existed');
		expect([posts(mode).length, creations()]).toEqual([1, 1]);
	});
});

describe('an answer that stays lost', () => {
	const lost = async (options: Parameters = {}) => {
		kit.service.faults.add({ kind: 'reset' }, { route: 'posts.create' });
		return await kit.run(create({ maxWaitSeconds: 0, ...options }), { executionId: '1' });
	};
	const again = async (
		run: NodeRun,
		options: Parameters = {},
		more: Partial<RunNodeOptions> = {},
	) =>
		await kit.run(create({ maxWaitSeconds: 0, ...options }), {
			runExecutionData: run.fullRun.data,
			executionId: '2',
			...more,
		});
	const later = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
		const spy = jest.spyOn(Date, 'now');
		const real = Date.now.bind(Date);
		const begin = performance.now();
		const base = real() + ms;
		spy.mockImplementation(() => base + Math.floor(performance.now() - begin));
		return await work().finally(() => spy.mockRestore());
	};

	it('is unknown, and says that the next attempt looks first', async () => {
		const run = await lost();
		expect((run.error as { description?: string }).description).toMatch(
			/^Run the node again: it looks for it first, and creates it only if it does not exist\./,
		);
		expect(run.error?.message).toMatch(/It is not known whether the post was created/);
		expect(run.error?.message).toMatch(/It was looked for once and had not appeared\./);
	});

	it('is looked for until it cannot appear any more, and sent again then', async () => {
		const run = await lost();
		const begin = Date.now();
		const second = await again(run);
		expect(second.error).toBeUndefined();
		expect(Date.now() - begin).toBeGreaterThan(8_000);
		expect([withKey('own').length, creations()]).toEqual([1, 2]);
	});

	it('is awaited by a new run as well', async () => {
		kit.service.faults.add({ kind: 'late', ms: 4_000 }, { route: 'posts.create' });
		await kit.run(create({ maxWaitSeconds: 0 }));
		const second = await kit.run(create({ maxWaitSeconds: 0 }));
		expect(json(second)[0]).toMatchObject({ already_existed: true });
		expect([withKey('own').length, creations()]).toEqual([1, 1]);
	});

	it('is not sent again while it cannot be looked for', async () => {
		const run = await lost();
		kit.service.faults.status(500, { route: 'posts.list', nth: 2, count: Infinity });
		const second = await again(run);
		expect(second.error?.message).toMatch(/A previous attempt of this item may have succeeded/);
		expect([posts('own').length, creations()]).toEqual([0, 1]);
	});

	it('is sent again once it cannot appear any more', async () => {
		const run = await lost();
		const second = await later(61_000, async () => await again(run));
		expect(second.error).toBeUndefined();
		expect([withKey('own').length, creations()]).toEqual([1, 2]);
	});

	it('is sent again by a new run then, even with other content', async () => {
		await lost();
		const second = await later(
			61_000,
			async () => await kit.run(create({ maxWaitSeconds: 0 }, { text: 'Other' })),
		);
		expect(second.error).toBeUndefined();
		expect([withKey('own').length, creations()]).toEqual([1, 2]);
	});

	it('is found by "Retry execution", and then no post that had existed before', async () => {
		kit.service.faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
		kit.service.faults.status(500, { route: 'posts.list', nth: 2, count: Infinity });
		const run = await kit.run(create({ maxWaitSeconds: 0, ifExists: 'fail' }));
		expect(run.error?.message).toMatch(/could not be checked afterwards whether the post exists/);
		kit.service.faults.clear();
		const second = await again(run, { ifExists: 'fail' });
		expect(second.error).toBeUndefined();
		expect(json(second)[0]).toEqual(expect.objectContaining({ notes: marker() }));
		expect(json(second)[0]).not.toHaveProperty('already_existed');
		expect(creations()).toBe(1);
	});

	it.each([
		['without a key before', () => ({}), () => ({ uniqueKey: key() })],
		['without a key now', () => ({ uniqueKey: key() }), () => ({})],
		['with another key now', () => ({ uniqueKey: key() }), () => ({ uniqueKey: `${key()}-b` })],
	])('is not sent again %s: it could not be recognised', async (_name, before, now) => {
		kit.service.faults.add({ kind: 'reset' }, { route: 'posts.create' });
		const wait = { maxWaitSeconds: 0 };
		const run = await kit.run(create({}, { options: { ...wait, ...before() } }));
		const second = await later(
			61_000,
			async () =>
				await kit.run(create({}, { options: { ...wait, ...now() } }), {
					runExecutionData: run.fullRun.data,
					executionId: '2',
				}),
		);
		expect(second.error?.message).toMatch(/may have succeeded, so it was not sent again/);
		expect(creations()).toBe(1);
	});
});

describe('where the service shows no notes', () => {
	it.each([
		['in lists', { list: ['notes'], record: [] }],
		['in lists, nor texts', { list: ['notes', 'text'], record: [] }],
	])('%s, reads a post with the same text', async (_name, hidden) => {
		await kit.item(create());
		await kit.item({ operation: 'create', text: 'Hello' });
		kit.service.settings.hiddenPostFields = hidden;
		kit.service.clearLog();
		const run = await kit.run(create());
		expect(json(run)[0]).toMatchObject({ notes: marker(), already_existed: true });
		// Another key has no post yet, although the text is the same.
		const other = await kit.run(create({ uniqueKey: `${key()}-b` }));
		expect(json(other)[0]).not.toHaveProperty('already_existed');
		expect(creations()).toBe(1);
	});

	it('at all, recognises text and time, and says so', async () => {
		kit.service.settings.hiddenPostFields = { list: ['notes'], record: ['notes'] };
		const at = inMs(HOUR);
		const scheduled = { status: 'scheduled', scheduledAt: at };
		await kit.item(create({}, scheduled));
		const run = await kit.run(create({}, scheduled));
		expect(json(run)[0]).toMatchObject({ already_existed: true });
		expect(run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message)).toContain(
			'1 of the existing posts could be recognised only by text and time, because the service does not show notes.',
		);
		const other = await kit.run(create({}, { ...scheduled, scheduledAt: inMs(2 * HOUR) }));
		expect(json(other)[0]).not.toHaveProperty('already_existed');
		expect(posts('own')).toHaveLength(2);
	});

	it('at all, keeps two rows with the same text and time apart', async () => {
		kit.service.settings.hiddenPostFields = { list: ['notes'], record: ['notes'] };
		const same = { ...FROM_ROW, text: 'Good morning' };
		const first = await kit.run(same, rows('a', 'b'));
		expect(new Set(json(first).map(({ id }) => id)).size).toBe(2);
		const second = await kit.run(same, rows('a', 'b'));
		expect(json(second).map(({ already_existed }) => already_existed)).toEqual([true, true]);
		expect(new Set(json(second).map(({ id }) => id)).size).toBe(2);
		expect(posts('own')).toHaveLength(2);
	});
});

it('reads no post one by one where the list shows notes', async () => {
	for (const notes of ['A note', '']) {
		await kit.item({ operation: 'create', text: 'Hello', additionalFields: { notes } });
	}
	kit.service.clearLog();
	await kit.item(create());
	expect(kit.answered()).toEqual(['GET 200', 'POST 201']);
});

describe('at the same moment', () => {
	it('two executions create one post', async () => {
		kit.service.latency.global = 50;
		const runs = await Promise.all([
			kit.run(FROM_ROW, rows('a', 'b', 'c')),
			kit.run(FROM_ROW, rows('a', 'b', 'c')),
		]);
		kit.service.latency.global = 0;
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(posts('own')).toHaveLength(3);
		expect(runs.flatMap(json).filter((record) => record.already_existed === true)).toHaveLength(3);
	});
});

describe('a key that several items would share', () => {
	it.each([
		['={{ 7123456789012345678 }}', 'is a number too large to be exact'],
		['={{ String($json.nothing) }}', 'is an expression in which something was not found'],
		["={{ 'row-' + $json.nothing }}", 'is an expression in which something was not found'],
		["={{ 'row_' + null }}", 'is an expression in which something was not found'],
		["={{ $json.nothing + '-row' }}", 'is an expression in which something was not found'],
		["={{ 'row ' + ($json.nothing * 2) }}", 'is an expression in which something was not found'],
		["={{ 'row-' + {} }}", 'is an expression in which something was not found'],
		['={{ String(new Date($json.nothing)) }}', 'is an expression in which something was not found'],
		[
			'={{ DateTime.fromISO("x").toString() }}',
			'is an expression in which something was not found',
		],
	])('is refused: %s', async (shared, problem) => {
		for (const name of ['uniqueKey', 'idempotencyKey'] as const) {
			const parameters =
				name === 'uniqueKey'
					? create({ uniqueKey: shared })
					: { operation: 'startFastResponse', postId: ID, options: { idempotencyKey: shared } };
			const { error, message } = await kit.failure(parameters);
			expect(error).toContain(name === 'uniqueKey' ? 'Unique Key' : 'Idempotency Key');
			expect(error).toContain(problem);
			expect(message).toContain('that only this item has');
		}
		expect(kit.writes()).toEqual([]);
	});

	const own = ['={{ "nullable-" + "undefined1" }}', "={{ 'how-null-differs' }}", '={{ 42 }}'];
	it.each(['null', 'row-undefined', ...own])('is not %s', async (uniqueKey) => {
		expect((await kit.run(create({ uniqueKey }))).error).toBeUndefined();
	});
});

describe('what is refused before anything is sent', () => {
	it.each([
		[
			'an expression without a result',
			{ uniqueKey: '={{ $json.nothing }}' },
			/"Options > Unique Key" is an expression that gives nothing/,
		],
		['an empty key', { uniqueKey: '  ' }, /"Options > Unique Key" is empty/],
		[
			'a key that is too long',
			{ uniqueKey: 'x'.repeat(256) },
			/has 256 characters, but at most 255/,
		],
		[
			'a choice without a key',
			{ uniqueKey: undefined, ifExists: 'return' },
			/"Options > If Exists" has no effect without "Unique Key"/,
		],
		['another choice', { ifExists: 'create' }, /"Options > If Exists" must be one of return, fail/],
		[
			'a choice that gives nothing',
			{ ifExists: '={{ $json.nothing }}' },
			/"Options > If Exists" is an expression that gives nothing/,
		],
	])('%s', async (_name, options, expected) => {
		const { error, details } = await kit.failure(create(options));
		expect(error).toMatch(expected);
		expect(details).toMatchObject({ code: 'invalid_input' });
		expect(kit.service.requests).toHaveLength(0);
	});

	it('notes that are not text', async () => {
		const { error } = await kit.failure(create({ customFields: '{"notes": {"a": 1}}' }));
		expect(error).toMatch(/"Options > Custom Fields" gives "notes" a value that is not text/);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('a post, if the list cannot be read', async () => {
		kit.service.faults.status(403, { route: 'posts.list' });
		const { error } = await kit.failure(create());
		expect(error).toMatch(/checked first whether the post already exists, so nothing was created/);
		expect(posts('own')).toHaveLength(0);
	});
});

it('returns an existing post although its time is past now', async () => {
	await kit.item(create());
	const past = { status: 'scheduled', scheduledAt: inMs(-HOUR) };
	const run = await kit.run(create({}, past));
	expect(json(run)[0]).toMatchObject({ already_existed: true });
	const { error } = await kit.failure(create({ uniqueKey: 'new' }, past));
	expect(error).toMatch(/is not in the future/);
});

it.each([
	'Zeile 7 / Blatt "Q3"',
	'ключ-12',
	'a]b[c',
	"it's (50 %) <b>!*",
	'https://crm.example/deals/7?x=1&y=2',
])('recognises the key %s', async (key) => {
	await kit.item(create({ uniqueKey: key }));
	const run = await kit.run(create({ uniqueKey: key }));
	expect(json(run)[0]).toMatchObject({ already_existed: true });
	expect(posts('own')[0]?.notes).toMatch(/^\[unique-key: [\w.~:/@+%-]+\]$/);
});

it('does not take one key for the beginning of another', async () => {
	await kit.item(create({ uniqueKey: `${key()}1` }));
	const run = await kit.run(create());
	expect(json(run)[0]).not.toHaveProperty('already_existed');
});

it('replaces the key of a post that the notes were copied from', async () => {
	await kit.item(create());
	await kit.item(
		create({ uniqueKey: 'copy' }, { additionalFields: { notes: `Mine\n${marker()}` } }),
	);
	expect(posts('own').map(({ notes }) => notes)).toEqual([marker(), 'Mine\n[unique-key: copy]']);
});

describe('Post > Update', () => {
	it.each([
		['new notes', 'New', () => `New\n${marker()}`],
		['emptied notes', '', marker],
	])('keeps the key beside %s', async (_name, notes, expected) => {
		const { json: record } = await kit.item(create());
		const byId = { __rl: true, mode: 'id', value: record.id };
		const change = (options: Parameters) => ({
			operation: 'update',
			postId: byId,
			updateFields: { notes },
			options,
		});
		await kit.item(change({}));
		expect(posts('own')[0]?.notes).toBe(expected());
		await kit.item(change({ currentStatus: 'draft' }));
		expect(posts('own')[0]?.notes).toBe(expected());
	});

	it('finds new notes beside the key, when the answer is lost', async () => {
		const { json: record } = await kit.item(create());
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
		const { json: updated } = await kit.item({
			operation: 'update',
			postId: { __rl: true, mode: 'id', value: record.id },
			updateFields: { notes: 'New' },
		});
		expect(updated.notes).toBe(`New\n${marker()}`);
	});
});
