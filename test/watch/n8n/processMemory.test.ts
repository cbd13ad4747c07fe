import type { IPollFunctions } from 'n8n-workflow';

import {
	activationFailed,
	budgetOf,
	credentialDigest,
	isActivation,
	isDurable,
	isUnattended,
	processMemory,
} from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';

const of = (node: string, workflow = 'w') =>
	processMemory({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
	} as unknown as IPollFunctions);

test('what a process remembers of a trigger leaves when it was used longest ago', () => {
	const kept = of('kept');
	const unused = of('unused');
	for (let other = 0; other < 1_500; other++) {
		of(`other-${other}`);
		expect(of('kept')).toBe(kept);
	}
	expect(of('unused')).not.toBe(unused);
});

test('as many triggers are remembered as are said to be, and each is one of a workflow', () => {
	const first = of('first', 'many');
	for (let other = 0; other < 999; other++) of(`n-${other}`, 'many');
	expect(of('first', 'many')).toBe(first);
	of('one too many', 'many');
	of('two too many', 'many');
	expect(of('first', 'many')).toBe(first);
	expect(of('first', 'another workflow')).not.toBe(first);
});

test('a trigger without a workflow is one of its own, and begins with nothing', () => {
	const of = (workflow?: string, node = 'alone') =>
		processMemory({
			getWorkflow: () => ({ id: workflow }),
			getNode: () => ({ id: node }),
		} as unknown as IPollFunctions);
	expect(of()).toBe(of(''));
	expect(of('w')).not.toBe(of());
	expect(of()).toEqual({
		id: expect.stringMatching(/^[\da-f]{8}$/) as unknown,
		...{ name: undefined, formerNames: new Set() },
		memory: { occupation: { kind: 'free' }, lastPollId: 0 },
		contexts: expect.any(WeakSet) as unknown,
		...{ polled: false, canDetectActivation: false, throttle: {} },
		...{ reported: new Set(), clients: new Map() },
	});
	expect(of(undefined, 'another').id).not.toBe(of().id);
});

const named = (id: string, name: string) =>
	processMemory({
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id, name }),
	} as unknown as IPollFunctions);

test('a trigger that is renamed goes on with what it remembers', () => {
	const before = named('renamed', 'Leads');
	expect(named('renamed', 'New leads')).toBe(before);
	expect(named('renamed', 'Newest leads')).toBe(before);
	expect(named('renamed', 'Newest leads')).toBe(before);
});

test('two triggers that have the same ID remember nothing of each other once both have polled twice', () => {
	named('same', 'New leads');
	const activity = named('same', 'New activity');
	const leads = named('same', 'New leads');
	expect(leads).not.toBe(activity);
	for (let poll = 0; poll < 3; poll++) {
		expect(named('same', 'New activity')).toBe(activity);
		expect(named('same', 'New leads')).toBe(leads);
	}
});

const context = (budgetMs?: number) =>
	({ getPollBudgetMs: budgetMs === undefined ? undefined : () => budgetMs }) as IPollFunctions;
let triggers = 0;
const memory = () => of(`activation-${(triggers += 1)}`);

describe('a poll that publishes the workflow', () => {
	const is = isActivation;

	test('is the first one of a process, and not what follows in the same context', () => {
		const [remembered, first] = [memory(), context()];
		expect([is(first, remembered), is(first, remembered)]).toEqual([true, false]);
	});

	test('is each one in a new context, once contexts are known to be used again', () => {
		const [remembered, first] = [memory(), context()];
		expect([is(first, remembered), is(first, remembered)]).toEqual([true, false]);
		const second = context();
		expect([is(second, remembered), is(second, remembered)]).toEqual([true, false]);
	});

	test('is not known from a new context alone: each poll may have one of its own', () => {
		const remembered = memory();
		expect([0, 1, 2].map(() => is(context(), remembered))).toEqual([true, false, false]);
	});

	test('is none of the durable scheduler, and each one of all others from then on', () => {
		const remembered = memory();
		expect(is(context(36_000), remembered)).toBe(false);
		expect([0, 1].map(() => is(context(), remembered))).toEqual([true, true]);
		expect(is(context(36_000), remembered)).toBe(false);
	});

	test('is the next one again if it fails', () => {
		const remembered = memory();
		expect(is(context(), remembered)).toBe(true);
		activationFailed(remembered);
		expect([0, 1].map(() => is(context(), remembered))).toEqual([true, false]);
	});

	test.each([
		['init', true],
		['leadershipChange', true],
		['activate', false],
		['update', false],
		['manual', false],
	])('by %s is one that nobody waits for: %s', (mode, expected) => {
		const functions = { getActivationMode: () => mode } as IPollFunctions;
		expect(isUnattended(functions)).toBe(expected);
		expect(isUnattended({} as IPollFunctions)).toBe(false);
	});
});

test.each([
	[undefined, 300_000, false],
	[300_000, 300_000, false],
	[300_001, 300_000, false],
	[299_999, 299_999, true],
	[1, 1, true],
	[0, 300_000, false],
	[-1, 300_000, false],
])('a budget of %s ms is %i ms, of the durable scheduler: %s', (given, expected, isFenced) => {
	expect([budgetOf(context(given)), isDurable(context(given))]).toEqual([expected, isFenced]);
});

test('a credential is another one if its key or its address is, and does not show either', async () => {
	const digest = async (baseUrl: unknown, apiKey: unknown) =>
		await credentialDigest({
			getCredentials: async (type: string) =>
				await Promise.resolve(type === 'leadGenPublishingApi' ? { baseUrl, apiKey } : {}),
		} as unknown as IPollFunctions);
	const one = await digest('https://api.example.com', 'key');
	expect(one).toMatch(/^[\w-]{16}$/);
	expect(await digest(' https://api.example.com', 'key ')).toBe(one);
	expect(await digest('https://api.example.com', 'other')).not.toBe(one);
	expect(await digest('https://other.example.com', 'key')).not.toBe(one);
});
