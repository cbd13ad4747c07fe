/** Post > Create, If Similar Exists: the same text in the account. */
import type { JsonObject } from '../../fake-service/types';
import { byId, MODES, setUpKit } from '../support/kit/index';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const kit = setUpKit({ resource: 'post' });
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
// The posts of an earlier test would make the list longer.
beforeEach(() => {
	for (const { posts } of kit.service.world.accounts.values())
		for (const { id } of posts.toArray()) posts.remove(id);
});

let texts = 0;
const text = () => `A text of its own, number ${(texts += 1)}`;

const creating = ({ options, ...more }: { options?: object; [name: string]: unknown } = {}) => ({
	...{ operation: 'create', text: text(), ...more },
	options: { ifSimilarExists: 'fail', ...options },
});
/** A post that is there; of the own account, unless it is that of another. */
const exists = (post: object, account = kit.service.world.own) =>
	kit.service.world.addPost(account, post as JsonObject);
const scheduled = (ms: number, more: object = {}) => ({
	...{ status: 'scheduled', scheduled_at: at(ms), ...more },
});

/** A list that shows so much of each text, and a sign of it. */
const shortened = (length: number, sign: string) => ({
	kind: 'change' as const,
	change: ({ data, ...page }: JsonObject) => ({
		...page,
		data: (data as JsonObject[]).map((post) => ({
			...post,
			text: String(post.text).slice(0, length) + sign,
		})),
	}),
});

describe('the same text', () => {
	it.each([
		['scheduled', scheduled(9 * DAY)],
		['being published', { status: 'publishing' }],
		['published a week ago', { status: 'published', scheduled_at: at(-7 * DAY) }],
		['published, at an unknown time', { status: 'published', scheduled_at: null }],
	])('of a post that is %s is an error that names it, and nothing is created', async (_, post) => {
		const mine = text();
		const { id } = exists({ ...post, text: ` ${mine}\r\n` });
		const { error, details } = await kit.failure(creating({ text: mine }));
		expect(error).toContain(`has the same text (${id}, ${post.status}`);
		expect(details).toMatchObject({ code: 'similar_exists', post_id: id });
		expect(kit.writes()).toEqual([]);
	});

	it.each([
		['a draft', { status: 'draft' }, {}],
		['published longer ago', { status: 'published', scheduled_at: at(-31 * DAY) }, {}],
		['ignored', scheduled(DAY), { ifSimilarExists: 'ignore' }],
		['too old', { status: 'published', scheduled_at: at(-2 * DAY) }, { similarDays: 1 }],
	])('of a post that is %s is no obstacle', async (_, post, options) => {
		const mine = text();
		exists({ ...post, text: mine });
		expect((await kit.item(creating({ text: mine, options }))).json.id).toBeDefined();
	});

	it.each([
		['without a sign of that', ''],
		['with one', '…'],
	])('counts where a list shows only its beginning, %s', async (_, sign) => {
		const mine = `${text()}, of which a list shows only the beginning`;
		const { id } = exists(scheduled(9 * DAY, { text: mine }));
		exists(scheduled(11 * DAY, { text: mine.slice(0, 12) }));
		kit.service.faults.add(shortened(20, sign), { route: 'posts.list' });
		const { details } = await kit.failure(creating({ text: mine }));
		expect(details).toMatchObject({ code: 'similar_exists', post_id: id });
		expect((await kit.item(creating({ text: `${mine}, and more` }))).json.id).toBeDefined();
	});

	it('is looked for in the account itself, whose list is read once (client)', async () => {
		const { own, clientB } = kit.service.world;
		const mine = text();
		for (const account of [own, clientB]) exists(scheduled(DAY, { text: mine }), account);
		const items = [mine, text(), text()].map((one) => ({ json: { text: one } }));
		const parameters = creating({ ...kit.as('client'), text: '={{ $json.text }}' });
		expect(await kit.records(parameters, { items })).toHaveLength(3);
		expect(kit.sent().filter((one) => one.startsWith('GET'))).toEqual([
			`GET ${kit.path('client', '/posts?limit=100&offset=0')}`,
		]);
		const other = { ...parameters, clientId: byId(clientB.id) };
		const { outputs } = await kit.run(other, { items, onError: 'continueErrorOutput' });
		expect([outputs[0]?.length, outputs[1]?.length]).toEqual([2, 1]);
	});

	it.each(MODES)('of an earlier item counts, created or planned (%s)', async (mode) => {
		const mine = text();
		const items = [mine, `${mine} `].map((one) => ({ json: { text: one } }));
		for (const dryRun of [true, false]) {
			const parameters = {
				...kit.as(mode, creating({ text: '={{ $json.text }}', options: { dryRun } })),
				...{ status: 'scheduled', scheduledAt: at(300 * DAY) },
			};
			const { outputs } = await kit.run(parameters, { items, onError: 'continueErrorOutput' });
			expect([outputs[0]?.length, outputs[1]?.length]).toEqual([1, 1]);
			expect(outputs[1]?.[0]?.json.error).toContain('has the same text');
		}
	});
});

it.each(['text', 'status'])(
	'an earlier item counts although the response to its creation shows no %s',
	async (field) => {
		const change = ({ data, ...more }: JsonObject) => {
			const { [field]: _, ...rest } = data as JsonObject;
			return { ...more, data: rest };
		};
		kit.service.faults.add({ kind: 'change', change }, { route: 'posts.create' });
		const parameters = creating({ status: 'scheduled', scheduledAt: at(300 * DAY) });
		const items = [{ json: {} }, { json: {} }];
		const { outputs } = await kit.run(parameters, { items, onError: 'continueErrorOutput' });
		expect([outputs[0]?.length, outputs[1]?.length]).toEqual([1, 1]);
		expect(kit.writes()).toHaveLength(1);
	},
);

describe('when a post was published', () => {
	const hidden = {
		kind: 'change' as const,
		change: ({ data, ...page }: JsonObject) => ({
			...page,
			data: (data as JsonObject[]).map((post) => ({ ...post, scheduled_at: null })),
		}),
	};

	it.each([
		['longer ago', -31, false],
		['a week ago', -7, true],
	])('is read where the list does not show it: %s', async (_, days, isSimilar) => {
		const mine = text();
		exists({ status: 'published', scheduled_at: at(days * DAY), text: mine });
		kit.service.faults.add(hidden, { route: 'posts.list' });
		const { outputs } = await kit.run(creating({ text: mine }), { onError: 'continueErrorOutput' });
		expect(outputs[isSimilar ? 1 : 0]).toHaveLength(1);
	});
});

it.each([
	['scheduled', 'of unknown outcome counts for later items', 1],
	['draft', 'of unknown outcome does not count if it is a draft', 2],
])('a %s creation %s', async (status, _, sent) => {
	const mine = text();
	const items = [mine, `${mine} `].map((one) => ({ json: { text: one } }));
	const parameters = creating({
		...{ text: '={{ $json.text }}', status },
		...(status === 'scheduled' && { scheduledAt: at(300 * DAY) }),
	});
	kit.service.faults.add({ kind: 'reset', after: true }, { route: 'posts.create' });
	const { outputs } = await kit.run(parameters, { items, onError: 'continueErrorOutput' });
	expect(kit.writes()).toHaveLength(sent);
	const [lost, later] = outputs[1] ?? [];
	expect(lost?.json.details).toMatchObject({ outcome: 'unknown' });
	expect(later?.json.error).toEqual(
		sent === 1
			? 'It is not known whether an earlier item of this run created a post with the same text. Nothing was created'
			: undefined,
	);
});

it('reads only those of 300 shortened texts that may be the same', async () => {
	const account = kit.account('client');
	const mine = `With another beginning: ${text()}, of which a list shows only the beginning`;
	for (let post = 0; post < 300; post += 1)
		exists(scheduled(DAY, { text: `Post ${post} of many others` }), account);
	exists(scheduled(DAY, { text: `${mine.slice(0, 25)} goes on in another way` }), account);
	kit.service.faults.add(shortened(20, '…'), { route: 'posts.list', count: Infinity });
	await kit.item(kit.as('client', creating({ text: mine })));
	expect(kit.sent().filter((one) => !one.includes('?'))).toHaveLength(2);
});

it('a dry run of an item does not keep another item from being created', async () => {
	const mine = text();
	const items = [true, false].map((dryRun) => ({ json: { dryRun } }));
	const options = { dryRun: '={{ $json.dryRun }}' };
	const records = await kit.records(creating({ text: mine, options }), { items });
	expect(records).toMatchObject([{ dry_run: true }, { text: mine }]);
});

it('a post that two dry runs with the same unique key have planned does not, either', async () => {
	const mine = text();
	const items = ['a', 'a', 'b'].map((key, at) => ({
		json: { key: `${mine} ${key}`, dryRun: at < 2 },
	}));
	const options = { dryRun: '={{ $json.dryRun }}', uniqueKey: '={{ $json.key }}' };
	const given = { text: mine, status: 'scheduled', scheduledAt: at(300 * DAY), options };
	const records = await kit.records(creating(given), { items });
	expect(records).toMatchObject([{ dry_run: true }, { dry_run: true }, { text: mine }]);
});

it('the post with the same unique key is no similar one: it is returned', async () => {
	const given = creating({ status: 'scheduled', scheduledAt: at(500 * DAY) });
	const withKey = (uniqueKey: string) => ({ ...given, options: { ...given.options, uniqueKey } });
	const { json } = await kit.item(withKey('similar-row-1'));
	kit.service.clearLog();
	const again = await kit.item(withKey('similar-row-1'));
	expect(kit.sent()).toHaveLength(1);
	expect(again.json).toMatchObject({ id: json.id, already_existed: true });
	const { error } = await kit.failure(withKey('similar-row-2'));
	expect(error).toContain(`has the same text (${String(json.id)}`);
});

it('a list that cannot be read says so of the post', async () => {
	kit.service.faults.status(403, { path: /posts$/ });
	const { message } = await kit.failure(creating());
	expect(message).toContain('so it created nothing');
	expect(kit.writes()).toEqual([]);
});
