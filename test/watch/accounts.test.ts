/** Whose lists a poll watches, and what its clients are called. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { nameOf, refreshNames, watchedClients } from '../../nodes/LeadGenPublishing/watch/accounts';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { bareHost, pageOf, refusalOf, type Answer } from './bareHost';
import { sessionOf } from './testEventNode';

const [ADA, BOB, CAT] = ['1a', '1b', '1c'].map(
	(end) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${end}`,
) as [string, string, string];
const ALL: IDataObject = { event: 'newLead', watch: 'allClients' };
const CHOSEN: IDataObject = { event: 'newLead', watch: 'clients', clientIds: [ADA, CAT] };
const DAY = 24 * 3_600_000;
const NOW = 1_800_000_000_000;

const of = (user_id: string, full_name?: string, status = 'active') => ({
	...{ user_id, full_name, grant: { status } },
});
const CLIENTS = [of(ADA.toUpperCase(), 'Ada'), of(BOB, 'Bob', 'Revoked'), of(CAT)];

async function agency(parameters: IDataObject, answer: Answer = () => pageOf(CLIENTS)) {
	const current = { answer };
	const host = bareHost({ answer: (asked) => current.answer(asked), parameters });
	const session: PollSession = await sessionOf(host.context() as unknown as IPollFunctions);
	const time = (now: number) => ({ now, giveUpAt: now + 30_000 });
	return {
		...{ session, current, asked: host.asked },
		watch: async (before: string[] = [], now = NOW) =>
			await watchedClients(session, { ...time(now), before }),
		refresh: async (accounts: string[], now = NOW) =>
			await refreshNames(session, { ...time(now), accounts }),
		nameOf: (account: string) => nameOf(session.known, account),
	};
}

it('the own account and chosen clients need no question', async () => {
	const own = await agency({ event: 'newLead', watch: 'own' });
	expect(await own.watch()).toEqual({ accounts: ['own'], isCurrent: true });
	const chosen = await agency(CHOSEN);
	expect(await chosen.watch()).toEqual({ accounts: [ADA, CAT], isCurrent: true });
	expect([...own.asked, ...chosen.asked]).toEqual([]);
});

describe('all clients', () => {
	it('are those with an active grant, in small letters, and in the share', async () => {
		expect(await (await agency(ALL)).watch()).toEqual({ accounts: [ADA, CAT], isCurrent: true });
		const shares = ['1 of 2', '2 of 2'].map(async (share) => {
			const { watch } = await agency({ ...ALL, options: { share } });
			return (await watch()).accounts;
		});
		expect((await Promise.all(shares)).flat().sort()).toEqual([ADA, CAT]);
	});

	it('are those from before if they cannot be listed', async () => {
		const { watch, current } = await agency(ALL, () => refusalOf(403));
		expect(await watch([BOB])).toEqual({
			...{ accounts: [BOB], isCurrent: false, failure: expect.any(ApiFailure) as unknown },
		});
		current.answer = () => pageOf(CLIENTS);
		await watch();
		current.answer = () => refusalOf(403);
		expect(await watch([BOB])).toMatchObject({ accounts: [ADA, CAT], isCurrent: false });
	});

	it('are not asked for again until the lists have been read, if that makes them wait', async () => {
		const { watch, current, asked, session } = await agency(ALL);
		await watch();
		current.answer = () => ({
			...refusalOf(429, 'rate_limited'),
			headers: { 'retry-after': '60' },
		});
		expect(await watch()).toMatchObject({ isCurrent: false, accounts: [ADA, CAT] });
		const sent = asked.length;
		expect(session.known.notBefore).toBeGreaterThan(NOW + 100_000);
		expect(await watch([], NOW + 90_000)).toEqual({ accounts: [ADA, CAT], isCurrent: false });
		expect(asked).toHaveLength(sent);
		// A clock that was set back by a year does not keep them waiting.
		expect(await watch([], NOW - 365 * DAY)).toHaveProperty('failure');
	});

	it('of which some may be missing are no complete list', async () => {
		const { watch } = await agency(ALL, ({ offset }) => pageOf(CLIENTS, { offset, hasMore: true }));
		expect(await watch([BOB])).toEqual({ accounts: [ADA, CAT], isCurrent: false });
	});
});

describe('names', () => {
	it('are those of persons, or else of their business, of revoked clients as well', async () => {
		const clients = [of(ADA, ' Ada '), { ...of(BOB, ' ', 'revoked'), business_name: 'Bob Ltd' }];
		const node = await agency(CHOSEN, () => pageOf([...clients, of(CAT)]));
		await node.refresh([ADA]);
		expect([ADA, BOB, CAT].map(node.nameOf)).toEqual(['Ada', 'Bob Ltd', undefined]);
	});

	it('are read if one is needed that is not known, and once a day', async () => {
		const { refresh, asked, current, nameOf: name } = await agency(CHOSEN);
		await refresh(['own', 'own2']);
		expect(asked).toHaveLength(0);
		await refresh([ADA]);
		await refresh([ADA, CAT], NOW + DAY - 1);
		expect(asked).toHaveLength(1);
		current.answer = () => pageOf([of(ADA, 'Ada Married'), of(CAT)]);
		await refresh([ADA], NOW + DAY);
		expect([asked.length, name(ADA)]).toEqual([2, 'Ada Married']);
		await refresh([ADA], NOW - 365 * DAY);
		expect(asked).toHaveLength(3);
	});

	it('stay those from before where they cannot be read', async () => {
		const { refresh, current, nameOf: name } = await agency(CHOSEN);
		await refresh([ADA]);
		current.answer = () => refusalOf(403);
		await refresh([ADA], NOW + 2 * DAY);
		expect(name(ADA)).toBe('Ada');
	});
});
