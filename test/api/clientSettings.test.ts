/** What a client shares with others of its run, and what its lists are asked for. */
import { Client } from '../../nodes/LeadGenPublishing/api/client';
import { clientParts, type ClientSettings } from '../../nodes/LeadGenPublishing/api/connection';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { scriptedN8n, type Script } from './scriptedN8n';

type Given = Partial<Script>;

const page = (data: unknown[]) => ({
	statusCode: 200,
	body: JSON.stringify({ data, pagination: { limit: 100, offset: 0, has_more: false } }),
});

const n8n = (given: Given) =>
	scriptedN8n({ baseUrl: 'https://settings.example/v1', answer: () => page([]), ...given });

describe('what a client shares', () => {
	const partsOf = async (given: Given = {}, settings: ClientSettings = {}) =>
		await clientParts(n8n(given).functions, settings);

	it('is its gate with all clients of its execution, and of no other', async () => {
		const flow = {};
		const { gate } = await partsOf({ context: { flow, node: {} } });
		expect((await partsOf({ context: { flow } })).gate).toBe(gate);
		expect((await partsOf({ context: { flow: {} } })).gate).not.toBe(gate);
		expect((await partsOf({ context: { flow }, apiKey: 'acme_live_2' })).gate).not.toBe(gate);
		const named = { throttle: { of: {} } };
		const byName = await partsOf({ context: { flow } }, named);
		expect(byName.gate).not.toBe(gate);
		expect((await partsOf({}, named)).gate).toBe(byName.gate);
	});

	it('is no gate where n8n has no context', async () => {
		expect((await partsOf()).gate).not.toBe((await partsOf()).gate);
	});

	it('is not its gate with the storage, which asks to wait for itself', async () => {
		const { gate, storageGate } = await partsOf({ context: { flow: {} } });
		expect(storageGate).not.toBe(gate);
	});

	it('is the clock of the process, by which gates outlive a run', async () => {
		const { clock } = await partsOf();
		expect((await partsOf()).clock).toBe(clock);
		expect((await partsOf({}, { now: () => 0 })).clock).not.toBe(clock);
	});
});

it.each<[string, Given, ClientSettings, string]>([
	['the execution', { executionId: '231' }, {}, 'n8n:231:'],
	['who it is said to be', { executionId: '231' }, { origin: 'poll' }, 'n8n:poll:'],
	['a run without a name', {}, {}, 'n8n:run:'],
])('a request ID begins with %s', async (_, given, settings, beginning) => {
	const { functions, sent } = n8n(given);
	await (await Client.connect(functions, settings)).list('lead.getAll');
	expect(String(sent[0]?.headers?.['X-Request-Id'])).toMatch(new RegExp(`^${beginning}`));
});

describe('a list', () => {
	it('is asked for with its own query beside the place of the page', async () => {
		const { functions, sent } = n8n({});
		const client = await Client.connect(functions);
		await client.list('lead.getAll', { query: { has_email: true }, wanted: 7 });
		expect(sent.map(({ qs }) => qs)).toEqual([{ has_email: true, limit: 7, offset: 0 }]);
	});

	it('of leads shows the word of the network, and no other list does', async () => {
		const answer = () => page([{ id: '1', pronet_profile_url: 'x' }]);
		const { functions } = n8n({ answer, apiKey: 'acme_live_word' });
		const client = await Client.connect(functions);
		await client.list('post.getAll');
		expect(client.networkWord).toBeUndefined();
		await client.list('lead.getAll');
		expect(client.networkWord).toBe('pronet');
	});

	/** Every other answer is a failure, and each pause takes its time. */
	async function troubled(maxWaitMs: number | undefined, settings: ClientSettings = {}) {
		let count = 0;
		let now = 0;
		const { functions, sent } = n8n({
			answer: ({ qs }) => {
				count += 1;
				if (count % 2 === 1) return { statusCode: 500, body: '' };
				const offset = Number(qs?.offset);
				const pagination = { limit: 1, offset, has_more: offset < 9 };
				const data = [{ id: offset }];
				return { statusCode: 200, body: JSON.stringify({ data, pagination }) };
			},
		});
		const client = await Client.connect(functions, {
			...{ now: () => now, random: () => 0, wait: async (ms) => void (now += ms) },
			...settings,
		});
		const options = { maxWaitMs, pageSize: 1, atOnce: 1 };
		const outcome = await client.list('lead.getAll', options).catch((error: unknown) => error);
		return { outcome, now, count: sent.length };
	}

	it('may wait for so long in all, and not for so long on each page', async () => {
		// Ten pauses of 250 ms.
		expect((await troubled(2_501)).outcome).toMatchObject({ records: { length: 10 } });
		const { outcome, now } = await troubled(1_000);
		expect(outcome).toBeInstanceOf(ApiFailure);
		expect(now).toBe(750);
	});

	it('may wait as long as its client may, unless it is told how long', async () => {
		const retry = { maxWaitMs: 1_000 };
		expect((await troubled(undefined, { retry })).outcome).toBeInstanceOf(ApiFailure);
		expect((await troubled(2_501, { retry })).outcome).toMatchObject({ records: { length: 10 } });
		expect((await troubled(undefined)).outcome).toMatchObject({ records: { length: 10 } });
	});
});

it('with a time of its own, a request is sent until that is over, else five times', async () => {
	let now = 0;
	const { functions, sent } = n8n({ answer: () => ({ statusCode: 500, body: '' }) });
	const client = await Client.connect(functions, {
		...{ now: () => now, random: () => 0, wait: async (ms) => void (now += ms) },
		retry: { capMs: 500 },
	});
	const timesWith = async (maxWaitMs?: number) => {
		sent.splice(0);
		await client.call('account.getSubject', { maxWaitMs }).catch(() => undefined);
		return sent.length;
	};
	expect(await timesWith()).toBe(5);
	expect(await timesWith(2_501)).toBe(11);
});

it.each<[string, number[]]>([
	['59.999', [59_999]],
	['60', []],
])(
	'by default it waits for less than a minute: asked for %s s, for %p ms',
	async (asked, waits) => {
		const waited: number[] = [];
		const answer = () => ({ statusCode: 429, body: '', headers: { 'retry-after': asked } });
		const client = await Client.connect(n8n({ answer }).functions, {
			now: () => 0,
			wait: async (ms) => {
				waited.push(ms);
				await Promise.reject(new Error('It is enough to know that it waits'));
			},
		});
		await client.list('lead.getAll').catch(() => undefined);
		expect(waited).toEqual(waits);
	},
);

it('a failure to learn the word of the network does not matter, a fault in the code does', async () => {
	const learn = async (answer: Given['answer']) =>
		await (await Client.connect(n8n({ answer }).functions)).learnNetworkWord();
	await expect(learn(() => ({ statusCode: 404, body: '' }))).resolves.toBeUndefined();
	const fault = () => {
		throw new TypeError('a fault');
	};
	await expect(learn(fault)).rejects.toThrow();
});
