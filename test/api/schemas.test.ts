/** What counts as an envelope of part 2.1, and what is read of one that is partly odd. */
import {
	readError,
	readList,
	readSuccess,
	type JsonRecord,
} from '../../nodes/LeadGenPublishing/api/schemas';

const success = { data: { id: '1', unknown_field: [1] }, request_id: 'req_1' };
const pagination = { limit: 50, offset: 0, has_more: false };
const list = { data: [{ id: '1' }, { id: '2' }], pagination, request_id: 'req_1' };
const details = { reason: 'x' };
const error = { error: { code: 'conflict', message: 'No', details }, request_id: 'req_1' };

/** A value of each kind that JSON knows. */
const ANYTHING: Readonly<Record<string, unknown>> = {
	...{ nothing: undefined, null: null, boolean: true, count: 50, negative: -1, fraction: 1.5 },
	...{ inexact: 2 ** 53, text: 'x', empty: '', list: [], records: [{}], mixed: [{}, null] },
	...{ nested: [[]], record: {} },
};
const TEXTS = ['text', 'empty'];

/** The kinds of value for which the envelope can still be read. */
const kindsRead = (read: (value: unknown) => unknown, withValue: (value: unknown) => unknown) =>
	Object.keys(ANYTHING).filter((kind) => read(withValue(ANYTHING[kind])) !== undefined);

it.each<[string, (value: unknown) => unknown, JsonRecord]>([
	['a success', readSuccess, success],
	['a list', readList, list],
	['an error', readError, error],
])('%s is read whole, and nothing else is taken for it', (_, read, sound) => {
	expect(read(sound)).toEqual(sound);
	expect(kindsRead(read, (value) => value)).toEqual([]);
	for (const other of [success, list, error])
		if (other !== sound) expect(read(other)).toBeUndefined();
	// An answer is not lost for an odd request ID.
	for (const request_id of Object.values(ANYTHING))
		expect(read({ ...sound, request_id })).toEqual({
			...sound,
			request_id: typeof request_id === 'string' ? request_id : undefined,
		});
});

it('takes in each place what the document shows there', () => {
	const inPages = (place: string) => (value: unknown) => ({
		...list,
		pagination: { ...pagination, [place]: value },
	});
	const inError = (place: string) => (value: unknown) => ({
		error: { ...error.error, [place]: value },
	});
	expect(kindsRead(readSuccess, (data) => ({ data }))).toEqual(['record']);
	expect(kindsRead(readList, (data) => ({ ...list, data }))).toEqual(['list', 'records']);
	expect(kindsRead(readList, (value) => ({ ...list, pagination: value }))).toEqual([]);
	expect(kindsRead(readList, inPages('limit'))).toEqual(['count']);
	expect(kindsRead(readList, inPages('offset'))).toEqual(['count']);
	expect(kindsRead(readList, inPages('has_more'))).toEqual(['boolean']);
	expect(kindsRead(readError, (value) => ({ error: value }))).toEqual([]);
	expect(kindsRead(readError, inError('code'))).toEqual(TEXTS);
});

it('reads an error whose message or details are odd', () => {
	for (const odd of Object.values(ANYTHING)) {
		const message = typeof odd === 'string' ? odd : '';
		expect(readError({ error: { code: 'x', message: odd } })?.error.message).toBe(message);
		const read = readError({ error: { code: 'x', details: odd } })?.error.details;
		expect(read).toEqual(odd === ANYTHING.record ? {} : undefined);
	}
});

it('passes the records on as they are, not copies of them', () => {
	const data = { id: '1' };
	expect(readList({ data: [data], pagination })?.data[0]).toBe(data);
	expect(readSuccess({ data })?.data).toBe(data);
});
