/** What the next attempt has to know of a failure is kept, and the user is told what is not known. */
import {
	ApiFailure,
	InputError,
	OpenWriteError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type { BoundApi } from '../../nodes/LeadGenPublishing/operations/define';
import { Attempt } from '../../nodes/LeadGenPublishing/run/writeOnce/attempt';
import type { FailedAttempt } from '../../nodes/LeadGenPublishing/run/writeOnce/entries';
import { Ledger } from '../../nodes/LeadGenPublishing/run/writeOnce/ledger';
import { recordFailure } from '../../nodes/LeadGenPublishing/run/writeOnce/recordFailure';

const NONE = () => [];
const facts = (more: Partial<FailureFacts> = {}): FailureFacts => ({
	...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 400 },
	...{ code: 'bad_request', retryable: false, attempts: 1, uncertain: false },
	...more,
});
const FORBIDDEN = facts({ status: 403, code: 'forbidden' });
const THROTTLED = facts({ status: 429, code: 'rate_limited', retryable: true });
const LOST = facts({ status: 502, code: 'upstream_error', retryable: true, uncertain: true });
const REQUEST = { fingerprint: 'of before', key: 'k' };
const before = (more: Partial<FailedAttempt> = {}): FailedAttempt => ({
	...{ execution: '1', facts: LOST, mayHaveSucceeded: 'unkeyed', refusals: 2 },
	request: REQUEST,
	...more,
});
const CERTAIN = { facts: THROTTLED, mayHaveSucceeded: undefined };

interface Given {
	readonly before?: FailedAttempt;
	/** Whether the attempt has sent a write. */
	readonly sent?: boolean;
	readonly key?: string;
	/** Whether the attempt has found out what became of the one before. */
	readonly settled?: boolean;
}

/** The error for the user, what was known of the item before, and what is known now. */
async function recorded(error: unknown, { before, sent = false, key, settled = false }: Given) {
	const ledger = Ledger.open({}, { seed: 'seed', run: '0/a/' });
	if (before !== undefined) ledger.setFailed(0, before);
	const api = { call: async () => await Promise.resolve({ data: {} }), now: () => 0 };
	const attempt = new Attempt(api as unknown as BoundApi, before);
	if (settled) attempt.earlier?.settled();
	const name = key === undefined ? 'post.create' : 'post.update';
	// Whether it may be sent is asked elsewhere.
	if (sent) {
		const free = new Attempt(api as unknown as BoundApi, undefined);
		await free.api.call(name, { params: { id: 'p' }, idempotencyKey: key });
		attempt.request = free.request;
		attempt.endpoint = free.endpoint;
	}
	const told = recordFailure(error, {
		...{ attempt, item: 0 },
		memory: { ledger, execution: '2', size: 1 },
	});
	const entry = ledger.entry(0, NONE);
	const { state: _, ...known } = entry ?? { state: undefined };
	return { told, known: entry && known, request: attempt.request };
}
const messageOf = (error: unknown) => (error instanceof ApiFailure ? error.facts.found : undefined);

describe('what was not sent again', () => {
	it('is told as it is, and changes nothing', async () => {
		const error = new OpenWriteError('Not sent', 'Look');
		const { told, known } = await recorded(error, { before: before(), sent: true });
		expect([told, known]).toEqual([error, before()]);
		expect(told).toBe(error);
	});
});

describe('an input that is refused', () => {
	const error = new InputError('The text is empty. Nothing was sent', 'Give a text');

	it.each<[string, Given]>([
		['by itself', {}],
		['after an attempt that certainly failed', { before: before(CERTAIN) }],
		['after a request of this attempt', { sent: true }],
		['when the outcome of the attempt before was found out', { before: before(), settled: true }],
	])('%s is told as it is, and nothing is kept of it', async (_, given) => {
		const { told, known } = await recorded(error, given);
		expect(told).toBe(error);
		expect(known).toEqual(given.before);
	});

	it('leaves open what became of the attempt before, and says so', async () => {
		const { told, known } = await recorded(error, { before: before() });
		expect(told).toBeInstanceOf(ApiFailure);
		expect((told as ApiFailure).facts).toEqual({
			...LOST,
			found: 'The request was not repeated: The text is empty.',
		});
		expect(known).toEqual(before());
		const found = 'It was not there.';
		const more = await recorded(error, {
			before: before({ facts: { ...LOST, uncertain: false, found } }),
		});
		expect((more.told as ApiFailure).facts).toMatchObject({
			uncertain: true,
			found: `${found} The request was not repeated: The text is empty.`,
		});
	});
});

describe('an attempt that was interrupted', () => {
	const error = new Error('cancelled');

	it.each([
		['without a key', undefined, 'unkeyed', false],
		['with a key', 'its-key', 'keyed', true],
	])('after its request was sent %s may have succeeded', async (_, key, expected, keyed) => {
		const { told, known, request } = await recorded(error, { sent: true, key });
		expect(told).toBe(error);
		expect(known).toEqual({
			...{ execution: '2', mayHaveSucceeded: expected, request, refusals: 0 },
			facts: {
				...{ kind: 'unreachable', endpoint: key === undefined ? 'post.create' : 'post.update' },
				...{ agency: false, seen: 'the attempt was interrupted: cancelled' },
				...{ retryable: true, attempts: 1 },
				...{ uncertain: true, keyed, ...(key === undefined ? {} : { idempotencyKey: key }) },
			},
		});
		expect(request?.key).toBe(key);
	});

	it.each<[string, Given]>([
		['before anything was sent', {}],
		['before anything was sent, after another', { before: before(CERTAIN) }],
		['while the attempt before is in doubt', { before: before(), sent: true }],
	])('%s changes nothing', async (_, given) => {
		const { told, known } = await recorded(error, given);
		expect(told).toBe(error);
		expect(known).toEqual(given.before);
	});

	it.each<[string, unknown, string]>([
		['in short', new Error('x'.repeat(151)), 'x'.repeat(150)],
		['if it has one', 'text', 'unknown error'],
	])('leaves its cause to the next attempt, %s', async (_, thrown, cause) => {
		const { known } = await recorded(thrown, { sent: true });
		expect(known).toMatchObject({ facts: { seen: `the attempt was interrupted: ${cause}` } });
	});

	it('counts as in doubt after one that certainly failed', async () => {
		const { known } = await recorded(error, { before: before(CERTAIN), sent: true });
		expect(known).toMatchObject({ mayHaveSucceeded: 'unkeyed', execution: '2', refusals: 2 });
	});
});

describe('an answer that leaves the outcome open', () => {
	it.each([
		[true, 'keyed'],
		[false, 'unkeyed'],
		[undefined, 'unkeyed'],
	])('is kept with what was sent (with a key: %p)', async (keyed, expected) => {
		const failure = new ApiFailure({ ...LOST, ...(keyed === undefined ? {} : { keyed }) });
		const { told, known, request } = await recorded(failure, { sent: true });
		expect(told).toBe(failure);
		expect(known).toEqual({
			...{ execution: '2', facts: failure.facts, mayHaveSucceeded: expected, request },
			refusals: 0,
		});
	});

	it('without another request is about the one before', async () => {
		const failure = new ApiFailure(LOST);
		const { told, known } = await recorded(failure, { before: before() });
		expect(told).toBeInstanceOf(OpenWriteError);
		expect(known).toEqual({ ...before(), execution: '2' });
	});

	it.each<[string, Given]>([
		['another request was sent', { before: before(), sent: true }],
		['the request before had a key', { before: before({ mayHaveSucceeded: 'keyed' }) }],
		['the one before was not in doubt', { before: before(CERTAIN) }],
	])('is told as it is where %s', async (_, given) => {
		const failure = new ApiFailure(LOST);
		expect((await recorded(failure, given)).told).toBe(failure);
	});
});

describe('a certain refusal', () => {
	it.each<[string, FailureFacts, Given, boolean]>([
		['that is final is kept', FORBIDDEN, {}, true],
		['that is final is kept, sent or not', FORBIDDEN, { sent: true }, true],
		['that may pass is kept of what was sent', THROTTLED, { sent: true }, true],
		['that may pass is kept after another attempt', THROTTLED, { before: before(CERTAIN) }, true],
		['that may pass, of a read alone, is not kept', THROTTLED, {}, false],
	])('%s', async (_, of, given, isKept) => {
		const failure = new ApiFailure(of);
		const { told, known, request } = await recorded(failure, given);
		expect(told).toBe(failure);
		const refusals = given.before?.refusals ?? 0;
		const last = request ?? given.before?.request;
		expect(known).toEqual(
			isKept
				? { execution: '2', facts: of, ...(last ? { request: last } : {}), refusals }
				: undefined,
		);
	});

	it.each<[string, FailureFacts, number]>([
		['with a key', { ...FORBIDDEN, keyed: true }, 3],
		['without a key', FORBIDDEN, 2],
		['that may pass', { ...THROTTLED, keyed: true }, 2],
		[
			'by the network for good',
			facts({ keyed: true, reason: 'network_organization_provider_rejected' }),
			2,
		],
	])('%s counts, or not, for the key of the next execution', async (_, of, refusals) => {
		const given = { before: before(CERTAIN), sent: true };
		expect((await recorded(new ApiFailure(of), given)).known).toMatchObject({ refusals });
	});
});

describe('a certain refusal after an attempt that may have succeeded', () => {
	const KEYED = before({
		mayHaveSucceeded: 'keyed',
		facts: { ...LOST, reason: 'provider_ambiguous', idempotencyKey: 'k', keyed: true },
	});
	const after = 'A previous attempt of this item may have succeeded';

	it('does not tell what became of it', async () => {
		const { told, known } = await recorded(new ApiFailure(FORBIDDEN), {
			...{ before: KEYED, sent: true },
		});
		const expected = {
			...FORBIDDEN,
			...{ uncertain: true, keyed: true, idempotencyKey: 'k' },
			found: `${after} (it ended with HTTP 502, provider_ambiguous).`,
		};
		expect((told as ApiFailure).facts).toEqual(expected);
		// It is final, so that the next attempt of this execution sends nothing.
		expect(known).toEqual({ ...KEYED, execution: '2', facts: expected });
	});

	it('says first what was found, and how the one before ended without an answer', async () => {
		const unreachable = facts({ kind: 'unreachable', status: undefined, uncertain: true });
		const { told } = await recorded(new ApiFailure({ ...FORBIDDEN, found: 'It is there.' }), {
			before: before({ facts: unreachable }),
		});
		expect(messageOf(told)).toBe(`It is there. ${after} (it ended with unreachable).`);
		expect((told as ApiFailure).facts).toMatchObject({ keyed: false, uncertain: true });
	});

	it('leaves to that one what is done next, unless it is final', async () => {
		const { told, known } = await recorded(new ApiFailure(THROTTLED), {
			...{ before: KEYED, sent: true },
		});
		expect(messageOf(told)).toContain(after);
		expect(known).toEqual(KEYED);
	});

	it('settles it where a read has shown that nothing was carried out', async () => {
		const failure = new ApiFailure({ ...FORBIDDEN, notCarriedOut: true });
		const { told, known } = await recorded(failure, { before: before(), sent: false });
		expect(told).toBe(failure);
		expect(known).toEqual({
			...{ execution: '2', facts: failure.facts, request: REQUEST, refusals: 2 },
		});
	});

	it('is about itself once the operation has found out about the one before', async () => {
		const failure = new ApiFailure(FORBIDDEN);
		const { told } = await recorded(failure, { before: before(), settled: true });
		expect(told).toBe(failure);
	});
});
