/**
 * What came of a request, as a value. A look at the resource afterwards adds to a failure what it
 * has shown.
 */
import { ApiFailure } from './failure';
import type { JsonRecord } from './schemas';

export type Outcome<T> =
	{ value: T; failure?: undefined } | { value?: undefined; failure: ApiFailure };

/** Whatever is no failure of the service is thrown on. */
export async function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
	return await request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ApiFailure) return { failure: error };
			throw error;
		},
	);
}

export const isNotFound = ({ facts }: ApiFailure): boolean => facts.status === 404;

export interface Findings {
	/** As a sentence for the user. */
	readonly found: string;
	readonly details?: JsonRecord;
	readonly uncertain?: boolean;
	readonly notCarriedOut?: boolean;
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
