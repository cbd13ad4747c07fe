/**
 * Unique Key and If Exists through the node: one record for each key, whatever happens in between.
 */
import { randomUUID } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import type { NodeRun, RunNodeOptions } from '../../support/engine';
import { adjustableClock, byId, MODES, setUpKit, type Parameters } from '../../support/kit/index';

const kit = setUpKit({ resource: 'post' });

type More = Partial<RunNodeOptions>;

/** A new one for each test, because the process remembers what it sent recently. */
let key = '';
const marker = (of = key) => `[unique-key: ${of}]`;
beforeEach(() => {
	key = `row-${randomUUID()}`;
	for (const mode of MODES)
		for (const { id } of kit.account(mode).posts.toArray()) kit.account(mode).posts.remove(id);
});
afterEach(() => (kit.service.latency.global = 0));

const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);
const failures = (run: NodeRun) => (run.outputs[1] ?? []).map((item) => item.json);
const hints = (run: NodeRun) =>
	(run.runData['Node under test']?.[0]?.hints ?? []).map(({ message }) => message);
const existed = (run: NodeRun) => json(run).map((record) => record.already_existed ?? false);
const onward: More = { onError: 'continueErrorOutput' };
const rows = (...given: Parameters[]): More => ({
	items: given.map((row) => ({ json: row as INodeExecutionData['json'] })),
});

describe('Post > Create', () => {
	const create = (options: Parameters = {}, more: Parameters = {}) => ({
		...{ operation: 'create', text: 'Hello', ...more },
		options: { uniqueKey: key, ...options },
	});
	const withNotes = (notes: unknown, options: Parameters = {}) =>
		create(options, { additionalFields: { notes } });
	const byRow = () => create({ uniqueKey: '={{ $json.key }}' }, { text: '={{ $json.text }}' });
	const creations = () => kit.service.requests.filter(({ route }) => route === 'posts.create');

	it('reads the list once for all items, and sees its own posts', async () => {
		const keys = ['a', 'b', 'a', 'c', 'b'].map((name) => ({ key: `${key}-${name}`, text: name }));
		const run = await kit.run(kit.as('client', byRow()), rows(...keys));
		expect(existed(run)).toEqual([false, false, true, false, true]);
		expect(json(run)[2]?.id).toBe(json(run)[0]?.id);
		expect(kit.sent().filter((one) => /posts\?/.test(one))).toHaveLength(1);
		expect(creations()).toHaveLength(3);
	});

	it.each<[string, () => Parameters, () => Parameters, () => More]>([
		['two executions', create, create, () => ({})],
		[
			'a key whose letters are composed otherwise',
			() => create({ uniqueKey: `${key}-e\u0301` }),
			() => create({ uniqueKey: `${key}-\u00e9` }),
			() => ({}),
		],
		[
			'a client whose ID is written in capital letters',
			() => kit.as('client', create()),
			() =>
				kit.as('client', create({}, { clientId: byId(kit.account('client').id.toUpperCase()) })),
			() => ({}),
		],
	])('creates one post for %s at the same moment', async (_, one, other, more) => {
		kit.service.latency.global = 50;
		const runs = await Promise.all([kit.run(one()), kit.run({ ...one(), ...other() }, more())]);
		expect(runs.flatMap(existed).sort()).toEqual([false, true]);
		expect(creations()).toHaveLength(1);
	});

	it('knows a post whose notes were changed or emptied', async () => {
		const { json: first } = await kit.item(withNotes('Mine'));
		const postId = byId(String(first.id));
		for (const notes of ['Edited', '', `Copied\n${marker()}`]) {
			const { json: updated } = await kit.item({
				...{ operation: 'update', postId, updateFields: { notes } },
			});
			expect(updated.notes).toBe(notes === 'Edited' ? `Edited\n${marker()}` : notes || marker());
			expect((await kit.item(create())).json).toMatchObject({
				id: first.id,
				already_existed: true,
			});
		}
	});

	it('fails all items that share a key but send different content, before anything is sent', async () => {
		const items = ['shared', 'own', 'shared'].map((name, index) => ({
			...{ key: `${key}-${name}`, text: `Text ${index}` },
		}));
		const run = await kit.run(byRow(), { ...rows(...items), ...onward });
		expect(json(run).map(({ text }) => text)).toEqual(['Text 1']);
		expect(run.outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		for (const failed of failures(run))
			expect(failed).toMatchObject({
				error: expect.stringMatching(
					/^2 items of this run have the same Unique Key, but would send different content\. None/,
				) as string,
				details: { code: 'shared_key', parameter: 'uniqueKey' },
			});
		expect(creations()).toHaveLength(1);
	});

	it('lets items share a key if they differ only in account or notes', async () => {
		const { clientA, clientB } = kit.service.world;
		const items = rows({ id: clientA.id }, { id: clientB.id });
		const clientId = byId('={{ $json.id }}');
		const ofClients = create({}, { actAs: 'client', clientId, text: '={{ $json.id }}' });
		expect(existed(await kit.run(ofClients, items))).toEqual([false, false]);
		expect(existed(await kit.run(withNotes('={{ $json.id }}'), items))).toEqual([false, true]);
		for (const { id } of clientB.posts.toArray()) clientB.posts.remove(id);
	});

	/** The others stand in `test/panel/parameters/options.test.ts`. */
	it.each([
		['={{ 7123456789012345678 }}', 'is a number with too many digits to be stored exactly'],
		["={{ 'row' + $json.nothing }}", 'returned no value: {{ $json.nothing }}'],
		['={{ `row-${$json.nothing * 2}` }}', 'returned no value: {{ $json.nothing * 2 }}'],
		["={{ ['row', $json.nothing].join('-') }}", 'returned no value: {{ $json.nothing }}'],
		["={{ '-'.repeat(2) }}", 'returned no letters or digits'],
		['=row-{{ [] }}', 'returned no value: {{ [] }}'],
		['={{ DateTime.fromISO("x").toString() }}', 'contains "Invalid Date"'],
		['={{ $json.sheet }}-{{ $json.row }}', 'returned no value: {{ $json.sheet }}'],
	])('refuses a key that several items would share: %s', async (shared, problem) => {
		const options = { idempotencyKey: shared };
		const remove = { operation: 'delete', postId: byId(randomUUID()), options };
		for (const parameters of [create({ uniqueKey: shared }), remove]) {
			const { error, message } = await kit.failure(parameters);
			expect(error).toMatch(/"Options > (?:Unique|Idempotency) Key"/);
			expect(error).toContain(problem);
			expect(message).toContain('that only this item has');
		}
		expect(kit.writes()).toEqual([]);
	});
});

describe('Lead Magnet > Create', () => {
	const create = (more: Parameters = {}, ifExists = 'return') => ({
		...{ resource: 'leadMagnet', operation: 'create', deliveryMode: 'external_link' },
		...{ keyword: key, resourceName: 'The guide', resourceLink: 'https://example.com/guide' },
		...{ options: { ifExists }, ...more },
	});

	it('rejects a keyword or a name if a part of its template gives nothing', async () => {
		for (const name of ['keyword', 'resourceName']) {
			const { error } = await kit.failure(create({ [name]: '=Guide {{ $json.nothing }}' }));
			expect(error).toContain('returned no value: {{ $json.nothing }}');
		}
		expect(kit.writes()).toEqual([]);
	});

	it('returns the one with the same keyword and name, and says whether it differs', async () => {
		const first = await kit.item(create());
		expect(first.json).not.toHaveProperty('already_existed');
		kit.service.clearLog();
		const run = await kit.run(create());
		expect(json(run)).toEqual([{ ...first.json, already_existed: true }]);
		const EXISTED =
			'1 lead magnet already existed. The node returned it as stored and did not create it again.';
		expect(hints(run)).toEqual([EXISTED]);
		expect(hints(await kit.run(create({ resourceLink: 'https://example.com/other' })))).toEqual([
			EXISTED,
			expect.stringMatching(/^1 existing lead magnet differs/),
		]);
		expect(kit.writes()).toEqual([]);
	});

	it('creates one if the existing one is archived, or differs in keyword or name', async () => {
		const { json: record } = await kit.item(create());
		const leadMagnetId = byId(String(record.id));
		await kit.item({ resource: 'leadMagnet', operation: 'archive', leadMagnetId });
		// A record that was just created may not be shown yet.
		const clock = adjustableClock();
		clock.advance(11_000);
		try {
			for (const more of [{}, { resourceName: 'Another guide' }, { keyword: `${key}-2` }])
				expect((await kit.item(create(more))).json).not.toHaveProperty('already_existed');
		} finally {
			clock.restore();
		}
	});

	it('fails two items that share keyword and name, but not the rest', async () => {
		const items = rows({ link: 'https://example.com/a' }, { link: 'https://example.com/b' });
		const resourceLink = '={{ $json.link }}';
		const run = await kit.run(create({ resourceLink }), { ...items, ...onward });
		const expected = /^2 items of this run have the same keyword and resource name, but/;
		expect(failures(run).map(({ error }) => expected.test(String(error)))).toEqual([true, true]);
		expect(kit.service.requests).toEqual([]);
		// If a new record is created in any case, the node looks for nothing.
		expect(await kit.items(create({ resourceLink }, 'create'), items)).toHaveLength(2);
		expect(kit.answered()).toEqual(['POST 201', 'POST 201']);
	});
});
