/** The guards of the envelopes beside an independent reading of part 2.1, written with zod. */
import { z } from 'zod';

import {
	readError,
	readList,
	readSuccess,
	type JsonRecord,
} from '../../nodes/LeadGenPublishing/api/schemas';

const record = z.record(z.unknown());
const requestId = z.string().optional().catch(undefined);
const count = z.number().int().nonnegative().safe();
const ENVELOPES = {
	success: z.object({ data: record, request_id: requestId }),
	list: z.object({
		data: z.array(record),
		pagination: z.object({ limit: count, offset: count, has_more: z.boolean() }),
		request_id: requestId,
	}),
	error: z.object({
		error: z.object({
			code: z.string(),
			message: z.string().catch(''),
			details: record.optional().catch(undefined),
		}),
		request_id: requestId,
	}),
};
const READERS = { success: readSuccess, list: readList, error: readError };
const kinds = ['success', 'list', 'error'] as const;

/** Everything that JSON can put in a place, and what only a parser's caller could. */
const ANYTHING: readonly unknown[] = [
	undefined,
	null,
	true,
	false,
	0,
	1,
	50,
	-1,
	1.5,
	Number.NaN,
	Number.POSITIVE_INFINITY,
	2 ** 53,
	'',
	'req_1',
	'50',
	[],
	[{}],
	[{ id: '1' }, null],
	[{ id: '1' }, []],
	[{ id: '1' }, 'x'],
	{},
	{ id: '1', nested: { list: [1] } },
];

const SOUND: Readonly<Record<(typeof kinds)[number], JsonRecord>> = {
	success: { data: { id: '1', unknown_field: [1] }, request_id: 'req_1' },
	list: {
		data: [{ id: '1' }, { id: '2' }],
		pagination: { limit: 50, offset: 0, has_more: false },
		request_id: 'req_1',
	},
	error: {
		error: { code: 'conflict', message: 'No', details: { reason: 'x' } },
		request_id: 'req_1',
	},
};

/** Without the keys whose value is undefined, which JSON does not know. */
const asJson = (value: unknown): unknown =>
	value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

function agree(kind: (typeof kinds)[number], value: unknown): void {
	const expected = ENVELOPES[kind].safeParse(value);
	expect([value, asJson(READERS[kind](value))]).toEqual([
		value,
		expected.success ? asJson(expected.data) : undefined,
	]);
}

describe.each(kinds)('%s', (kind) => {
	it('reads a sound envelope whole', () => {
		expect(READERS[kind](SOUND[kind])).toEqual(SOUND[kind]);
	});

	it('agrees about anything in the place of the envelope', () => {
		for (const value of [...ANYTHING, ...Object.values(SOUND)]) agree(kind, value);
	});

	it('agrees about anything in each place of it, and about each place left out', () => {
		for (const [name, part] of Object.entries(SOUND[kind])) {
			for (const value of ANYTHING) agree(kind, { ...SOUND[kind], [name]: value });
			const { [name]: _left, ...rest } = SOUND[kind];
			agree(kind, rest);
			if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
			for (const inner of Object.keys(part)) {
				for (const value of ANYTHING) {
					agree(kind, { ...SOUND[kind], [name]: { ...part, [inner]: value } });
				}
				const { [inner]: _out, ...left } = part as JsonRecord;
				agree(kind, { ...SOUND[kind], [name]: left });
			}
		}
	});
});

it('passes the records on as they are, not copies of them', () => {
	const data = [{ id: '1' }];
	const pagination = { limit: 1, offset: 0, has_more: true };
	expect(readList({ data, pagination })?.data).toBe(data);
	expect(readSuccess({ data: data[0] })?.data).toBe(data[0]);
});
