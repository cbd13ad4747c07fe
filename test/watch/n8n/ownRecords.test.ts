/** Which of several own lists the records belong to that a new key shows. */
import { listByRecords } from '../../../nodes/LeadGenPublishing/watch/n8n/ownRecords';
import type { PollSession } from '../../../nodes/LeadGenPublishing/watch/n8n/pollSession';
import type { OwnAccount } from '../../../nodes/LeadGenPublishing/watch/store/extras';
import type { Identity } from '../../../nodes/LeadGenPublishing/watch/store/identity';
import { freshPlace, type Progress } from '../../../nodes/LeadGenPublishing/watch/store/progress';
import { emptyWatch, sealWatch } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { newLeads, scannedState, uuids } from '../pollHelpers';

const [mine, theirs, others] = [uuids(50, 1), uuids(50, 2), uuids(250, 3)] as const;
const baseline = { ...freshPlace(), pages: 1, passes: 0, news: false };
const idOf = (digest: string): Identity => ({ kind: 'user_id', digest, lasting: true });

interface Given {
	/** What is remembered, by the names of the lists. */
	lists?: Readonly<Record<string, readonly string[]>>;
	/** The present list. */
	present?: string;
	owners?: OwnAccount['owners'];
	identity?: Identity | null;
	/** What the key shows. */
	shown?: readonly string[];
	/** Instead of what each page would say. */
	hasMore?: boolean;
	progress?: Readonly<Record<string, Partial<Progress>>>;
}

async function found({
	lists = { own: mine },
	present = 'own',
	owners = {},
	identity,
	shown = [],
	hasMore,
	progress = {},
}: Given) {
	const offsets: number[] = [];
	const session = {
		settings: {
			...{ scope: 'scope', event: 'newLead', filters: {} },
			list: { rules: newLeads },
		},
		client: {
			page: async (_: string, { offset, limit }: { offset: number; limit: number }) => {
				offsets.push(offset);
				return await Promise.resolve({
					data: shown.slice(offset, offset + limit).map((id) => ({ id })),
					pagination: { limit, offset, has_more: hasMore ?? offset + limit < shown.length },
				});
			},
		},
	} as unknown as PollSession;
	const stored = Object.entries(lists).map(([name, ids]) => [
		`scope.${name}`,
		scannedState(ids, progress[name]).lists['scope.own'],
	]);
	const result = await listByRecords(session, {
		before: { credential: 'c', list: present, owners },
		state: sealWatch({ ...emptyWatch('line'), lists: Object.fromEntries(stored) as never }),
		...{ identity, deadline: Date.now() + 60_000 },
	});
	return { ...result, offsets };
}
const certain = (list: string) => ({ list, isCertain: true, hidden: false });
const guessed = (list: string | undefined, hidden = false) => ({ list, isCertain: false, hidden });

describe('a record that is known', () => {
	it('says it, whichever list that is', async () => {
		const lists = { own: mine, own2: theirs };
		expect(await found({ lists, shown: theirs })).toMatchObject(certain('own2'));
		expect(await found({ lists, shown: [...others, ...mine] })).toMatchObject(guessed(undefined));
		expect(await found({ lists, shown: ['new', ...mine] })).toEqual({
			...certain('own'),
			offsets: [0],
		});
	});

	it('says it of the present list first, and then of the latest one', async () => {
		const lists = { own: mine, own2: mine, own3: mine };
		expect(await found({ lists, shown: mine })).toMatchObject(certain('own'));
		expect(await found({ lists, shown: mine, present: 'own2' })).toMatchObject(certain('own2'));
		const rest = { own2: mine, own3: mine };
		expect(await found({ lists: rest, shown: mine })).toMatchObject(certain('own3'));
	});

	it('may be on the last page of the present list', async () => {
		const shown = [...uuids(150, 4), ...others.slice(150)];
		const lists = { own: others, own2: mine };
		expect(await found({ lists, shown })).toEqual({ ...certain('own'), offsets: [0, 150] });
	});

	it('of a list that belongs to somebody else says nothing', async () => {
		const owners = { own: idOf('a'), own2: null };
		const given = { lists: { own: mine, own2: theirs }, owners, identity: idOf('b') };
		expect(await found({ ...given, shown: mine })).toMatchObject(guessed(undefined));
		expect(await found({ ...given, shown: theirs })).toMatchObject(certain('own2'));
		expect(await found({ ...given, shown: mine, identity: null })).toMatchObject(certain('own'));
	});
});

describe('without a known record', () => {
	it('no list is guessed where records are shown', async () => {
		expect(await found({ shown: theirs })).toEqual({ ...guessed(undefined), offsets: [0] });
		const two = await found({ lists: { own: others }, shown: theirs });
		expect(two).toEqual({ ...guessed(undefined), offsets: [0, 150] });
	});

	it('the present list is guessed where there are none, unless its first scan goes on', async () => {
		const lists = { own: mine, own2: theirs };
		expect(await found({ lists })).toEqual({ ...guessed('own'), offsets: [0] });
		expect(await found({ lists, present: 'own2' })).toMatchObject(guessed('own2'));
		expect(await found({ lists, progress: { own: { baseline } } })).toMatchObject(guessed('own2'));
		expect(await found({ progress: { own: { baseline } } })).toMatchObject(guessed(undefined));
	});

	it('an empty page that announces more may hide some', async () => {
		expect(await found({ hasMore: true })).toMatchObject(guessed(undefined, true));
		const lists = { own: others };
		expect(await found({ lists, hasMore: true })).toEqual({
			...guessed(undefined, true),
			offsets: [0, 150],
		});
		// The second page is empty because the list is shorter, which hides nothing.
		expect(await found({ lists, shown: theirs, hasMore: false })).toMatchObject(guessed(undefined));
	});

	it.each<[string, Given, string | undefined]>([
		['nothing is remembered', { lists: {} }, 'own'],
		['nothing is remembered of the present list', { lists: {}, present: 'own3' }, 'own3'],
		[
			'the only list belongs to somebody else',
			{ owners: { own: idOf('a') }, identity: idOf('b') },
			undefined,
		],
	])('where %s, the present list is guessed, or none', async (_, given, list) => {
		expect(await found({ ...given, shown: mine })).toEqual({ ...guessed(list), offsets: [] });
	});
});
