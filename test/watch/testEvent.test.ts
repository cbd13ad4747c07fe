/**
 * "Fetch Test Event": a few matching records of the first pages, in the form of a delivery, or an
 * error that says why there are none.
 */
import type { IDataObject } from 'n8n-workflow';

import { pageOf, refused } from '../support/replies';
import { playedTrigger, leads, type Answering } from './playedTrigger';

const LEADS = { event: 'newLead', watch: 'own' };
const KEYWORD = { ...LEADS, filters: { keyword: 'guide' } };

const sample = (answer: Answering, parameters: IDataObject = LEADS) =>
	playedTrigger({ answer, parameters, mode: 'manual' });
const client = (at: number) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c${1000 + at}`;
/** Records of these days. Their numbers are the IDs. */
const of = (...days: number[]) =>
	days.map((day) => ({
		id: `${day}`,
		created_at: new Date(Date.UTC(2030, 0, day)).toISOString(),
	}));
const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, at) => from - at);
const up = (from: number, to: number) => down(to, from).reverse();
const list =
	(records: readonly IDataObject[]): Answering =>
	({ offset }) =>
		pageOf(records.slice(offset, offset + 100), {
			offset,
			hasMore: offset + 100 < records.length,
		});
const idsIn = (items: IDataObject[] | null) => items?.map(({ id }) => Number(id));

it('the first ten of the first page are shown, as the service lists them, with one request', async () => {
	const node = sample(list(of(...down(60, 31), ...up(1, 30), ...up(100, 300))));
	expect(idsIn(await node.poll())).toEqual(down(60, 51));
	expect(node.asked).toHaveLength(1);
});

describe('it looks as a delivery would', () => {
	it('of posts, drafts are left out, and each had another status before', async () => {
		const statuses = ['draft', 'scheduled', 'publishing', 'published', 'in_review'];
		const posts = statuses.map((status) => ({ id: status, status }));
		const node = sample(() => pageOf(posts), { event: 'postStatusChanged', watch: 'own' });
		const shown = await node.poll();
		expect(shown?.map(({ status, previous_status }) => [previous_status, status])).toEqual([
			['draft', 'scheduled'],
			['scheduled', 'publishing'],
			['scheduled', 'published'],
			['draft', 'in_review'],
		]);
		expect(shown?.[0]).toMatchObject({ changed_fields: ['status'], account: 'own' });
		const drafts = sample(() => pageOf(posts.slice(0, 1)), node.host.parameters);
		await expect(drafts.poll()).rejects.toThrow('All posts are drafts so far.');
	});

	it.each([
		[
			'none of them',
			[{ id: 'a' }],
			'The posts show no status, so the trigger cannot notice a change.',
		],
		[
			'some of them',
			[
				{ id: 'a', status: null },
				{ id: 'b', status: 'draft' },
			],
			'All posts that show a status are drafts so far.',
		],
	])('of posts, %s shown with a status are not called drafts', async (_, posts, words) => {
		const node = sample(() => pageOf(posts), { event: 'postStatusChanged', watch: 'own' });
		await expect(node.poll()).rejects.toThrow(words);
	});

	it('of posts, only drafts are called drafts, because the filter lets through no others', async () => {
		const posts = [
			{ id: 'a', status: 'draft' },
			{ id: 'b', status: 'published' },
		];
		const filters = { newStatuses: ['scheduled'] };
		const node = sample(() => pageOf(posts), { event: 'postStatusChanged', watch: 'own', filters });
		await expect(node.poll()).rejects.toThrow('No post matches these filters yet.');
	});

	it('of activity that shows no status, nothing is shown as changed', async () => {
		const node = sample(() => pageOf([{ id: 'a' }, { id: 'b', status: null }]), {
			event: 'activityChanged',
			watch: 'own',
		});
		await expect(node.poll()).rejects.toMatchObject({
			message: 'The activity shows no status, so the trigger cannot notice a change.',
			description: expect.stringMatching(/^The trigger would deliver nothing\./) as string,
		});
	});

	it('of activity, no earlier status is made up', async () => {
		const activity = [{ id: 'a', status: 'matched' }, { id: 'b' }];
		const node = sample(() => pageOf(activity), { event: 'activityChanged', watch: 'own' });
		for (const item of (await node.poll()) ?? [])
			expect(item).toMatchObject({ changed_fields: ['status'], previous_status: null });
	});

	it('of leads, something has changed', async () => {
		const node = sample(() => pageOf(leads('a')), { event: 'leadChanged', watch: 'own' });
		const items = await node.poll();
		expect(items).toMatchObject([
			{ id: 'a', event: 'leadChanged', changed_fields: ['qualification_status'] },
		]);
		expect(items?.[0]).not.toHaveProperty('previous_status');
	});

	it.each([
		['email', 'emails'],
		['intent', 'has_intent'],
		['keyword', 'latest_keyword'],
		['profile', 'name'],
		['qualification', 'qualification_status'],
	])('of leads, what the filter asks for has changed: %s', async (field, name) => {
		const shown = [{ id: 'a', emails: { work: 'a@x.example' }, has_intent: true }, { id: 'b' }];
		const filters = { changedFields: [field] };
		const node = sample(() => pageOf(shown), { event: 'leadChanged', watch: 'own', filters });
		const items = await node.poll();
		expect(items?.map(({ changed_fields }) => changed_fields)).toEqual([[name], [name]]);
	});

	it('of a client, with its name', async () => {
		const ids = [client(1), client(2)];
		const answer: Answering = ({ path }) => {
			if (path !== '/clients')
				return path.includes(client(1)) ? refused(403, 'forbidden') : pageOf(leads('a'));
			return pageOf([
				{ user_id: client(2).toUpperCase(), full_name: ' ', business_name: 'Bob Ltd' },
			]);
		};
		const node = sample(answer, { event: 'newLead', watch: 'clients', clientIds: ids });
		expect(await node.poll()).toMatchObject([
			{ id: 'a', client_id: client(2), client_name: 'Bob Ltd' },
		]);
	});
});

it('records without an ID, and those that are nested too deep, are not shown', async () => {
	await expect(sample(() => pageOf([{}]), KEYWORD).poll()).rejects.toMatchObject({
		message: 'The leads have no ID, so the trigger cannot tell which ones are new.',
		description: expect.stringMatching(/support/) as string,
	});
	const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as IDataObject;
	await expect(sample(() => pageOf([{ id: 'deep', deep }])).poll()).rejects.toThrow(/^No lead /);
	const node = sample(() => pageOf([{ id: 'deep', deep }, { id: 'b' }]));
	expect(await node.poll()).toMatchObject([{ id: 'b' }]);
});

it('a status is missing only if no record with an ID shows one', async () => {
	const activity = { event: 'activityChanged', watch: 'own' };
	for (const [shown, words] of [
		[[{}, { id: 'a' }], 'The activity shows no status'],
		[[{ status: 'new' }, { id: 'a' }], 'The activity shows no status'],
		[[{}, {}], 'The activity has no ID'],
	] as const)
		await expect(sample(() => pageOf(shown), activity).poll()).rejects.toThrow(words);
	const shown = await sample(() => pageOf([{}, { id: 'a', status: 'new' }]), activity).poll();
	expect(shown).toMatchObject([{ id: 'a' }]);
});

describe('if there is nothing to show', () => {
	it.each([
		['newLead', 'There are no leads yet.'],
		['leadChanged', 'There are no leads yet.'],
		['newActivity', 'There is no activity yet.'],
		['postStatusChanged', 'There are no posts yet.'],
	])('%s: it says so', async (event, words) => {
		const error: unknown = await sample(() => pageOf([]), { event, watch: 'own' })
			.poll()
			.catch((failure: unknown) => failure);
		expect(error).toMatchObject({
			message: words,
			description: expect.stringMatching(/You can publish the workflow anyway/) as string,
		});
	});

	it.each([
		[{ event: 'newLead', filters: { hasEmail: true } }, 'No lead'],
		[{ event: 'newActivity', filters: { source: 'message' } }, 'No activity'],
	])('%j: the service may have filtered it out', async (given, none) => {
		const node = sample(() => pageOf([]), { watch: 'own', ...given });
		await expect(node.poll()).rejects.toThrow(`${none} matches these filters yet.`);
	});

	it.each([
		[
			'newLead',
			{ onlyWithIntent: true },
			'"Only With Intent" matches nothing, because the leads that were read do not show "has_intent".',
		],
		[
			'newLead',
			{ qualificationStatus: 'qualified' },
			'"Qualification Status" matches nothing, because the leads that were read do not show "qualification_status".',
		],
		[
			'newActivity',
			{ keyword: 'guide' },
			'"Keyword" matches nothing, because the activity that was read does not show "latest_keyword" or "keyword".',
		],
	])('%s with %j: it names a filter that cannot match', async (event, filters, words) => {
		const error: unknown = await sample(() => pageOf(of(1, 2)), { event, filters, watch: 'own' })
			.poll()
			.catch((failure: unknown) => failure);
		expect(error).toMatchObject({
			message: words,
			description: expect.stringMatching(/^Remove this filter\./) as string,
		});
	});

	it('a filter is not to blame if one record shows what it looks at', async () => {
		const shown = [{ id: 'a' }, { id: 'b', latest_keyword: null }];
		await expect(sample(() => pageOf(shown), KEYWORD).poll()).rejects.toThrow(
			/^No lead matches these filters yet\.$/,
		);
	});

	it('it says how far it searched', async () => {
		const other = (count: number) =>
			list(of(...down(count, 1)).map((lead) => ({ ...lead, latest_keyword: 'other' })));
		await expect(sample(other(100), KEYWORD).poll()).rejects.toThrow(
			/^No lead matches these filters yet\.$/,
		);
		await expect(sample(other(130), KEYWORD).poll()).rejects.toThrow(
			/^No lead matches these filters yet\. The test only read the first 100 records\.$/,
		);
	});
});

describe('of an agency', () => {
	const ALL = { event: 'newLead', watch: 'allClients' };
	const agency = (count: number, theirs: (at: number) => ReturnType<Answering>): Answering => {
		const all = up(0, count - 1).map((at) => ({ user_id: client(at) }));
		return async ({ path }) =>
			path === '/clients'
				? pageOf(all)
				: await theirs(all.findIndex(({ user_id }) => path.includes(user_id)));
	};

	it('clients are read until ten records match, and those without a grant are not read', async () => {
		const clients = ['Zoe', 'Ada', 'Bob'].map((full_name, at) => ({
			...{ user_id: client(at), full_name },
			grant: { status: full_name === 'Ada' ? 'revoked' : 'active' },
		}));
		const node = sample(
			({ path }) =>
				path === '/clients'
					? pageOf(clients)
					: pageOf(path.includes(client(0)) ? leads('a') : of(...up(1, 30))),
			ALL,
		);
		const items = await node.poll();
		expect(items).toHaveLength(10);
		expect(items?.map(({ client_name }) => client_name).slice(0, 3)).toEqual(['Zoe', 'Bob', 'Bob']);
		expect(node.asked.map(({ path }) => path)).toEqual([
			...['/clients', `/clients/${client(0)}/leads`, `/clients/${client(2)}/leads`],
		]);
	});

	it.each<[IDataObject, string, RegExp]>([
		[{}, 'No client with an active grant is listed for this API key.', /^Ask the client for a/],
		[
			{ share: '1 of 3' },
			'No client with an active grant belongs to this share.',
			/^With few clients, a share can be empty/,
		],
	])('without any client, with %j, it says what to do', async (options, message, description) => {
		const node = sample(() => pageOf([]), { ...ALL, options });
		await expect(node.poll()).rejects.toMatchObject({
			message,
			description: expect.stringMatching(description) as string,
		});
	});

	it('with more clients than are read, it says for how many nothing was found', async () => {
		const none = sample(
			agency(45, () => pageOf([])),
			ALL,
		);
		await expect(none.poll()).rejects.toThrow(
			/^No lead was found\. The test only read 40 of 45 clients\.$/,
		);
		const other = agency(45, () => pageOf([{ id: 'a', latest_keyword: 'other' }]));
		await expect(sample(other, { ...ALL, filters: { keyword: 'guide' } }).poll()).rejects.toThrow(
			/^No lead matches these filters yet\. The test only read 40 of 45 clients\.$/,
		);
	});

	it('those that failed are counted separately, and quoted if all of them failed', async () => {
		const some = agency(3, (at) => (at === 0 ? refused(403, 'forbidden') : pageOf([])));
		await expect(sample(some, ALL).poll()).rejects.toThrow(
			'There are no leads yet. 1 of 3 clients could not be read.',
		);
		const all = agency(3, () => refused(403, 'forbidden'));
		await expect(sample(all, ALL).poll()).rejects.toThrow(
			/not allowed to do this for this client: No\./,
		);
	});
});
