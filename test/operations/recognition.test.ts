/** What exists is recognised although the service shows it incompletely, late, or in another form. */
import { randomUUID } from 'crypto';

import { differs, hasTime } from '../../nodes/LeadGenPublishing/operations/post/samePost';
import type { Json, JsonObject } from '../../fake-service/types';
import type { NodeRun } from '../support/engine';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
type Parameters = Record<string, unknown>;
type Shape = (record: JsonObject) => JsonObject;

const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);
const posts = () => kit.account('own').posts.toArray();
const creations = () => kit.service.requests.filter(({ method }) => method === 'POST').length;
const reads = () => kit.service.requests.filter(({ route }) => route === 'posts.get').length;
const hints = (run: NodeRun) =>
	run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message) ?? [];

const TEXT = 'The first sentence of a post that is much longer than an excerpt of it. And "more".';
const NOTES = 'Approved by marketing, and by everybody else who had to be asked about it.';
let key = '';
const create = (more: Parameters = {}) => ({
	operation: 'create',
	text: `=${TEXT} {{ $json.key }}`,
	additionalFields: { notes: NOTES },
	options: { uniqueKey: '={{ $json.key }}', maxWaitSeconds: 5 },
	...more,
});
const rows = (...names: string[]) => ({
	items: names.map((name) => ({ json: { key: `${key}/${name}` } })),
});
const change = (route: string, shape: Shape): void => {
	kit.service.faults.add(
		{
			kind: 'change',
			change: ({ data, ...envelope }) => ({
				...envelope,
				data: Array.isArray(data)
					? data.map((one) => shape(one as JsonObject))
					: shape(data as JsonObject),
			}),
		},
		{ route, count: Infinity },
	);
};
const without =
	(...names: string[]): Shape =>
	(record) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
const cut = (text: Json | undefined, end = ''): Json =>
	typeof text === 'string' && text.length > 30 ? text.slice(0, 30) + end : (text ?? null);
const escaped = (text: unknown): string =>
	String(text)
		.replace(/&/g, '&amp;')
		.replace(/"/g, '&quot;')
		.replace(/'/g, '&#39;')
		.replace(/\//g, '&#x2F;');

beforeEach(() => {
	key = randomUUID();
	for (const { id } of posts()) kit.account('own').posts.remove(id);
	// Somebody else's, so that the list shows notes where it can.
	kit.service.world.addPost(kit.account('own'), { text: 'Other', notes: 'Other notes' });
});

describe('a post with a unique key', () => {
	it.each<[string, Readonly<Record<string, Shape>>]>([
		['the list cuts notes', { 'posts.list': (p) => ({ ...p, notes: cut(p.notes) }) }],
		['the list cuts notes visibly', { 'posts.list': (p) => ({ ...p, notes: cut(p.notes, '…') }) }],
		[
			'the list cuts texts and has no notes',
			{ 'posts.list': (p) => ({ ...without('notes')(p), text: cut(p.text) }) },
		],
		[
			'the list cuts texts visibly and has no notes',
			{ 'posts.list': (p) => ({ ...p, notes: null, text: cut(p.text, ' ...') }) },
		],
		['the list shows IDs', { 'posts.list': ({ id = null }) => ({ id }) }],
		['the creation answers with the ID', { 'posts.create': ({ id = null }) => ({ id }) }],
		['the creation answers with nothing', { 'posts.create': () => ({}) }],
		['the creation answers with another shape', { 'posts.create': (post) => ({ post }) }],
		[
			'only the creation shows notes',
			{ 'posts.list': without('notes'), 'posts.get': without('notes') },
		],
		[
			'notes are cut everywhere',
			Object.fromEntries(
				['posts.list', 'posts.get', 'posts.create'].map((route) => [
					route,
					(p: JsonObject) => ({ ...p, notes: cut(p.notes) }),
				]),
			),
		],
		[
			'HTML is escaped',
			Object.fromEntries(
				['posts.list', 'posts.get', 'posts.create'].map((route) => [
					route,
					(p: JsonObject) => ({ ...p, notes: escaped(p.notes), text: escaped(p.text) }),
				]),
			),
		],
		[
			'HTML is escaped and notes are not shown',
			Object.fromEntries(
				['posts.list', 'posts.get', 'posts.create'].map((route) => [
					route,
					(p: JsonObject) => ({ ...without('notes')(p), text: escaped(p.text) }),
				]),
			),
		],
	])('is created once where %s', async (_name, shapes) => {
		for (const [route, shape] of Object.entries(shapes)) change(route, shape);
		const first = await kit.run(create(), rows('a', 'b', 'a'));
		expect(first.error).toBeUndefined();
		expect([creations(), json(first).map((record) => record.already_existed)]).toEqual([
			2,
			[undefined, undefined, true],
		]);
		const second = await kit.run(create(), rows('c', 'a', 'b'));
		expect([creations(), json(second).map((record) => record.already_existed)]).toEqual([
			3,
			[undefined, true, true],
		]);
		expect(hints(second).join(' ')).not.toMatch(/differ/);
	});

	it('is recognised where the list cuts notes visibly, even if the notes are others now', async () => {
		change('posts.list', (p) => ({ ...p, notes: cut(p.notes, '…') }));
		await kit.run(create(), rows('a'));
		const other = create({ additionalFields: { notes: 'Other notes' } });
		expect(json(await kit.run(other, rows('a')))[0]).toHaveProperty('already_existed');
	});

	it('is created once in a run that can read neither it nor its notes yet', async () => {
		change('posts.create', ({ id = null }) => ({ id }));
		kit.service.faults.status(404, { route: 'posts.get', count: Infinity });
		const [, second] = json(await kit.run(create(), rows('a', 'a')));
		expect([second?.already_existed, creations()]).toEqual([true, 1]);
	});

	it('is returned whole where the list shows a summary', async () => {
		await kit.run(create(), rows('a'));
		change('posts.list', without('text'));
		const [record] = json(await kit.run({ ...create(), simplify: false }, rows('a')));
		expect(record).toMatchObject({ text: `${TEXT} ${key}/a`, already_existed: true });
		expect(record).toHaveProperty('published_mutation_capabilities');
	});

	it('is created anew if it was deleted since the summary was listed', async () => {
		const [first] = json(await kit.run(create(), rows('a')));
		const listed = { ...posts().find(({ id }) => id === first?.id), text: undefined };
		kit.account('own').posts.remove(String(first?.id));
		change('posts.list', () => listed as unknown as JsonObject);
		const [second] = json(await kit.run(create(), rows('a')));
		expect(second).not.toHaveProperty('already_existed');
		expect(creations()).toBe(2);
	});

	it.each([[0], [2]])('is recognised before the list shows it, and after %i 404', async (count) => {
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data: [] }) },
			{ route: 'posts.list', count: Infinity },
		);
		const [first] = json(await kit.run(create(), rows('a')));
		if (count > 0) kit.service.faults.status(404, { route: 'posts.get', count });
		const [second] = json(await kit.run(create(), rows('a')));
		expect(second).toMatchObject({ id: first?.id, already_existed: true });
		expect([creations(), reads()]).toEqual([1, count + 1]);
	});

	it('is created anew after it was deleted', async () => {
		const [first] = json(await kit.run(create(), rows('a')));
		kit.account('own').posts.remove(String(first?.id));
		const begin = Date.now();
		const [second] = json(await kit.run(create(), rows('a')));
		expect(second).not.toHaveProperty('already_existed');
		// It might have been the list that was late.
		expect(Date.now() - begin).toBeGreaterThan(5_000);
		expect(creations()).toBe(2);
	});

	it('is not the post of which someone has removed the key', async () => {
		const [first] = json(await kit.run(create(), rows('a')));
		const post = posts().find(({ id }) => id === first?.id);
		if (post) post.notes = 'No key any more';
		const [second] = json(await kit.run(create(), rows('a')));
		expect(second).not.toHaveProperty('already_existed');
	});

	it('is not an equal post of a person, with the same notes', async () => {
		await kit.item({ ...create({ text: `${TEXT} ${key}/a` }), options: {} });
		kit.service.clearLog();
		const [record] = json(await kit.run(create(), rows('a')));
		expect(record).not.toHaveProperty('already_existed');
		expect([reads(), creations()]).toEqual([1, 1]);
	});

	it('is not an equal post without notes, where a read of another one shows notes', async () => {
		const text = `${TEXT} ${key}/a`;
		kit.service.world.addPost(kit.account('own'), { text, notes: 'Other notes' });
		kit.service.world.addPost(kit.account('own'), { text, notes: null });
		change('posts.list', without('notes'));
		const [record] = json(await kit.run(create(), rows('a')));
		expect(record).not.toHaveProperty('already_existed');
		expect(creations()).toBe(1);
	});

	it('is the second one with the key if the first one is gone since it was listed', async () => {
		await kit.run(create(), rows('a'));
		const { text = '', notes = null } = posts().find((post) => post.text.endsWith('/a')) ?? {};
		const same = ['1', '2'].map(() =>
			kit.service.world.addPost(kit.account('own'), { text, notes }),
		);
		const summaries = same.map(({ id }) => ({ id, notes }));
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data: summaries }) },
			{ route: 'posts.list', count: Infinity },
		);
		kit.account('own').posts.remove(String(same[0]?.id));
		const [record] = json(await kit.run(create(), rows('a')));
		expect(record).toMatchObject({ id: same[1]?.id, already_existed: true });
	});

	it('is looked for once among posts with notes that begin alike, and other texts', async () => {
		for (let count = 0; count < 3; count += 1)
			await kit.item({ ...create({ text: `Text ${count}` }), options: {} });
		kit.service.clearLog();
		await kit.run(create(), rows('a', 'b'));
		expect([reads(), creations()]).toEqual([0, 2]);
	});
});

describe('a lead magnet', () => {
	const magnet = (name: string, more: Parameters = {}) => ({
		resource: 'leadMagnet',
		operation: 'create',
		deliveryMode: 'external_link',
		keyword: `${key} Guide`,
		resourceName: name,
		resourceLink: 'https://example.com/guide',
		options: { ifExists: 'return', maxWaitSeconds: 5 },
		...more,
	});
	const existed = async (name = 'The "guide"') =>
		json(await kit.run(magnet(name))).map((record) => record.already_existed ?? false);

	it.each<[string, Shape]>([
		[
			'keywords are stored in upper case',
			(m) => ({ ...m, keyword: String(m.keyword).toUpperCase() }),
		],
		[
			'keywords are stored in lower case',
			(m) => ({ ...m, keyword: String(m.keyword).toLowerCase() }),
		],
		['HTML is escaped', (m) => ({ ...m, resource_name: escaped(m.resource_name) })],
	])('is recognised where %s', async (_name, shape) => {
		for (const route of ['list', 'get', 'create']) change(`leadMagnets.${route}`, shape);
		expect([await existed(), await existed(), await existed('Another')]).toEqual([
			[false],
			[true],
			[false],
		]);
	});

	it('is read one by one only if what the list shows is the same', async () => {
		await existed(key);
		await existed('Another');
		change('leadMagnets.list', without('keyword'));
		kit.service.clearLog();
		expect(await existed(key)).toEqual([true]);
		expect(kit.service.requests.filter(({ route }) => route === 'leadMagnets.get')).toHaveLength(1);
	});

	it('is compared with one that was read already when an answer is lost', async () => {
		kit.service.world.addLeadMagnet(kit.account('own'), { resource_name: `Guide of ${key}` });
		change('leadMagnets.list', without('keyword'));
		kit.service.faults.add({ kind: 'reset', after: true }, { route: 'leadMagnets.create' });
		const [record] = json(await kit.run(magnet(`Guide of ${key}`)));
		expect(record).toMatchObject({ resource_name: `Guide of ${key}` });
		const count = (route: string) =>
			kit.service.requests.filter((request) => request.route === route).length;
		// The new one has to be read as well.
		expect([count('leadMagnets.list'), count('leadMagnets.get')]).toEqual([2, 2]);
	});

	it('is created once in a run where the creation answers with nothing', async () => {
		change('leadMagnets.create', () => ({}));
		const items = [{ json: {} }, { json: {} }];
		const run = await kit.run(magnet('The guide'), { items });
		expect(json(run).map((record) => record.already_existed ?? false)).toEqual([false, true]);
	});
});

it.each([
	['2030-01-01T10:00:00Z', '2030-01-01T11:00:00+01:00', true],
	['2030-01-01T10:00:00Z', '2030-01-01T10:00:59.999Z', true],
	['2030-01-01T10:01:00Z', '2030-01-01T10:00:00Z', false],
	['soon', 'soon', true],
	['soon', '2030-01-01T10:00:00Z', false],
])('takes %s and %s for the same time: %p', (stored, sent, expected) => {
	expect(hasTime({ scheduled_at: stored }, { scheduled_at: sent })).toBe(expected);
	expect(differs({ scheduled_at: stored }, { scheduled_at: sent })).toBe(!expected);
});
