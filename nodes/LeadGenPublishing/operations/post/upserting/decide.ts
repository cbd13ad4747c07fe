/**
 * What is done with the post of a row that differs from it. Pure.
 *
 * | the post is | and what differs          | decision                                        |
 * | ----------- | ------------------------- | ----------------------------------------------- |
 * | publishing  | anything                  | refuse                                          |
 * | published   | media or follow-ups       | refuse: nothing is sent, not even another field |
 * | published   | text, or other fields     | send them, the text under the service's guard   |
 * | another     | anything                  | send it                                         |
 * | any         | not the status expected   | refuse                                          |
 */
import type { JsonRecord } from '../../../api/schemas';
import { FIXED, type Compared, type WantedPost } from './compare';

/** The status that a post must have to be changed, as the user has set it. */
export type Expected = 'read' | 'draft' | 'scheduled' | 'published';

export type ChangeDecision =
	| { readonly kind: 'send'; readonly fields: readonly string[]; readonly marks: boolean }
	| { readonly kind: 'refusePublishing' }
	| { readonly kind: 'refuseFixed'; readonly fields: readonly string[] }
	| { readonly kind: 'refuseStatus'; readonly expected: Expected };

/** The actual statuses that are accepted for an expected one. */
const EXPECTED: Readonly<Record<Expected, readonly unknown[] | undefined>> = {
	read: undefined,
	draft: ['draft'],
	scheduled: ['draft', 'scheduled'],
	published: ['published'],
};

/** Fields that a read shows, so the marker does not have to record them. */
const SHOWN: readonly string[] = ['text', 'status'];

export function decideChange(
	wanted: Pick<WantedPost, 'body'>,
	{ stage, differences }: Pick<Compared, 'stage' | 'differences'>,
	{ status, expected }: { status: unknown; expected: Expected },
): ChangeDecision {
	const { [expected]: allowed } = EXPECTED;
	if (allowed !== undefined && !allowed.includes(status)) return { kind: 'refuseStatus', expected };
	if (stage === 'publishing') return { kind: 'refusePublishing' };
	const fields = differences.map(({ field }) => field);
	const fixed = stage === 'published' ? fields.filter((field) => FIXED.includes(field)) : [];
	if (fixed.length > 0) return { kind: 'refuseFixed', fields: fixed };
	const marks = differences.some(({ field, isShown }) => !isShown || !SHOWN.includes(field));
	return { kind: 'send', fields: sentFields(wanted.body, fields), marks };
}

/** A post that becomes scheduled is sent with its time, because the service requires one. */
function sentFields(body: JsonRecord, fields: readonly string[]): readonly string[] {
	const isScheduled = fields.includes('status') && body.status === 'scheduled';
	if (!isScheduled || fields.includes('scheduled_at') || !('scheduled_at' in body)) return fields;
	return [...fields, 'scheduled_at'];
}
