/**
 * Services that change, hide or cut the notes in which a Unique Key is kept: how often posts are
 * created, in two runs of 20 rows, in 20 executions of one row, and in a process that begins later.
 */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { loadAnew } from '../../support/loadAnew';
import { ok, pageOf, refused } from '../../support/replies';
import {
	idOf,
	LOST as LOST_RESPONSE,
	scriptedRun,
	tries,
	type Script,
} from '../../run/scriptedRun';

/** How a service treats notes. Each function returns what is stored or shown. */
interface Way {
	readonly stored?: (notes: string) => unknown;
	/** What an answer to a creation shows. By default, what is stored. */
	readonly answered?: (notes: unknown, sent: string) => unknown;
	readonly listed?: (notes: unknown) => unknown;
	readonly read?: (notes: unknown) => unknown;
}

const HIDDEN = undefined;
const hide = (): unknown => HIDDEN;
const cut = (length: number) => (notes: unknown) => String(notes).slice(0, length);
/** A list of a similar service shows no notes. */
const LIKELY: Way = { listed: hide };

/** The rows have notes of 40 characters, and two of them of 200. */
const noteOf = (row: number): string => 'Approved '.repeat(row % 10 === 9 ? 22 : 4);

let accounts = 0;

function service({
	stored = (notes) => notes,
	answered = (notes) => notes,
	listed = (notes) => notes,
	read = (notes) => notes,
}: Way) {
	accounts += 1;
	const apiKey = `NOT_A_REAL_KEY_${accounts}`;
	const posts: JsonRecord[] = [];
	const shown = (post: JsonRecord, notes: unknown) =>
		Object.fromEntries(
			Object.entries({ ...post, notes }).filter(([, value]) => value !== HIDDEN),
		) as JsonRecord;
	let body: JsonRecord = {};
	const script = (keys: readonly string[], more: Partial<Script> = {}): Script => ({
		apiKey,
		parameters: { resource: 'post', operation: 'upsert', status: 'draft' },
		each: {
			uniqueKey: keys,
			text: keys.map((key) => `Text of ${key}`),
			additionalFields: keys.map((_, row) => ({ notes: noteOf(row) })),
		},
		continueOnFail: true,
		onRequest: (http) => {
			body = JSON.parse(String(http.body ?? '{}')) as JsonRecord;
		},
		answer: ({ method, path }) => {
			if (method === 'POST') {
				const sent = String(body.notes);
				const post = { ...body, id: idOf(posts.length + 1), notes: stored(sent) };
				posts.unshift(post);
				return ok(shown(post, answered(post.notes, sent)));
			}
			if (method !== 'GET') return refused(409, 'conflict');
			if (path === '/posts') return pageOf(posts.map((post) => shown(post, listed(post.notes))));
			const one = posts.find(({ id }) => path.endsWith(String(id)));
			return one === undefined ? refused(404, 'not_found') : ok(shown(one, read(one.notes)));
		},
		...more,
	});
	const secondPosts = () => posts.length - new Set(posts.map(({ text }) => text)).size;
	return { posts, script, secondPosts };
}

const codesOf = ({ records }: Awaited<ReturnType<typeof scriptedRun>>) => [
	...new Set(records.flatMap(({ details }) => (details as JsonRecord | undefined)?.code ?? [])),
];

const KEYS = Array.from({ length: 20 }, (_, row) => `row_${row}`);

async function twoRuns(way: Way, keys = KEYS) {
	const { script, posts, secondPosts } = service(way);
	const first = await scriptedRun(script(keys));
	const { length: created } = posts;
	const second = await scriptedRun(script(keys));
	return { created, second: secondPosts(), told: codesOf(first), toldAgain: codesOf(second) };
}

async function twentyExecutions(way: Way): Promise<number> {
	const { script, secondPosts } = service(way);
	const begin = async () => await scriptedRun(script(['row']));
	for (let execution = 0; execution < 10; execution += 1) await begin();
	await Promise.all(Array.from({ length: 10 }, begin));
	return secondPosts();
}

/** A second process, which knows nothing of the first. */
async function inNewProcess(way: Way): Promise<number> {
	const { script, secondPosts } = service(way);
	await scriptedRun(script(KEYS));
	const { executeItems } = loadAnew((module) =>
		module<{ executeItems: NonNullable<Script['execute']> }>(
			'nodes/LeadGenPublishing/run/executeItems',
		),
	);
	await scriptedRun(script(KEYS, { execute: executeItems }));
	return secondPosts();
}

/** Whether keys are recognized, and how many posts a new process creates a second time. */
type Row = readonly [name: string, way: Way, afterRestart: number];

const KEPT: readonly Row[] = [
	['keeps them', {}, 0],
	['does not list them, as the likely one', LIKELY, 0],
	['does not show them in the answer either', { ...LIKELY, answered: hide }, 0],
	[
		'escapes HTML',
		{ stored: (notes) => notes.replace(/[[\]:]/g, (c) => `&#${c.charCodeAt(0)};`) },
		0,
	],
	['escapes HTML twice', { stored: (notes) => notes.replace(/\[/g, '&amp;#091;') }, 0],
	['escapes Markdown', { stored: (notes) => notes.replace(/[[\]_-]/g, '\\$&') }, 0],
	['uses no-break spaces', { stored: (notes) => notes.replace(/ /g, '\u00a0') }, 0],
	['removes spaces after colons', { stored: (notes) => notes.replace(/: /g, ':') }, 0],
	['collapses lines', { stored: (notes) => notes.replace(/\s+/g, ' ') }, 0],
	['wraps lines', { stored: (notes) => notes.replace(/: /g, ':\r\n') }, 0],
	['adds HTML', { stored: (notes) => `<p>${notes.replace('\n', '<br>')}</p>` }, 0],
	['adds invisible characters', { stored: (notes) => notes.replace(/q/g, '\u00adq') }, 0],
	['appends a text of its own', { stored: (notes) => `${notes}\n-- sent by API` }, 0],
	['cuts the notes in lists, without a sign', { listed: cut(30) }, 0],
	['cuts the notes in lists, with an ellipsis', { listed: (notes) => `${cut(20)(notes)}…` }, 0],
	['shows null in lists', { listed: () => null }, 0],
	['shows null in the answer', { answered: () => null }, 0],
];

/** Nothing can be recognized: one post, and one more for each process. */
const LOST: readonly Row[] = [
	['empties them', { stored: () => '' }, 1],
	['empties them, and does not list them', { ...LIKELY, stored: () => '' }, 1],
	[
		'empties them, but repeats them in the answer',
		{ stored: () => '', answered: (_, sent) => sent },
		1,
	],
	['stores null, and shows nothing in the answer', { stored: () => null, answered: hide }, 1],
	['shows them nowhere', { ...LIKELY, answered: hide, read: hide }, 0],
	['shows them only in the answer', { ...LIKELY, read: hide }, 0],
	['changes the name of the marker', { stored: (notes) => notes.replace('unique', 'uniq') }, 1],
	['removes brackets', { stored: (notes) => notes.replace(/[[\]]/g, '') }, 1],
	['writes capitals', { stored: (notes) => notes.toUpperCase() }, 1],
	['cuts them within the key', { stored: cut(50) }, 0],
	['cuts them before the key', { stored: cut(30) }, 1],
];

describe('a service that', () => {
	it.each(KEPT)('%s creates each post once', async (_, way, afterRestart) => {
		expect(await twoRuns(way)).toEqual({ created: 20, second: 0, told: [], toldAgain: [] });
		expect(await twentyExecutions(way)).toBe(0);
		expect(await inNewProcess(way)).toBe(afterRestart);
	});

	it('keeps them creates a post for each of several executions that begin at once', async () => {
		const { script, posts } = service({});
		const rows = KEYS.slice(0, 4);
		const runs = await Promise.all(rows.map(async (row) => await scriptedRun(script([row]))));
		expect(runs.map(codesOf)).toEqual(rows.map(() => []));
		expect(posts).toHaveLength(rows.length);
	});

	it.each(['create', 'upsert'])(
		'empties them does not prove that a post is missing whose response was lost: %s',
		async (operation) => {
			const { script, posts } = service({ stored: () => '' });
			const given = script(['lost', 'next']);
			const isUpsert = operation === 'upsert';
			const { uniqueKey = [], ...each } = given.each ?? {};
			let isFirst = true;
			const { next } = tries({
				...given,
				parameters: { ...given.parameters, operation },
				each: isUpsert
					? { uniqueKey, ...each }
					: { ...each, options: uniqueKey.map((key) => ({ uniqueKey: key })) },
				answer: async (asked) => {
					const answer = (await given.answer?.(asked)) ?? LOST_RESPONSE;
					if (asked.method !== 'POST' || !isFirst) return answer;
					isFirst = false;
					return LOST_RESPONSE;
				},
			});
			expect(codesOf(await next())).toEqual(['upstream_error', 'key_not_kept']);
			const { records, writes } = await next({ after: 600 });
			expect([writes, posts.length]).toEqual([[], 2]);
			expect(records[0]?.message).toMatch(
				/It is not known whether .* was not repeated: The service did/,
			);
		},
	);

	it.each(LOST)('%s gets one post, and the item says so', async (_, way, afterRestart) => {
		const { created, second, told, toldAgain } = await twoRuns(way);
		expect({ created, second, told }).toEqual({ created: 1, second: 0, told: ['key_not_kept'] });
		expect(['key_not_kept', 'not_recognisable']).toContain(toldAgain[0]);
		expect(await twentyExecutions(way)).toBe(0);
		expect(await inNewProcess(way)).toBe(afterRestart);
	});

	it.each(LOST)('%s gets one post, even if the next keys are shorter', async (_, way) => {
		const keys = [100, 20, 3].map((length) => 'x'.repeat(length));
		expect(await twoRuns(way, keys)).toMatchObject({ created: 1, second: 0 });
	});

	it.each([
		['', cut(150)],
		[' and ends them with dots', (notes: string) => `${cut(147)(notes)}...`],
	])('cuts long notes%s still gets the posts with short notes', async (_, stored) => {
		const { script, posts } = service({ stored });
		// The first row has long notes.
		const rows = script(Array.from({ length: 10 }, (_, row) => `row_${row}`).reverse());
		const { additionalFields = [] } = rows.each ?? {};
		const each = { ...rows.each, additionalFields: additionalFields.toReversed() };
		expect(codesOf(await scriptedRun({ ...rows, each }))).toEqual(['key_not_kept']);
		expect(posts).toHaveLength(10);
	});
});
