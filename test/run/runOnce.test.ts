/** What one attempt at a write leaves to the next one, with the ledger itself and a scripted write. */
import {
	ApiFailure,
	InputError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type {
	BoundApi,
	ItemCall,
	Operation,
} from '../../nodes/LeadGenPublishing/operations/define';
import { Ledger } from '../../nodes/LeadGenPublishing/run/ledger';
import { runOnce } from '../../nodes/LeadGenPublishing/run/runOnce';

const failure = (facts: Partial<FailureFacts>): ApiFailure =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 502 },
		...{ retryable: true, attempts: 1, uncertain: false, ...facts },
	});
const lost = failure({ kind: 'unreachable', status: undefined, uncertain: true });

/** Attempts at one item, each with its own work, for an account. */
function item() {
	const ledger = Ledger.open({}, { nameFor: () => 'run', size: 1 });
	let now = 0;
	const attempt = async (
		work: Operation['run'],
		{ accountId = 'own', repeatable }: { accountId?: string; repeatable?: true } = {},
	) => {
		const api = {
			...{ accountId, now: () => now },
			call: async (_: string, options: { answer?: unknown } = {}) => {
				now += 1_000;
				if (options.answer instanceof Error) throw options.answer;
				return await Promise.resolve({ data: { id: 'x' } });
			},
		} as unknown as BoundApi;
		const call = { itemIndex: 0, api, notice: () => undefined } as unknown as ItemCall;
		const operation = {
			value: 'create',
			run: work,
			resume: work,
			repeatable,
		} as unknown as Operation;
		const memory = { ledger, execution: '1', keyOf: () => 'key', given: () => 'given' };
		return await runOnce(operation, call, {
			...{ memory, clientId: undefined, apiFor: () => api, wasFor: () => undefined },
		}).catch((error: unknown) => error as Error);
	};
	const sending =
		(answer?: Error, after?: Error): Operation['run'] =>
		async ({ api, recognisedBy }) => {
			recognisedBy('marker');
			const sent = api.call('post.create', { body: { text: 'a' }, answer } as never);
			const { data } = await sent.catch(async (error: unknown) => {
				// A look afterwards.
				await api.call('post.getAll');
				throw error;
			});
			if (after !== undefined) throw after;
			return data;
		};
	return { attempt, sending, kept: () => ledger.failure(0), entry: () => ledger.entry(0) };
}

it('an answer is lost when it fails to come, not when it is looked for', async () => {
	const { attempt, sending, kept } = item();
	await attempt(sending(lost));
	expect(kept()).toMatchObject({
		mayHaveSucceeded: 'unkeyed',
		request: { recognisedBy: 'marker', lostAt: 1_000 },
	});
});

it('the same request for another account is another one', async () => {
	const { attempt, sending, kept } = item();
	await attempt(sending(lost));
	const error = await attempt(sending(), { accountId: 'other' });
	expect((error as InputError).remedy).toContain('The request would be a different one now');
	expect(kept()?.mayHaveSucceeded).toBe('unkeyed');
	expect(await attempt(sending())).toEqual({ id: 'x' });
});

it('what is stopped after it was sent is in doubt, and stays what it was if it was before', async () => {
	const { attempt, sending, kept } = item();
	await attempt(sending(new Error('Stopped')));
	const facts = { seen: 'the attempt was interrupted: Stopped', uncertain: true };
	expect(kept()).toMatchObject({ mayHaveSucceeded: 'unkeyed', facts });
	await attempt(sending(new Error('Stopped again')));
	expect(kept()).toMatchObject({ mayHaveSucceeded: 'unkeyed', facts });
});

it('what the node itself refuses after an answer is not in doubt', async () => {
	const { attempt, sending, entry } = item();
	await attempt(sending(undefined, new InputError('Not deleted', '')));
	expect(entry()).toBeUndefined();
});

it('a doubt ends where a read has shown that nothing was carried out, and only then', async () => {
	for (const notCarriedOut of [true, undefined]) {
		const { attempt, sending, kept } = item();
		await attempt(sending(lost));
		const refusal = failure({ status: 409, reason: 'mutation_in_progress', notCarriedOut });
		await attempt(sending(refusal));
		expect(kept()?.mayHaveSucceeded).toBe(notCarriedOut ? undefined : 'unkeyed');
	}
});

it('what was certainly not carried out keeps its request, for the next attempt', async () => {
	const { attempt, sending, kept } = item();
	await attempt(sending(failure({ status: 429, code: 'rate_limited' })));
	expect(kept()).toMatchObject({ request: { fingerprint: expect.any(String) as string } });
	expect(kept()?.mayHaveSucceeded).toBeUndefined();
});

it('what may be repeated is carried out by each attempt', async () => {
	const { attempt, sending, entry } = item();
	await attempt(sending(), { repeatable: true });
	expect(entry()).toBeUndefined();
	await attempt(sending());
	expect(entry()).toMatchObject({ done: { result: { id: 'x' } } });
});
