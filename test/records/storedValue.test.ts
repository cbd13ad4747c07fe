/** When a stored value is the one that was sent, and which notes carry a unique key. */
import {
	carriesKey,
	endsInMarker,
	markerFor,
	noteWith,
	readMarkers,
	withMarker,
	writeMarker,
} from '../../nodes/LeadGenPublishing/records/keyMarker';
import {
	isSameValue,
	notShown,
	wholeSecondFrom,
} from '../../nodes/LeadGenPublishing/records/storedValue';
import { identityOf } from '../../nodes/LeadGenPublishing/writes/leadMagnets/magnets';

it.each<[string, unknown, unknown]>([
	['the same text', 'a', 'a'],
	['a text with other line ends and blanks around its lines', ' a \r\nb\rc ', 'a\nb\u00a0\nc\n'],
	['escaped HTML', '"A" & <b>', '&quot;A&#34; &amp;amp; &lt;b&gt;'],
	['HTML, escaped in other ways', "\"'''// -", '&#X22;&apos;&#39;&#x27;&#47;&#x2F;&nbsp;-'],
	['numeric HTML escapes, as PHP writes them', "it's [a]", 'it&#039;s &#x5B;a&#093;'],
	[
		'named HTML escapes',
		'Ä „é“ – 5 €…',
		'&Auml; &bdquo;&eacute;&ldquo; &ndash; 5&nbsp;&euro;&hellip;',
	],
	['collapsed spaces', 'a  b\n   c', 'a b\nc'],
	['collapsed blank lines', 'a\n\n \n\r\n\nb\n\nc', 'a\n\nb\n\nc'],
	['escaped Markdown', '[a] *b* c_d', '\\[a\\] \\*b\\* c\\_d'],
	['a text without its invisible characters', 'a\u200bb\ufeff', 'ab'],
	['composed letters', 'e\u0301', '\u00e9'],
	['the same time in another zone', '2030-01-31T09:30:00Z', '2030-01-31T10:30+01:00'],
	['the same second in another zone', '2030-01-31T09:30:10Z', '2030-01-31T10:30:10+01:00'],
	['a time without its seconds', '2030-01-31T09:30:59.9Z', '2030-01-31T09:30Z'],
	['nothing where nothing was sent', null, ''],
	['an empty list where nothing was sent', null, []],
	['nothing where an empty list was sent', [], null],
	['the same list', ['a', 1], ['a', 1]],
	['a list with more about its entries', [{ a: 1 }], [{ a: 1, id: 'x' }]],
	['a list whose entries became objects', ['https://x/1.png'], [{ id: 1, url: 'https://x/1.png' }]],
	['an object with more in it', { a: { b: 'c' } }, { a: { b: ' c', d: 2 }, e: 3 }],
	['the same number', 0, 0],
	['the same answer', false, false],
])('%s is the same', (_, sent, stored) => {
	expect(isSameValue(stored, sent)).toBe(true);
	expect(notShown({ id: 'x', field: stored }, { field: sent })).toEqual([]);
});

it.each<[string, unknown, unknown]>([
	['another text', 'a', 'b'],
	['a text in another case', 'a', 'A'],
	['a text without its spaces', 'a b', 'ab'],
	['a text with a line more', 'a\nb', 'a\n\nb'],
	['an unknown escape', 'x', '&x;'],
	['a backslash before a letter', 'C:\\new', 'C:new'],
	['another time', '2030-01-31T09:30:00Z', '2030-01-31T09:30:00+01:00'],
	['a later minute', '2030-01-31T09:30:00Z', '2030-01-31T09:31:00Z'],
	['a time with other seconds', '2030-01-31T09:30:10Z', '2030-01-31T09:30:20Z'],
	['a text that is no time', '2030-01-31T09:30:00Z', 'soon'],
	['a text that has a time in it', 'x 2030-01-31T09:30:00Z', 'x 2030-01-31T10:30:00+01:00'],
	['a number where a text was sent', '1', 1],
	['something where nothing was sent', null, 'a'],
	['a full list where nothing was sent', null, ['a']],
	['nothing where a text was sent', 'a', null],
	['no where nothing was sent', null, false],
	['a list with another entry', ['a', 'b'], ['a', 'c']],
	['a shorter list', ['a', 'b'], ['a']],
	['a longer list', ['a'], ['a', 'b']],
	['a text where a list was sent', ['a'], 'a'],
	['an object without a field of it', { a: 1, b: 2 }, { a: 1 }],
	['an object that does not hold the text', ['a'], [{ url: 'b', nested: { url: 'a' } }]],
	['a list where an object was sent', { a: 1 }, [{ a: 1 }]],
	['nothing where an object was sent', { a: 1 }, null],
])('%s is not', (_, sent, stored) => {
	expect(isSameValue(stored, sent)).toBe(false);
	expect(notShown({ field: stored }, { ok: 1, field: sent })).toEqual(['ok', 'field']);
});

it.each<[string, string, boolean]>([
	['scheduled', 'publishing', true],
	['scheduled', 'published', true],
	['published', 'publishing', true],
	['published', 'scheduled', false],
	['draft', 'publishing', false],
	['draft', 'published', false],
])('a post sent as %s may be %s by itself: %p', (sent, stored, expected) => {
	expect(isSameValue(stored, sent, 'status')).toBe(expected);
	// Only its status.
	expect(isSameValue(stored, sent, 'text')).toBe(false);
});

it.each<[unknown, string | undefined]>([
	['2030-01-31T09:30:00Z', '2030-01-31T09:30:00.000Z'],
	['2030-01-31T09:30:00.000000+00:00', '2030-01-31T09:30:00.000Z'],
	['2030-01-31T09:30:00', '2030-01-31T09:30:00.000Z'],
	['2030-01-31T09:30:00.001Z', '2030-01-31T09:30:01.000Z'],
	['2030-01-31T09:30:00.000001Z', '2030-01-31T09:30:01.000Z'],
	['2030-01-31T09:30:59,999999Z', '2030-01-31T09:31:00.000Z'],
	['soon', undefined],
	[1_896_082_200, undefined],
	[null, undefined],
])('the first whole second that is not before %p is %p', (time, expected) => {
	const second = wholeSecondFrom(time);
	expect(second === undefined ? undefined : new Date(second).toISOString()).toBe(expected);
});

it('a keyword is the same in any case, a name is not', () => {
	const guide = { keyword: 'Guide', resource_name: 'The "guide"' };
	expect(identityOf(guide)).toBe(identityOf({ ...guide, keyword: ' GUIDE\n' }));
	expect(identityOf(guide)).toBe(identityOf({ ...guide, resource_name: 'The &quot;guide&quot;' }));
	expect(identityOf(guide)).not.toBe(identityOf({ ...guide, resource_name: 'the "guide"' }));
	for (const part of [{ keyword: 'a' }, { resource_name: 'a' }])
		expect(identityOf(part)).toBeUndefined();
});

describe('the marker of a key', () => {
	it.each([
		['row-42', '[unique-key: row-42]'],
		['https://x.example/a?b=1&c=~.', '[unique-key: https:%2F%2Fx.example%2Fa%3Fb%3D1%26c%3D~.]'],
		['a@b+c', '[unique-key: a@b+c]'],
		["!'()*]", '[unique-key: %21%27%28%29%2A%5D]'],
		['e\u0301', '[unique-key: %C3%A9]'],
		['a\ud800b', '[unique-key: a%EF%BF%BDb]'],
		['100 %', '[unique-key: 100%20%25]'],
	])('of %j is plain text, and found wherever it stands', (key, marker) => {
		expect(writeMarker(markerFor(key))).toBe(marker);
		for (const note of [
			...[marker, `Notes\n${marker}`, `Notes\r\n${marker}\r\n `, `Notes ${marker}`],
			...[`${marker}\nAdded below`, `${marker} approved by Tom`],
		])
			expect(readMarkers(note)).toEqual([markerFor(key)]);
	});

	it.each([
		...['[unique-key: a b]', '[unique key: a]', '[Unique-Key: a]', '[unique-key: a', ''],
		...[null, 7, undefined],
	])('is not found in %j', (note) => {
		expect(readMarkers(note)).toEqual([]);
	});

	const AS_STORED: ReadonlyArray<readonly [string, (note: string) => string]> = [
		[
			'brackets as numbers',
			(note) => note.replace(/[[\]]/g, (char) => `&#0${char.charCodeAt(0)};`),
		],
		['brackets as names, twice', (note) => note.replace(/\[/g, '&amp;amp;lbrack;')],
		['escaped Markdown', (note) => note.replace(/[[\]_-]/g, '\\$&')],
		['no-break spaces', (note) => note.replace(/ /g, '\u00a0')],
		['entities for spaces', (note) => note.replace(/ /g, '&nbsp;')],
		['without spaces', (note) => note.replace(/ /g, '')],
		['more spaces', (note) => note.replace(/ /g, '  ')],
		['lines that were wrapped', (note) => note.replace(/: /g, ':\n')],
		['invisible characters', (note) => note.replace(/u/g, '\u200bu')],
		['HTML', (note) => `<p>${note.replace('[', '<b>[')}</b></p>`],
		['full-width brackets', (note) => note.replace('[', '\uff3b').replace(']', '\uff3d')],
	];

	it.each(AS_STORED)('is found where a service stores %s', (_, stored) => {
		const note = stored('Mine\n[unique-key: row_42]');
		expect(readMarkers(note)).toEqual([markerFor('row_42')]);
		// The user's own text survives, and the marker becomes a plain one.
		expect(readMarkers(withMarker(note, markerFor('row_42')))).toEqual([markerFor('row_42')]);
	});

	it.each(AS_STORED)('cannot be forged with %s', (_, stored) => {
		const own = noteWith(`A comment: ${stored('[unique-key: row-1]')}!`, [markerFor('row-2')]);
		expect(readMarkers(own)).toEqual([markerFor('row-2')]);
		expect(own).toMatch(/^A comment: .*!\n\[unique-key: row-2\]$/s);
	});

	it.each([
		['&#38;#91;unique-key: a]', '&amp;&#35;91;unique-key: a]', '&\u200b#91;unique-key: a]'],
		['[un<b></b>ique-key: a]', '[[unique-key: a]unique-key: a]', '[uni\u00adque-key: a]'],
		['\\[unique-key\\: a\\]', '&\\#91;unique-key: a&#93;', '[unique\\-key\u2060:a]'],
	])('cannot be forged in %j, %j or %j, however the service changes it', (...forged) => {
		for (const note of forged) {
			const own = noteWith(note, []);
			const unescaped = own.replace(/&(?:amp;|#38;)*#(\d+);/g, (_, code: string) =>
				String.fromCodePoint(Number(code)),
			);
			for (const stored of [own, unescaped, own.replace(/[\u200b\u00ad\u2060\\]|<[^>]*>/g, '')])
				expect(readMarkers(stored)).toEqual([]);
		}
	});

	it('may carry further values, which a reader may ignore', () => {
		const marker = { key: 'a', values: { sent: '1f2e', v: '2' } };
		expect(writeMarker(marker)).toBe('[unique-key: a sent=1f2e v=2]');
		expect(readMarkers(`Mine\n${writeMarker(marker)}\nBelow`)).toEqual([marker]);
	});

	it('stands alone, or on a line of its own after what the user has written', () => {
		const marker = markerFor('m');
		for (const none of [undefined, null, '', ' \n'])
			expect(noteWith(none, [marker])).toBe('[unique-key: m]');
		expect(noteWith(' Mine ', [marker])).toBe(' Mine \n[unique-key: m]');
		expect(noteWith(' Mine ', [])).toBe(' Mine ');
	});

	it.each([
		['Mine\n[unique-key: a]', 'Mine\n[unique-key: a]'],
		['Mine\r\n[unique-key: a]\n', 'Mine\n[unique-key: a]'],
		['[unique-key: a]', '[unique-key: a]'],
		['Mine\n[unique-key: a]\nAdded below', 'Mine\nAdded below\n[unique-key: a]'],
		['[unique-key: a] approved', ' approved\n[unique-key: a]'],
	])('stays one where the notes %j carry it already', (note, expected) => {
		expect(noteWith(note, [markerFor('a')])).toBe(expected);
	});

	it.each([
		['Mine\n[unique-key: b]', 'Mine\n(unique-key: b)'],
		['[unique-key: b]', '(unique-key: b)'],
		['[ Unique-Key : b] and [unique-key: c', '( Unique-Key : b) and (unique-key: c'],
		['[unique-key: [unique-key: b]', '(unique-key: (unique-key: b)'],
		['[unique-key: a sent=1]\n', '(unique-key: a sent=1)\n'],
		['[x] [unique] key', '[x] [unique] key'],
	])('that is not its own is written in another way: %j', (note, expected) => {
		expect(noteWith(note, [])).toBe(expected);
		expect(readMarkers(noteWith(note, []))).toEqual([]);
		expect(noteWith(note, [markerFor('z')])).toBe(`${expected}\n[unique-key: z]`);
	});

	it('is replaced where it stands, and others stay', () => {
		const note = 'Mine\n[unique-key: a sent=1]\n[unique-key: b]\nBelow [unique-key: a]';
		const marker = { key: 'a', values: { sent: '2' } };
		expect(withMarker(note, marker)).toBe(
			'Mine\n[unique-key: a sent=2]\n[unique-key: b]\nBelow [unique-key: a sent=2]',
		);
		expect(withMarker(note, { ...marker, key: 'c' })).toBe(note);
	});

	it('is that of a key by all of it', () => {
		const note = `Mine ${writeMarker(markerFor('row 1'))} [unique-key: b sent=1]`;
		expect(['row 1', 'b', 'row', 'row 11', 'sent=1'].map((key) => carriesKey(note, key))).toEqual([
			...[true, true, false, false, false],
		]);
		expect(carriesKey(undefined, 'b')).toBe(false);
	});

	it.each([
		['Mine\n[unique-key: a', true],
		['[unique-key: ', true],
		['Mine\n[unique-key: a]', false],
		['[unique-key: a\nBelow', false],
		['[unique-key', false],
		['', false],
	])('is cut off at the end of %j: %p', (note, expected) => {
		expect(endsInMarker(note)).toBe(expected);
	});
});
