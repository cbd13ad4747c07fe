/** Ends what was cancelled, or what nobody waits for any more. */

/**
 * n8n recognises a canceled execution by this word in the message. The error of its own `sleep` has
 * another one, and would make a run that was stopped while it waited a failed one.
 */
export function throwIfCanceled(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw new Error('The execution was canceled');
}

/** Nobody sees this error: nobody waits for the request any more. */
export function throwIfGivenUp(givenUp: AbortSignal | undefined): void {
	if (givenUp?.aborted) throw new Error('Nobody waits for this any more');
}

/** A signal that aborts as soon as any of these does; undefined if none is given. */
export function anyOf(...signals: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const given = signals.filter((signal) => signal !== undefined);
	return given.length > 1 ? AbortSignal.any(given) : given[0];
}
