/** How far "Fetch Test Event" looks, and in which order it shows what it finds. */
import type { IDataObject } from 'n8n-workflow';

import { bareHost, leads, pageOf, refusalOf, standingClock, type Answer } from './bareHost';

const KEYWORD = { event: 'newLead', watch: 'own', filters: { keyword: 'guide' } };

beforeEach(() => {
	standingClock();
});
afterEach(() => {
	jest.restoreAllMocks();
});

const sample = (answer: Answer, parameters?: IDataObject) =>
	bareHost({ answer, mode: 'manual', ...(parameters === undefined ? {} : { parameters }) });
/** Records of these days, of which the numbers are the IDs. */
const of = (...days: number[]) =>
	days.map((day) => ({
		id: `${day}`,
		created_at: new Date(Date.UTC(2030, 0, day)).toISOString(),
	}));
const down = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, at) => from - at);
const endless =
	(records: readonly IDataObject[]): Answer =>
	({ offset }) =>
		pageOf(records, { offset, hasMore: true });
const idsIn = (items: IDataObject[] | null) => items?.map(({ id }) => Number(id));

describe('one page is enough', () => {
	it.each([
		['where the newest come first', down(60, 1), down(60, 51)],
		['where it has just as many as are shown', down(10, 1), down(10, 1)],
		['where the first two are out of order', [59, 60, ...down(58, 1)], down(60, 51)],
		['where an old one is the second', [60, 1, ...down(59, 2)], down(60, 51)],
		['where a new one is the last but one', [...down(50, 2), 60, 1], [60, ...down(50, 42)]],
	])('%s', async (_, days, expected) => {
		const node = sample(endless(of(...days)));
		expect(idsIn(await node.poll())).toEqual(expected);
		expect(node.asked).toHaveLength(1);
	});

	it('where all are of the same time', async () => {
		const same = of(...Array<number>(30).fill(7)).map((lead, at) => ({ ...lead, id: `${at}` }));
		const node = sample(endless(same));
		expect(idsIn(await node.poll())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(node.asked).toHaveLength(1);
	});
});

it('the order of the service stays where one of them does not say when', async () => {
	const shown = await sample(() => pageOf([{ id: '3' }, ...of(1, 2)])).poll();
	expect(idsIn(shown)).toEqual([3, 1, 2]);
});

it('a single record is enough to say what is wrong with it', async () => {
	await expect(sample(() => pageOf([{}]), KEYWORD).poll()).rejects.toThrow(/^The leads have no ID/);
	const one = sample(
		({ offset }) => pageOf(offset === 0 ? leads('a') : [], { offset, hasMore: true }),
		KEYWORD,
	);
	await expect(one.poll()).rejects.toThrow(
		'No lead matches these filters yet, among the 1 looked at.',
	);
});

describe('of an agency with more clients than are looked at', () => {
	const id = (at: number) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c${1000 + at}`;
	const agency = (count: number, theirs: (at: number) => ReturnType<Answer>): Answer => {
		const all = Array.from({ length: count }, (_, at) => ({ user_id: id(at) }));
		return async ({ path }) =>
			path === '/clients'
				? pageOf(all)
				: await theirs(all.findIndex(({ user_id }) => path.includes(user_id)));
	};
	const ALL = { event: 'newLead', watch: 'allClients' };

	it('it is said of how many nothing was found', async () => {
		const node = sample(
			agency(45, (at) => pageOf(at === 44 ? leads('a') : [])),
			ALL,
		);
		await expect(node.poll()).rejects.toThrow(
			/^No lead was found on the 40 pages looked at, of 40 of 45 clients\.$/,
		);
	});

	it('and of how many the records do not match', async () => {
		const found = agency(45, () => pageOf([{ id: 'a', latest_keyword: 'other' }]));
		const byTrigger = sample(found, { ...ALL, filters: { keyword: 'guide' } });
		await expect(byTrigger.poll()).rejects.toThrow(
			/^No lead matches these filters yet, among the 40 looked at, of 40 of 45 clients\.$/,
		);
		const none = agency(45, () => pageOf([]));
		const byService = sample(none, { ...ALL, filters: { hasEmail: true } });
		await expect(byService.poll()).rejects.toThrow(
			/^No lead that matches these filters was found on the 40 pages looked at, of 40 of 45 clients\.$/,
		);
	});

	it.each([40, 41, 45])(
		'the service is quoted where all that were tried failed, of %i',
		async (count) => {
			const node = sample(
				agency(count, () => refusalOf(403)),
				ALL,
			);
			await expect(node.poll()).rejects.toThrow(
				/^The API key may not do this for this client: No\./,
			);
		},
	);

	it('those that failed do not count as looked at', async () => {
		const node = sample(
			agency(45, (at) => (at < 3 ? refusalOf(403) : pageOf([]))),
			ALL,
		);
		await expect(node.poll()).rejects.toThrow(
			/^No lead was found on the 37 pages looked at, of 37 of 45 clients\. 3 of 45 clients could not be read\.$/,
		);
	});
});

it('of an agency, nobody is read whose grant has ended', async () => {
	const id = (end: string) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${end}`;
	const node = sample(
		({ path }) =>
			path === '/clients'
				? pageOf([
						{ user_id: id('11'), grant: { status: 'revoked' } },
						{ user_id: id('12'), grant: { status: 'active' } },
					])
				: pageOf(leads('a')),
		{ event: 'newLead', watch: 'allClients' },
	);
	expect(await node.poll()).toMatchObject([{ id: 'a', client_id: id('12') }]);
	expect(node.asked.map(({ path }) => path)).toEqual(['/clients', `/clients/${id('12')}/leads`]);
});
