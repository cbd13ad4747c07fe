/** The content sheet of the run with kills, and the verdict on the posts that came of it. */
import type { Post } from '../../../fake-service';
import { editsIn, EDITS, judgeSheet, sheetOf, withEdits, type SheetRow } from './sheet';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const CLIENTS = Array.from({ length: 50 }, (_, at) => `client-${at}`);
const sheet = sheetOf(CLIENTS, NOW);
const edits = editsIn(sheet, NOW);

describe('the sheet', () => {
	it('has 20 rows for each of 50 clients, each with a name of its own', () => {
		expect(new Set(sheet.map(({ row }) => row)).size).toBe(1_000);
		expect(new Set(sheet.map(({ client }) => client)).size).toBe(50);
	});

	it('is edited in 100 rows, 20 of each kind, and each edit changes its row', () => {
		expect(new Set(edits.map(({ after }) => after.row)).size).toBe(100);
		for (const kind of EDITS) expect(edits.filter(({ edit }) => edit === kind)).toHaveLength(20);
		for (const { before, after } of edits) expect(after).not.toEqual(before);
	});

	it('edits what the name of the edit says', () => {
		const changes = edits.map(({ edit, before, after }) => {
			const changed = (Object.keys(after) as Array<keyof SheetRow>).filter(
				(name) => after[name] !== before[name],
			);
			return `${edit}: ${changed.join()}`;
		});
		expect([...new Set(changes)].sort()).toEqual([
			...['image added: image', 'image removed: image', 'status: status'],
			...['text: text', 'time: time'],
		]);
		const ofStatus = edits.filter(({ edit }) => edit === 'status');
		expect(ofStatus.filter(({ after }) => after.status === 'scheduled').length).toBeGreaterThan(10);
		expect(ofStatus.filter(({ after }) => after.status === 'draft').length).toBeGreaterThan(0);
	});

	it('has no two times of its own for one client, before and after', () => {
		for (const rows of [sheet, withEdits(sheet, edits)]) {
			const times = rows.flatMap(({ client, time }) => (time === null ? [] : [client + time]));
			expect(new Set(times).size).toBe(times.length);
		}
	});
});

describe('the verdict on the posts of a client', () => {
	const rows = sheet.filter(({ client }) => client === CLIENTS[0]).slice(0, 5);
	const SLOT = Date.parse('2026-03-09T09:00:00Z');
	const postOf = ({ row, text, status, time, image }: SheetRow, at: number) =>
		({
			...{ id: row, text, status, notes: `[unique-key: ${row} sent=text:Ab3dE5f7]` },
			scheduled_at: time ?? new Date(SLOT + at * 86_400_000).toISOString(),
			images: image === null ? [] : [`https://files.example.com/1-${image}`],
		}) as Post;
	const good = rows.map(postOf);
	const changed = (at: number, change: Partial<Post>): Post[] =>
		good.map((post, place) => (place === at ? { ...post, ...change } : post));
	const judged = (posts: readonly Post[], kept?: ReadonlySet<string>) =>
		judgeSheet(posts, { rows, gapMinutes: 60, keptScheduled: kept });
	const fine = { missing: [], twice: [], different: [], tooNear: [] };
	const [first = '', second = ''] = rows.map(({ row }) => row);

	it('is good for each row once', () => {
		expect(judged([...good, { ...postOf(rows[1] as SheetRow, 9), notes: null }])).toEqual(fine);
	});

	it.each<[string, Post[], object]>([
		['a row without a post', good.slice(1), { missing: [first] }],
		['two posts of a row', [...good, { ...(good[4] as Post) }], { twice: [rows[4]?.row] }],
		['another text', changed(0, { text: 'Other' }), { different: [`${first}: text`] }],
		['another status', changed(0, { status: 'draft' }), { different: [`${first}: status`] }],
		[
			'another time than the one of its row',
			changed(0, { scheduled_at: '2026-03-10T11:11:00Z' }),
			{ different: [`${first}: time`] },
		],
		['no time', changed(1, { scheduled_at: null }), { different: [`${second}: time`] }],
		['no image', changed(1, { images: [] }), { different: [`${second}: image`] }],
		['an image too many', changed(0, { images: ['x.png'] }), { different: [`${first}: image`] }],
		[
			'the image of before',
			changed(1, { images: ['https://files.example.com/1-old.png'] }),
			{ different: [`${second}: image`] },
		],
		[
			'a time that is near to another one',
			changed(1, { scheduled_at: new Date(SLOT + 2 * 86_400_000 + 60_000).toISOString() }),
			{ tooNear: [second] },
		],
	])('names %s', (_, posts, wrong) => {
		expect(judged(posts)).toEqual({ ...fine, ...wrong });
	});

	it('takes a post that stays scheduled although its row says draft', () => {
		const draft = { ...(rows[0] as SheetRow), status: 'draft' as const };
		const of = (kept: readonly string[]) =>
			judgeSheet(good, {
				...{ rows: [draft, ...rows.slice(1)], gapMinutes: 60 },
				keptScheduled: new Set(kept),
			});
		expect(of([draft.row])).toEqual(fine);
		expect(of([]).different).toEqual([`${draft.row}: status`]);
	});
});
