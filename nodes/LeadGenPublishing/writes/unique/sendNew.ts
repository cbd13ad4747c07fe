/** Sends a new record with a unique key, and searches for it if the response is lost. */
import { type ApiFailure, InputError, outcomeOf } from '../../api/failure';
import { BETWEEN_LOOKS, growingPauses } from '../../api/growingPauses';
import type { JsonRecord } from '../../api/schemas';
import { existingNow, look, pauseFor, type Search } from './search';
import { stillUnknown } from './words';

export async function sendNew(search: Search): Promise<JsonRecord> {
	const { call, unique, known, memory } = search;
	const { api } = call;
	const { value, failure } = await outcomeOf(unique.send()).catch((error: unknown) => {
		// Interrupted, such as by the user.
		if (!(error instanceof InputError))
			memory.state = { kind: 'lost', what: 'creation', at: api.now() };
		throw error;
	});
	if (failure !== undefined && !failure.facts.uncertain) throw failure;
	const record = value ?? (await afterLoss(search, failure));
	memory.state = existingNow(record, api.now());
	known.created.set(unique.key, record);
	return record;
}

/**
 * Searches for the result of a request, with growing pauses, and at least once even without time to
 * wait.
 */
async function afterLoss(search: Search, failure: ApiFailure): Promise<JsonRecord> {
	const { call, unique, memory } = search;
	memory.state = { kind: 'lost', what: 'creation', at: call.api.now() };
	let looks = 0;
	const nextPause = growingPauses(BETWEEN_LOOKS);
	for (;;) {
		await pauseFor(search, nextPause());
		const { value: finding, failure: unread } = await outcomeOf(look(search, { fresh: true }));
		if (finding?.kind === 'found') return finding.existing.record;
		if (finding?.kind === 'absent') looks += 1;
		const doubt = finding?.kind === 'uncertain' ? finding.doubt : unread;
		if (call.api.now() >= search.deadline)
			throw stillUnknown(failure, { what: unique.kind.what, looks, doubt });
	}
}
