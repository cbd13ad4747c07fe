/** Where records show what filters look at: a value, that there is none, or nothing about it. */
import { folded, isSameWord } from '../../nodes/LeadGenPublishing/records/sameWord';
import { isShortened, withoutEllipsis } from '../../nodes/LeadGenPublishing/records/shortened';
import {
	emailsOf,
	hasEmail,
	hasIntent,
	intentOf,
	keywordOf,
	qualificationOf,
	statusOf,
} from '../../nodes/LeadGenPublishing/records/shownFields';

it.each([
	[{}, undefined],
	[{ keyword: 'a' }, 'a'],
	[{ latest_keyword: 'a', keyword: 'b' }, 'a'],
	[{ latest_keyword: null, keyword: 'b' }, 'b'],
	[{ latest_keyword: null }, null],
	[{ latest_keyword: null, keyword: null }, null],
	[{ latest_keyword: '' }, ''],
])('the keyword of %j is %p', (record, keyword) => {
	expect(keywordOf(record)).toBe(keyword);
});

it('intent, qualification and status are shown as they are', () => {
	const record = { has_intent: 'yes', qualification_status: null, status: 7 };
	expect([intentOf(record), qualificationOf(record), statusOf(record)]).toEqual(['yes', null, 7]);
	expect([intentOf({}), qualificationOf({}), statusOf({})]).toEqual([
		...[undefined, undefined, undefined],
	]);
	expect(
		[true, false, 'true', null, undefined].map((shown) => hasIntent({ has_intent: shown })),
	).toEqual([true, false, false, false, false]);
});

it.each<[Record<string, unknown>, emails: unknown]>([
	[{}, null],
	[{ emails: null, email: null }, null],
	[{ emails: [], email: ' ' }, null],
	[{ emails: {}, email: 7 }, null],
	[{ emails: { work: null, home: ' ' } }, null],
	[{ emails: { work: null, home: 'a@b.c' } }, { work: null, home: 'a@b.c' }],
	[{ emails: ['', 'a@b.c'] }, ['', 'a@b.c']],
	[{ emails: 'a@b.c', email: 'x@y.z' }, 'a@b.c'],
	[{ emails: [7], email: 'x@y.z' }, 'x@y.z'],
	[{ email: 'x@y.z' }, 'x@y.z'],
])('the email addresses of %j are %j', (record, emails) => {
	expect(emailsOf(record)).toEqual(emails);
	expect(hasEmail(record)).toBe(emails !== null);
});

it.each([
	['Guide', ' gUIDE ', true],
	['straße', 'STRASSE', true],
	['ΣΟΦΟΣ', 'σοφος', true],
	['e\u0301', '\u00c9', true],
	['\uff21', 'a', true],
	[' é\n', 'É', true],
	['guide', 'guides', false],
	['a b', 'ab', false],
	['é', 'e', false],
])('%j and %j are the same word: %p', (one, other, isSame) => {
	expect([isSameWord(one, other), isSameWord(other, one)]).toEqual([isSame, isSame]);
	expect(folded(one) === folded(other)).toBe(isSame);
});

it('only a text is a word', () => {
	for (const value of [undefined, null, 7, ['7']]) expect(isSameWord(value, '7')).toBe(false);
});

it.each([
	['A text…', 'A text'],
	['A text...', 'A text'],
	['A text […] \n', 'A text '],
	['A text[...]', 'A text'],
])('%j is shortened', (text, shown) => {
	expect(isShortened(text)).toBe(true);
	expect(withoutEllipsis(text)).toBe(shown);
});

it.each(['A text', 'A text..', '… a text', 'a ... text', ''])('%j is not', (text) => {
	expect(isShortened(text)).toBe(false);
	expect(withoutEllipsis(text)).toBe(text);
});

it('only a text is', () => {
	for (const value of [7, null, undefined, ['A text…']]) expect(isShortened(value)).toBe(false);
});
