/** Which request counts as the same one, and what an operation hears about an earlier attempt. */
import type { ItemCall } from '../../nodes/LeadGenPublishing/operations/operation';
import {
	openAttempt,
	requestOf,
	settle,
	type EarlierAttempt,
} from '../../nodes/LeadGenPublishing/item/itemCall';
import { earlierAttempt } from '../operations/itemScene';

describe('a request', () => {
	const GIVEN = { params: { id: 'a' }, body: { text: 'x' }, etag: '"1"', idempotencyKey: 'k' };
	const of = (given: Parameters<typeof requestOf>[2], accountId = 'own') =>
		requestOf({ accountId }, 'post.update', given);

	it('is another one as soon as any part of it is', () => {
		const requests = [
			of(GIVEN),
			of(GIVEN, 'client'),
			requestOf({ accountId: 'own' }, 'post.delete', GIVEN),
			of({ ...GIVEN, params: { id: 'b' } }),
			of({ ...GIVEN, params: {} }),
			of({ ...GIVEN, body: { text: 'y' } }),
			of({ ...GIVEN, body: {} }),
			of({ ...GIVEN, body: undefined }),
			of({ ...GIVEN, etag: '"2"' }),
			of({ ...GIVEN, etag: undefined }),
			of({ ...GIVEN, idempotencyKey: 'l' }),
			of({ ...GIVEN, idempotencyKey: undefined }),
		].map(({ fingerprint }) => fingerprint);
		expect(new Set(requests).size).toBe(requests.length);
		expect(of({ ...GIVEN }).fingerprint).toBe(requests[0]);
		expect(of({}).fingerprint).toBe(of(undefined).fingerprint);
	});

	it('shows its record, its etag and its key, and nothing of its body', () => {
		expect(of(GIVEN)).toEqual({
			...{ name: 'post.update', recordId: 'a', etag: '"1"', key: 'k' },
			fingerprint: expect.stringMatching(/^[^{}"]{13}$/) as string,
		});
	});

	it('has no key where the endpoint takes none', () => {
		const created = (idempotencyKey: string) =>
			requestOf({ accountId: 'own' }, 'post.create', { body: {}, idempotencyKey });
		expect(created('k')).toEqual(created('l'));
		expect(created('k').key).toBeUndefined();
	});
});

describe('an earlier attempt', () => {
	const call = (earlier?: EarlierAttempt) => {
		const settled = jest.fn();
		return { call: { itemIndex: 7, earlier, settled } as unknown as ItemCall, settled };
	};
	const unknown = earlierAttempt({});

	it('is open only if its outcome is unknown', () => {
		expect(openAttempt(call(unknown).call)).toBe(unknown);
		expect(openAttempt(call(earlierAttempt({ kind: 'notDone' })).call)).toBeUndefined();
		expect(openAttempt(call().call)).toBeUndefined();
	});

	it('is over once it is settled', () => {
		const { call: given, settled } = call(unknown);
		expect(openAttempt(settle(given))).toBeUndefined();
		expect(settle(given).itemIndex).toBe(7);
		expect(settled).toHaveBeenCalledTimes(2);
	});
});
