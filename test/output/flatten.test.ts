/** Flat records: no value is lost, whatever the fields are called, and in the order that is wanted. */
import { flatten, pick, put, withFirst } from '../../nodes/LeadGenPublishing/output/record';

/** With the order of the fields. */
const entries = (record: object): Array<[string, unknown]> => Object.entries(record);

it('names the values of the first objects before those of others', () => {
	const record = { other: { mail: 1, more: 2 }, id: 3, emails: { mail: 4 } };
	const nameOf = (_field: string, inner: string): string => inner;
	expect(entries(flatten(record, { first: ['emails', 'none'], nameOf }))).toEqual([
		['mail', 4],
		['more', 2],
		['other', { mail: 1 }],
		['id', 3],
	]);
	expect(entries(flatten(record, { nameOf }))).toEqual([
		['mail', 1],
		['more', 2],
		['id', 3],
		['emails', { mail: 4 }],
	]);
});

it('leaves out what is put elsewhere, and takes no name that is reserved or of the record itself', () => {
	const record = { a: { b: 1, c: 2, d: 3 }, a_b: 4, gone: { e: 5 }, empty: {}, list: [{ f: 6 }] };
	expect(
		entries(flatten(record, { without: (name) => name === 'gone', reserved: ['a_c'] })),
	).toEqual([
		['a_d', 3],
		['a', { b: 1, c: 2 }],
		['a_b', 4],
		['empty', {}],
		['list', [{ f: 6 }]],
	]);
});

it('puts the fields that are there first, with all others after them', () => {
	const record = { a: 1, b: 2, c: null };
	expect(entries(withFirst(record, ['c', 'none', 'b']))).toEqual([
		['c', null],
		['b', 2],
		['a', 1],
	]);
	expect(entries(pick(record, ['c', 'none', 'a']))).toEqual([
		['c', null],
		['a', 1],
	]);
});

it('keeps a field that is called __proto__', () => {
	const record = JSON.parse('{ "a": { "__proto__": 1 }, "__proto__": { "b": 2 } }') as object;
	const own = { value: 1, enumerable: true, configurable: true, writable: true };
	for (const flat of [
		flatten({ ...record }, { nameOf: (_field, inner) => inner }),
		withFirst({ ...record }, ['__proto__']),
	]) {
		expect(Object.getPrototypeOf(flat)).toBe(Object.prototype);
		expect(JSON.stringify(flat)).toContain('"__proto__"');
	}
	const target = {};
	put(target, '__proto__', 1);
	expect(Object.getOwnPropertyDescriptor(target, '__proto__')).toEqual(own);
});
