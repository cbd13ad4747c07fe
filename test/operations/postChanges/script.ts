/**
 * An update or a deletion of a post against a script instead of a service, on a clock that only waiting
 * moves. A script lists the requests in order: `[OLD, v1(STALE), THEIRS]` is a read that shows the old
 * text, a change sent with the etag "v1" that is rejected as stale, and a read that shows another text.
 */
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { ApiFailure, type FailureFacts } from '../../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { requestOf } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { deletePost } from '../../../nodes/LeadGenPublishing/operations/post/delete';
import { updatePost } from '../../../nodes/LeadGenPublishing/operations/post/update';
import { failure, ID, itemOf, type Earlier, type ItemReply } from '../itemScene';
import { spoken, type SomeFacts, type SpokenFacts } from '../../support/facts';

/** A change: the etag it is sent with, and its reply. Any other step of a script is the reply to a read. */
class Change {
	constructor(
		readonly etag: string | undefined,
		readonly reply: ItemReply,
	) {}
}
export type Step = ItemReply | Change;
const sentWith = (etag?: string) => (reply: ItemReply) => new Change(etag, reply);
export const plain = sentWith();
export const v0 = sentWith('v0');
export const v1 = sentWith('v1');
export const v2 = sentWith('v2');
export const v3 = sentWith('v3');
/** With the etag that the user has entered. */
export const reviewed = sentWith('mine');

export const published = (
	text = 'old',
	etag: unknown = 'v1',
	more: JsonRecord = {},
): JsonRecord => ({
	id: ID,
	status: 'published',
	text,
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: etag, ...more },
});
export const stored = (more: JsonRecord = {}): JsonRecord => ({
	id: ID,
	status: 'draft',
	text: 'old',
	...more,
});
const changing = (text: string): JsonRecord =>
	published(text, null, { can_edit: false, can_delete: false, reason: 'provider_ambiguous' });

// What a read may show.
export const OLD = published();
export const OLD_AGAIN = published('old', 'v2');
export const NEW = published('new', 'v2');
export const THEIRS = published('theirs', 'v2');
export const BUSY = changing('old');
export const BUSY_NEW = changing('new');
export const BUSY_THEIRS = changing('theirs');
export const PUBLISHING: JsonRecord = { ...NEW, status: 'publishing' };
export const DRAFT = stored();
export const SCHEDULED = stored({ status: 'scheduled' });
export const GOING_OUT = stored({ status: 'publishing' });
export const NO_STATUS: JsonRecord = { id: ID, text: 'old' };
export const GONE = failure(404, { uncertain: false });
export const BROKEN = failure(502, { uncertain: true });

// What a change may be answered with.
export const OK: JsonRecord = { text: 'new' };
export const refusal = (reason: string, more: SomeFacts = {}): ApiFailure =>
	failure(409, { code: 'conflict', reason, uncertain: false, ...more });
export const STALE = refusal('stale_provider_version');
export const REFRESHED = refusal('provider_state_refreshed');
export const IN_PROGRESS = refusal('mutation_in_progress');
export const AMBIGUOUS = refusal('provider_ambiguous');
export const UPSTREAM = failure(502, { code: 'upstream_error', uncertain: true });

export const BAD = failure(400);
export const FORBIDDEN = failure(403);
export const CONFLICT = failure(409);

export interface Given {
	readonly fields?: JsonRecord;
	readonly options?: JsonRecord;
	readonly isConfirmed?: boolean;
	readonly earlier?: Earlier;
	/** Whether the earlier attempt has sent another change. */
	readonly wasOther?: boolean;
	readonly maxWaitMs?: number;
	/** Continued after an attempt without a key. */
	readonly isResumed?: boolean;
}
export const told = (currentStatus: string): Given => ({ options: { currentStatus } });
export const sent = (request: Earlier['request']): Given => ({ earlier: { request } });
/** An earlier attempt that certainly failed. */
export const FAILED = { kind: 'notDone' } as const;

export const TRIED: Given = { earlier: {} };
export const TO_CHECK: Given = {
	earlier: { checkOnly: true, request: { etag: 'v1', key: 'k' } },
};

/** With the fingerprint of the very change that is sent now, unless it was another one. */
function earlierOf({ earlier, wasOther }: Given, fields: JsonRecord): Earlier | undefined {
	if (earlier === undefined || wasOther) return earlier;
	const { etag, key } = earlier.request ?? {};
	const body = Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name.replace('Id', '_id'), value]),
	);
	const options = { params: { id: ID }, body, etag, idempotencyKey: key };
	const same = requestOf({ accountId: 'own' }, 'post.update', options);
	return { ...earlier, request: { ...same, ...earlier.request } };
}

/** What was asked, what came of it, and for how long was waited. */
export async function play(
	operation: 'update' | 'delete',
	script: readonly Step[],
	given: Given = {},
) {
	const { fields = { text: 'new' }, options = {}, isConfirmed = true } = given;
	const reads = script.flatMap((step) => (step instanceof Change ? [] : [step]));
	const changes = script.flatMap((step) => (step instanceof Change ? [step.reply] : []));
	const item = itemOf(
		operation === 'update' ? updatePost : deletePost,
		{ postId: ID, updateFields: fields, options, confirmPublished: isConfirmed },
		{
			answers: { 'post.get': reads, [`post.${operation}`]: changes },
			earlier: earlierOf(given, fields),
			maxWaitMs: given.maxWaitMs,
		},
	);
	const outcome: unknown = await (given.isResumed ? item.resume() : item.run()).catch(
		(error: unknown) => error,
	);
	return {
		...item,
		asked: item.sent.map(({ name, etag = 'plain' }) => (name === 'post.get' ? 'read' : etag)),
		/** The same as the script has it. */
		scripted: script.map((step) => (step instanceof Change ? (step.etag ?? 'plain') : 'read')),
		outcome,
		facts: outcome instanceof ApiFailure ? spoken(outcome.facts) : undefined,
		keys: item.writes().map(({ idempotencyKey }) => idempotencyKey),
		waited: item.waited(),
	};
}

/** How an item may end. An error is stated in full: its facts, or its words and details. */
export type Outcome =
	| {
			readonly kind: 'gives';
			readonly record: JsonRecord;
			readonly said?: string;
			/** It settles an earlier attempt, whose outcome was open. */
			readonly settles?: true;
	  }
	| { readonly kind: 'fails'; readonly facts: SpokenFacts }
	| { readonly kind: 'rejects'; readonly words: Words; readonly details: JsonRecord };
export interface Words {
	readonly message: string;
	readonly remedy: string;
}

/** The failure that the service gave, with what the operation has found out since. */
export const fails = ({ facts }: ApiFailure, found: SomeFacts = {}): Outcome => ({
	kind: 'fails',
	facts: spoken({ ...facts, ...found } as FailureFacts),
});
/** The same with a sentence on what a later read has shown. */
export const failsHaving = (failed: ApiFailure, found: string, more: SomeFacts = {}): Outcome => ({
	kind: 'fails',
	facts: { ...spoken({ ...failed.facts, ...more } as FailureFacts), found },
});
export const rejects = (words: Words, details: JsonRecord): Outcome => ({
	kind: 'rejects',
	words,
	details: { code: 'operation_unavailable', ...details },
});

// What a later read has shown of a change whose outcome was open.
export const SETTLED = { settled: true, notCarriedOut: true, uncertain: false } as const;
export const OPEN = { settled: false, notCarriedOut: false, uncertain: true } as const;
/** The details of an error that tell what the last read has shown. */
export const asRead = (current_text = 'old', post_status = 'published'): JsonRecord => ({
	post_status,
	current_text,
	can_edit: true,
	can_delete: true,
	unavailable_reason: null,
});
/** A failure says which status the post has by now. */
export const now = (status: 'published' | 'publishing'): SomeFacts => ({
	postNow: status,
	details: { post_status: status },
});
/** The text that the user has to review. */
export const TO_REVIEW = { details: { refreshed_text: 'theirs' } };
export const CHANGED: Outcome = { kind: 'gives', record: { id: ID, text: 'new' } };
export const IT_IS_NOW_THEIRS = 'Its text is now: "theirs".';

/** An item, what is asked of the service, and how the item ends. */
type Row = readonly [name: string, script: readonly Step[], outcome: Outcome];

export const updates = (title: string, given: Given, rows: readonly Row[]): void =>
	describe(title, () => {
		it.each(rows)('%s', async (...row) => await expectRow('update', row, given));
	});
export const deletions = (title: string, given: Given, rows: readonly Row[]): void =>
	describe(title, () => {
		it.each(rows)('%s', async (...row) => await expectRow('delete', row, given));
	});

export const expectUpdate = async (row: Row, given: Given): Promise<void> =>
	await expectRow('update', row, given);

async function expectRow(
	operation: 'update' | 'delete',
	[, script, expected]: Row,
	given: Given,
): Promise<void> {
	const { asked, scripted, outcome, said, timesSettled } = await play(operation, script, given);
	expect(asked).toEqual(scripted);
	switch (expected.kind) {
		case 'gives':
			expect(outcome).toEqual(expected.record);
			expect(said).toEqual(expected.said === undefined ? [] : [expected.said]);
			if (expected.settles) expect(timesSettled()).toBe(1);
			return;
		case 'fails':
			expect(outcome).toBeInstanceOf(ApiFailure);
			expect(spoken((outcome as ApiFailure).facts)).toEqual(expected.facts);
			break;
		case 'rejects': {
			expect(outcome).toBeInstanceOf(InputError);
			const { message, remedy, details } = outcome as InputError;
			expect({ message, remedy, details }).toEqual({
				...expected.words,
				details: expected.details,
			});
		}
	}
	expect(said).toEqual([]);
}
