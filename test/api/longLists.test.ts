/** What the process remembers of a list: whether it was long when it was last read. */
import { setTimeout as pause } from 'node:timers/promises';

import { Client } from '../../nodes/LeadGenPublishing/api/client';
import { scriptedN8n } from './scriptedN8n';

type Options = Parameters<Client['list']>[1] & {
	apiKey?: string;
	name?: 'lead.getAll' | 'post.getAll';
};

const PAGE = 100;
/** In ms. Where nothing was asked for so long, three times in a row, nothing more is asked. */
const QUIET = 20;

let addresses = 0;
const newAddress = (): string => `https://lists-${(addresses += 1)}.example/v1`;

/** Reads leads of an account that has so many; tells how many pages are asked behind the first one. */
async function read(
	total: number,
	{
		baseUrl,
		apiKey = 'acme_live_1',
		name = 'lead.getAll',
		...options
	}: Options & { baseUrl: string },
): Promise<{ records: number; behindFirst: number }> {
	let goOn = (): void => undefined;
	const held = new Promise<void>((resolve) => {
		goOn = resolve;
	});
	const { functions, sent } = scriptedN8n({
		...{ baseUrl, apiKey },
		answer: async ({ qs }) => {
			const offset = Number(qs?.offset);
			if (offset > 0) await held;
			const data = Array.from(
				{ length: Math.max(0, Math.min(PAGE, total - offset)) },
				(_, index) => ({
					id: `lead-${offset + index}`,
				}),
			);
			const pagination = { limit: PAGE, offset, has_more: offset + PAGE < total };
			return { statusCode: 200, body: JSON.stringify({ data, pagination, request_id: 'r' }) };
		},
	});
	const client = await Client.connect(functions);
	const reading = client.list(name, options);
	for (let quiet = 0, before = 0; quiet < 3; before = sent.length) {
		await pause(QUIET);
		quiet = sent.length > 1 && sent.length === before ? quiet + 1 : 0;
	}
	const behindFirst = sent.length - 1;
	goOn();
	return { records: (await reading).records.length, behindFirst };
}

/** Two pages at a time until a list is known to be long; then eight. */
const SHORT = 2;
const LONG = 8;

it('reads a list as long that was long when it was last read', async () => {
	const baseUrl = newAddress();
	expect(await read(1_250, { baseUrl })).toEqual({ records: 1_250, behindFirst: SHORT });
	expect(await read(1_250, { baseUrl })).toEqual({ records: 1_250, behindFirst: LONG });
});

it.each([
	[1_000, SHORT],
	[1_001, LONG],
])('calls one of %i records so that its second page comes with %i', async (total, behindFirst) => {
	const baseUrl = newAddress();
	await read(total, { baseUrl });
	expect((await read(total, { baseUrl })).behindFirst).toBe(behindFirst);
});

it('reads a list as short that was short when it was last read', async () => {
	const baseUrl = newAddress();
	await read(1_250, { baseUrl });
	await read(900, { baseUrl });
	expect((await read(900, { baseUrl })).behindFirst).toBe(SHORT);
});

it('takes a part of a list for no short list, and a long part for a long list', async () => {
	const baseUrl = newAddress();
	await read(1_500, { baseUrl, wanted: 1_200 });
	expect((await read(1_500, { baseUrl, wanted: 900 })).behindFirst).toBe(LONG);
	expect((await read(1_500, { baseUrl })).behindFirst).toBe(LONG);
});

describe('remembers apart', () => {
	const client = (clientId: string) => ({ account: { kind: 'client', clientId } as const });

	it.each<[string, Options]>([
		['another key', { apiKey: 'acme_live_2' }],
		['a client', client('one')],
		['other filters', { query: { has_email: true } }],
		['another list', { name: 'post.getAll' }],
		['a list of another record', { params: { id: 'another' } }],
	])('%s', async (_, other) => {
		const baseUrl = newAddress();
		await read(1_250, { baseUrl });
		expect((await read(1_250, { baseUrl, ...other })).behindFirst).toBe(SHORT);
		expect((await read(1_250, { baseUrl, ...other })).behindFirst).toBe(LONG);
	});

	it('another address', async () => {
		await read(1_250, { baseUrl: newAddress() });
		expect((await read(1_250, { baseUrl: newAddress() })).behindFirst).toBe(SHORT);
	});
});

it('never has more pages under way than it may', async () => {
	const baseUrl = newAddress();
	await read(1_250, { baseUrl });
	expect((await read(1_250, { baseUrl, atOnce: 2 })).behindFirst).toBe(2);
});
