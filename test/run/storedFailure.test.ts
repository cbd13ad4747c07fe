/** What is stored of a failed attempt is the attempt again, or a shorter one that decides the same. */
import * as fc from 'fast-check';

import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { nextAttemptAfter } from '../../nodes/LeadGenPublishing/api/nextAttempt';
import type { FailedAttempt } from '../../nodes/LeadGenPublishing/run/writeOnce/entries';
import {
	failureFrom,
	recordOf,
	shortened,
} from '../../nodes/LeadGenPublishing/run/writeOnce/storedFailure';

const key = fc.constantFrom('key-1', 'key-2');
const text = fc.oneof(
	fc.string(),
	fc.constantFrom('x'.repeat(300), 'x'.repeat(301), 'x'.repeat(900)),
);
const facts = fc.record(
	{
		kind: fc.constantFrom('answered' as const, 'unreachable' as const, 'notSent' as const),
		endpoint: fc.constantFrom(
			'post.create' as const,
			'post.update' as const,
			'media.upload' as const,
		),
		agency: fc.boolean(),
		status: fc.constantFrom(400, 409, 429, 500, 502),
		code: fc.constantFrom('conflict', 'upstream_error', 'rate_limited'),
		reason: fc.constantFrom('provider_ambiguous', 'stale_provider_version', 'odd'),
		serviceMessage: text,
		requestId: fc.string(),
		serviceDetails: fc.dictionary(fc.string(), fc.oneof(fc.boolean(), fc.nat(), text)),
		found: text,
		retryable: fc.boolean(),
		attempts: fc.nat(5),
		uncertain: fc.boolean(),
		keyed: fc.boolean(),
		idempotencyKey: key,
	},
	{
		requiredKeys: ['kind', 'endpoint', 'agency', 'retryable', 'attempts', 'uncertain'],
		noNullPrototype: true,
	},
);
const request = fc.record(
	{ fingerprint: fc.string(), etag: fc.string(), key, recognisedBy: fc.string(), lostAt: fc.nat() },
	{ requiredKeys: ['fingerprint'], noNullPrototype: true },
);
const attempt = fc.record(
	{
		execution: fc.string(),
		facts,
		mayHaveSucceeded: fc.constantFrom('keyed' as const, 'unkeyed' as const),
		request,
		refusals: fc.nat(3),
	},
	{ requiredKeys: ['execution', 'facts', 'refusals'], noNullPrototype: true },
) as fc.Arbitrary<FailedAttempt>;

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('comes back as it was', () => {
	fc.assert(
		fc.property(attempt, (given) => {
			expect(failureFrom(stored(recordOf(given)))).toEqual(stored(given));
		}),
		{ numRuns: 300 },
	);
});

it('holds a key that was sent and told only once', () => {
	fc.assert(
		fc.property(attempt, (given) => {
			const record = recordOf(given);
			const told = given.facts.idempotencyKey;
			const isSame = told !== undefined && told === given.request?.key;
			expect(record.reported).toBe(isSame ? true : told);
			expect(Object.keys(record.facts as FailureFacts)).not.toContain('idempotencyKey');
			// What is the same for many items comes last.
			expect(Object.keys(record).at(-1)).toBe('facts');
		}),
		{ numRuns: 200 },
	);
});

it('if it is shortened, says less and decides the same', () => {
	fc.assert(
		fc.property(attempt, (given) => {
			const short = shortened(given);
			const { serviceMessage: told, serviceDetails: details, found: _, ...rest } = given.facts;
			expect({ ...short, facts: given.facts }).toEqual(given);
			expect(short.facts).toMatchObject(rest);
			expect(nextAttemptAfter(short.facts)).toBe(nextAttemptAfter(given.facts));
			const { serviceMessage, serviceDetails, found } = short.facts;
			expect(found).toBeUndefined();
			expect(serviceMessage).toBe(
				told === undefined || told.length <= 300 ? told : `${told.slice(0, 300)}…`,
			);
			const kept = Object.entries(details ?? {}).filter(
				([name, value]) =>
					name !== 'shortened' &&
					(typeof value === 'boolean' || (typeof value === 'string' && value.length <= 40)),
			);
			expect(serviceDetails).toEqual(
				details === undefined ? undefined : { ...Object.fromEntries(kept), shortened: true },
			);
		}),
		{ numRuns: 300 },
	);
});

it('if it is shortened, keeps what fits on a line', () => {
	const [short, long] = ['x'.repeat(40), 'x'.repeat(41)];
	const { facts: kept } = shortened({
		...{ execution: '1', refusals: 0 },
		facts: {
			...{ kind: 'answered', endpoint: 'post.create', agency: false, retryable: false },
			...{ attempts: 1, uncertain: false, serviceDetails: { short, long, count: 1, is: false } },
		},
	});
	expect(kept.serviceDetails).toEqual({ short, is: false, shortened: true });
});
