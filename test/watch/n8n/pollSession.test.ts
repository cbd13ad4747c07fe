/** What is asked of the service for a watched list, and for how many of them at a time. */
import type { IDataObject } from 'n8n-workflow';

import {
	endpointOf,
	queryOf,
	readAccountPage,
	type PollSession,
} from '../../../nodes/LeadGenPublishing/watch/n8n/pollSession';
import type { WatchEvent, WatchFilters } from '../../../nodes/LeadGenPublishing/watch/list/events';
import type { TriggerSettings } from '../../../nodes/LeadGenPublishing/watch/n8n/settings';
import { bareHost, leads, pageOf, refusalOf, standingClock, turnsUntil } from './bareHost';

const settingsOf = (event: WatchEvent, filters: WatchFilters = {}) =>
	({ event, filters }) as TriggerSettings;
const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

it.each<[WatchEvent, WatchFilters, string, object]>([
	['newLead', {}, 'lead.getAll', {}],
	['newLead', { hasEmail: false, keyword: 'x' }, 'lead.getAll', { has_email: false }],
	['leadChanged', { hasEmail: true, source: 'x' }, 'lead.getAll', { has_email: true }],
	['newActivity', { source: 'x', hasEmail: true }, 'activity.getAll', { source: 'x' }],
	['newActivity', { keyword: 'x' }, 'activity.getAll', {}],
	['postStatusChanged', { source: 'x', hasEmail: true }, 'post.getAll', {}],
])('for %s with %j, the service is asked by %s for %j', (event, filters, endpoint, query) => {
	const settings = settingsOf(event, filters);
	expect([endpointOf(settings), queryOf(settings)]).toStrictEqual([endpoint, query]);
});

it.each([
	['own', { kind: 'own' }],
	['own2', { kind: 'own' }],
	[CLIENT, { kind: 'client', clientId: CLIENT }],
])('a page of %s is asked for as %j', async (account, expected) => {
	const page = jest.fn().mockResolvedValue('page');
	const session = { client: { page }, settings: settingsOf('newLead', { hasEmail: true }) };
	const request = { account, offset: 5, limit: 7, timeoutMs: 9 };
	await readAccountPage(session as unknown as PollSession, request);
	expect(page.mock.calls).toEqual([
		[
			'lead.getAll',
			{ offset: 5, limit: 7, timeoutMs: 9, account: expected, query: { has_email: true } },
		],
	]);
});

const clientIds = Array.from(
	{ length: 15 },
	(_, index) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1c${String(index).padStart(2, '0')}`,
);

it('ten lists are read at a time', async () => {
	const waiting: Array<() => void> = [];
	const node = bareHost({
		parameters: { event: 'newLead', watch: 'clients', clientIds },
		budgetMs: 36_000,
		answer: async () => {
			await new Promise<void>((resolve) => waiting.push(resolve));
			return pageOf(leads('a'));
		},
	});
	let isOver = false;
	const poll = node.poll().finally(() => (isOver = true));
	await turnsUntil(() => node.asked.length >= 10);
	await turnsUntil(() => false, 50);
	expect(node.asked).toHaveLength(10);
	await turnsUntil(() => {
		for (const go of waiting.splice(0)) go();
		return isOver;
	});
	expect(await poll).toBeNull();
	expect(new Set(node.asked.map(({ path }) => path)).size).toBe(15);
});

describe('a test event', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});
	const sample = (answer: Parameters<typeof bareHost>[0]['answer'], parameters?: IDataObject) =>
		bareHost({ answer, mode: 'manual', ...(parameters === undefined ? {} : { parameters }) });
	const numbered = (count: number) => leads(...Array.from({ length: count }, (_, at) => `${at}`));
	const lists = ({ asked }: ReturnType<typeof bareHost>) =>
		asked.filter(({ path }) => path !== '/clients').length;

	it('shows ten records, in the order of the service where they do not say when', async () => {
		const shown = await sample(() => pageOf(numbered(25))).poll();
		expect(shown?.map(({ id }) => id)).toEqual(numbered(10).map(({ id }) => id));
	});

	it('shows the newest ten of those that say when', async () => {
		const dated = numbered(25).map((lead, at) => ({
			...lead,
			created_at: new Date(Date.UTC(2030, 0, 1 + ((at * 7) % 25))).toISOString(),
		}));
		const shown = await sample(() => pageOf(dated)).poll();
		const days = shown?.map(({ created_at }) => new Date(String(created_at)).getUTCDate());
		expect(days).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
	});

	it('is looked for on ten pages of an account, and on forty in all', async () => {
		standingClock();
		const blank = ({ offset }: { offset: number }) => pageOf([], { offset, hasMore: true });
		const own = sample(blank);
		await expect(own.poll()).rejects.toThrow('No lead was found on the 10 pages looked at.');
		expect(lists(own)).toBe(10);
		const clients = sample(blank, { event: 'newLead', watch: 'clients', clientIds });
		await expect(clients.poll()).rejects.toThrow(
			'No lead was found on the 40 pages looked at, of 4 of 15 clients.',
		);
		expect(lists(clients)).toBe(40);
	});

	it('goes on page by page, by as much as the service gives at once', async () => {
		const node = sample(
			({ offset }) =>
				offset < 90
					? {
							body: {
								data: [{ id: `${offset}`, latest_keyword: 'other' }],
								pagination: { limit: 30, offset, has_more: true },
							},
						}
					: pageOf([{ id: 'a', latest_keyword: 'guide' }], { offset }),
			{ event: 'newLead', watch: 'own', filters: { keyword: 'guide' } },
		);
		expect((await node.poll())?.map(({ id }) => id)).toEqual(['a']);
		expect(node.asked.map(({ offset }) => offset)).toEqual([0, 30, 60, 90]);
	});

	it('fails as the service does if nobody could be read, and otherwise says who has nothing', async () => {
		const parameters = { event: 'newLead', watch: 'clients', clientIds: clientIds.slice(0, 3) };
		const [first] = clientIds;
		const none = sample(() => refusalOf(403), parameters);
		await expect(none.poll()).rejects.toThrow(/may not do this/);
		const some = sample(
			({ path }) => (path.includes(first ?? '') ? pageOf([]) : refusalOf(403)),
			parameters,
		);
		await expect(some.poll()).rejects.toThrow(
			'There are no leads yet. 2 of 3 clients could not be read.',
		);
	});

	it('says that records cannot be told apart only if none of them has an ID', async () => {
		const named = { event: 'newLead', watch: 'own', filters: { keyword: 'guide' } };
		const nameless = sample(() => pageOf([{}, { id: '' }]), named);
		await expect(nameless.poll()).rejects.toThrow(/^The leads have no ID/);
		const mixed = sample(() => pageOf([{}, { id: 'a' }]), named);
		await expect(mixed.poll()).rejects.toThrow('No lead matches these filters yet.');
	});
});
