/**
 * The guarded change of a published post, as a small state machine over functions passed in.
 * It keeps three promises: a change goes out only with the service's consent (capability, fresh
 * etag, idempotency key); no second change is sent while the fate of the first is unknown; and
 * what is reported in the end is what a read of the post has shown.
 *
 * Repeating the exact request after a 502 or a lost answer is the client's work, not done here.
 */
import { ApiFailure } from './failure';
import {
	capabilitiesOf,
	compareText,
	describeState,
	describeText,
	editEtagOf,
	etagOf,
	hasText,
	inFlux,
	stateOf,
} from './publishedPostState';
import type { JsonRecord } from './schemas';

export interface PublishedPostPort {
	/** Reads the post; throws an `ApiFailure` with 404 when it is gone. */
	read(): Promise<JsonRecord>;
	wait(ms: number): Promise<void>;
	now(): number;
}

export interface TextPort extends PublishedPostPort {
	/** Sends the change, guarded by this etag. */
	send(etag: string): Promise<JsonRecord>;
}

export interface DeletePort extends PublishedPostPort {
	remove(): Promise<JsonRecord>;
}

export interface TextChange {
	/** The text that the post is to have. */
	readonly wanted: string;
	/** The etag to start with; without it the one of `current`. */
	readonly etag?: string;
	/** The post as it has just been read. */
	readonly current?: JsonRecord;
	readonly onStaleVersion: 'fail' | 'retryWithFreshEtag';
	/** When waiting ends, as a time of `now()`. */
	readonly deadline: number;
}

export interface TextOutcome {
	readonly record: JsonRecord;
	/** What the user should know about how it went. */
	readonly note?: string;
}

/** What to do about a reason of part 7.2; every other failure is reported, after a look. */
type Step = 'showRefreshed' | 'freshEtag' | 'watch' | 'stop';
const STEPS: Readonly<Record<string, Step>> = {
	provider_state_refreshed: 'showRefreshed',
	stale_provider_version: 'freshEtag',
	mutation_in_progress: 'watch',
	provider_ambiguous: 'watch',
	idempotency_conflict: 'stop',
	team_boost_spacing_conflict: 'stop',
	provider_attachment_identity_unavailable: 'stop',
};

const stepFor = ({ facts }: ApiFailure): Step | undefined => STEPS[facts.reason ?? ''];

export async function changePublishedText(
	port: TextPort,
	change: TextChange,
): Promise<TextOutcome> {
	let etag = change.etag ?? editEtagOf(change.current ?? (await port.read()));
	for (let round = 1; ; round += 1) {
		const outcome = await outcomeOf(port.send(etag));
		if (outcome.failure === undefined) return { record: outcome.value };
		const { failure } = outcome;
		switch (stepFor(failure)) {
			case 'showRefreshed':
				throw await withRefreshedText(failure, port);
			case 'watch':
				return await watchText(failure, { port, change, etag });
			case 'freshEtag': {
				const post = await look(port);
				if (post !== undefined && hasText(post, change.wanted))
					return { record: post, note: TEXT_ALREADY_THERE };
				if (post === undefined || round > 1 || change.onStaleVersion === 'fail') {
					throw enriched(failure, { found: describeText(post) });
				}
				const fresh = editEtagOf(post);
				// The service still hands out the version it has just called stale: never sent again.
				if (fresh === etag) throw enriched(failure, { found: describeText(post) });
				etag = fresh;
				break;
			}
			case 'stop':
				throw failure;
			default:
				throw failure.facts.uncertain
					? enriched(failure, { found: compareText(await look(port), change.wanted) })
					: failure;
		}
	}
}

const TEXT_ALREADY_THERE =
	'A published post was given the wanted text by someone else in the meantime, so its text was not sent again';
const TEXT_THERE =
	'The service was not sure at first whether a text was updated; the post has the new text now';

/** For every other change of a post: text that has to be reviewed is fetched and shown as well. */
export async function showingRefreshedText<T>(
	change: Promise<T>,
	port: Pick<PublishedPostPort, 'read'>,
): Promise<T> {
	return await change.catch(async (error: unknown) => {
		const isNews =
			error instanceof ApiFailure &&
			stepFor(error) === 'showRefreshed' &&
			error.facts.found === undefined;
		throw isNews ? await withRefreshedText(error, port) : error;
	});
}

async function withRefreshedText(
	failure: ApiFailure,
	port: Pick<PublishedPostPort, 'read'>,
): Promise<ApiFailure> {
	const post = await look(port);
	return enriched(failure, {
		found: describeText(post),
		details: typeof post?.text === 'string' ? { refreshed_text: post.text } : {},
	});
}

/** Reads until the post is at rest, then tells whether it has the text. */
async function watchText(
	failure: ApiFailure,
	{ port, change, etag }: { port: PublishedPostPort; change: TextChange; etag: string },
): Promise<TextOutcome> {
	const hasRested = restAfter('can_edit', etag);
	const { settled, gone, seen } = await watch(port, {
		deadline: change.deadline,
		isSettled: (post) => hasRested(post) || (!inFlux(post) && hasText(post, change.wanted)),
	});
	if (settled && seen !== undefined && hasText(seen, change.wanted)) {
		return { record: seen, note: TEXT_THERE };
	}
	if (gone) throw enriched(failure, { found: 'The post does not exist any more.' });
	throw enriched(failure, {
		found: settled
			? `The post is at rest again and does not have the new text. ${describeText(seen)}`
			: `${compareText(seen, change.wanted)} It had not settled when the waiting ended.`,
		details: stateOf(seen),
		uncertain: !settled,
	});
}

/** Deletes a published post for which the user's consent has been given. */
export async function deletePublished(
	port: DeletePort,
	{ deadline }: { deadline: number },
): Promise<{ note?: string }> {
	const { failure } = await outcomeOf(port.remove());
	if (failure === undefined) return {};
	if (stepFor(failure) === 'watch') return await watchDeletion(failure, { port, deadline });
	if (!failure.facts.uncertain) throw failure;
	if (await isGone(port)) return { note: GONE };
	throw enriched(failure, {
		found: 'The post could still be read afterwards, or could not be read at all.',
	});
}

const GONE = 'The service was not sure at first whether a post was deleted; it is gone now';

async function watchDeletion(
	failure: ApiFailure,
	{ port, deadline }: { port: PublishedPostPort; deadline: number },
): Promise<{ note?: string }> {
	const { settled, gone, seen } = await watch(port, {
		deadline,
		isSettled: restAfter('can_delete'),
	});
	if (gone) return { note: GONE };
	throw enriched(failure, {
		found: settled
			? 'The post is at rest again and was not deleted.'
			: `The post ${describeState(seen)}. It had not settled when the waiting ended.`,
		details: stateOf(seen),
		uncertain: !settled,
	});
}

/**
 * A post that looks as before may only not have changed yet: the document names no sign of a change
 * under way. It is at rest when it was seen busy and is not any more, or has another etag.
 */
function restAfter(capability: 'can_edit' | 'can_delete', sent?: string) {
	let wasBusy = false;
	return (post: JsonRecord): boolean => {
		if (inFlux(post) || capabilitiesOf(post)[capability] !== true) {
			wasBusy = true;
			return false;
		}
		return wasBusy || (sent !== undefined && (etagOf(post) ?? sent) !== sent);
	};
}

/** Whether the post is gone; false as well when that cannot be told. */
export async function isGone(port: Pick<PublishedPostPort, 'read'>): Promise<boolean> {
	const { failure } = await outcomeOf(port.read());
	return failure !== undefined && isNotFound(failure);
}

interface Watched {
	readonly settled: boolean;
	readonly gone: boolean;
	/** The post as it was last read. */
	readonly seen?: JsonRecord;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Looks at the post, ever less often, until it is at rest, gone, or the time is up. */
async function watch(
	port: PublishedPostPort,
	{ deadline, isSettled }: { deadline: number; isSettled: (post: JsonRecord) => boolean },
): Promise<Watched> {
	let seen: JsonRecord | undefined;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const left = deadline - port.now();
		if (left > 0) await port.wait(Math.min(pause, left));
		const { value, failure } = await outcomeOf(port.read());
		if (failure === undefined) {
			seen = value;
			if (isSettled(seen)) return { settled: true, gone: false, seen };
		} else if (isNotFound(failure)) {
			return { settled: true, gone: true };
		}
		if (port.now() >= deadline) return { settled: false, gone: false, seen };
	}
}

/** The post once more, or nothing when it cannot be read: the failure at hand matters more. */
async function look(port: Pick<PublishedPostPort, 'read'>): Promise<JsonRecord | undefined> {
	return (await outcomeOf(port.read())).value;
}

type Outcome<T> = { value: T; failure?: undefined } | { value?: undefined; failure: ApiFailure };

/** What came of a request. Whatever is no failure of the service is thrown on. */
export async function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
	return await request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ApiFailure) return { failure: error };
			throw error;
		},
	);
}

const isNotFound = ({ facts }: ApiFailure): boolean => facts.status === 404;

function enriched(
	{ facts }: ApiFailure,
	{ found, details, uncertain }: { found: string; details?: JsonRecord; uncertain?: boolean },
): ApiFailure {
	return new ApiFailure({
		...facts,
		found,
		serviceDetails: { ...facts.serviceDetails, ...details },
		uncertain: uncertain ?? facts.uncertain,
	});
}
