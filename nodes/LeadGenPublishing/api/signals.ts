/** A signal that aborts as soon as any of these does; undefined if none is given. */
export function anyOf(...signals: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const given = signals.filter((signal) => signal !== undefined);
	return given.length > 1 ? AbortSignal.any(given) : given[0];
}
