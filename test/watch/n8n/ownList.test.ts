/** Whose list goes on where the credential holds a key, from all that may be known of its owner. */
import { UndecidedOwner } from '../../../nodes/LeadGenPublishing/watch/n8n/failures';
import { findOwnList } from '../../../nodes/LeadGenPublishing/watch/n8n/ownAccount';
import type { PollSession } from '../../../nodes/LeadGenPublishing/watch/n8n/pollSession';
import type { ProcessMemory } from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';
import type { OwnAccount } from '../../../nodes/LeadGenPublishing/watch/store/extras';
import { identityOf, type Identity } from '../../../nodes/LeadGenPublishing/watch/store/identity';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { emptyWatch, sealWatch } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { newLeads, scannedState, START, uuids } from '../pollHelpers';

const [mine, theirs] = [uuids(50, 1), uuids(50, 2)] as const;
const HOUR = 3_600_000;
const idOf = (user_id: string): Identity => {
	const identity = identityOf({ user_id });
	if (identity === undefined) throw new Error('no identity');
	return identity;
};
const [ME, THEM] = [idOf('me'), idOf('them')];
const before: OwnAccount = { credential: 'old', list: 'own', owners: { own: ME } };

interface Given {
	before?: OwnAccount;
	/** What is remembered, by the names of the lists. */
	lists?: Readonly<Record<string, readonly string[]>>;
	/** What the service says of the owner; it does not answer unless given. */
	subject?: Record<string, unknown>;
	/** What the key shows, and whether an empty page announces more. */
	shown?: readonly string[];
	hasMore?: boolean;
	credential?: string;
	remembered?: Partial<ProcessMemory>;
	now?: number;
}

function setUp({
	lists = { own: mine },
	subject,
	shown = [],
	hasMore = false,
	credential = 'new',
	remembered = {},
	now = START,
	...given
}: Given) {
	const asked: unknown[] = [];
	const session = {
		settings: {
			...{ scope: 'scope', event: 'newLead', filters: {} },
			list: { rules: newLeads },
		},
		client: {
			call: async (name: string, options: object) => {
				asked.push([name, options]);
				if (subject === undefined) throw new Error('no answer');
				return await Promise.resolve({ data: subject });
			},
			page: async (_: string, { offset, limit }: { offset: number; limit: number }) =>
				await Promise.resolve({
					data: shown.slice(offset, offset + limit).map((id) => ({ id })),
					pagination: { limit, offset, has_more: hasMore },
				}),
		},
	} as unknown as PollSession;
	const stored = Object.entries(lists).map(([name, ids]) => [
		`scope.${name}`,
		scannedState(ids).lists['scope.own'],
	]);
	const state = sealWatch({ ...emptyWatch('line'), lists: Object.fromEntries(stored) as never });
	remembered.throttle ??= {};
	const memory = remembered as ProcessMemory;
	const find = async () =>
		await findOwnList(session, {
			...{ remembered: memory, before: given.before, credential, state, now },
			deadline: Date.now() + 60_000,
		});
	return { find, asked, state, memory };
}
const ASKED = ['account.getSubject', { timeoutMs: 5_000, maxWaitMs: 0 }];

describe('the first key', () => {
	it('is asked for its owner, whose list is the own one', async () => {
		const { find, asked, state, memory } = setUp({ lists: {}, subject: { user_id: 'me' } });
		expect(await find()).toEqual({
			...{ account: 'own', state, changed: true, news: [] },
			own: { credential: 'new', list: 'own', owners: { own: ME } },
		});
		expect(asked).toEqual([ASKED]);
		expect(memory.throttle.subject).toMatchObject({ since: START, ms: HOUR });
	});

	it('whose owner the service does not name is told of', async () => {
		const { find } = setUp({ lists: {}, subject: { plan: 'pro' } });
		expect(await find()).toMatchObject({
			...{ account: 'own', changed: true },
			own: { credential: 'new', list: 'own', owners: { own: null } },
			notice: expect.stringMatching(/^The service does not say by which account/) as unknown,
		});
	});

	it('goes on without an answer', async () => {
		const { find } = setUp({ lists: {} });
		const found = await find();
		expect(found).toMatchObject({ account: 'own', changed: true, news: [] });
		expect(found.own).toEqual({ credential: 'new', list: 'own', owners: {} });
		expect(found).not.toHaveProperty('notice');
	});
});

describe('the same key', () => {
	const same = { ...before, credential: 'new' };
	const unknown = { ...same, owners: {} };

	it.each([[ME], [null]])('is not asked again once that has been answered: %p', async (owner) => {
		const known = { ...same, owners: { own: owner } };
		const { find, asked, state } = setUp({ before: known, subject: { user_id: 'them' } });
		expect(await find()).toEqual({
			...{ account: 'own', own: known, state, changed: false, news: [] },
		});
		expect(asked).toEqual([]);
	});

	it('is asked until it is answered, which is then stored', async () => {
		const { find } = setUp({ before: unknown, subject: { user_id: 'me' } });
		expect(await find()).toMatchObject({ own: { ...same, owners: { own: ME } }, changed: true });
		const failing = setUp({ before: unknown });
		expect(await failing.find()).toMatchObject({ own: unknown, changed: false });
	});

	it('keeps what is known of other lists', async () => {
		const owners = { own2: THEM };
		const { find } = setUp({ before: { ...unknown, owners }, subject: { user_id: 'me' } });
		expect((await find()).own.owners).toEqual({ own: ME, own2: THEM });
	});

	it.each([
		[HOUR - 1, false],
		[HOUR, true],
		[-60_000, false],
		[-60_001, true],
	])('is asked again %i ms after it was: %s', async (ms, expected) => {
		const remembered = { throttle: { subject: { failures: 1, since: START, ms: HOUR } } };
		const { find, asked, memory } = setUp({ before: unknown, remembered, now: START + ms });
		await find();
		expect(asked).toHaveLength(expected ? 1 : 0);
		expect(memory.throttle.subject?.since).toBe(expected ? START + ms : START);
	});
});

describe('another key', () => {
	it('is asked at once, whenever the one before it was', async () => {
		const remembered = { throttle: { subject: { failures: 1, since: START, ms: HOUR } } };
		const { find, asked } = setUp({ before, remembered, subject: { user_id: 'me' } });
		await find();
		expect(asked).toEqual([ASKED]);
	});

	it('of the same account goes on', async () => {
		const { find, state } = setUp({ before, subject: { user_id: 'me' } });
		expect(await find()).toEqual({
			...{ account: 'own', state, changed: true, news: [] },
			own: { ...before, credential: 'new' },
		});
	});

	it.each([
		['another list', { own: ME, own2: THEM }, 'own', 'own2'],
		['the present one of two', { own: THEM, own2: THEM }, 'own', 'own'],
		['the latest one of two', { own: ME, own2: THEM, own3: THEM }, 'own', 'own3'],
	])('of an account that is known goes on with %s', async (_, owners, list, expected) => {
		const { find } = setUp({
			...{ before: { ...before, list, owners }, subject: { user_id: 'them' } },
			lists: { own: mine, own2: mine, own3: mine },
		});
		const found = await find();
		expect(found.account).toBe(expected);
		expect(found.own).toEqual({ credential: 'new', list: expected, owners });
		expect(found.news).toEqual(
			expected === list
				? []
				: [
						{
							...{ account: 'own', kind: 'other-account' },
							message:
								'The API key in the credential belongs to another account than before, as far as the service and its records tell. It was watched before; what came since is delivered.',
						},
					],
		);
	});

	it('of another account begins a list of its own, and says so', async () => {
		const { find, state } = setUp({
			before: { ...before, list: 'own2', owners: { own: ME, own2: ME, own3: ME } },
			...{ subject: { user_id: 'them' }, lists: { own: mine, own4: theirs }, shown: mine },
		});
		const found = await find();
		expect(found).toMatchObject({ account: 'own5', changed: true });
		expect(found.own).toEqual({
			...{ credential: 'new', list: 'own5' },
			owners: { own: ME, own2: ME, own3: ME, own5: THEM },
		});
		expect(found.news).toMatchObject([
			{
				...{ account: 'own', kind: 'other-account' },
				message: expect.stringMatching(/What it has now counts as known/) as unknown,
			},
		]);
		const { 'scope.own5': fresh, ...rest } = found.state.lists;
		expect(rest).toEqual(state.lists);
		const opened = openList(fresh, newLeads.width);
		expect(opened.kind === 'ok' && opened.value.progress).toMatchObject({
			...{ quietly: true, check: { since: START } },
		});
	});

	it('whose owner the service does not name is known by its records', async () => {
		const given = { before, subject: { plan: 'pro' } };
		const known = await setUp({ ...given, shown: mine }).find();
		expect([known.account, known.own.owners]).toEqual(['own', { own: ME }]);
		const unknown = await setUp({ ...given, shown: theirs }).find();
		expect([unknown.account, unknown.own.owners]).toEqual(['own2', { own: ME, own2: null }]);
	});

	it('where nobody was stored as the owner is known by its records as well', async () => {
		const given = { lists: { own: mine, own2: theirs }, subject: { user_id: 'me' } };
		const found = await setUp({ ...given, shown: mine }).find();
		expect(found).toMatchObject({ account: 'own', changed: true, news: [] });
		expect(found.own.owners).toEqual({ own: ME });
		const other = await setUp({ ...given, shown: theirs }).find();
		expect([other.account, other.news.length]).toEqual(['own2', 1]);
	});
});

describe('where nothing tells whose the key is', () => {
	it.each<[string, Given, RegExp]>([
		['the service does not answer', { shown: theirs }, /did not answer to which account/],
		[
			'an empty page announces more',
			{ subject: { plan: 'pro' }, hasMore: true },
			/shows no record that tells whether it is of the same account/,
		],
	])('five polls wait, since %s; then a new list begins', async (_, given, message) => {
		const remembered: Partial<ProcessMemory> = {};
		const { find } = setUp({ before, remembered, ...given });
		for (let polls = 1; polls <= 5; polls++) {
			const error: unknown = await find().catch((reason: unknown) => reason);
			expect(error).toBeInstanceOf(UndecidedOwner);
			expect((error as Error).message).toMatch(message);
			expect(remembered.undecidedPolls).toBe(polls);
		}
		const found = await find();
		expect(found.account).toBe('own2');
		expect(remembered).not.toHaveProperty('undecidedPolls');
	});

	it('none waits that shows a known record, whatever else is missing', async () => {
		const found = await setUp({ before, shown: mine }).find();
		expect([found.account, found.own.owners]).toEqual(['own', { own: ME }]);
		const hidden = await setUp({ before, shown: mine, hasMore: true }).find();
		expect(hidden.account).toBe('own');
	});

	it('the owners that are known stay known', async () => {
		const remembered = { undecidedPolls: 5 };
		const found = await setUp({ before, remembered, shown: theirs }).find();
		expect(found.own).toEqual({ credential: 'new', list: 'own2', owners: { own: ME } });
	});
});
