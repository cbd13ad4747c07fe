/**
 * What a creation means for the record with its key: whether the record exists now, or may exist. The
 * next item and the next execution of this process know it.
 */
import { InputError } from '../../words/inputError';
import { ApiFailure, outcomeOf, type Outcome } from '../../api/failure';
import { BETWEEN_LOOKS, growingPauses } from '../../api/growingPauses';
import type { JsonRecord } from '../../api/schemas';
import { existingNow, look, pauseFor, type Search } from './findRecord';
import { stillUnknown } from './words';

/**
 * The outcome of a creation. If it may have had an effect, the next item with this key waits. Without
 * a search, the record has no key.
 */
export async function outcomeOfCreation<T>(
	search: Search | undefined,
	request: Promise<T>,
): Promise<Outcome<T>> {
	return await request.then(
		(value) => ({ value }),
		(error: unknown) => {
			const failure = error instanceof ApiFailure ? error : undefined;
			// An error of another kind is an interruption, such as by the user.
			const isLost = failure?.facts.uncertain ?? !(error instanceof InputError);
			if (isLost && search !== undefined)
				search.memory.state = { kind: 'lost', at: search.call.api.now() };
			if (failure !== undefined) return { failure };
			throw error;
		},
	);
}

/** Remembers a record that was created, because a list may show it only after a while. */
export function rememberCreated(search: Search, record: JsonRecord): void {
	const { call, wanted, records, memory } = search;
	memory.state = existingNow(record, call.api.now());
	records.created.set(wanted.key, record);
}

/** Remembers a record that was changed, because a list may show it only after a while. */
export function rememberChanged(search: Search, record: JsonRecord): void {
	search.memory.state = existingNow(record, search.call.api.now());
}

/**
 * Searches for the result of a creation whose response was lost, with growing pauses, and at least
 * once even without time to wait.
 */
export async function findLostCreation(search: Search, failure: ApiFailure): Promise<JsonRecord> {
	const { call, wanted } = search;
	let looks = 0;
	const nextPause = growingPauses(BETWEEN_LOOKS);
	for (;;) {
		await pauseFor(search, nextPause());
		const { value: finding, failure: unread } = await outcomeOf(look(search, { fresh: true }));
		// A record with other content comes from an earlier creation that took effect late.
		if (finding?.kind === 'found' && finding.existing.differences.length === 0)
			return finding.existing.record;
		if (finding?.kind === 'absent') looks += 1;
		const doubt = finding?.kind === 'uncertain' ? finding.doubt : unread;
		if (call.api.now() >= search.deadline)
			throw stillUnknown(failure, { what: wanted.kind.what, looks, doubt });
	}
}
