/** What the rows about writes share: how a write failed, and whether a text was kept. Pure. */
import type { JsonRecord } from '../../../api/schemas';
import { isSameText } from '../../../records/storedValue';
import type { Asked } from '../../facts';
import { needsYou, REPORT_IT, type CheckFinding } from '../row';
import { andOf, fieldNames, inShort, routeInWords, saysOf } from '../words';

export type FailureKind = 'forbidden' | 'rejected' | 'failing' | 'noAnswer';

/** How a write failed. Undefined if it succeeded or was not sent. */
export function failureOf(asked: Asked | undefined): CheckFinding<FailureKind> | undefined {
	if (asked === undefined) return undefined;
	const { outcome } = asked;
	const seen = `${routeInWords(asked.name)}: ${inShort(outcome)}`;
	const says = saysOf([asked]);
	if (outcome.kind === 'success' || outcome.kind === 'unsent') return undefined;
	if (outcome.kind !== 'refused') return { kind: 'noAnswer', seen, says };
	if (outcome.status === 403 || outcome.status === 401) return { kind: 'forbidden', seen, says };
	return {
		kind: outcome.meaning === 'refused' ? 'rejected' : 'failing',
		seen,
		says,
	};
}

export const FAILURES = (what: string, scope: string) => ({
	forbidden: needsYou(
		`The service does not let this key ${what}.`,
		`Ask the service for the scope ${scope}, unless the key should only read.`,
	),
	rejected: needsYou(
		`The service rejects the request to ${what}, although it follows the API document.`,
		REPORT_IT,
	),
	failing: needsYou(
		`The service fails when the node tries to ${what}.`,
		'Run this again later. If nothing changes, send this item to the service.',
	),
	noAnswer: needsYou(
		`The node got no usable response when it tried to ${what}.`,
		'Run this again later. If nothing changes, send this item to the service.',
	),
});

export const isKept = (stored: unknown, sent: string): boolean =>
	typeof stored === 'string' && isSameText(stored, sent);

/**
 * Finds a response to a write that lacks all the fields that were sent. The operation can only
 * return what the response shows.
 */
export function briefIn(
	shown: JsonRecord,
	sent: readonly string[],
): CheckFinding<'brief'> | undefined {
	if (sent.some((name) => name in shown)) return undefined;
	const names = fieldNames([shown]);
	return { kind: 'brief', seen: `fields: ${names.join(', ')}`, about: andOf(names) };
}
