/** The marker in the notes of a post, and the posts among which one with a key is looked for. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	markerOf,
	markersIn,
	withMarkers,
	withoutMarkers,
} from '../../nodes/LeadGenPublishing/operations/post/keyMarker';
import { KnownPosts, PostsOfRun } from '../../nodes/LeadGenPublishing/operations/post/knownPosts';
import { differs, hasText, hasTime } from '../../nodes/LeadGenPublishing/operations/post/samePost';

describe('the marker of a key', () => {
	it.each([
		['row-42', '[unique-key: row-42]'],
		['https://x.example/a?b=1&c=~.', '[unique-key: https:%2F%2Fx.example%2Fa%3Fb%3D1%26c%3D~.]'],
		['a@b+c', '[unique-key: a@b+c]'],
		["!'()*]", '[unique-key: %21%27%28%29%2A%5D]'],
		['e\u0301', '[unique-key: %C3%A9]'],
		['a\ud800b', '[unique-key: a%EF%BF%BDb]'],
		['100 %', '[unique-key: 100%20%25]'],
	])('of %j is plain text', (key, marker) => {
		expect(markerOf(key)).toBe(marker);
		expect(markersIn(`Notes ${marker}`)).toEqual([marker]);
	});

	it('is found wherever it stands, with others', () => {
		expect(markersIn('[unique-key: a] x\n[unique-key: b][unique-key: c d] [unique-key:e]')).toEqual(
			[...['[unique-key: a]', '[unique-key: b]']],
		);
		expect([markersIn(null), markersIn(7), markersIn('')]).toEqual([[], [], []]);
	});

	it('stands alone, or on a line of its own behind what the user has written', () => {
		expect(withMarkers(undefined, ['[m]'])).toBe('[m]');
		expect(withMarkers(null, ['[m]', '[n]'])).toBe('[m]\n[n]');
		expect(withMarkers(' \n', ['[m]'])).toBe('[m]');
		expect(withMarkers(' Mine ', ['[m]', '[n]'])).toBe(' Mine \n[m]\n[n]');
	});

	it('takes the place of others, which leave with the line they stand on', () => {
		const old = '[unique-key: old]';
		expect(withMarkers(`Mine\n${old}`, ['[m]'])).toBe('Mine\n[m]');
		expect(withMarkers(old, ['[m]'])).toBe('[m]');
		expect(withoutMarkers(`Mine \r\n\t${old}\nYours ${old}.`)).toBe('Mine\nYours.');
		expect(withoutMarkers(`One\n\n${old}`)).toBe('One\n');
	});
});

describe('two posts', () => {
	const AT = '2030-01-31T09:30:00Z';

	it.each<[string, JsonRecord, JsonRecord, boolean]>([
		['neither is scheduled', {}, {}, true],
		['the same time', { scheduled_at: AT }, { scheduled_at: '2030-01-31T09:30' }, true],
		['less than a minute', { scheduled_at: AT }, { scheduled_at: '2030-01-31T09:29:01Z' }, true],
		['a minute', { scheduled_at: AT }, { scheduled_at: '2030-01-31T09:29:00Z' }, false],
		['one is scheduled', {}, { scheduled_at: AT }, false],
		['the other is', { scheduled_at: AT }, {}, false],
		['one is published since', { status: 'published' }, { scheduled_at: AT }, true],
		['one is being published', { status: 'publishing' }, { scheduled_at: AT }, true],
		['one is still a draft', { status: 'draft' }, { scheduled_at: AT }, false],
		['a time that is none', { scheduled_at: 7 }, { scheduled_at: 7 }, true],
	])('have one time where there is between them: %s', (_, stored, sent, expected) => {
		expect(hasTime(stored, sent)).toBe(expected);
	});

	it('have one text where only line ends, escapes or white space differ', () => {
		expect(hasText({ text: 'a &amp; b\r\n' }, { text: 'a & b' })).toBe(true);
		expect(hasText({}, {})).toBe(true);
		expect(hasText({ text: 'a' }, {})).toBe(false);
		expect(hasText({}, { text: 'a' })).toBe(false);
	});

	it.each<[string, JsonRecord, JsonRecord, boolean]>([
		['the text is another', { text: 'a' }, { text: 'b' }, true],
		['the text is not shown', { text: ' ' }, { text: 'b' }, false],
		['the time is another', { scheduled_at: AT }, { scheduled_at: '2031-01-31T09:30Z' }, true],
		['the time is not shown', { text: 'a' }, { text: 'a', scheduled_at: AT }, false],
		['no time was sent', { text: 'a', scheduled_at: AT }, { text: 'a' }, false],
	])('differ or not where %s', (_, stored, sent, expected) => {
		expect(differs(stored, sent)).toBe(expected);
	});
});

describe('the posts of an account', () => {
	const OWN = 'Approved by everybody who had to be asked about it';
	const sentWith = (key: string, more: JsonRecord = {}): JsonRecord => ({
		...{ text: 'Once upon a time', notes: `${OWN}\n${markerOf(key)}` },
		...more,
	});

	function known(
		listed: readonly JsonRecord[],
		{ details = {}, own = [] as readonly JsonRecord[], run = new PostsOfRun() } = {},
	) {
		const posts = new KnownPosts(run);
		for (const record of listed) posts.add(record, false);
		for (const record of own) posts.add(record, true);
		const reads: string[] = [];
		const read = async (id: string): Promise<JsonRecord | undefined> => {
			reads.push(id);
			return await Promise.resolve((details as Record<string, JsonRecord>)[id]);
		};
		const find = async (key: string, sent = sentWith(key)) => await posts.find(key, { sent, read });
		return { find, reads };
	}
	const marked = (id: string, key: string, more: JsonRecord = {}): JsonRecord => ({
		...{ id, text: 'Once upon a time', notes: `x\n${markerOf(key)}` },
		...more,
	});

	it('have the first with the marker, and tell how many more there are', async () => {
		const all = [marked('1', 'a'), marked('2', 'b'), marked('3', 'a')];
		const { find, reads } = known(all);
		expect(await find('a')).toEqual({ record: all[0], others: 1, differs: false });
		expect(await find('b')).toEqual({ record: all[1], others: 0, differs: false });
		expect(await find('c')).toBeUndefined();
		expect(reads).toEqual([]);
	});

	it('are read where the list shows another text, and only once', async () => {
		const whole = marked('1', 'a', { text: 'Another' });
		const { find, reads } = known([marked('1', 'a', { text: 'Anoth' })], { details: { 1: whole } });
		expect(await find('a')).toEqual({ record: whole, others: 0, differs: true });
		expect(await find('a')).toEqual({ record: whole, others: 0, differs: true });
		expect(reads).toEqual(['1']);
	});

	it('may have several keys in one note', async () => {
		const both = marked('1', 'a', { notes: `${markerOf('a')} ${markerOf('b')}` });
		const { find } = known([both]);
		expect((await find('a'))?.record).toBe(both);
		expect((await find('b'))?.record).toBe(both);
	});

	it('are recognised by text and time where no notes are shown', async () => {
		const plain = (id: string, more: JsonRecord = {}) => ({
			id,
			text: 'Once upon a time',
			...more,
		});
		const details = { 1: plain('1', { scheduled_at: '2030-01-31' }), 2: plain('2'), 3: plain('3') };
		const { find, reads } = known(
			[plain('1'), plain('2'), plain('3'), plain('4', { text: 'Twice' })],
			{
				details,
			},
		);
		expect(await find('a')).toEqual({
			record: details[2],
			others: 1,
			byContent: true,
			differs: false,
		});
		expect(reads).toEqual(['1', '2', '3']);
		// It belongs to that key now.
		expect((await find('b'))?.record).toBe(details[3]);
		expect((await find('a'))?.record).toBe(details[2]);
	});

	it('are not recognised by an empty text', async () => {
		const { find } = known([{ id: '1', text: '' }], { details: { 1: { id: '1', text: '' } } });
		expect(await find('a', sentWith('a', { text: '' }))).toBeUndefined();
	});

	it('are not recognised by their text where the service shows notes, in a list or a read', async () => {
		const plain = { id: '1', text: 'Once upon a time' };
		const other = { id: '2', text: 'Other', notes: 'Other notes' };
		const inList = known([plain, other]);
		expect(await inList.find('a')).toBeUndefined();
		expect(inList.reads).toEqual([]);
		const read = { ...plain, id: '3', notes: 'Other notes' };
		const inRead = known([plain, { ...plain, id: '3' }], { details: { 1: plain, 3: read } });
		expect(await inRead.find('a')).toBeUndefined();
		// What this run has created shows nothing about the others.
		const ownOnly = known([plain], {
			own: [{ id: '9', text: 'x', notes: 'n' }],
			details: { 1: plain },
		});
		expect((await ownOnly.find('a'))?.record).toBe(plain);
	});

	it.each<[string, JsonRecord, boolean]>([
		['cuts the notes', { notes: OWN.slice(0, 20) }, true],
		['cuts the notes, and shows another text', { notes: OWN.slice(0, 20), text: 'Twice' }, true],
		['cuts them visibly', { notes: 'Other notes…' }, true],
		['shows the user’s part alone, and the text', { notes: OWN, text: 'Once upon a time' }, true],
		['shows the user’s part alone, and another text', { notes: OWN, text: 'Twice' }, false],
		['shows other notes', { notes: 'Other notes', text: 'Once upon a time' }, false],
		['shows no notes and cuts the text', { text: 'Once up' }, true],
		['shows no notes and cuts the text visibly', { text: 'Once up…' }, true],
		['shows neither', {}, true],
		['shows no notes and another text', { text: 'Twice' }, false],
		['shows blank notes and the text', { notes: ' ', text: 'Once upon a time' }, true],
	])('are read where the list %s: %p', async (_, listed, isRead) => {
		const whole = marked('1', 'a');
		const { find, reads } = known([{ id: '1', ...listed }], { details: { 1: whole } });
		expect(await find('a')).toEqual(
			isRead ? { record: whole, others: 0, differs: false } : undefined,
		);
		expect(reads).toEqual(isRead ? ['1'] : []);
	});

	it('are recognised where the notes are cut everywhere, but not by the user’s part of them', async () => {
		const cut = { id: '1', text: 'Once upon a time', notes: `${OWN}\n[unique` };
		expect(await known([cut], { details: { 1: cut } }).find('a')).toEqual({
			record: cut,
			others: 0,
			byContent: true,
			differs: false,
		});
		const own = { ...cut, notes: OWN };
		expect(await known([own], { details: { 1: own } }).find('a')).toBeUndefined();
	});

	it('are taken in the order of the list, whatever it shows of them', async () => {
		const plain = (id: string, text = 'Once upon a time') => ({ id, text });
		const details = Object.fromEntries(['1', '2', '3'].map((id) => [id, plain(id)]));
		const { find, reads } = known([plain('1'), plain('2', 'Once…'), { id: '3' }], { details });
		expect(await find('a')).toMatchObject({ record: { id: '1' }, others: 2 });
		expect(reads).toEqual(['1', '2', '3']);
	});

	it('are not read where a marker is shown, or where notes would be', async () => {
		const other = { id: '1', text: 'Once upon a time', notes: `${markerOf('b')} and more…` };
		const { find, reads } = known([other, { id: '2' }, { id: '3', text: 'Once…' }]);
		expect([await find('a'), reads]).toEqual([undefined, []]);
	});

	it('are passed over where they are gone, or belong to another key of the run', async () => {
		const left = { id: '2', text: 'Once upon a time' };
		const gone = known([{ ...left, id: '1' }, left], { details: { 2: left } });
		expect(await gone.find('a')).toMatchObject({ record: left, others: 0 });
		const summary = { id: '1', notes: markerOf('a') };
		const { find } = known([summary, marked('2', 'a', { text: 'Anoth' })], {
			details: { 2: marked('2', 'a') },
		});
		expect(await find('a')).toMatchObject({ record: { id: '2' }, others: 0 });
		const run = new PostsOfRun();
		run.belongsTo({ id: '1' }, 'b');
		run.belongsTo({ id: 7 }, 'b');
		expect([...run.keys]).toEqual([['1', 'b']]);
		const plain = { id: '1', text: 'Once upon a time' };
		const taken = known([plain], { details: { 1: plain }, run });
		expect([await taken.find('a'), taken.reads]).toEqual([undefined, []]);
		expect((await taken.find('b'))?.record).toBe(plain);
	});

	it('need no ID to be recognised, but cannot be read without one', async () => {
		const record = { text: 'Once upon a time' };
		const { find, reads } = known([record]);
		expect((await find('a'))?.record).toBe(record);
		expect(reads).toEqual([]);
	});
});
