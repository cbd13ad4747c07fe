/** Post > Create with a Unique Key: at most one post for each key, whatever happens on the way. */
import type { Effect } from '../../fake-service/index';
import type { NodeRun, RunNodeOptions } from '../support/engine';
import { byId, MODES, setUpKit, type Mode } from '../support/kit/index';

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
const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);
const rows = (...keys: unknown[]): Partial<RunNodeOptions> => ({
	items: keys.map((key) => ({
		json: { key: `${String(key)}-${number}`, text: `Text ${String(key)}` } as never,
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

// The account decides nothing but the paths, which are held elsewhere.
describe.each<Mode>(['client'])('as %s', (mode) => {
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

describe('what is not taken for the post of a key', () => {
	const GET = (id: unknown) => ({ operation: 'get', postId: byId(String(id)), simplify: false });

	it('is a post into whose notes somebody has written the key', async () => {
		const additionalFields = { notes: `=Comment: {{ $json.comment }}` };
		const items = [{ json: { comment: `Nice!\n${marker()}` } }];
		const plain = { operation: 'create', text: 'Another', additionalFields };
		const { json: first } = await kit.item(plain, { items });
		expect(first.notes).toBe(`Comment: Nice!\n(unique-key: ${key()})`);
		const { json: other } = await kit.item(
			create({ uniqueKey: `${key()}-b` }, { additionalFields }),
			{ items },
		);
		expect(other.notes).toBe(`${String(first.notes)}\n[unique-key: ${key()}-b]`);
		await kit.item(
			{
				...{ operation: 'update', postId: byId(String(first.id)) },
				updateFields: { notes: `Edited\n${marker()}` },
			},
			{ items },
		);
		const { json: record } = await kit.item(create());
		expect(record).not.toHaveProperty('already_existed');
	});

	it('is a copy of it, which does not take its key along', async () => {
		const { json: original } = await kit.item(create({}, { additionalFields: { notes: 'Mine' } }));
		const { json: read } = await kit.item(GET(original.id));
		const additionalFields = { notes: read.notes };
		const copy = await kit.item({ operation: 'create', text: 'Copy', additionalFields });
		expect(copy.json.notes).toBe(`Mine\n(unique-key: ${key()})`);
		const { json: again } = await kit.item(create());
		expect(again).toMatchObject({ id: original.id, already_existed: true });
	});
});

it('keeps the key of a post whose notes are changed or emptied', async () => {
	const { json: first } = await kit.item(create({}, { additionalFields: { notes: 'Mine' } }));
	for (const notes of ['Edited', '', `Copied\n${marker()}`]) {
		const update = { operation: 'update', postId: byId(String(first.id)), updateFields: { notes } };
		await kit.item(update);
		const { json: again } = await kit.item(create());
		expect(again).toMatchObject({ id: first.id, already_existed: true });
	}
	expect(posts('own')[0]?.notes).toBe(`Copied\n${marker()}`);
});

describe('the same key with other content', () => {
	it('is an error for all items of a run that share it, before anything is sent', async () => {
		const items = ['a', 'b', 'c'].map((text, index) => ({
			json: { text, key: `${key()}-${index === 1 ? 'own' : 'shared'}` },
		}));
		const run = await kit.run(FROM_ROW, { items, onError: 'continueErrorOutput' });
		expect(json(run).map(({ text }) => text)).toEqual(['b']);
		expect(run.outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		for (const { json: failed } of run.outputs[1] ?? [])
			expect(failed).toMatchObject({
				error: expect.stringMatching(
					/^2 items of this run have the same Unique Key, but would not send the same\. None/,
				) as string,
				details: { code: 'shared_key', parameter: 'uniqueKey' },
			});
		expect(creations()).toBe(1);
	});

	it('is none if only the notes, or the account, are others', async () => {
		const { clientA, clientB } = kit.service.world;
		const items = [clientA, clientB].map(({ id }) => ({ json: { id, text: id } }));
		const clientId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const parameters = create({}, { actAs: 'client', clientId, text: '={{ $json.text }}' });
		expect(await kit.items(parameters, { items })).toHaveLength(2);
		const notes = { additionalFields: { notes: '={{ $json.id }}' } };
		expect(await kit.items(create({}, notes), { items })).toHaveLength(2);
		expect(creations()).toBe(3);
		for (const { id } of [...clientB.posts.toArray()]) clientB.posts.remove(id);
	});
});

it('takes an account for the same in whatever case its ID is written', async () => {
	const { id } = kit.service.world.clientA;
	const as = (clientId: string) => create({}, { actAs: 'client', clientId: byId(clientId) });
	kit.service.latency.global = 50;
	const runs = await Promise.all([kit.run(as(id)), kit.run(as(id.toUpperCase()))]);
	kit.service.latency.global = 0;
	expect(runs.flatMap(json).filter(({ already_existed }) => already_existed === true)).toHaveLength(
		1,
	);
	expect(posts('client')).toHaveLength(1);
});

it('is created once by two API keys of one account, also if its key is composed otherwise', async () => {
	const { latency, world, baseUrl } = kit.service;
	latency.global = 50;
	const runs = await Promise.all([
		kit.run(create({ uniqueKey: `${key()}-e\u0301` })),
		kit.run(create({ uniqueKey: `${key()}-\u00e9` }), {
			credentials: { baseUrl, apiKey: world.keys.ownTest },
		}),
	]);
	latency.global = 0;
	expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect(posts('own')).toHaveLength(1);
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
		const remove = {
			...{ operation: 'delete', postId: byId(ID) },
			options: { idempotencyKey: shared },
		};
		for (const parameters of [create({ uniqueKey: shared }), remove]) {
			const { error, message } = await kit.failure(parameters);
			expect(error).toMatch(/"Options > (?:Unique|Idempotency) Key"/);
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
