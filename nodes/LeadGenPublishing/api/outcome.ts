/** The outcome of a request as a value, and failures extended with what a later read has shown. */
import { ApiFailure } from './failure';
import type { JsonRecord } from './schemas';

export type Outcome<T> =
	{ value: T; failure?: undefined } | { value?: undefined; failure: ApiFailure };

/** Errors other than an `ApiFailure` are rethrown. */
export async function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
	return await request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ApiFailure) return { failure: error };
			throw error;
		},
	);
}

/** The service itself says so: the error page of a proxy knows of no record. */
export const isNotFound = ({ facts }: ApiFailure): boolean =>
	facts.status === 404 && facts.kind === 'answered' && facts.seen === undefined;

export interface Findings {
	/** A sentence for the user. */
	readonly found: string;
	readonly details?: JsonRecord;
	readonly uncertain?: boolean;
	readonly recognisable?: boolean;
	readonly notCarriedOut?: boolean;
	readonly settled?: boolean;
}

export function withFindings(
	{ facts }: ApiFailure,
	{ details, ...findings }: Findings,
): ApiFailure {
	return new ApiFailure({
		...facts,
		...findings,
		serviceDetails: { ...facts.serviceDetails, ...details },
	});
}
