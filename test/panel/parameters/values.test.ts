/** How a single parameter is read, and what the error about it says. */
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { Values } from '../../../nodes/LeadGenPublishing/panel/parameters/values';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const valuesOf = (record: Record<string, unknown>, group?: string, stored = record) =>
	new Values((name) => record[name], {
		...(group !== undefined && { group: () => group }),
		getStored: (name) => stored[name],
	});

function errorOf(read: () => unknown): InputError {
	try {
		read();
	} catch (error) {
		if (error instanceof InputError) return error;
	}
	throw new Error('No InputError');
}

describe('an error', () => {
	it('names the parameter, and says what to do if nothing else is said', () => {
		const error = valuesOf({}).fail('text', 'is odd');
		expect([error.message, error.remedy, error.details]).toEqual([
			'The parameter "Text" is odd',
			'Correct "Text" and run the node again. Nothing was sent for this item.',
			{ parameter: 'text' },
		]);
	});

	it('names the groups around it', () => {
		const inner = valuesOf({ cta: { values: { ctaUrl: {} } } }, 'Fields').collection(
			'cta',
			'values',
		);
		const error = errorOf(() => inner.text('ctaUrl'));
		expect(error.message).toBe(
			'The parameter "Fields > CTA > CTA URL" must be text, not an object or a list',
		);
		expect(error.remedy).toContain('Correct "Fields > CTA > CTA URL" and run');
		expect(inner.fail('ctaUrl', 'is odd', 'Mend it.').remedy).toBe('Mend it.');
	});

	const BOUNDS = { min: 2, max: 5 };

	it.each<[string, (values: Values) => unknown, value: unknown]>([
		['text', (v) => v.text('text'), ' '],
		['a number', (v) => v.optionalNumber('text'), 'x'],
		['a minimum', (v) => v.integer('text', { min: 2 }), ''],
		['bounds', (v) => v.integer('text', BOUNDS), null],
		['a low number', (v) => v.integer('text', { min: 2 }), 1],
		['a high number', (v) => v.integer('text', BOUNDS), 6],
		['a choice', (v) => v.choice('text', ['a', 'b']), 'c'],
		['a flag', (v) => v.flag('text'), 'maybe'],
		['an object', (v) => v.optionalObject('text'), '[1]'],
		['an object that is a date', (v) => v.optionalObject('text'), new Date(0)],
		['JSON', (v) => v.json('text'), '{a: 1}'],
		['an ID', (v) => v.uuid('text'), 'x'],
		['a record', (v) => v.uuid('postId'), 'x'],
		['an address', (v) => v.uuid('postId'), 'https://x.example/posts/1'],
	])('about %s says what to do', (_, read, value) => {
		const error = errorOf(() => read(valuesOf({ text: value, postId: value })));
		expect(`${error.message}. ${error.remedy}`).toMatchSnapshot();
	});
});

describe('a value', () => {
	it.each<readonly [string, (values: Values) => unknown, unknown, unknown]>([
		['a number as text', (v) => v.text('a'), 5, '5'],
		['false as text', (v) => v.text('a'), false, 'false'],
		['text as it is', (v) => v.text('a'), ' x ', ' x '],
		['the smallest number', (v) => v.integer('a', { min: 2, max: 5 }), 2, 2],
		['the largest number', (v) => v.integer('a', { min: 2, max: 5 }), '5 ', 5],
		['a number without a maximum', (v) => v.integer('a', { min: 2 }), 1e9, 1e9],
		['what is assumed', (v) => v.flag('a', true), '', true],
		...[true, 'true', ' Yes\n', 'YES', '1', 1].map(
			(yes) => ['yes', (v: Values) => v.flag('a'), yes, true] as const,
		),
		...[false, 'FALSE', ' no ', '0', 0].map(
			(no) => ['no', (v: Values) => v.flag('a', true), no, false] as const,
		),
		...['5', ' 5e0 ', '0x5'].map(
			(five) => ['a number in text', (v: Values) => v.optionalNumber('a'), five, 5] as const,
		),
		['another choice than the assumed one', (v) => v.choiceOr('a', ['x', 'y'], 'x'), 'y', 'y'],
		['a choice with blanks around it', (v) => v.choice('a', ['x', 'y']), ' y\n', 'y'],
		['a choice in another case', (v) => v.choice('a', ['draft', 'nextFreeSlot']), 'Draft', 'draft'],
		['JSON that says null', (v) => v.json('a'), ' null ', null],
		['JSON with a date in it', (v) => v.json('a'), { at: new Date(0) }, { at: new Date(0) }],
		['an object that says null', (v) => v.optionalObject('a'), 'null', undefined],
		['an ID with blanks around it', (v) => v.uuid('a'), ` ${ID}\n`, ID],
		['what is there', (v) => v.has('a'), 0, true],
	])('is read: %s', (_, read, value, expected) => {
		expect(read(valuesOf({ a: value }))).toEqual(expected);
	});

	it.each<[unknown]>([[true], [false], [[5]], [new Date(0)]])(
		'is no number if it is only like one: %p',
		(value) => {
			expect(() => valuesOf({ a: value }).optionalNumber('a')).toThrow('must be a number');
		},
	);

	it.each(['{"__proto__": {"a": 1}, "constructor": 2}', ' {"toString": [null]}\n'])(
		'is an object whatever its names are, and no other one: %s',
		(text) => {
			const inherited = Object.getOwnPropertyNames(Object.prototype);
			const given = valuesOf({ a: text }).optionalObject('a');
			expect(JSON.stringify(given)).toBe(JSON.stringify(JSON.parse(text)));
			expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
			const names = valuesOf({ a: JSON.parse(text) as object }).collection('a').names;
			expect(names).toEqual(Object.keys(given ?? {}));
			expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
		},
	);

	it.each(['', ' ', '\n\t', '\u200b \ufeff', '\u2060\u00a0', null, undefined, NaN, Infinity])(
		'is nothing if it is %j',
		(nothing) => {
			const values = valuesOf({ a: nothing });
			const read = [values.optionalText('a'), values.optionalNumber('a'), values.optionalList('a')];
			expect([...read, values.optionalObject('a')]).toEqual(Array(4).fill(undefined));
			expect([values.has('a'), values.flag('a'), values.collection('a').names]).toEqual([
				...[false, false, []],
			]);
			for (const required of [() => values.text('a'), () => values.integer('a', { min: 0 })])
				expect(required).toThrow('"A" is empty');
		},
	);

	it('is not to be chosen from a list that an option does not have', () => {
		const options = valuesOf({ options: { clientId: 'Ada' } }).collection('options');
		expect(errorOf(() => options.uuid('clientId')).remedy).toMatch(
			/^Enter an ID such as .* Client > Get Many returns it as user_id\.$/,
		);
	});

	it('is taken for an address only where it may be one', () => {
		const address = `https://x.example/posts/${ID}`;
		expect(valuesOf({ postId: address }).uuid('postId')).toBe(ID);
		expect(() => valuesOf({ workspaceId: address }).uuid('workspaceId')).toThrow('is not an ID');
	});
});

describe('a date of n8n within JSON', () => {
	const date = { __n8nType: 'DateTime', __isoString: '2030-01-31T09:30:00.000Z', __zone: 'UTC' };
	const read = (value: unknown) => valuesOf({ a: value }).json('a');

	it('is its text, on every level', () => {
		const text = date.__isoString;
		expect(read({ at: date, list: [date, 1], deep: { at: date } })).toStrictEqual({
			...{ at: text, list: [text, 1], deep: { at: text } },
		});
		expect(read(date)).toBe(text);
	});

	it('stays as it is in a collection, where the reader of a date refuses it', () => {
		const invalid = { __n8nType: 'DateTime', __invalidReason: 'unparsable' };
		expect(
			valuesOf({ a: { at: invalid, n: NaN } })
				.collection('a')
				.raw('at'),
		).toEqual(invalid);
	});

	it('is not what only looks like one, and other dates stay as they are', () => {
		const other = { ...date, __n8nType: 'Duration' };
		expect(read({ at: other, on: null })).toStrictEqual({ at: other, on: null });
		const own = { toJSON: () => 'x' };
		expect((read({ own }) as { own: unknown }).own).toBe(own);
	});
});

describe('what JSON would change', () => {
	const read = (value: unknown) => errorOf(() => valuesOf({ body: value }).json('body'));
	const invalid = { __n8nType: 'DateTime', __invalidReason: 'unparsable' };

	it.each([
		[{ at: new Date(NaN) }, 'at'],
		[{ list: [0, { at: NaN }] }, 'list[1].at'],
		[[Infinity], '[0]'],
		[{ at: invalid }, 'at'],
		[{ at: { __n8nType: 'DateTime', __isoString: 7 } }, 'at'],
		[{ at: { isLuxonDateTime: true, toJSON: () => null } }, 'at'],
		['{"n": 1e999}', 'n'],
	])('into null is refused: %j', (value, path) => {
		const { message, remedy } = read(value);
		expect(message).toBe('The parameter "Body" contains a date or a number that is not valid');
		expect(remedy).toBe(`Check what its expression returns for "${path}", or leave that out.`);
	});

	it('is refused where it stands alone', () => {
		expect(read(new Date(NaN)).remedy).toBe('Check what its expression returns.');
	});

	it.each(['{"id":7123456789012345678}', { list: [{ id: -(2 ** 53) }] }])(
		'into another number is refused: %j',
		(value) => {
			const { message, remedy } = read(value);
			expect(message).toBe(
				'The parameter "Body" contains a whole number that is too long to be sent exactly',
			);
			expect(remedy).toBe('Write it in quotes.');
		},
	);

	it('is refused in the entries of a list, where nothing at all is dropped', () => {
		const list = (value: unknown) => valuesOf({ images: value }).optionalList('images');
		expect(() => list([new Date(NaN)])).toThrow('not valid');
		expect(() => list('[7123456789012345678]')).toThrow('too long');
		expect(list(['a', NaN, null])).toEqual(['a']);
	});

	it('is nothing else', () => {
		// A date of Luxon holds more than what it writes.
		const own = { toJSON: () => 'x', inner: NaN };
		const value = { own, nothing: null, none: undefined, big: 2 ** 53 - 1, part: 0.5 };
		expect(valuesOf({ a: value }).json('a')).toEqual(value);
	});
});

describe('what the workflow stores', () => {
	const stored = { a: '={{ 1 }}', b: 'x =', c: 5, list: ['x', '={{ [] }}'] };
	const values = valuesOf({ a: undefined, b: 'x =', c: 5, d: 1 }, undefined, stored);

	it('is there, whatever its expression gives', () => {
		expect(['a', 'b', 'd', 'e'].filter((name) => values.isStored(name))).toEqual(['a', 'b']);
		expect([values.raw('a'), values.raw('d')]).toEqual([undefined, 1]);
	});

	it('is an expression if it is a text that begins with "="', () => {
		expect(['a', 'b', 'c', 'e'].filter((name) => values.isExpression(name))).toEqual(['a']);
		expect(new Values(() => '=x').isExpression('a')).toBe(true);
	});

	it('in a collection is read once for all who ask for it, and for each group of its own', () => {
		let times = 0;
		const input = new Values(() => {
			times += 1;
			return { one: { a: 1 }, other: { a: 2 } };
		});
		const read = (inner: string) => input.collection('a', inner).raw('a');
		expect(['one', 'one', 'other', 'one'].map(read)).toEqual([1, 1, 2, 1]);
		// Whatever is stored is read as well.
		expect(times).toBe(4);
	});

	it('is told for each part of a collection', () => {
		const given = { options: { a: undefined, b: 1 } };
		const group = valuesOf(given, undefined, { options: { a: '={{ x }}' } }).collection('options');
		expect([group.isStored('a'), group.isStored('b'), group.names]).toEqual([
			true,
			false,
			['a', 'b'],
		]);
		// Where all of it is one expression, what that gives counts as stored, and nothing as its result.
		const whole = valuesOf(given, undefined, { options: '={{ x }}' }).collection('options');
		expect(['a', 'b', 'c'].filter((name) => whole.isStored(name))).toEqual(['a', 'b']);
		expect(['a', 'b', 'c'].filter((name) => whole.isExpression(name))).toEqual(['a']);
	});

	it('is told for each part of a group in a collection', () => {
		const given = { cta: { values: { a: 1 }, other: { b: 1 } } };
		const group = (cta: unknown) => valuesOf(given, undefined, { cta }).collection('cta', 'values');
		const inner = group({ values: { a: '={{ x }}' } });
		expect([inner.raw('a'), inner.isExpression('a'), inner.names]).toEqual([1, true, ['a']]);
		expect(group('={{ x }}').isStored('a')).toBe(true);
		for (const none of [{ cta: { values: [] } }, {}])
			expect(valuesOf(none).collection('cta', 'values').names).toEqual([]);
	});
});

describe('a list in the form', () => {
	const listed = (value: unknown, stored: unknown) =>
		valuesOf({ images: value }, undefined, { images: stored }).optionalList('images');

	it('may have expressions that give lists among its entries', () => {
		const given = ['a', ['b', 'c'], 'd, e', undefined];
		expect(listed(given, ['a', '=1', 'd, e', '=2'])).toEqual([...'abcde']);
	});

	it('is empty only if one of its entries was given empty and none is filled', () => {
		expect(listed([[]], ['={{ [] }}'])).toEqual([]);
		expect(listed([], [])).toEqual([]);
		expect(listed(['', []], ['', '={{ [] }}'])).toBeUndefined();
		expect(listed(['a', ''], ['a', ''])).toEqual(['a']);
	});

	it('keeps its entries as they are where an expression gives all of it', () => {
		expect(listed([['a'], 'b, c'], '={{ x }}')).toEqual([['a'], 'b, c']);
	});
});

describe('a row of several', () => {
	const rowsOf = (given: unknown, stored: unknown = given) =>
		valuesOf({ list: given }, undefined, { list: stored }).rows('list', {
			inner: 'one',
			label: 'Row',
		});

	it('has its own values, and what is stored for it', () => {
		const given = { one: [{ a: 1 }, { a: undefined, b: 2 }] };
		const stored = { one: [{ a: '={{ 1 }}' }, { a: '={{ x }}', b: 2 }] };
		const rows = rowsOf(given, stored);
		expect(rows.map((row) => [row.raw('a'), row.isExpression('a'), row.isExpression('b')])).toEqual(
			[
				[1, true, false],
				[undefined, true, false],
			],
		);
	});

	it('may stand alone, and there may be none', () => {
		const [row, ...others] = rowsOf({ one: { a: 1 } }, { one: { a: '={{ 1 }}' } });
		expect([row?.raw('a'), row?.isExpression('a'), others]).toEqual([1, true, []]);
		for (const none of [undefined, {}, { one: [] }, { other: [{}] }])
			expect(rowsOf(none)).toEqual([]);
	});

	it('is empty by the expression that gives all of them', () => {
		for (const stored of ['={{ $json.rows }}', { one: '={{ $json.rows }}' }]) {
			const [row] = rowsOf({ one: [{ a: '', b: 2 }] }, stored);
			expect(['a', 'b', 'c'].filter((name) => row?.isStored(name))).toEqual(['a', 'b']);
			expect(row?.isExpression('b')).toBe(false);
		}
		expect(rowsOf({ one: [{ a: '' }] }, '={{ $json.rows }}')[0]?.isExpression('a')).toBe(true);
	});

	it('is called by its number if there are others', () => {
		const message = (given: object, place: number) =>
			rowsOf(given)[place]?.fail('a', 'is odd').message;
		expect(message({ one: [{}, {}] }, 1)).toBe('The parameter "List > Row 2 > A" is odd');
		expect(message({ one: [{}] }, 0)).toBe('The parameter "List > A" is odd');
		expect(() => rowsOf({ one: [{}, 5] })).toThrow(
			'"List" has an entry in "one" that is not a JSON object',
		);
	});
});
