/** What is remembered of the write that an attempt sends, and which one it may not send. */
import {
	OpenWriteError,
	unsentBy,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type { BoundApi } from '../../nodes/LeadGenPublishing/operations/define';
import { Attempt } from '../../nodes/LeadGenPublishing/run/writeOnce/attempt';
import type { FailedAttempt } from '../../nodes/LeadGenPublishing/run/writeOnce/entries';

type Call = Parameters<BoundApi['call']>;

const FACTS: FailureFacts = {
	...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 500 },
	...{ code: 'internal_error', retryable: true, attempts: 1, uncertain: true },
};

function attemptAfter(before?: FailedAttempt) {
	const sent: Call[] = [];
	let now = 1_000;
	const api = {
		accountId: 'of this account',
		now: () => now,
		call: async (...call: Call) => {
			sent.push(call);
			await Promise.resolve();
			if (call[1]?.query?.fails === true) throw new Error('as it was thrown');
			if (call[1]?.query?.stops === true) throw unsentBy(new Error('stopped')) as Error;
			return { data: { of: call[0] } };
		},
	} as unknown as BoundApi;
	const attempt = new Attempt(api, before);
	return { attempt, sent, at: (ms: number) => (now = ms) };
}

const requestOf = async (...call: Call) => {
	const { attempt } = attemptAfter();
	await attempt.api.call(...call);
	return attempt.request;
};

const CHANGE: Call = ['post.update', { params: { id: 'p' }, body: { text: 'a' } }];

describe('the write that is sent', () => {
	it('is none if the run was stopped before, unless there was another one', async () => {
		const { attempt } = attemptAfter();
		const stop = async () =>
			await attempt.api.call('post.create', { query: { stops: true } }).catch(String);
		expect([await stop(), attempt.endpoint]).toEqual(['Error: stopped', undefined]);
		await attempt.api.call(...CHANGE);
		expect([await stop(), attempt.endpoint]).toEqual(['Error: stopped', 'post.update']);
	});

	it('is remembered with its endpoint, a read is not', async () => {
		const { attempt, sent } = attemptAfter();
		expect(attempt.api.accountId).toBe('of this account');
		expect(await attempt.api.call('post.get', { params: { id: 'p' } })).toEqual({
			data: { of: 'post.get' },
		});
		expect([attempt.request, attempt.endpoint]).toEqual([undefined, undefined]);
		await attempt.api.call(...CHANGE);
		expect(attempt.endpoint).toBe('post.update');
		const request = attempt.request;
		expect(request?.fingerprint).toMatch(/^[\da-f-]{13}$/);
		await attempt.api.call('post.get', { params: { id: 'p' } });
		expect([attempt.request, attempt.endpoint]).toEqual([request, 'post.update']);
		expect(sent.map(([name]) => name)).toEqual(['post.get', 'post.update', 'post.get']);
	});

	it('is the same one if all is the same', async () => {
		expect(await requestOf(...CHANGE)).toEqual(await requestOf(...CHANGE));
		expect(await requestOf('networkOrganization.refresh')).toEqual(
			await requestOf('networkOrganization.refresh', {}),
		);
	});

	it('is another one if anything of it is', async () => {
		const [name, options] = CHANGE;
		const others: Call[] = [
			CHANGE,
			['post.delete', options],
			[name, { ...options, params: { id: 'q' } }],
			[name, { ...options, params: undefined }],
			[name, { ...options, body: { text: 'b' } }],
			[name, { ...options, body: undefined }],
			[name, { ...options, etag: 'e' }],
			[name, { ...options, etag: 'f' }],
			[name, { ...options, idempotencyKey: 'e' }],
			[name, { ...options, idempotencyKey: 'f' }],
		];
		const prints = await Promise.all(
			others.map(async (call) => (await requestOf(...call))?.fingerprint),
		);
		expect(new Set(prints).size).toBe(others.length);
	});

	it('is remembered with its etag and key, where it has them', async () => {
		const fingerprint = expect.any(String) as string;
		expect(await requestOf(...CHANGE)).toStrictEqual({ fingerprint });
		const more = { ...CHANGE[1], etag: 'e', idempotencyKey: 'k' };
		expect(await requestOf('post.update', more)).toStrictEqual({
			...{ fingerprint, etag: 'e', key: 'k' },
		});
		// No key is sent where the endpoint takes none.
		expect(await requestOf('post.create', { body: {}, idempotencyKey: 'k' })).toStrictEqual({
			fingerprint,
		});
	});
});

describe('by what a new record can be recognised', () => {
	it('is remembered once its answer is there, or is lost, with the time of it', async () => {
		for (const fails of [false, true]) {
			const { attempt, at } = attemptAfter();
			attempt.recognisedBy('its text');
			at(2_000);
			await attempt.api
				.call('post.create', { body: {}, query: { fails } })
				.catch((error: unknown) => expect(String(error)).toContain('as it was thrown'));
			expect(attempt.request).toEqual({
				...{ fingerprint: expect.any(String) as string, recognisedBy: 'its text' },
				lostAt: 2_000,
			});
			at(3_000);
			await attempt.api.call('post.getAll');
			expect(attempt.request?.lostAt).toBe(2_000);
		}
	});

	it('is nothing where nobody said it, or nothing was sent', async () => {
		const { attempt } = attemptAfter();
		await attempt.api.call('post.create', { body: {} });
		expect(Object.keys(attempt.request ?? {})).toEqual(['fingerprint']);
		const reading = attemptAfter().attempt;
		reading.recognisedBy('its text');
		await reading.api.call('post.getAll');
		expect(reading.request).toBeUndefined();
	});
});

const before = (more: Partial<FailedAttempt> = {}): FailedAttempt => ({
	...{ execution: '1', facts: FACTS, mayHaveSucceeded: 'keyed', refusals: 0 },
	...more,
});

describe('of the attempt before', () => {
	it('the operation learns all that is known, and can say what became of it', () => {
		const request = {
			...{ fingerprint: 'f', etag: 'e', key: 'k', recognisedBy: 'its text', lostAt: 5 },
		};
		const { attempt } = attemptAfter(before({ request }));
		expect(attempt.mayHaveSucceeded).toBe('keyed');
		const { earlier } = attempt;
		expect(earlier).toMatchObject({
			...{ etag: 'e', key: 'k', recognisedBy: 'its text', lostAt: 5, checkOnly: true },
			failure: { facts: FACTS },
		});
		expect(earlier?.mayHaveSucceeded()).toBe(true);
		earlier?.settled();
		expect(earlier?.mayHaveSucceeded()).toBe(false);
		expect(attempt.mayHaveSucceeded).toBeUndefined();
	});

	it('it learns that it was certain, and may simply be repeated', () => {
		const facts = { ...FACTS, uncertain: false, keyed: true };
		const { earlier } = attemptAfter(before({ facts, mayHaveSucceeded: undefined })).attempt;
		expect(earlier?.mayHaveSucceeded()).toBe(false);
		expect(earlier).toMatchObject({ checkOnly: false });
		expect(earlier?.etag).toBeUndefined();
	});

	it('it learns nothing where there was none', () => {
		const { attempt } = attemptAfter();
		expect([attempt.earlier, attempt.before, attempt.mayHaveSucceeded]).toEqual(
			Array<undefined>(3).fill(undefined),
		);
	});
});

describe('while the one before may have succeeded', () => {
	it('only the same write is sent, and the error says what to change', async () => {
		const request = await requestOf(...CHANGE);
		const { attempt, sent } = attemptAfter(before({ request }));
		await attempt.api.call(...CHANGE);
		expect(sent).toHaveLength(1);
		const other = attempt.api.call('post.update', { ...CHANGE[1], body: { text: 'b' } });
		const error: unknown = await other.catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(OpenWriteError);
		expect(error).toMatchObject({
			message: expect.stringContaining('It is not known whether the post was updated') as string,
			remedy: expect.stringContaining('stay the same between attempts') as string,
		});
		expect(sent).toHaveLength(1);
		expect(attempt.request).toEqual(request);
	});

	it.each<[string, Partial<FailedAttempt>]>([
		['no more, since it certainly has not', { mayHaveSucceeded: undefined }],
		['though nothing of it was kept', { request: undefined }],
	])('any other is sent: %s', async (_, more) => {
		const request = { fingerprint: 'of another' };
		const { attempt, sent } = attemptAfter(before({ request, ...more }));
		await attempt.api.call(...CHANGE);
		expect(sent).toHaveLength(1);
	});

	it('and it was settled, any other is sent as well', async () => {
		const { attempt, sent } = attemptAfter(before({ request: { fingerprint: 'of another' } }));
		attempt.earlier?.settled();
		await attempt.api.call(...CHANGE);
		expect(sent).toHaveLength(1);
	});

	it('reads are sent', async () => {
		const { attempt, sent } = attemptAfter(before({ request: { fingerprint: 'of another' } }));
		await attempt.api.call('post.get', { params: { id: 'p' } });
		expect(sent).toHaveLength(1);
	});
});
