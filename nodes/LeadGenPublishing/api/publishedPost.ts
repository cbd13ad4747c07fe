/**
 * The guarded change of a published post, as a small state machine over functions passed in.
 * It keeps three promises: a change goes out only with the service's consent (capability, fresh
 * etag, idempotency key); no second change is sent while the fate of the first is unknown; and
 * what is reported in the end is what a read of the post has shown.
 *
 * Repeating the exact request after a 502 or a lost answer is the client's work, not done here.
 */
import { ApiFailure, InputError } from './failure';
import { isRecord, type JsonRecord } from './schemas';

export interface PublishedPostPort {
	/** Reads the post; throws an `ApiFailure` with 404 when it is gone. */
	read(): Promise<JsonRecord>;
	wait(ms: number): Promise<void>;
	now(): number;
}

export interface TextPort extends PublishedPostPort {
	/** Sends the change once, guarded by this etag. */
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

/** What to do about a reason of part 7.2; every other failure is reported after a look. */
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

type Capability = 'can_edit' | 'can_delete';

export const capabilitiesOf = (post: JsonRecord): JsonRecord =>
	isRecord(post.published_mutation_capabilities) ? post.published_mutation_capabilities : {};

/** The document names an etag but not its field: any field whose name says so. */
export function etagOf(post: JsonRecord): string | undefined {
	for (const holder of [capabilitiesOf(post), post]) {
		for (const [name, value] of Object.entries(holder)) {
			if (/etag/i.test(name) && typeof value === 'string' && value !== '') return value;
		}
	}
	return undefined;
}

/** Missing, null and false all mean that the operation is not available. */
export function requireCapability(post: JsonRecord, capability: Capability): void {
	const capabilities = capabilitiesOf(post);
	if (capabilities[capability] === true) return;
	const reason = typeof capabilities.reason === 'string' ? capabilities.reason : undefined;
	const what = capability === 'can_edit' ? 'edited' : 'deleted';
	const why =
		reason === 'write_forbidden'
			? 'this key may only read it (write_forbidden)'
			: reason === undefined
				? `the service does not report "${capability}" as true`
				: `the service gives the reason ${reason}`;
	throw new InputError(
		`The published post cannot be ${what} at the moment: ${why}. Nothing was changed`,
		reason === 'write_forbidden'
			? 'Use a key, or for a client a grant, that may change posts.'
			: `Run Post > Get later and look at "published_mutation_capabilities": it must report "${capability}" as true.`,
		{ code: 'operation_unavailable', reason: reason ?? null, post_status: post.status ?? null },
	);
}

export async function changePublishedText(
	port: TextPort,
	change: TextChange,
): Promise<TextOutcome> {
	let etag = change.etag ?? freshEtag(change.current ?? (await port.read()));
	for (let round = 1; ; round += 1) {
		try {
			return { record: await port.send(etag) };
		} catch (error) {
			if (!(error instanceof ApiFailure)) throw error;
			switch (STEPS[error.facts.reason ?? '']) {
				case 'showRefreshed':
					throw await withRefreshedText(error, port);
				case 'watch':
					return await watchText(error, { port, change });
				case 'stop':
					throw error;
				case 'freshEtag': {
					const post = await look(port);
					if (post?.text === change.wanted) {
						return { record: post, note: 'The post had been given this text in the meantime; nothing more was changed.' };
					}
					if (post === undefined || change.onStaleVersion === 'fail' || round > 1) {
						throw enriched(error, { found: foundText(post) });
					}
					etag = freshEtag(post);
					break;
				}
				default:
					throw error.facts.uncertain
						? enriched(error, { found: verdictText(await look(port), change.wanted) })
						: error;
			}
		}
	}
}

function freshEtag(post: JsonRecord): string {
	requireCapability(post, 'can_edit');
	const etag = etagOf(post);
	if (etag !== undefined) return etag;
	throw new InputError(
		'The service reports that the post can be edited, but gives no etag. Nothing was changed',
		'Run Post > Get to look for the etag, and enter it in the option "ETag".',
		{ code: 'operation_unavailable', reason: 'etag_missing', post_status: post.status ?? null },
	);
}

async function withRefreshedText(error: ApiFailure, port: PublishedPostPort): Promise<ApiFailure> {
	const post = await look(port);
	return enriched(error, {
		found: foundText(post),
		details: typeof post?.text === 'string' ? { refreshed_text: post.text } : {},
	});
}

/** Reads until the post is at rest, then tells whether it has the text. */
async function watchText(
	error: ApiFailure,
	{ port, change }: { port: PublishedPostPort; change: TextChange },
): Promise<TextOutcome> {
	let untouched = 0;
	const post = await watch(port, change.deadline, (seen) => {
		if (inFlux(seen)) return false;
		if (seen.text === change.wanted) return true;
		// Only when the service would accept a change again is the old text an answer, and when
		// the service itself was in doubt, it has to be seen twice.
		untouched = capabilitiesOf(seen).can_edit === true ? untouched + 1 : 0;
		return untouched >= (error.facts.reason === 'provider_ambiguous' ? 2 : 1);
	});
	if (post.settled && post.seen?.text === change.wanted) {
		return { record: post.seen, note: 'The service was not sure at first; the post has the new text now.' };
	}
	throw enriched(error, {
		found: post.settled
			? `The post is at rest again and does not have the new text. ${foundText(post.seen)}`
			: `${verdictText(post.seen, change.wanted)} It had not settled when the waiting ended.`,
		details: stateOf(post.seen),
		uncertain: !post.settled,
	});
}

/** Deletes a published post for which the user's consent has been given. */
export async function deletePublished(
	port: DeletePort,
	{ deadline }: { deadline: number },
): Promise<{ note?: string }> {
	try {
		await port.remove();
		return {};
	} catch (error) {
		if (!(error instanceof ApiFailure)) throw error;
		const { facts } = error;
		if (STEPS[facts.reason ?? ''] === 'watch') return await watchDeletion(error, port, deadline);
		if (facts.uncertain && (await isGone(port))) return { note: GONE };
		throw facts.uncertain ? enriched(error, { found: STILL_THERE }) : error;
	}
}

const GONE = 'The service was not sure at first; the post is gone now.';
const STILL_THERE = 'The post could still be read afterwards, or could not be read at all.';

async function watchDeletion(
	error: ApiFailure,
	port: PublishedPostPort,
	deadline: number,
): Promise<{ note?: string }> {
	let untouched = 0;
	const post = await watch(port, deadline, (seen) => {
		untouched = !inFlux(seen) && capabilitiesOf(seen).can_delete === true ? untouched + 1 : 0;
		return untouched >= 2;
	});
	if (post.gone) return { note: GONE };
	throw enriched(error, {
		found: post.settled
			? 'The post is at rest again and was not deleted.'
			: `The post ${describeState(post.seen)}. It had not settled when the waiting ended.`,
		details: stateOf(post.seen),
		uncertain: !post.settled,
	});
}

/** Whether the post is gone; false as well when that cannot be told. */
export async function isGone(port: Pick<PublishedPostPort, 'read'>): Promise<boolean> {
	try {
		await port.read();
		return false;
	} catch (error) {
		if (isNotFound(error)) return true;
		if (error instanceof ApiFailure) return false;
		throw error;
	}
}

interface Watched {
	readonly settled: boolean;
	readonly gone: boolean;
	readonly seen?: JsonRecord;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Looks at the post, ever less often, until it is at rest, gone, or the time is up. */
async function watch(
	port: PublishedPostPort,
	deadline: number,
	isSettled: (post: JsonRecord) => boolean,
): Promise<Watched> {
	let seen: JsonRecord | undefined;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
		const left = deadline - port.now();
		if (left > 0) await port.wait(Math.min(pause, left));
		try {
			seen = await port.read();
		} catch (error) {
			if (isNotFound(error)) return { settled: true, gone: true };
			if (!(error instanceof ApiFailure)) throw error;
		}
		if (seen !== undefined && isSettled(seen)) return { settled: true, gone: false, seen };
		if (port.now() >= deadline) return { settled: false, gone: false, seen };
	}
}

/** The post once more, or nothing when it cannot be read: the failure at hand matters more. */
async function look(port: PublishedPostPort): Promise<JsonRecord | undefined> {
	try {
		return await port.read();
	} catch (error) {
		if (error instanceof ApiFailure) return undefined;
		throw error;
	}
}

const isNotFound = (error: unknown): boolean =>
	error instanceof ApiFailure && error.facts.status === 404;

/** The document names no sign of it but the status; reasons are read by their meaning. */
function inFlux(post: JsonRecord): boolean {
	const { reason } = capabilitiesOf(post);
	return (
		post.status === 'publishing' ||
		(typeof reason === 'string' && /progress|ambiguous|pending|reconcil|processing/i.test(reason))
	);
}

function enriched(
	error: ApiFailure,
	{ found, details, uncertain }: { found?: string; details?: JsonRecord; uncertain?: boolean },
): ApiFailure {
	const { facts } = error;
	return new ApiFailure({
		...facts,
		found,
		serviceDetails: { ...facts.serviceDetails, ...details },
		uncertain: uncertain ?? facts.uncertain,
	});
}

function stateOf(post: JsonRecord | undefined): JsonRecord {
	if (post === undefined) return { post_status: null };
	const { can_edit, can_delete, reason } = capabilitiesOf(post);
	return {
		post_status: post.status ?? null,
		current_text: post.text ?? null,
		can_edit: can_edit ?? null,
		can_delete: can_delete ?? null,
		unavailable_reason: reason ?? null,
	};
}

const EXCERPT = 200;
const excerpt = (text: string): string =>
	text.length > EXCERPT ? `${Array.from(text).slice(0, EXCERPT).join('')}…` : text;

function foundText(post: JsonRecord | undefined): string {
	if (post === undefined) return 'The post could not be read afterwards.';
	return typeof post.text === 'string' ? `Its text is now: "${excerpt(post.text)}".` : '';
}

function verdictText(post: JsonRecord | undefined, wanted: string): string {
	if (post === undefined) return 'The post could not be read afterwards.';
	const text = post.text === wanted ? 'shows the new text' : 'does not show the new text';
	return `A read afterwards ${text}; the post ${describeState(post)}.`;
}

function describeState(post: JsonRecord | undefined): string {
	if (post === undefined) return 'could not be read';
	const { reason } = capabilitiesOf(post);
	const why = typeof reason === 'string' ? `, ${reason}` : '';
	return `is ${typeof post.status === 'string' ? post.status : 'in an unknown state'}${why}`;
}
