/** Lead Magnet > Create with If Exists, and the Unique Key of starts and social actions. */
import { randomUUID } from 'crypto';

import type { Effect } from '../../fake-service/index';
import type { NodeRun, RunNodeOptions } from '../support/engine';
import { adjustableClock, byId, HOUR, inMs, setUpKit, type Mode } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
type Parameters = Record<string, unknown>;
const json = (run: NodeRun) => (run.outputs[0] ?? []).map((item) => item.json);

describe('Lead Magnet > Create', () => {
	let keyword = '';
	beforeEach(() => {
		keyword = `KEY-${randomUUID().slice(0, 8)}`;
	});
	const create = (ifExists: string | undefined, more: Parameters = {}) => ({
		resource: 'leadMagnet',
		operation: 'create',
		deliveryMode: 'external_link',
		keyword,
		resourceName: 'The guide',
		resourceLink: 'https://example.com/guide',
		options: ifExists === undefined ? {} : { ifExists },
		...more,
	});
	const magnets = (mode: Mode) =>
		kit
			.account(mode)
			.leadMagnets.toArray()
			.filter((magnet) => magnet.keyword === keyword);

	describe.each<Mode>(['client'])('as %s', (mode) => {
		it('returns the one with the same keyword and resource name', async () => {
			const first = await kit.item(kit.as(mode, create('return')));
			expect(first.json).not.toHaveProperty('already_existed');
			kit.service.clearLog();
			const run = await kit.run(kit.as(mode, create('return')));
			expect(json(run)).toEqual([{ ...first.json, already_existed: true }]);
			expect(kit.writes()).toEqual([]);
			expect(run.runData['Node under test']?.[0]?.hints?.[0]?.message).toBe(
				'1 lead magnet already existed and was returned as stored; nothing was created for it.',
			);
		});

		it.each([[undefined], ['create']])(
			'creates another one with %s, without looking',
			async (ifExists) => {
				await kit.item(kit.as(mode, create(ifExists)));
				await kit.item(kit.as(mode, create(ifExists)));
				expect(kit.answered()).toEqual(['POST 201', 'POST 201']);
			},
		);

		it('creates one where the other is archived, or differs in one of the two', async () => {
			const { json: record } = await kit.item(kit.as(mode, create('return')));
			await kit.item(
				kit.as(mode, {
					resource: 'leadMagnet',
					operation: 'archive',
					leadMagnetId: byId(String(record.id)),
				}),
			);
			// Right after it was created, a record that is not found may only not be shown yet.
			const clock = adjustableClock();
			clock.advance(11_000);
			try {
				for (const more of [{}, { resourceName: 'Another guide' }, { keyword: `${keyword}-2` }]) {
					const { json: created } = await kit.item(kit.as(mode, create('return', more)));
					expect(created).not.toHaveProperty('already_existed');
				}
			} finally {
				clock.restore();
			}
		});

		it('finds the one whose answer was lost', async () => {
			kit.service.faults.add({ kind: 'reset', after: true }, { route: 'leadMagnets.create' });
			const run = await kit.run(kit.as(mode, create('return')));
			expect(run.error).toBeUndefined();
			expect(json(run)[0]).toMatchObject({ keyword });
			expect(magnets(mode)).toHaveLength(1);
		});
	});

	it('reads the list once for all items, and sees its own', async () => {
		const items = ['a', 'b', 'a'].map((name) => ({ json: { name } }));
		const run = await kit.run(create('return', { resourceName: '={{ $json.name }}' }), {
			items,
		});
		expect(json(run).map((record) => record.already_existed ?? false)).toEqual([
			false,
			false,
			true,
		]);
		expect(kit.answered()).toEqual(['GET 200', 'POST 201', 'POST 201', 'GET 200']);
	});

	it('is an error for two items of a run that share keyword and name, but not the rest', async () => {
		const items = ['a', 'b'].map((name) => ({ json: { link: `https://example.com/${name}` } }));
		const parameters = create('return', { resourceLink: '={{ $json.link }}' });
		const { outputs } = await kit.run(parameters, { items, onError: 'continueErrorOutput' });
		expect(outputs[1]?.map(({ json: failed }) => failed.error)).toEqual(
			Array<unknown>(2).fill(
				expect.stringMatching(/^2 items of this run have the same keyword and resource name, but/),
			),
		);
		expect(kit.service.requests).toEqual([]);
		// Another one is created for each where nothing is compared.
		expect(
			await kit.items({ ...parameters, options: { ifExists: 'create' } }, { items }),
		).toHaveLength(2);
	});

	it('says that the one returned differs', async () => {
		await kit.item(create('return'));
		const run = await kit.run(create('return', { resourceLink: 'https://example.com/other' }));
		expect(run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message)).toContain(
			'1 of the existing lead magnets differs from the item: use Update to change it.',
		);
	});

	it.each<[string, (m: Parameters) => Parameters]>([
		[
			'keywords are stored in another case',
			(m) => ({ ...m, keyword: String(m.keyword).toLowerCase() }),
		],
		[
			'HTML is escaped',
			(m) => ({ ...m, resource_name: String(m.resource_name).replaceAll('"', '&quot;') }),
		],
	])('recognises it where %s', async (_name, change) => {
		for (const route of ['list', 'get', 'create'])
			kit.service.faults.add(
				{
					kind: 'change',
					change: (({ data, ...rest }: { data: Parameters | Parameters[] }) => ({
						...rest,
						data: Array.isArray(data) ? data.map(change) : change(data),
					})) as never,
				},
				{ route: `leadMagnets.${route}`, count: Infinity },
			);
		const parameters = create('return', { resourceName: 'The "guide"' });
		for (const expected of [undefined, true])
			expect(json(await kit.run(parameters))[0]?.already_existed).toBe(expected);
	});
});

describe.each([
	[
		'Post > Start Fast Response',
		(): Parameters => ({
			operation: 'startFastResponse',
			postId: byId(kit.service.world.addPost(kit.service.world.own, { status: 'published' }).id),
		}),
		{ interval: 5 },
	],
	[
		'Social Action > Create',
		(): Parameters => ({
			resource: 'socialAction',
			operation: 'create',
			workspaceId: kit.service.world.own.workspaceId,
			body: { type: 'message', text: 'Hi', due_at: inMs(HOUR) },
		}),
		{ body: { type: 'message', text: 'Other', due_at: inMs(HOUR) } },
	],
])('%s', (_name, parametersOf, change) => {
	let uniqueKey = '';
	beforeEach(() => {
		uniqueKey = randomUUID();
	});
	const keys = () => kit.writes().map(({ headers }) => headers['idempotency-key']);
	const run = async (
		parameters: Parameters,
		options: Parameters,
		more: Partial<RunNodeOptions> = {},
	) =>
		await kit.run(
			{ ...parameters, options: { ...(parameters.options as Parameters), ...options } },
			more,
		);

	it('sends the same idempotency key in every execution', async () => {
		const parameters = parametersOf();
		const first = await run(parameters, { uniqueKey }, { executionId: '1' });
		const second = await run(parameters, { uniqueKey }, { executionId: '2' });
		expect([first.error, second.error]).toEqual([undefined, undefined]);
		expect(new Set(keys()).size).toBe(1);
		expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
		// The service recognises it, so nothing happens twice.
		expect(json(second)).toEqual(json(first));
		await run(parameters, { uniqueKey: `${uniqueKey}-b` }, { executionId: '3' });
		expect(new Set(keys()).size).toBe(2);
	});

	it.each<[string, Effect]>([
		['a reset', { kind: 'reset', after: true }],
		['a 500', { kind: 'error', status: 500, after: true }],
	])('repeats it with the same key after %s', async (_lost, effect) => {
		kit.service.faults.add(effect, { method: 'POST' });
		const first = await run(parametersOf(), { uniqueKey });
		expect(first.error).toBeUndefined();
		expect(new Set(keys()).size).toBe(1);
	});

	it('is an error for two items of a run that share it, but not what they send', async () => {
		const parameters = parametersOf();
		const items = [{ json: { uniqueKey, at: HOUR } }, { json: { uniqueKey, at: 2 * HOUR } }];
		const differing = JSON.stringify({ ...parameters, ...change })
			.replace('"interval":5', '"interval":"={{ $itemIndex ? 5 : 2 }}"')
			.replace('"text":"Other"', '"text":"={{ $json.at }}"');
		const { error, outputs } = await run(
			JSON.parse(differing.replace('"body":{', '"body":{"own":1,')) as Parameters,
			{ uniqueKey: '={{ $json.uniqueKey }}' },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(error).toBeUndefined();
		expect(outputs[1]?.map(({ json: failed }) => failed.details)).toMatchObject([
			{ code: 'shared_key' },
			{ code: 'shared_key' },
		]);
		expect(kit.writes()).toEqual([]);
	});

	it('is the only key that the user gives', () => {
		expect(Object.keys(parametersOf().options ?? {})).not.toContain('idempotencyKey');
	});

	it.each([[''], ['={{ $json.nothing }}']])('refuses %p as a key', async (empty) => {
		const { error } = await kit.failure({
			...parametersOf(),
			options: { uniqueKey: empty },
		});
		expect(error).toMatch(/"Options > Unique Key" is/);
		expect(kit.writes()).toEqual([]);
	});
});
