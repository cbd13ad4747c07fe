/** The first of the signals to be aborted counts; undefined where none is given. */
export function anyOf(...signals: Array<AbortSignal | undefined>): AbortSignal | undefined {
	const given = signals.filter((signal) => signal !== undefined);
	return given.length > 1 ? AbortSignal.any(given) : given[0];
}
