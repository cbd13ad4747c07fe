/** Up to when a list counts as known completely after a poll, and what is worth storing. */
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import type { Start } from '../../../nodes/LeadGenPublishing/feed/memory/pollMemory';
import type { ReadList } from '../../../nodes/LeadGenPublishing/feed/lists/readLists';
import type { Reports } from '../../../nodes/LeadGenPublishing/feed/reports/reports';
import { settleLists } from '../../../nodes/LeadGenPublishing/feed/lists/settleLists';
import type { World } from '../../../nodes/LeadGenPublishing/feed/world';
import { knownList, newList, NOW, numbered, pageOf, pollList } from '../list/lists';

const SERVED = NOW + 7;
const PAUSE = { since: NOW } as unknown as ReadList['remembered']['pause'];

interface Given {
	readonly list?: ListState;
	/** The records that the service lists. */
	readonly shown?: readonly string[];
	readonly isHeadOnly?: boolean;
	readonly failure?: { readonly error: unknown };
	/** When the time of the poll is over. */
	readonly isSpent?: 'atOnce' | 'afterAPage' | 'never';
	readonly pauses?: readonly [before: boolean, after: boolean];
}

async function settled({
	list = knownList(['a']),
	shown = ['a'],
	isHeadOnly = false,
	isSpent = 'never',
	pauses: [before, after] = [false, false],
	...more
}: Given) {
	let pages = 0;
	const { reading } = await pollList(
		list,
		(request) => {
			pages += 1;
			return { ...pageOf(shown, request), servedAt: SERVED };
		},
		{ isSpent: () => isSpent !== 'never' && (isSpent === 'atOnce' || pages > 0) },
	);
	const failure = more.failure ?? reading.failure;
	const remembered = { list, readAt: 0, pause: before ? PAUSE : undefined };
	const one = { account: 'own', remembered, isHeadOnly, requests: 1 };
	const lists = new Map();
	const learned = settleLists([{ ...one, reading: { ...reading, failure } } as ReadList], {
		world: { list: { maxItems: 1_000, startFrom: undefined } } as unknown as World<unknown>,
		start: { polledAt: NOW } as Start,
		reports: {
			addReading: () => (after ? PAUSE : undefined),
			addList: (_: string, { after }: { after: unknown }) => after,
		} as unknown as Reports,
		...{ lists, now: NOW },
	});
	return { ...learned, kept: lists.get('own') };
}

it.each<[string, Given, number | undefined]>([
	['a list that was read to known records', {}, SERVED],
	['one with new records', { shown: ['b', 'a'] }, SERVED],
	[
		'one whose complete check goes on',
		{ list: knownList(numbered(300)), shown: numbered(300) },
		undefined,
	],
	[
		'one for which there was no time',
		{ list: knownList([]), shown: numbered(300), isSpent: 'afterAPage' },
		undefined,
	],
	[
		'a first reading that goes on, from the time on from which records count',
		{ list: newList(NOW - 5), shown: numbered(300), isSpent: 'afterAPage' },
		NOW - 5,
	],
	['a first reading of one page', { list: newList('unset'), isSpent: 'atOnce' }, SERVED],
])('%s is known up to: %s', async (_, given, expected) => {
	const { known } = await settled(given);
	expect([...known]).toEqual(expected === undefined ? [] : [['own', expected]]);
});

it.each<[string, Given, boolean]>([
	['nothing new', {}, false],
	['a new record', { shown: ['b', 'a'] }, true],
	['the beginning of a pause', { pauses: [false, true] }, true],
	['the end of a pause', { pauses: [true, false] }, true],
	['a pause that goes on', { pauses: [true, true] }, false],
])('is worth storing: %s', async (_, given, expected) => {
	const { hasLearned, kept } = await settled(given);
	expect(hasLearned).toBe(expected);
	expect(kept).toMatchObject({ readAt: NOW, pause: given.pauses?.[1] ? PAUSE : undefined });
});

it('what is found names its account, its record and what was known of it', async () => {
	const { found } = await settled({ shown: ['b', 'a'] });
	expect(found).toEqual([
		expect.objectContaining({ account: 'own', record: { id: 'b' }, previousValue: undefined }),
	]);
});
