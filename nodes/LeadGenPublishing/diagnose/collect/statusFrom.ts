/** A request outside the API. It carries no key, and only its status matters. */
import type { NoResponse } from '../../api/connectionFailure';
import { discard, transmit, type HttpFunctions, type HttpResponse } from '../../api/transport';

/** The status of the response, or why none came. */
export async function statusFrom(
	functions: HttpFunctions,
	url: string,
	timeoutMs: number,
): Promise<number | NoResponse> {
	const read = async ({ status, body }: HttpResponse): Promise<number> => {
		discard(body);
		return await Promise.resolve(status);
	};
	return await transmit(
		functions,
		{ method: 'GET', url },
		{ withKey: false, timeoutMs, secrets: [], read },
	);
}
