/** Which clients are watched where something is missing, and what is said when none is. */
import {
	nothingWatched,
	whyNothingWatched,
	withTimeout,
} from '../../../nodes/LeadGenPublishing/watch/n8n/clients';
import type { PollSession } from '../../../nodes/LeadGenPublishing/watch/n8n/pollSession';
import type { ProcessMemory } from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';
import type { WatchTarget } from '../../../nodes/LeadGenPublishing/watch/n8n/settings';
import { OWN } from '../../support/kit/index';
import {
	bareHost,
	leads,
	pageOf,
	refusalOf,
	standingClock,
	type Answer,
	type Asked,
} from './bareHost';

const [ADA, BOB] = [
	'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
	'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b12',
] as const;
const ALL = { event: 'newLead', watch: 'allClients' };
const share = { part: 1, of: 2 };

afterEach(() => {
	jest.restoreAllMocks();
});

const paths = (asked: readonly Asked[]) => [...new Set(asked.map(({ path }) => path))].sort();
const leadsOf = (id: string) => `/clients/${id}/leads`;

describe('that no account is watched', () => {
	const ALL_CLIENTS: WatchTarget = { kind: 'allClients' };
	const SHARE: WatchTarget = { kind: 'allClients', share };
	const CHOSEN: WatchTarget = { kind: 'clients', ids: [], share };
	const NONE = 'No client with an active grant is listed for this API key';
	const NO_SHARE = 'No client with an active grant falls into this share';
	const NO_CHOSEN = 'None of the chosen clients falls into this share';
	const OWN_ACCOUNT = ' For the account of the key itself, set "Watch" to "Own Account".';

	it.each<[WatchTarget, string, string]>([
		[ALL_CLIENTS, NONE, OWN_ACCOUNT],
		[SHARE, NO_SHARE, ''],
		[CHOSEN, NO_CHOSEN, ''],
	])('is told with the reason, for %j', (watched, why, next) => {
		expect(whyNothingWatched(watched, [])).toBe(why);
		expect(whyNothingWatched(watched, [ADA])).toBeUndefined();
		const session = { settings: { watched } } as unknown as PollSession;
		const remembered = { reported: new Set<string>() } as unknown as ProcessMemory;
		const told = (...accounts: string[]) => nothingWatched(session, remembered, accounts);
		const message = `${why}, so nothing is watched just now.${next}`;
		const failure = { account: 'clients', kind: 'no-clients', message };
		expect([told(), told(), told(ADA), told()]).toEqual([[failure], [], [], [failure]]);
	});
});

describe('while the clients cannot be listed', () => {
	let fails = false;
	const answer: Answer = ({ path }) => {
		if (path === '/me') return { body: { data: {} } };
		if (path !== '/clients') return pageOf(leads('a'));
		return fails
			? refusalOf(403)
			: pageOf([ADA, BOB].map((user_id) => ({ user_id, grant: { status: 'active' } })));
	};
	beforeEach(() => {
		fails = false;
	});

	it('those are watched that were listed before', async () => {
		const node = bareHost({ answer, parameters: ALL });
		await node.poll();
		node.takeAsked();
		fails = true;
		await expect(node.poll()).rejects.toThrow(/^The list of clients could not be read\./);
		expect(paths(node.asked)).toEqual(['/clients', leadsOf(ADA), leadsOf(BOB)]);
	});

	it('neither the own account is watched nor what other filters have remembered', async () => {
		for (const before of [OWN, { ...ALL, filters: { hasEmail: true } }]) {
			const node = bareHost({ answer, parameters: before });
			await node.poll();
			await node.poll();
			node.takeAsked();
			fails = true;
			node.host.parameters = ALL;
			await expect(node.poll()).rejects.toThrow(/does not list clients for this API key/);
			expect(paths(node.asked)).toEqual(['/clients']);
			fails = false;
		}
	});

	it('one whose grant has ended is not watched, nor one without an ID', async () => {
		const listed = [
			{ user_id: ADA, grant: { status: 'revoked' } },
			{ user_id: BOB, grant: { status: 'active' } },
			...[{ user_id: '' }, { user_id: 7 }, { full_name: 'Nobody' }],
		];
		const node = bareHost({
			parameters: ALL,
			answer: (asked) => (asked.path === '/clients' ? pageOf(listed) : answer(asked)),
		});
		await node.poll();
		expect(paths(node.asked)).toEqual(['/clients', leadsOf(BOB)]);
		// Nor does any of them fail.
		expect(await node.poll()).toBeNull();
	});
});

it('a client that was given another name is called by it from then on', async () => {
	let fullName = 'Ada';
	let ids = ['a'];
	const node = bareHost({
		parameters: ALL,
		answer: ({ path }) => {
			if (path === '/me') return { body: { data: {} } };
			if (path !== '/clients') return pageOf(leads(...ids));
			const grant = { status: 'active' };
			return pageOf([{ user_id: ADA, full_name: fullName, grant }]);
		},
	});
	await node.poll();
	const namesOfNext = async (id: string) => {
		ids = [id, ...ids];
		return (await node.poll())?.map(({ client_name }) => client_name);
	};
	expect(await namesOfNext('b')).toEqual(['Ada']);
	fullName = 'Ada L.';
	expect(await namesOfNext('c')).toEqual(['Ada L.']);
});

describe('the names of clients', () => {
	const CHOSEN = { event: 'newLead', watch: 'clients', clientIds: [ADA] };
	let ids: string[] = [];
	let named = true;
	const answer: Answer = ({ path }) => {
		if (path !== '/clients') return pageOf(leads(...ids));
		return named ? pageOf([{ user_id: ADA, full_name: 'Ada' }]) : refusalOf(403);
	};
	beforeEach(() => {
		ids = ['a'];
		named = true;
	});
	const askedForNames = (node: ReturnType<typeof bareHost>) =>
		node.takeAsked().some(({ path }) => path === '/clients');

	it('are read when the workflow is published, and then not again', async () => {
		const node = bareHost({ answer, parameters: CHOSEN });
		await node.poll();
		expect(askedForNames(node)).toBe(true);
		ids = ['b', 'a'];
		expect(await node.poll()).toMatchObject([{ id: 'b', client_name: 'Ada' }]);
		expect(askedForNames(node)).toBe(false);
	});

	it('are read for the first items, and are missing where they cannot be read', async () => {
		const node = bareHost({ answer, parameters: CHOSEN, budgetMs: 36_000 });
		await node.poll();
		expect(askedForNames(node)).toBe(false);
		named = false;
		ids = ['b', 'a'];
		const [item] = (await node.poll()) ?? [];
		expect(item).toMatchObject({ id: 'b', client_id: ADA });
		expect(item).not.toHaveProperty('client_name');
		named = true;
		ids = ['c', 'b', 'a'];
		expect(await node.poll()).toMatchObject([{ id: 'c', client_name: 'Ada' }]);
	});

	it('are not read for the own account, nor once the time of the poll is up', async () => {
		const own = bareHost({ answer, parameters: OWN, budgetMs: 36_000 });
		await own.poll();
		ids = ['b', 'a'];
		expect(await own.poll()).toHaveLength(1);
		expect(askedForNames(own)).toBe(false);

		const clock = standingClock();
		let takesMs = 0;
		const node = bareHost({
			...{ parameters: CHOSEN, budgetMs: 36_000 },
			answer: (asked) => {
				clock.advance(takesMs);
				return answer(asked);
			},
		});
		await node.poll();
		node.takeAsked();
		takesMs = 36_000 * 0.85;
		ids = ['c', 'b', 'a'];
		expect(await node.poll()).toHaveLength(1);
		expect(askedForNames(node)).toBe(false);
	});
});

describe('work with a time limit', () => {
	it('gives what it finds, and nobody waits any longer', async () => {
		let signal: AbortSignal | undefined;
		const found = await withTimeout(
			60_000,
			async (givenUp) => {
				signal = givenUp;
				return await Promise.resolve('found');
			},
			() => new Error('late'),
		);
		expect([found, signal?.aborted]).toEqual(['found', true]);
	});

	it.each([1, 0, -5])('of %i ms fails when its time is up, and is told so', async (ms) => {
		let signal: AbortSignal | undefined;
		const work = withTimeout(
			ms,
			async (givenUp) => {
				signal = givenUp;
				return await new Promise<never>(() => undefined);
			},
			() => new Error('late'),
		);
		await expect(work).rejects.toThrow('late');
		expect(signal?.aborted).toBe(true);
	});
});
