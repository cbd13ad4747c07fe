/** A new post at the next free slot of its account: which time it gets, and what becomes of that time. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { nextFreeSlot } from '../../nodes/LeadGenPublishing/operations/schedule/nextFreeSlot';
import type { Operation } from '../../nodes/LeadGenPublishing/operations/operation';
import { itemOf } from './itemScene';
import { byId, MODES, setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post', seed: 46, sample: 'none' });

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => `${day} 09:00`);
const START = '2090-01-02T00:00:00Z';
const create = ({ options, ...more }: Parameters = {}): Parameters => ({
	...{ operation: 'create', text: '={{ $json.text }}', status: 'nextFreeSlot', planBy: 'slots' },
	...{ slots: EVERY_DAY.join(', '), timeZone: 'UTC', minimumGapMinutes: 60 },
	...more,
	options: { start: START, randomMinutes: 0, maxWaitSeconds: 5, ...(options as object) },
});
/** Without an expression: the item of a failure shows the fields of the input item. */
const plain = (more: Parameters = {}) => create({ text: 'Post', ...more });
const items = (count = 3, more: JsonRecord = {}) =>
	Array.from({ length: count }, (_, row) => ({
		json: { text: `Post ${row}`, row, ...more } as INodeExecutionData['json'],
	}));

const created = (): JsonRecord[] =>
	kit
		.writes()
		.flatMap(({ method, url, json }) =>
			method === 'POST' && /\/posts$/.test(url) ? [json as JsonRecord] : [],
		);
const days = (): unknown[] =>
	created().map(({ scheduled_at }) => String(scheduled_at).slice(0, 16));
const day = (number: number): string => `2090-01-0${number}T09:00`;

beforeEach(() => {
	for (const account of kit.service.world.accounts.values())
		for (const { id } of account.posts.toArray()) account.posts.remove(id);
});

it.each(MODES)(
	'gives each item the next slot, after one reading of the posts (%s)',
	async (mode) => {
		const { world } = kit.service;
		world.addPost(kit.account(mode), { status: 'scheduled', scheduled_at: '2090-01-03T09:20:00Z' });
		const out = await kit.records(kit.as(mode, create()), { items: items() });
		expect(days()).toEqual([day(2), day(4), day(5)]);
		expect(created().map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'scheduled']);
		expect(out.map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'scheduled']);
		expect(kit.sent().filter((one) => one.startsWith('GET'))).toHaveLength(1);
	},
);

it('reads the posts once for the key and for the times, and gives no slot where the post exists', async () => {
	const given = create({ options: { uniqueKey: '={{ "row-" + $json.row }}' } });
	const first = await kit.records(given, { items: items(2) });
	kit.service.clearLog();
	const again = await kit.records(given, { items: items(4) });
	expect(again.slice(0, 2)).toMatchObject(
		first.map(({ id, scheduled_at }) => ({ id, scheduled_at, already_existed: true })),
	);
	expect(days()).toEqual([day(4), day(5)]);
	expect(kit.sent().filter((one) => /^GET .*offset=0/.test(one))).toHaveLength(1);
	// Whose text was edited keeps its slot: only the text differs.
	const edited = create({ text: 'Edited', options: { uniqueKey: 'row-0' } });
	const { details } = await kit.failure(edited);
	expect(details.differs).toEqual(['text']);
});

it('keeps away from the times that other items of the run have of their own, also later ones', async () => {
	const { clientA, clientB } = kit.service.world;
	const rows = [
		{ client: clientA.id, status: 'nextFreeSlot' },
		{ client: clientA.id, status: 'scheduled', at: '2090-01-02T09:30:00Z' },
		{ client: clientB.id, status: 'scheduled', at: '2090-01-03T09:00:00Z' },
		{ client: clientA.id, status: 'nextFreeSlot' },
		{ client: clientA.id, status: 'draft' },
	].map((json) => ({ json: { text: 'Post', ...json } }));
	const given = {
		...create({ status: '={{ $json.status }}', scheduledAt: '={{ $json.at }}' }),
		...{ actAs: 'client', clientId: byId('={{ $json.client }}') },
	};
	await kit.items(given, { items: rows });
	expect(days()).toEqual([day(3), '2090-01-02T09:30', '2090-01-03T09:00', day(4), 'undefined']);
});

/** As the panel stores it: the parameters of both ways are there, and each row goes one of them. */
it('takes the time of a row, or the next slot where the row has none, by an expression of the status', async () => {
	const { clientA, clientB } = kit.service.world;
	const given = create({
		...{ operation: 'upsert', uniqueKey: '={{ "own-time-" + $json.row }}' },
		status: "={{ $json.at ? 'scheduled' : 'nextFreeSlot' }}",
		...{ scheduledAt: '={{ $json.at }}', timeZone: '={{ $json.zone }}' },
		...{ actAs: 'client', clientId: byId('={{ $json.client }}') },
	});
	const rows = (at: readonly unknown[]): INodeExecutionData[] =>
		at.map((time, row) => ({
			json: {
				...{ text: `Post ${row}`, row, at: time, zone: 'Europe/Berlin' },
				client: (row < 3 ? clientA : clientB).id,
			} as INodeExecutionData['json'],
		}));
	const first = await kit.records(given, {
		items: rows([null, '2090-01-02T08:00:00Z', '', undefined]),
	});
	const times = ['2090-01-03T08:00', '2090-01-02T08:00', '2090-01-04T08:00', '2090-01-02T08:00'];
	expect(days()).toEqual(times);
	expect(first.map(({ action }) => action)).toEqual(Array(4).fill('created'));
	// The workflow writes the times into its rows, or is killed before it does.
	for (const at of [first.map((one) => one.scheduled_at), [null, times[1] + ':00Z', '', null]]) {
		kit.service.clearLog();
		const again = await kit.records(given, { items: rows(at) });
		expect(again.map(({ action, scheduled_at }) => [action, scheduled_at])).toEqual(
			first.map(({ scheduled_at }) => ['unchanged', scheduled_at]),
		);
		expect(kit.writes()).toEqual([]);
	}
	const moved = [null, '2090-02-01T10:00:00Z', '', null];
	const changed = await kit.records(given, { items: rows(moved) });
	expect(changed.map(({ changed_fields: fields }) => fields)).toEqual([
		[],
		['scheduled_at'],
		[],
		[],
	]);
});

it('keeps a calendar for each client', async () => {
	const { clientA, clientB } = kit.service.world;
	const rows = [clientA, clientB, clientA].map(({ id }) => ({
		json: { text: 'Post', client: id },
	}));
	const given = { ...create(), actAs: 'client', clientId: byId('={{ $json.client }}') };
	await kit.items(given, { items: rows });
	expect(days()).toEqual([day(2), day(2), day(3)]);
});

describe('a slot whose post was', () => {
	const onError = 'continueErrorOutput' as const;

	it('refused is given to the next item', async () => {
		kit.service.faults.status(422, { route: 'posts.create' });
		await kit.run(create(), { items: items(), onError });
		expect(days()).toEqual([day(2), day(2), day(3)]);
	});

	it('perhaps created is given to nobody', async () => {
		kit.service.faults.add({ kind: 'reset' }, { route: 'posts.create' });
		await kit.run(create(), { items: items(), onError });
		expect(days()).toEqual([day(2), day(3), day(4)]);
	});

	it('not sent, as its text is too long, is not taken', async () => {
		const given = create({ text: '={{ $json.row === 0 ? "x".repeat(3001) : "Post" }}' });
		await kit.run(given, { items: items(), onError });
		expect(days()).toEqual([day(2), day(3)]);
	});

	it('like another one is given to the next item', async () => {
		const { world } = kit.service;
		const like = {
			status: 'scheduled' as const,
			text: 'Post 0',
			scheduled_at: '2090-06-01T09:00:00Z',
		};
		world.addPost(world.own, like);
		const given = create({ options: { ifSimilarExists: 'fail' } });
		const { outputs } = await kit.run(given, { items: items(), onError });
		expect(outputs[1]).toHaveLength(1);
		expect(days()).toEqual([day(2), day(3)]);
	});

	it('moved by Team Boost leaves its new time taken, and the old one free', async () => {
		const details = { earliest_scheduled_at: '2090-01-03T09:10:00Z' };
		kit.service.faults.reason('team_boost_spacing_conflict', { route: 'posts.create' }, details);
		const given = create({ options: { onTeamBoostConflict: 'reschedule' } });
		await kit.items(given, { items: items() });
		expect(days()).toEqual([day(2), '2090-01-03T09:10', day(2), day(4)]);
	});
});

describe('two of one execution never have the same slot:', () => {
	it('items of a further try, and those of the try before', async () => {
		kit.service.faults.status(422, { route: 'posts.create', nth: 2 });
		// What was created does not show in the list at once.
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data: [] }) },
			{ method: 'GET', path: '/posts', count: Infinity },
		);
		const failed = await kit.run(create(), { items: items() });
		const again = { runExecutionData: failed.fullRun.data, executionId: '2000' };
		const { error } = await kit.run(create(), { items: items(), ...again });
		expect(error).toBeUndefined();
		expect(days()).toEqual([day(2), day(3), day(3), day(4)]);
	});

	const slotsIn =
		(flow: JsonRecord) =>
		async (operation: Operation, [id, $runIndex]: readonly [string, number]) => {
			const parameters = create({ text: 'Post', options: { uniqueKey: undefined } });
			const functions = {
				getContext: (of: string) => (of === 'flow' ? flow : {}),
				getNode: () => ({ id, parameters }),
				getWorkflowDataProxy: () => ({ $runIndex }),
				getInputData: () => [{ json: {} }],
			};
			const item = itemOf(operation, parameters, { functions, answers: { 'post.create': [{}] } });
			const { scheduled_at: found } = (await item.run()) as JsonRecord;
			return String(found ?? item.writes().at(-1)?.body?.scheduled_at).slice(0, 16);
		};

	it('nodes, rounds of a loop, and Schedule > Next Free Slot', async () => {
		const flow: JsonRecord = {};
		const timeOf = slotsIn(flow);
		expect(await timeOf(createPost, ['a', 0])).toBe(day(2));
		expect(await timeOf(createPost, ['a', 1])).toBe(day(3));
		expect(await timeOf(createPost, ['b', 0])).toBe(day(4));
		expect(await timeOf(nextFreeSlot, ['c', 0])).toBe(day(5));
		expect(await timeOf(nextFreeSlot, ['c', 1])).toBe(day(6));
		expect(await timeOf(createPost, ['d', 0])).toBe(day(7));
		// A further try of an item takes its own time again, since it has no other.
		expect(await timeOf(createPost, ['a', 1])).toBe(day(3));
		expect(await timeOf(nextFreeSlot, ['c', 0])).toBe(day(5));
		// n8n stores it with the execution.
		expect(JSON.parse(JSON.stringify(flow))).toEqual(flow);
	});

	it.each<[string, unknown]>([
		['nothing', null],
		['a text', 'soon'],
		['nothing for the account', { own: null }],
		['a text for the item', { own: { 0: 'soon' } }],
	])('and what is stored of the node’s own round may be %s', async (_, own) => {
		const timeOf = slotsIn({ leadGenPublishingSlots: { 'a/0': own, 'b/0': own } });
		expect(await timeOf(createPost, ['a', 0])).toBe(day(2));
		expect(await timeOf(createPost, ['c', 0])).toBe(day(3));
	});
});

it('a random delay of 0 gives exactly the slots, and in working hours exactly the gap', async () => {
	await kit.items(create(), { items: items(2) });
	const hours = { planBy: 'hours', workingDays: ['wednesday'], fromTime: '10:00', toTime: '12:00' };
	await kit.items(create({ ...hours, slots: '' }), { items: items(3) });
	expect(created().map(({ scheduled_at }) => scheduled_at)).toEqual([
		...['2090-01-02T09:00:00.000Z', '2090-01-03T09:00:00.000Z'],
		...['2090-01-04T10:00:00.000Z', '2090-01-04T11:00:00.000Z', '2090-01-11T10:00:00.000Z'],
	]);
});

it('a dry run shows the times that would be given, and gives none', async () => {
	const dry = create({ options: { dryRun: true } });
	const out = await kit.records(dry, { items: items(2) });
	expect(out).toMatchObject([
		{ request: { body: { status: 'scheduled', scheduled_at: '2090-01-02T09:00:00.000Z' } } },
		{ request: { body: { status: 'scheduled', scheduled_at: '2090-01-03T09:00:00.000Z' } } },
	]);
	expect(kit.writes()).toEqual([]);
});

it('custom fields win: a status of theirs needs no slot, nor does a time', async () => {
	const withCustom = (customFields: string) => create({ text: 'Post', options: { customFields } });
	await kit.item(withCustom('{"status": "draft"}'));
	await kit.item(withCustom('{"scheduled_at": "2091-01-01T00:00:00Z"}'));
	expect(created()).toEqual([
		{ text: 'Post', status: 'draft' },
		{ text: 'Post', status: 'scheduled', scheduled_at: '2091-01-01T00:00:00Z' },
	]);
	expect(kit.sent().filter((one) => one.startsWith('GET'))).toEqual([]);
});

describe('refuses what Schedule > Next Free Slot refuses, with the same words:', () => {
	it.each<[string, Parameters]>([
		['a day that is none', { slots: '={{ "Someday 09:00" }}' }],
		['hours that end too early', { planBy: 'hours', fromTime: '09:00', toTime: '8:00' }],
		['a start that is no time', { options: { start: 'soon' } }],
	])('%s', async (_, given) => {
		const { text: _text, status: _status, ...slots } = create(given);
		const ofSchedule = await kit.failure({
			...{ ...slots, resource: 'schedule', operation: 'nextFreeSlot' },
		});
		const { message } = await kit.failure(plain(given));
		expect(message).toBe(ofSchedule.message);
		expect(kit.sent()).toEqual([]);
	});

	it('a list that is incomplete, or that does not show when a post is due', async () => {
		const { world } = kit.service;
		world.addPost(world.own, { status: 'scheduled', scheduled_at: null });
		const { error } = await kit.failure(plain());
		expect(error).toMatch(/does not show the due time of a scheduled post \([0-9a-f-]{36}\)/);
		kit.service.faults.add({ kind: 'neverEnding' }, { count: Infinity });
		const incomplete = await kit.failure(plain());
		expect(incomplete.error).toMatch(/The list of posts is incomplete/);
		expect(kit.writes()).toEqual([]);
	});
});

it('a status that is none is refused, and the choices are named', async () => {
	const { error } = await kit.failure(plain({ status: '={{ "soon" }}' }));
	expect(error).toContain('must be one of draft, published, scheduled, nextFreeSlot');
});

it('Update does not take the status', async () => {
	const { world } = kit.service;
	const { id } = world.addPost(world.own, { status: 'draft' });
	const updateFields = { status: '={{ "nextFreeSlot" }}' };
	const { error } = await kit.failure({ operation: 'update', postId: byId(id), updateFields });
	expect(error).toContain('must be one of draft, published, scheduled');
});
