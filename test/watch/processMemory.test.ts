/** What a process learns about a poll from n8n's functions only. */
import type { IPollFunctions } from 'n8n-workflow';

import {
	budgetOf,
	credentialDigest,
	emptyMemory,
	isActivation,
	isUnattended,
	processMemory,
} from '../../nodes/LeadGenPublishing/watch/processMemory';

const context = (budgetMs?: number) =>
	({ getPollBudgetMs: budgetMs === undefined ? undefined : () => budgetMs }) as IPollFunctions;

it.each([
	[undefined, 300_000],
	[300_001, 300_000],
	[299_999, 299_999],
	[1, 1],
	[0, 300_000],
	[-1, 300_000],
])('a budget of %s ms is %i ms', (given, expected) => {
	expect(budgetOf(context(given))).toBe(expected);
});

it.each([
	['init', true],
	['leadershipChange', true],
	['activate', false],
	['update', false],
	['manual', false],
])('nobody waits for a poll by "%s": %s', (mode, expected) => {
	const functions = { getActivationMode: () => mode } as IPollFunctions;
	expect(isUnattended(functions)).toBe(expected);
	expect(isUnattended({} as IPollFunctions)).toBe(false);
});

describe('the workflow is published', () => {
	it('in the first poll of a context, but not in later ones', () => {
		const memory = emptyMemory();
		for (const polled of [context(), context()])
			expect([0, 1, 2].map(() => isActivation(polled, memory))).toEqual([true, false, false]);
	});

	it('in the first three polls that each have their own context', () => {
		const memory = emptyMemory();
		expect([0, 1, 2, 3, 4].map(() => isActivation(context(), memory))).toEqual([
			...[true, true, true, false, false],
		]);
	});

	it("by none of the durable scheduler's polls, and by each other one from then on", () => {
		const memory = emptyMemory();
		expect(isActivation(context(36_000), memory)).toBe(false);
		expect([0, 1, 2, 3, 4].map(() => isActivation(context(), memory))).toEqual(Array(5).fill(true));
	});
});

it('the digest of a credential changes with its key and its URL, and shows neither', async () => {
	const digest = async (baseUrl: unknown, apiKey: unknown) =>
		await credentialDigest({
			getCredentials: async () => await Promise.resolve({ baseUrl, apiKey }),
		} as unknown as IPollFunctions);
	const one = await digest('https://api.example.com', 'key');
	expect(one).toMatch(/^[\w-]{16}$/);
	expect(await digest(' https://api.example.com', 'key ')).toBe(one);
	expect(await digest('https://api.example.com', 'other')).not.toBe(one);
	expect(await digest('https://other.example.com', 'key')).not.toBe(one);
});

it('each node of each workflow has a memory of its own, whatever it is called', () => {
	const of = (workflow: string | undefined, id: string, name = id) =>
		processMemory({
			getWorkflow: () => ({ id: workflow }),
			getNode: () => ({ id, name }),
		} as unknown as IPollFunctions);
	const first = of('w', 'a');
	expect(of('w', 'a', 'renamed')).toBe(first);
	const others = [of('w', 'b'), of('v', 'a'), of(undefined, 'a')];
	expect(new Set([first, ...others]).size).toBe(4);
	expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(4);
});
