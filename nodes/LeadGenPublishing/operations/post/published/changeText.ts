/**
 * Changes the text of a published post safely: a change is only sent if the service allows it
 * (capability, fresh etag, idempotency key); no second change is sent while the outcome of the first
 * is unknown; and the reported result is what a read of the post has shown.
 *
 * Repeating the exact request after a 502 or a lost answer is done by the client, not here.
 */
import { ApiFailure, outcomeOf, withFindings } from '../../../api/failure';
import type { JsonRecord } from '../../../api/schemas';
import { settledCheck, showsRefusal, tryRead, watch, type PublishedPostPort } from './settling';
import { compareText, describeText, editEtagOf, hasText, isBeingChanged, stateOf } from './state';
import { stepFor } from './steps';

export interface TextPort extends PublishedPostPort {
	/** Sends the change with this etag. */
	send(etag: string): Promise<JsonRecord>;
}

export interface TextChange {
	/** The new text of the post. */
	readonly wanted: string;
	/** The etag to start with; defaults to the one in `current`. */
	readonly etag?: string;
	/** The post as just read. */
	readonly current?: JsonRecord;
	readonly onStaleVersion: 'fail' | 'retryWithFreshEtag';
	/** When to stop waiting, as a time of `now()`. */
	readonly deadline: number;
	/** The failure of an earlier attempt that may have succeeded. */
	readonly earlier?: ApiFailure;
	/** Nothing may be sent: only check the outcome of the earlier attempt with reads. */
	readonly checkOnly?: boolean;
}

export interface TextOutcome {
	readonly record: JsonRecord;
	/** A hint for the user, if something unusual happened. */
	readonly note?: string;
}

export async function changePublishedText(
	port: TextPort,
	change: TextChange,
): Promise<TextOutcome> {
	const { earlier } = change;
	if (earlier !== undefined && change.checkOnly === true)
		return await watchText(earlier, { port, change, etag: change.etag });
	let etag = change.etag ?? editEtagOf(change.current ?? (await port.read()));
	for (let isFirst = true; ; isFirst = false) {
		const outcome = await outcomeOf(port.send(etag));
		if (outcome.failure === undefined) return { record: outcome.value };
		const { failure } = outcome;
		const mayHaveSucceeded = failure.facts.uncertain || earlier !== undefined;
		switch (stepFor(failure)) {
			case 'showRefreshed': {
				const post = await tryRead(port);
				if (mayHaveSucceeded && post !== undefined && hasText(post, change.wanted))
					return { record: post, note: TEXT_THERE };
				throw withRefreshedText(failure, post);
			}
			case 'watch':
				return await watchText(failure, { port, change, etag });
			case 'freshEtag': {
				const post = await tryRead(port);
				if (post !== undefined && hasText(post, change.wanted))
					return { record: post, note: TEXT_ALREADY_THERE };
				const resend = isFirst && change.onStaleVersion !== 'fail' && !mayHaveSucceeded;
				if (post === undefined || !resend) {
					throw withFindings(failure, { found: describeText(post) });
				}
				const fresh = editEtagOf(post);
				// The service still returns the version that it has just called stale.
				if (fresh === etag) throw withFindings(failure, { found: describeText(post) });
				etag = fresh;
				break;
			}
			case 'stop':
				throw failure;
			default:
				throw failure.facts.uncertain
					? withFindings(failure, { found: compareText(await tryRead(port), change.wanted) })
					: failure;
		}
	}
}

const TEXT_ALREADY_THERE =
	'A newer version of a published post already has the wanted text, so its text was not sent again';
const TEXT_THERE =
	'The service was not sure at first whether a text was updated; the post has the new text now';

/** For other changes of a post: adds the refreshed text to an error that asks for its review. */
export async function showingRefreshedText<T>(
	change: Promise<T>,
	port: Pick<PublishedPostPort, 'read'>,
): Promise<T> {
	return await change.catch(async (error: unknown) => {
		const needsText =
			error instanceof ApiFailure &&
			stepFor(error) === 'showRefreshed' &&
			error.facts.found === undefined;
		throw needsText ? withRefreshedText(error, await tryRead(port)) : error;
	});
}

const withRefreshedText = (failure: ApiFailure, post: JsonRecord | undefined): ApiFailure =>
	withFindings(failure, {
		found: describeText(post),
		details: typeof post?.text === 'string' ? { refreshed_text: post.text } : {},
	});

/** Reads until the post has settled, then checks whether it has the text. */
async function watchText(
	failure: ApiFailure,
	{ port, change, etag }: { port: PublishedPostPort; change: TextChange; etag?: string },
): Promise<TextOutcome> {
	const hasSettled = settledCheck('can_edit', { sent: etag, failure });
	const { settled, gone, seen } = await watch(port, {
		deadline: change.deadline,
		isSettled: (post) =>
			hasSettled(post) || (!isBeingChanged(post) && hasText(post, change.wanted)),
	});
	if (settled && seen !== undefined && hasText(seen, change.wanted)) {
		return { record: seen, note: TEXT_THERE };
	}
	if (gone) throw withFindings(failure, { found: 'The post does not exist any more.' });
	throw withFindings(failure, {
		found: settled
			? `A later read does not show the new text, and shows no sign of a change in progress. ${describeText(seen)}`
			: `${compareText(seen, change.wanted)} It had not settled when the waiting ended.`,
		details: stateOf(seen),
		settled,
		uncertain: !showsRefusal(settled, failure),
		notCarriedOut: showsRefusal(settled, failure),
	});
}
