/** Schedule > Next Free Slot as the node runs it: what it reads, what it gives, what it refuses. */
import { asLastPage } from '../../fake-service/distort';
import type { JsonObject } from '../../fake-service/types';
import { withBinary } from '../support/engine';
import { byId, MODES, setUpKit } from '../support/kit/index';

const MINUTE = 60_000;
const kit = setUpKit({ resource: 'schedule', seed: 33 });
const EVERY_DAY = [
	...['Monday', 'tuesday', 'WED', 'thu', 'Friday', 'Saturday', 'Sunday'].map(
		(day) => `${day} 09:00`,
	),
].join(', ');
const START = '2090-01-02T00:00:00Z';

// A post of an earlier test would take a slot.
beforeEach(() => {
	for (const { posts } of kit.service.world.accounts.values())
		for (const { id } of posts.toArray()) posts.remove(id);
});

const slots = (parameters: Record<string, unknown> = {}) => {
	const { options, ...others } = parameters;
	return {
		...{ operation: 'nextFreeSlot', planBy: 'slots', slots: EVERY_DAY, timeZone: 'UTC' },
		...others,
		options: { start: START, randomMinutes: 1, ...(options as object) },
	};
};
const items = Array.from({ length: 3 }, (_, row) => ({ json: { row } }));
/** To the minute: the rest is random. */
const minuteOf = (time: unknown): string => String(time).slice(0, 16);

it.each(MODES)(
	'gives each item the next slot, and reads the list of posts once (%s)',
	async (mode) => {
		const out = await kit.items(kit.as(mode, slots()), { items });
		expect(
			out.map(({ json, pairedItem }) => [json.row, minuteOf(json.scheduled_at), pairedItem]),
		).toEqual([
			[0, '2090-01-02T09:00', { item: 0 }],
			[1, '2090-01-03T09:00', { item: 1 }],
			[2, '2090-01-04T09:00', { item: 2 }],
		]);
		expect(out.map(({ json }) => json.slot)).toEqual([
			...['Monday 09:00 UTC', 'Tuesday 09:00 UTC', 'Wednesday 09:00 UTC'],
		]);
		expect(out[1]?.json.after).toBe(out[0]?.json.scheduled_at);
		expect(kit.sent()).toEqual([`GET ${kit.path(mode, '/posts?limit=100&offset=0')}`]);
	},
);

it('takes for taken whatever has a time, whoever made it, a draft included', async () => {
	const { world } = kit.service;
	for (const [status, day] of [
		['scheduled', '02'],
		['draft', '03'],
		['publishing', '04'],
	] as const)
		world.addPost(world.clientB, { status, scheduled_at: `2090-01-${day}T09:30:00Z` });
	const parameters = slots({ actAs: 'client', clientId: byId(world.clientB.id) });
	const { json } = await kit.item(parameters);
	expect(minuteOf(json.scheduled_at)).toBe('2090-01-05T09:00');
	expect(json.after).toBe('2090-01-04T09:30:00.000Z');
	const near = await kit.item({ ...parameters, minimumGapMinutes: 29 });
	expect(minuteOf(near.json.scheduled_at)).toBe('2090-01-02T09:00');
});

it('keeps a calendar for each client, each with slots, zone and gap of its own', async () => {
	const { clientA, clientB } = kit.service.world;
	const rows = [
		{ client: clientA.id, slots: 'Monday 09:00', zone: 'Asia/Tokyo' },
		{ client: clientB.id, slots: 'Monday 09:00', zone: 'America/New_York' },
		{ client: clientA.id, slots: 'Monday 09:00', zone: 'Asia/Tokyo' },
		{ client: clientA.id, slots: 'Monday 09:30', zone: 'Asia/Tokyo' },
	];
	const parameters = {
		...kit.as('client', slots({ slots: '={{ $json.slots }}', timeZone: '={{ $json.zone }}' })),
		clientId: { __rl: true, mode: 'id', value: '={{ $json.client }}' },
	};
	const out = await kit.records(parameters, { items: rows.map((json) => ({ json })) });
	expect(out.map((json) => [json.client, minuteOf(json.scheduled_at), json.client_id])).toEqual([
		[clientA.id, '2090-01-02T00:00', clientA.id],
		[clientB.id, '2090-01-02T14:00', clientB.id],
		[clientA.id, '2090-01-09T00:00', clientA.id],
		// A gap of an hour to the one at 09:00.
		[clientA.id, '2090-01-16T00:30', clientA.id],
	]);
	expect(kit.sent()).toHaveLength(2);
});

it('plans by working hours, and says which', async () => {
	const parameters = slots({
		...{ planBy: 'hours', slots: '', workingDays: ['tuesday'], fromTime: '8:30', toTime: '10:00' },
		...{ minimumGapMinutes: 45, timeZone: 'Europe/Berlin', options: { outputField: 'due_at' } },
	});
	const out = await kit.records(parameters, { items });
	expect(out.map((json) => [minuteOf(json.due_at), json.slot])).toEqual([
		['2090-01-03T07:30', 'Tuesday 08:30–10:00 Europe/Berlin'],
		[expect.stringMatching(/^2090-01-03T08:1[56]/), 'Tuesday 08:30–10:00 Europe/Berlin'],
		['2090-01-10T07:30', 'Tuesday 08:30–10:00 Europe/Berlin'],
	]);
	expect(out[0]).not.toHaveProperty('scheduled_at');
});

it('gives the same times again with a seed', async () => {
	const given = slots({ options: { seed: 'a', randomMinutes: 30 } });
	const times = (await kit.records(given, { items })).map((json) => json.scheduled_at);
	expect((await kit.records(given, { items })).map((json) => json.scheduled_at)).toEqual(times);
	const other = await kit.records(slots({ options: { seed: 'b', randomMinutes: 30 } }), { items });
	expect(other.map((json) => json.scheduled_at)).not.toEqual(times);
});

it('begins in a minute without a start, and passes file and fields of the item on', async () => {
	const file = { buffer: Buffer.from('a'), mimeType: 'image/png', fileName: 'a.png' };
	const given = await withBinary({ json: { slot: 'mine', after: 'too', scheduled_at: 'x' } }, file);
	const before = Date.now();
	const { json, binary } = await kit.item(
		slots({
			planBy: 'hours',
			fromTime: '00:00',
			toTime: '24:00',
			options: { start: '2001-01-01T00:00Z' },
		}),
		{ items: [given] },
	);
	expect(Date.parse(String(json.scheduled_at))).toBeGreaterThanOrEqual(before + MINUTE);
	expect(json).toMatchObject({
		slot: 'mine',
		after: 'too',
		n8n_slot: expect.stringContaining('UTC'),
	});
	expect(binary?.data?.fileName).toBe('a.png');
});

describe('a list that does not show what is needed', () => {
	it('is an error where it is incomplete, for each item', async () => {
		kit.service.faults.add({ kind: 'neverEnding' }, { count: Infinity });
		const { outputs } = await kit.run(slots(), { items, onError: 'continueErrorOutput' });
		expect(outputs[0] ?? []).toEqual([]);
		expect(outputs[1]).toHaveLength(3);
		const [first] = outputs[1] ?? [];
		expect(first?.json.error).toMatch(/The list of posts is incomplete/);
		expect(first?.json.details).toMatchObject({ code: 'incomplete_list', retryable: true });
	});

	it('is a calendar like any other if it is complete the second time', async () => {
		kit.service.faults.add({ kind: 'change', change: asLastPage });
		expect(minuteOf((await kit.item(slots())).json.scheduled_at)).toMatch(/^2090-01-0\dT09:00/);
	});

	const summarized = (without: readonly string[], path: RegExp) =>
		kit.service.faults.add(
			{
				kind: 'change',
				change: (envelope) => ({
					...envelope,
					data: [envelope.data]
						.flat()
						.map((record) =>
							Object.fromEntries(
								Object.entries(record as object).filter(([name]) => !without.includes(name)),
							),
						),
				}),
			},
			{ count: Infinity, path },
		);

	it('is completed by reading posts one by one, but neither drafts nor what is published', async () => {
		const { world } = kit.service;
		const { id } = world.addPost(world.own, {
			...{ status: 'scheduled', scheduled_at: '2090-01-02T09:20:00Z' },
		});
		world.addPost(world.own, { status: 'draft' });
		world.addPost(world.own, { status: 'published' });
		summarized(['scheduled_at'], /\/posts$/);
		expect(minuteOf((await kit.item(slots())).json.scheduled_at)).toBe('2090-01-03T09:00');
		const reads = kit.sent().slice(1);
		expect(reads).toContain(`GET /posts/${id}`);
		expect(reads).toHaveLength(
			[...world.own.posts.toArray()].filter(({ status }) => /sched|ing$/.test(status)).length,
		);
	});

	it.each(['scheduled', 'draft', 'in_review'])(
		'is an error where a post (%s) shows its time in a form that cannot be read',
		async (status) => {
			const { world } = kit.service;
			const { id } = world.addPost(world.own);
			kit.service.faults.add(
				{
					kind: 'change',
					change: ({ data, ...rest }) => ({
						...rest,
						data: [data].flat().map((post) => {
							const shown = post as JsonObject;
							return shown.id === id ? { ...shown, status, scheduled_at: 1_796_119_200 } : shown;
						}),
					}),
				},
				{ route: 'posts.list' },
			);
			const { error } = await kit.failure(slots());
			world.own.posts.remove(id);
			expect(error).toMatch(/^The node cannot read the due time of a post \([0-9a-f-]{36}\), so/);
		},
	);

	it('is an error where no reading shows when a scheduled post is due', async () => {
		const { world } = kit.service;
		world.addPost(world.clientA, { status: 'scheduled', scheduled_at: null });
		const { error, details } = await kit.failure(kit.as('client', slots()));
		expect(error).toMatch(
			/^The service does not show the due time of a scheduled post \([0-9a-f-]{36}\), so it is not known which times are free\b/,
		);
		expect(details).toMatchObject({ code: 'not_recognisable' });
	});
});

it.each([
	['no slots', { slots: ' ' }],
	['a day that is none', { slots: 'Someday 09:00' }],
	['a day of two letters', { slots: 'mo 09:00' }],
	['a time that is none', { slots: 'Monday 9 am' }],
	['the end of the day', { slots: 'Monday 24:00' }],
	['a day without a time', { slots: 'Monday' }],
	['hours that end too early', { planBy: 'hours', toTime: '8:00' }],
	['"error" as output field', { options: { outputField: 'error' } }],
])('refuses %s and sends nothing', async (_, parameters) => {
	// n8n itself would refuse what is empty.
	const given =
		'slots' in parameters ? { ...parameters, slots: `={{ "${parameters.slots}" }}` } : parameters;
	const { message, details } = await kit.failure(slots(given));
	expect(message).toMatchSnapshot();
	expect(details).toMatchObject({ code: 'invalid_input' });
	expect(kit.sent()).toEqual([]);
});

it('says so when ten years do not suffice', async () => {
	const many = Array.from({ length: 530 }, () => ({ json: {} }));
	const parameters = slots({ slots: 'Monday 09:00' });
	const run = await kit.run(parameters, { items: many, onError: 'continueErrorOutput' });
	expect(run.outputs[1]?.[0]?.json.message).toMatchSnapshot();
});

it('gives items with a start of their own their times as fast as with one start', async () => {
	const many = Array.from({ length: 500 }, (_, row) => ({ json: { row } }));
	const ms: number[] = [];
	for (const moment of ['new Date(0 * $json.row +', 'new Date($json.row +']) {
		const start = `={{ ${moment} Date.parse("2090-01-02T00:00:00Z")).toISOString() }}`;
		const begin = performance.now();
		const out = await kit.records(slots({ options: { start } }), { items: many });
		ms.push(performance.now() - begin);
		expect(new Set(out.map((json) => minuteOf(json.scheduled_at))).size).toBe(500);
	}
	const [one = 0, own = 0] = ms;
	// It took fifty times as long while each item searched from its own start.
	expect(own / one).toBeLessThan(4);
});

it('reads a start without a zone in the parameter Time Zone, and its error says so', async () => {
	const given = { timeZone: 'Asia/Tokyo', slots: 'Monday 09:00' };
	const { json } = await kit.item(slots({ ...given, options: { start: '2090-01-02T10:00' } }));
	// In Tokyo, that is after the slot of this Monday.
	expect(minuteOf(json.scheduled_at)).toBe('2090-01-09T00:00');
	const { message } = await kit.failure(slots({ ...given, options: { start: 'soon' } }));
	expect(message).toContain('2030-01-31T09:30 for the time in Asia/Tokyo');
});
