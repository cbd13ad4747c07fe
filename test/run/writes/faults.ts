/** What may happen to the requests of a run. */
import * as fc from 'fast-check';

import type { Effect, ProviderOutcome } from '../../../fake-service/index';

const afterwards: readonly Effect[] = [
	{ kind: 'error', status: 500, after: true },
	{ kind: 'error', status: 502, after: true },
	{ kind: 'reset', after: true },
	{ kind: 'html', status: 200, after: true },
	{ kind: 'cut' },
	{ kind: 'cut', abort: true },
	{ kind: 'empty' },
	{ kind: 'envelope', shape: 'noData' },
];
const before: readonly Effect[] = [
	{ kind: 'error', status: 500 },
	{ kind: 'error', status: 503 },
	{ kind: 'reset' },
];
const throttled: readonly Effect[] = [
	{ kind: 'error', status: 429 },
	{ kind: 'error', status: 429, retryAfter: 0 },
	{ kind: 'error', status: 429, retryAfter: 7 },
	{ kind: 'error', status: 429, retryAfter: 3600 },
];
const refused: readonly Effect[] = [400, 403, 404, 409, 422].map((status) => ({
	kind: 'error',
	status,
}));
const NONE: Effect = { kind: 'delay', ms: 0 };

const late = fc
	.oneof(fc.integer({ min: 100, max: 9_000 }), fc.integer({ min: 9_001, max: 50_000 }))
	.map((ms): Effect => ({ kind: 'late', ms }));

/** Of the request that is on its way when the process dies. */
export const lastEffect = fc.oneof(
	fc.constantFrom<Effect>({ kind: 'reset' }, { kind: 'reset', after: true }),
	late,
);

const writeEffect = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(NONE) },
	{ weight: 3, arbitrary: fc.constantFrom(...afterwards) },
	{ weight: 3, arbitrary: late },
	{ weight: 2, arbitrary: fc.constantFrom(...before) },
	{ weight: 1, arbitrary: fc.constantFrom(...throttled) },
	{ weight: 1, arbitrary: fc.constantFrom(...refused) },
);

const readEffects = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<readonly Effect[]>([]) },
	{
		weight: 1,
		arbitrary: fc.array(
			fc.constantFrom<Effect>(
				NONE,
				{ kind: 'error', status: 500 },
				{ kind: 'error', status: 429 },
				{ kind: 'reset' },
			),
			{ minLength: 1, maxLength: 4 },
		),
	},
);

/** What the network makes of changes of published posts. */
const network = fc.constantFrom<ProviderOutcome>(
	{ reason: 'provider_state_refreshed' },
	{ reason: 'mutation_in_progress', reads: 1 },
	{ reason: 'mutation_in_progress', ms: 20_000 },
	{ reason: 'provider_ambiguous', applied: true, reads: 1 },
	{ reason: 'provider_ambiguous', applied: false, ms: 5_000 },
	{ reason: 'provider_attachment_mismatch', applied: true },
	{ reason: 'provider_unreconciled', applied: false },
);

export interface Faults {
	/** Of the first writes, in order. */
	readonly writes: readonly Effect[];
	readonly reads: readonly Effect[];
	readonly storage: readonly Effect[];
	readonly network: readonly ProviderOutcome[];
	/** Every list announces more than it gives, or gives nothing of it. */
	readonly lists: 'whole' | 'neverEnding' | 'emptyPage';
}

export const NO_FAULTS: Faults = {
	...{ writes: [], reads: [], storage: [], network: [] },
	lists: 'whole',
};

export const faults: fc.Arbitrary<Faults> = fc.record({
	writes: fc.array(writeEffect, { maxLength: 3 }),
	reads: readEffects,
	storage: fc.array(
		fc.constantFrom<Effect>(
			NONE,
			{ kind: 'error', status: 500 },
			{ kind: 'reset' },
			{ kind: 'reset', after: true },
		),
		{ maxLength: 1 },
	),
	network: fc.array(network, { maxLength: 2 }),
	lists: fc.oneof(
		{ weight: 8, arbitrary: fc.constant('whole' as const) },
		{ weight: 1, arbitrary: fc.constantFrom('neverEnding' as const, 'emptyPage' as const) },
	),
});
