/** How the body of a response is read: as far as it can be, and never without end. */
import { readResponseBody } from '../../nodes/LeadGenPublishing/api/body';
import { lost } from '../support/replies';

async function* streamOf(...parts: unknown[]) {
	for (const part of parts) {
		await Promise.resolve();
		if (part instanceof Error) throw part;
		yield part;
	}
}
const read = async (body: unknown) =>
	(await readResponseBody({ status: 200, headers: {}, body })).body;

it.each<[what: string, body: () => unknown, expected: object]>([
	[
		'a stream',
		() => streamOf(Buffer.from('{"a"'), Buffer.from(':1}')),
		{ kind: 'json', value: { a: 1 } },
	],
	['an empty stream', () => streamOf(), { kind: 'problem', problem: 'empty' }],
	['a text', () => '{"a":1}', { kind: 'json', value: { a: 1 } }],
	['bytes', () => Buffer.from('[1]'), { kind: 'json', value: [1] }],
	['an object', () => ({ a: 1 }), { kind: 'json', value: { a: 1 } }],
	['null', () => null, { kind: 'problem', problem: 'empty' }],
	['nothing', () => undefined, { kind: 'problem', problem: 'empty' }],
	['damage', () => streamOf(lost('Z_DATA_ERROR')), { kind: 'problem', problem: 'undecodable' }],
	[
		'what no text can hold',
		() => streamOf(lost('ERR_STRING_TOO_LONG')),
		{ kind: 'problem', problem: 'tooLarge' },
	],
])('%s', async (_, body, expected) => {
	expect(await read(body())).toEqual(expected);
});

it('breaks off where the connection does', async () => {
	const reading = read(streamOf(Buffer.from('{'), lost('ECONNRESET')));
	await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('is not read further once it is too large', async () => {
	expect(
		await read(streamOf({ length: 256 * 1024 * 1024 + 1 }, new Error('read too far'))),
	).toEqual({
		...{ kind: 'problem', problem: 'tooLarge' },
	});
});

it('may have records that are nested too deeply only in a list', async () => {
	let deep: unknown = 'end';
	for (let depth = 0; depth < 300; depth += 1) deep = { deep };
	expect(await read({ data: [deep] })).toMatchObject({ kind: 'json' });
	for (const body of [{ data: deep }, { data: [], deep }, [deep]])
		expect(await read(body)).toEqual({ kind: 'problem', problem: 'tooDeep' });
});
