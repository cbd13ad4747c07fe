/**
 * What is done with the post of a row that differs from it. Pure.
 *
 * | the post is | and what differs          | decision                                        |
 * | ----------- | ------------------------- | ----------------------------------------------- |
 * | publishing  | anything                  | refuse                                          |
 * | published   | media or follow-ups       | refuse: nothing is sent, not even another field |
 * | published   | text, or other fields     | send them, the text under the service's guard   |
 * | another     | anything                  | send it                                         |
 */
import type { JsonRecord } from '../../api/schemas';
import type { Compared, WantedPost } from './comparePost';
import { isRecorded } from './lastSent';
import { isFixedThen } from './postFields';

export type ChangeDecision =
	| { readonly kind: 'send'; readonly fields: readonly string[]; readonly marks: boolean }
	| { readonly kind: 'refusePublishing' }
	| { readonly kind: 'refuseFixed'; readonly fields: readonly string[] };

export function decideChange(
	wanted: Pick<WantedPost, 'body' | 'mayBeLater'>,
	{ stage, differences: fields }: Pick<Compared, 'stage' | 'differences'>,
): ChangeDecision {
	if (stage === 'publishing') return { kind: 'refusePublishing' };
	const fixed = stage === 'published' ? fields.filter(isFixedThen) : [];
	if (fixed.length > 0) return { kind: 'refuseFixed', fields: fixed };
	const marks = fields.some((field) => isRecorded(field, wanted));
	return { kind: 'send', fields: sentFields(wanted.body, fields), marks };
}

/** A post that becomes scheduled is sent with its time, because the service requires one. */
function sentFields(body: JsonRecord, fields: readonly string[]): readonly string[] {
	const isScheduled = fields.includes('status') && body.status === 'scheduled';
	if (!isScheduled || fields.includes('scheduled_at') || !('scheduled_at' in body)) return fields;
	return [...fields, 'scheduled_at'];
}
