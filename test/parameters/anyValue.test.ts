/**
 * Whatever an expression gives: a parameter is read as what it clearly means, counts as not given, or
 * is refused by its name. Nothing else happens, not even to other objects.
 */
import * as fc from 'fast-check';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { isRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { entriesOfText } from '../../nodes/LeadGenPublishing/parameters/parse/lists';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { exactJson } from '../support/exactJson';

const NAME = 'keyword';
const valuesOf = (value: unknown) => new Values((name) => (name === NAME ? value : undefined));
const CHOICES = ['own', 'client'] as const;

const READERS = {
	optionalText: (values: Values) => values.optionalText(NAME),
	text: (values: Values) => values.text(NAME),
	uuid: (values: Values) => values.uuid(NAME),
	flag: (values: Values) => values.flag(NAME),
	optionalNumber: (values: Values) => values.optionalNumber(NAME),
	integer: (values: Values) => values.integer(NAME, { min: -5, max: 5 }),
	choice: (values: Values) => values.choice(NAME, CHOICES),
	choiceOr: (values: Values) => values.choiceOr(NAME, CHOICES, 'own'),
	optionalObject: (values: Values) => values.optionalObject(NAME),
	optionalList: (values: Values) => values.optionalList(NAME),
	collection: (values: Values) => values.collection(NAME).names,
} as const;
type Reader = keyof typeof READERS;

const GIVES: Readonly<Record<Reader, (value: unknown) => boolean>> = {
	optionalText: (value) => typeof value === 'string',
	text: (value) => typeof value === 'string' && value !== '',
	uuid: (value) => typeof value === 'string' && /^[\da-f-]{36}$/i.test(value),
	flag: (value) => typeof value === 'boolean',
	optionalNumber: (value) => typeof value === 'number' && Number.isFinite(value),
	integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 5,
	choice: (value) => CHOICES.some((one) => one === value),
	choiceOr: (value) => CHOICES.some((one) => one === value),
	optionalObject: isRecord,
	optionalList: Array.isArray,
	collection: Array.isArray,
};
const READER = fc.constantFrom(...(Object.keys(READERS) as Reader[]));

/** What is given, or the error. */
function read(reader: Reader, value: unknown): { given?: unknown; error?: InputError } {
	try {
		return { given: READERS[reader](valuesOf(value)) };
	} catch (error) {
		if (error instanceof InputError) return { error };
		throw error;
	}
}

const NO_NUMBERS = [Number.NaN, Infinity, -Infinity];
const NOTHING = fc.oneof(
	fc.constantFrom(undefined, null, ...NO_NUMBERS, '', ' ', '\n\t', '\u200b \ufeff'),
	fc.stringMatching(/^[ \n\t\u2060\u00a0]{0,5}$/),
);
const TEXTS = ['true', ' NO ', '0', '1', '[', '{}', '[1]', '"x"', 'null', '1e9', '-0', '0x10', '١'];
const ANYTHING = fc.oneof(
	fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true, withMap: true }),
	fc.json(),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(...TEXTS),
	NOTHING,
);
/** What JSON can hold, with names that objects have already. */
const NAMES = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'a'), fc.string());
const OBJECT = fc
	.uniqueArray(fc.tuple(NAMES, exactJson()), { selector: ([name]) => name, maxLength: 5 })
	.map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as object);

const inherited = (): string => Object.getOwnPropertyNames(Object.prototype).sort().join();
const before = inherited();
afterEach(() => expect(inherited()).toBe(before));

it('any value is what the reader gives, or nothing, or refused by its name', () => {
	fc.assert(
		fc.property(READER, ANYTHING, (reader, value) => {
			const { given, error } = read(reader, value);
			if (error !== undefined) {
				expect(error.message).toMatch(/^The parameter "Keyword" ./);
				expect([error.details.parameter, error.remedy]).toEqual([
					NAME,
					expect.stringMatching(/.\.$/),
				]);
			} else if (given !== undefined) {
				expect([reader, given, GIVES[reader](given)]).toEqual([reader, given, true]);
			}
		}),
		{ numRuns: 1_500 },
	);
});

it('what is nothing is never taken for a value', () => {
	fc.assert(
		fc.property(READER, NOTHING, (reader, value) => {
			const { given, error } = read(reader, value);
			const values = valuesOf(value);
			expect(values.has(NAME)).toBe(false);
			if (error === undefined) {
				const fallbacks = { flag: false, choiceOr: 'own', collection: [] };
				expect(given).toEqual(reader in fallbacks ? fallbacks[reader as 'flag'] : undefined);
			} else expect(['text', 'uuid', 'integer', 'choice']).toContain(reader);
		}),
		{ numRuns: 500 },
	);
});

describe('as text, it means the same', () => {
	const blanks = fc.constantFrom('', ' ', '\n');
	const bothWays = (reader: Reader, value: unknown, text: string) => {
		const [direct, asText] = [read(reader, value), read(reader, text)];
		expect([text, asText.given]).toEqual([text, direct.given]);
		expect(asText.error?.message).toBe(direct.error?.message);
		return direct;
	};

	it('for a number', () => {
		const number = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.integer({ min: -9, max: 9 }),
		);
		fc.assert(
			fc.property(number, blanks, (value, blank) => {
				const text = blank + String(value) + blank;
				expect(bothWays('optionalNumber', value + 0, text).given).toBe(value + 0);
				const isFitting = Number.isInteger(value) && Math.abs(value) <= 5;
				expect(bothWays('integer', value + 0, text).given).toBe(isFitting ? value + 0 : undefined);
			}),
			{ numRuns: 500 },
		);
	});

	it('for a flag', () => {
		fc.assert(
			fc.property(fc.boolean(), fc.array(fc.boolean()), blanks, (value, upper, blank) => {
				for (const word of value ? ['true', 'yes', '1'] : ['false', 'no', '0']) {
					const text = [...word]
						.map((sign, at) => (upper[at] ? sign.toUpperCase() : sign))
						.join('');
					expect(bothWays('flag', value, blank + text + blank).given).toBe(value);
				}
			}),
		);
	});

	it('for an object, whatever its names are', () => {
		fc.assert(
			fc.property(OBJECT, blanks, (value, blank) => {
				const { given } = bothWays('optionalObject', value, blank + JSON.stringify(value) + blank);
				expect(JSON.stringify(given)).toBe(JSON.stringify(value));
				expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
				expect(valuesOf(value).collection(NAME).names).toEqual(Object.keys(value));
			}),
			{ numRuns: 500 },
		);
	});

	it('for a list', () => {
		const entry = fc.oneof(fc.stringMatching(/^[a-m]{4,9}$/), fc.integer(), OBJECT);
		fc.assert(
			fc.property(fc.array(entry), blanks, (value, blank) => {
				const text = blank + JSON.stringify(value) + blank;
				expect(bothWays('optionalList', value, text).given).toEqual(value);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('a list as plain text', () => {
	const word = fc
		.stringMatching(/^[a-z][a-z -]{0,10}[a-z]$/)
		.filter((text) => text !== 'null' && text !== 'undefined');
	const url = fc
		.webUrl({ withQueryParameters: true, withFragments: true })
		.filter((text) => !text.endsWith(','));
	const separated = (separator: string, entries: readonly string[], rest: string) =>
		rest + entries.join(separator) + rest;

	it('has an entry on each line, with any commas in its URLs', () => {
		const lines = fc.array(fc.oneof(word, url, fc.uuid()), { maxLength: 8 });
		fc.assert(
			fc.property(lines, fc.constantFrom('\n', '\r\n', '\n\n', ' \n '), (entries, separator) => {
				expect(entriesOfText(separated(separator, entries, separator))).toEqual(entries);
			}),
			{ numRuns: 300 },
		);
	});

	it('or has entries with commas between them: all of them URLs, or none', () => {
		const lists = fc.oneof(
			fc.tuple(fc.array(fc.oneof(word, fc.uuid())), fc.constantFrom(',', ', ', ' , ', ',,')),
			fc.tuple(fc.array(url), fc.constantFrom(', ', ',, ', ',')),
		);
		fc.assert(
			fc.property(lists, ([entries, separator]) => {
				expect(entriesOfText(separated(separator, entries, ''))).toEqual(entries);
			}),
			{ numRuns: 300 },
		);
	});
});
