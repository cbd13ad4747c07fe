/** What is run for an item, depending on what is known of its earlier attempts. */
import {
	ApiFailure,
	OpenWriteError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { ItemCall, Operation } from '../../nodes/LeadGenPublishing/operations/define';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import type { FailedAttempt } from '../../nodes/LeadGenPublishing/run/writeOnce/entries';
import { Ledger } from '../../nodes/LeadGenPublishing/run/writeOnce/ledger';
import { firstAnswer, runOnce } from '../../nodes/LeadGenPublishing/run/writeOnce/runOnce';

const UUID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const NONE = () => [];
const LARGE = 'x'.repeat(700_000);

const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 400 },
	...{ code: 'bad_request', retryable: false, attempts: 1, uncertain: false },
	...more,
});
const LOST = facts({ status: 502, code: 'upstream_error', retryable: true, uncertain: true });
const AMBIGUOUS = { ...LOST, status: 409, reason: 'provider_ambiguous', keyed: true };
const attempt = (more: Partial<FailedAttempt> = {}): FailedAttempt => ({
	...{ execution: '1', facts: facts(), refusals: 0 },
	...more,
});

/** Runs item 0 after what `known` has put into the ledger. */
async function run(
	operation: Partial<Operation> = {},
	{
		known,
		execution = '1',
		itemIndex = 0,
	}: { known?: (ledger: Ledger) => void; execution?: string; itemIndex?: number } = {},
) {
	const notices: string[] = [];
	const calls: ItemCall[] = [];
	const ledger = Ledger.open({}, { seed: 'seed', run: '0/a/' });
	known?.(ledger);
	const call = {
		itemIndex,
		input: new Values(() => undefined),
		api: { now: () => 5, call: async () => await Promise.resolve({ data: {} }) },
		functions: { getInputData: () => [{ json: {} }, { json: {} }] },
		notice: (message: string) => notices.push(message),
	} as unknown as ItemCall;
	const whole = {
		...{ kind: 'write', endpoints: ['post.update'], fields: [], run: async () => ({ id: 'made' }) },
		...operation,
	} as unknown as Operation;
	const seen = { run: 0, resume: 0, recall: 0 };
	const counted = (name: keyof typeof seen) => {
		const one = whole[name] as ((...given: unknown[]) => Promise<unknown>) | undefined;
		if (one === undefined) return {};
		const counting = async (...given: unknown[]) => {
			seen[name] += 1;
			calls.push(given.at(-1) as ItemCall);
			return await one(...given);
		};
		return { [name]: counting };
	};
	const outcome = await runOnce(
		{ ...whole, ...counted('run'), ...counted('resume'), ...counted('recall') },
		call,
		{ ledger, execution, size: 2 },
	).then(
		(value) => ({ value, error: undefined }),
		(error: unknown) => ({ value: undefined, error }),
	);
	return { ...outcome, notices, ledger, ...seen, call: calls[0] };
}
const done =
	(result: JsonRecord) =>
	(ledger: Ledger): void =>
		ledger.setDone(0, { result, readable: false, itemTexts: NONE, size: 2 });
const failed =
	(more: Partial<FailedAttempt>) =>
	(ledger: Ledger): void =>
		ledger.setFailed(0, attempt(more));

describe('an item that was carried out', () => {
	it('gives its result again, and nothing is run', async () => {
		const { value, ...seen } = await run({}, { known: done({ id: UUID, text: 'a' }) });
		expect(value).toEqual({ id: UUID, text: 'a' });
		expect(seen).toMatchObject({ run: 0, notices: [] });
	});

	it('gives nothing where nothing was kept, and says so', async () => {
		const { value, notices, run: times } = await run({}, { known: done({ text: LARGE }) });
		expect([value, times]).toEqual([{}, 0]);
		expect(notices).toEqual([expect.stringContaining('its result was not kept')]);
	});

	const known = done({ id: UUID, text: LARGE });

	it('is read again by its ID', async () => {
		const recall = async (id: string) => await Promise.resolve({ id, read: true });
		const { value, notices, ...times } = await run({ recall }, { known });
		expect(value).toEqual({ id: UUID, read: true });
		expect([times.recall, times.run, notices]).toEqual([1, 0, []]);
	});

	it.each<[string, Partial<Operation>]>([
		['no read gives it again', {}],
		[
			'it cannot be read any more',
			{
				recall: async () => {
					throw new ApiFailure(facts({ status: 404 }));
				},
			},
		],
	])('gives its ID alone where %s, and says so', async (_, operation) => {
		const { value, notices, run: times } = await run(operation, { known });
		expect([value, times]).toEqual([{ id: UUID }, 0]);
		expect(notices).toEqual([expect.stringContaining('the item contains only its ID')]);
	});

	it('fails where the read may work later, and says that it was carried out', async () => {
		const recall = async () => {
			throw new ApiFailure(facts({ status: 503, retryable: true }));
		};
		const { error, notices } = await run({ recall }, { known });
		expect((error as ApiFailure).facts).toMatchObject({
			...{ status: 503, found: 'The change itself was carried out before.' },
		});
		expect(notices).toEqual([]);
	});
});

describe('the result of an item', () => {
	const kept = async (operation: Partial<Operation>, itemIndex = 0) => {
		const { ledger, value } = await run(operation, { itemIndex });
		return { value, entry: ledger.entry(itemIndex, NONE) };
	};

	it('is kept for the next attempt', async () => {
		expect(await kept({}, 1)).toEqual({
			...{ value: { id: 'made' }, entry: { state: 'done', result: { id: 'made' } } },
		});
	});

	it.each<[string, Partial<Operation>, unknown]>([
		['is not kept where it may simply be run again', { repeatable: true }, { id: 'made' }],
		['is not kept where it is a list', { run: async () => [{ id: 'made' }] }, [{ id: 'made' }]],
	])('%s', async (_, operation, value) => {
		expect(await kept(operation)).toEqual({ value, entry: undefined });
	});

	it('takes less space where a read gives it again', async () => {
		const result = { id: UUID, text: 'x'.repeat(40_000) };
		const one = { run: async () => await Promise.resolve(result) };
		expect((await kept(one)).entry).toEqual({ state: 'done', result });
		expect((await kept({ ...one, recall: async () => result })).entry).toEqual({
			...{ state: 'doneById', id: UUID },
		});
	});
});

describe('a refusal that was final', () => {
	const known = failed({ facts: facts({ requestId: 'req_1' }) });

	it('is given again in the same execution, and nothing is run', async () => {
		const { error, run: times } = await run({}, { known });
		expect((error as ApiFailure).facts).toEqual(facts({ requestId: 'req_1' }));
		expect(times).toBe(0);
	});

	it('is forgotten when a person runs it again', async () => {
		const { value, call } = await run({}, { known, execution: '2' });
		expect(value).toEqual({ id: 'made' });
		expect(call?.earlier).toBeUndefined();
	});

	it('that may pass is known to the next attempt of the same execution alone', async () => {
		const throttled = failed({ facts: facts({ status: 429, code: 'rate_limited' }) });
		expect((await run({}, { known: throttled })).call?.earlier?.failure.facts.status).toBe(429);
		const later = await run({}, { known: throttled, execution: '2' });
		expect([later.run, later.call?.earlier]).toEqual([1, undefined]);
	});
});

describe('an item that may have been carried out', () => {
	const resume = async () => await Promise.resolve({ id: 'found' });

	it.each(['1', '2'])('without a key is resumed, in execution %s', async (execution) => {
		const known = failed({ facts: LOST, mayHaveSucceeded: 'unkeyed' });
		const { value, ...seen } = await run({ resume }, { known, execution });
		expect(value).toEqual({ id: 'found' });
		expect(seen).toMatchObject({ run: 0, resume: 1 });
		expect(seen.call?.earlier?.mayHaveSucceeded()).toBe(true);
	});

	it.each<[string, Partial<Operation>]>([
		['cannot be resumed', {}],
		['is not found', { resume: async () => undefined }],
	])('without a key is not sent again where it %s', async (_, operation) => {
		const known = failed({ facts: LOST, mayHaveSucceeded: 'unkeyed' });
		const { error, run: times } = await run(operation, { known });
		expect(error).toBeInstanceOf(OpenWriteError);
		expect(error).toMatchObject({ details: { http_status: 502 } });
		expect(times).toBe(0);
	});

	it('with a key is sent again with it', async () => {
		const known = failed({ facts: { ...LOST, keyed: true }, mayHaveSucceeded: 'keyed' });
		const { value, run: times, call } = await run({ resume }, { known });
		expect([value, times]).toEqual([{ id: 'made' }, 1]);
		expect(call?.earlier?.mayHaveSucceeded()).toBe(true);
	});

	it.each<[string, Partial<Operation>, Partial<FailedAttempt>, string, number]>([
		['is not sent again in this execution', {}, {}, '1', 0],
		['is sent again where the operation looks first', { resume }, {}, '1', 1],
		['is sent again by a person', {}, {}, '2', 1],
		['is sent again where nobody asked to look', {}, { facts: { ...LOST, keyed: true } }, '1', 1],
		['is sent again where it certainly was not', {}, { mayHaveSucceeded: undefined }, '1', 1],
	])('if it is to be looked at, %s', async (_, operation, more, execution, times) => {
		const known = failed({ facts: AMBIGUOUS, mayHaveSucceeded: 'keyed', ...more });
		const outcome = await run(operation, { known, execution });
		expect(outcome.run).toBe(times);
		if (times === 0) expect(outcome.error).toBeInstanceOf(OpenWriteError);
	});
});

describe('a failure', () => {
	const failing = (thrown: unknown, more: Partial<Operation> = {}): Partial<Operation> => ({
		run: async ({ api, recognisedBy }) => {
			recognisedBy('its text');
			await api.call('post.create', { body: {} });
			throw thrown;
		},
		...more,
	});

	it('is kept, with by what the record can be recognised', async () => {
		const failure = new ApiFailure(LOST);
		const { error, ledger } = await run(failing(failure));
		expect(error).toBe(failure);
		expect(ledger.entry(0, NONE)).toMatchObject({
			...{ state: 'failed', facts: LOST, request: { recognisedBy: 'its text', lostAt: 5 } },
		});
	});

	it('of what may simply be run again leaves nothing in doubt', async () => {
		const { error, ledger } = await run(failing(new ApiFailure(LOST), { repeatable: true }));
		expect((error as ApiFailure).facts).toEqual({ ...LOST, uncertain: false });
		const entry = ledger.entry(0, NONE);
		expect(entry).toMatchObject({ state: 'failed', facts: { uncertain: false } });
		expect(entry).not.toHaveProperty('mayHaveSucceeded');
	});

	it('that is no answer is thrown as it is, and kept only where it must not happen twice', async () => {
		const fault = new Error('cancelled');
		const once = await run(failing(fault));
		expect(once.error).toBe(fault);
		expect(once.ledger.entry(0, NONE)).toMatchObject({ mayHaveSucceeded: 'unkeyed' });
		for (const repeatable of [true, 'untilDone'] as const) {
			const again = await run(failing(fault, { repeatable }));
			expect(again.error).toBe(fault);
			expect(again.ledger.entry(0, NONE)).toBeUndefined();
		}
	});
});

describe('the first answer of an execution', () => {
	const firstOf = (...attempts: Array<Partial<FailedAttempt>>) => {
		const ledger = Ledger.open({}, { seed: 'seed', run: '0/a/' });
		for (const [item, more] of attempts.entries()) ledger.setFailed(item, attempt(more));
		return firstAnswer({ ledger, execution: '1', size: 5 });
	};

	it('is the first one that is final in it', () => {
		const answer = firstOf(
			{ facts: LOST, mayHaveSucceeded: 'unkeyed' },
			{ execution: '2' },
			{ facts: facts({ requestId: 'this one' }) },
			{},
		);
		expect(answer?.itemIndex).toBe(2);
		expect(answer?.error).toBeInstanceOf(ApiFailure);
		expect(answer?.error.facts.requestId).toBe('this one');
	});

	it('is none where none is final', () => {
		expect(firstOf()).toBeUndefined();
		expect(firstOf({ execution: '2' }, { facts: LOST })).toBeUndefined();
	});
});
