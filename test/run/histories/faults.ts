/** What may happen to the requests of a run. */
import * as fc from 'fast-check';

import type { Effect, Json, JsonObject, ProviderOutcome } from '../../../fake-service/index';

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
const nested = (depth: number): Json => {
	let value: Json = [];
	for (let level = 1; level < depth; level += 1) value = [value];
	return value;
};
/** The request is handled, and nothing can be read of the answer. One that is cut is above. */
const unreadable: readonly Effect[] = [
	{
		...{ kind: 'raw', status: 201, after: true },
		...{ body: '{"data":{}}', headers: { 'content-encoding': 'gzip' } },
	},
	{ kind: 'change', change: () => ({ data: nested(1_000) }) },
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
	{ weight: 2, arbitrary: fc.constantFrom(...unreadable) },
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

/** Errors of the connection before anything of a request is sent. */
const UNSENT = {
	refused: { code: 'ECONNREFUSED', syscall: 'connect' },
	nameless: { code: 'EAI_NODATA', syscall: 'getaddrinfo' },
	tooManyFiles: { code: 'EMFILE', syscall: 'connect' },
} as const;
export type Unsent = keyof typeof UNSENT;

export const unsentError = (name: Unsent): Error =>
	Object.assign(new Error(`connect ${UNSENT[name].code}`), UNSENT[name]);

/** What lists show instead of these fields of each record. */
export const BLANK_AS = ['empty', 'null', 'cut', 'escaped'] as const;
export interface Blank {
	readonly as: (typeof BLANK_AS)[number];
	readonly fields: readonly string[];
}

export const BLANK_FIELDS = [
	...['notes', 'text', 'scheduled_at', 'keyword', 'resource_name'],
	...['images', 'document_url', 'theme_id', 'template_id', 'followups'],
];

/** An envelope in which each record of the list is blank so. */
export const blanking =
	({ as, fields }: Blank) =>
	(envelope: JsonObject): JsonObject => {
		const { data } = envelope;
		return Array.isArray(data)
			? {
					...envelope,
					data: data.map((record) => blankRecord(record as JsonObject, { as, fields })),
				}
			: envelope;
	};

const escaped = (text: string): string =>
	text.replace(/[[\]'&]/g, (char) => `&#0${char.charCodeAt(0)};`).replace(/ /g, '\u00a0');

/** A list that moved while it was read: one record came twice, and another one is missing. */
export const moved = (envelope: JsonObject): JsonObject => {
	const { data } = envelope;
	if (!Array.isArray(data) || data.length < 2) return envelope;
	return { ...envelope, data: [data[0] as JsonObject, ...data.slice(0, -1)] };
};

/** A list whose first record comes again on each page. */
export const pinned = (envelope: JsonObject): JsonObject => {
	const { data } = envelope;
	return Array.isArray(data) ? { ...envelope, data: [...data, ...data.slice(0, 1)] } : envelope;
};

function blankRecord(record: JsonObject, { as, fields }: Blank): JsonObject {
	const shown = { ...record };
	for (const name of fields) {
		const value = shown[name];
		if (as === 'null' && value !== undefined) shown[name] = null;
		if (typeof value !== 'string') continue;
		if (as === 'escaped') shown[name] = escaped(value);
		else if (as === 'empty') shown[name] = '';
		else if (as === 'cut' && name !== 'scheduled_at') shown[name] = `${value.slice(0, 5)}…`;
	}
	return shown;
}

export const blank: fc.Arbitrary<Blank> = fc.record({
	as: fc.constantFrom(...BLANK_AS),
	fields: fc.subarray(BLANK_FIELDS, { minLength: 1 }),
});
const blankLists = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(undefined) },
	{ weight: 1, arbitrary: blank },
);

export interface Faults {
	/** Of the first writes, in order. */
	readonly writes: readonly Effect[];
	/** Of the first writes that are tried: they do not leave the machine. */
	readonly unsent: readonly Unsent[];
	readonly reads: readonly Effect[];
	readonly storage: readonly Effect[];
	readonly network: readonly ProviderOutcome[];
	/**
	 * Every list announces more than it gives, or gives nothing of it, or repeats its first record. Or
	 * the first reading moves.
	 */
	readonly lists: 'whole' | 'neverEnding' | 'emptyPage' | 'moving' | 'pinned';
	readonly blank?: Blank;
}

export const NO_FAULTS: Faults = {
	...{ writes: [], unsent: [], reads: [], storage: [], network: [] },
	lists: 'whole',
};

export const faults: fc.Arbitrary<Faults> = fc.record({
	writes: fc.array(writeEffect, { maxLength: 3 }),
	unsent: fc.oneof(
		{ weight: 5, arbitrary: fc.constant<readonly Unsent[]>([]) },
		{
			weight: 1,
			arbitrary: fc.array(fc.constantFrom(...(Object.keys(UNSENT) as Unsent[])), {
				...{ minLength: 1, maxLength: 3 },
			}),
		},
	),
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
		{ weight: 2, arbitrary: fc.constantFrom('moving' as const, 'pinned' as const) },
	),
	blank: blankLists,
});
