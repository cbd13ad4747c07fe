// As much of n8n as the client needs: a diagnosis without n8n.

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';

export function httpFunctions(
	credential: { baseUrl: string; apiKey: string },
	onRequest: () => void = () => undefined,
): HttpFunctions {
	const send = async (
		{ url, qs = {}, method, headers, body, abortSignal }: IHttpRequestOptions,
		key?: string,
	) => {
		onRequest();
		const address = new URL(url);
		for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value));
		const answer = await fetch(address, {
			method,
			headers: {
				...(headers as Record<string, string>),
				...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
			},
			body: body as NonNullable<RequestInit['body']> | undefined,
			redirect: 'manual',
			signal: abortSignal as AbortSignal | undefined,
		});
		return {
			statusCode: answer.status,
			headers: Object.fromEntries(answer.headers),
			body: await answer.text(),
		};
	};
	return {
		getNode: () => ({
			...{ id: '0', name: 'Diagnose', type: 'diagnose', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		}),
		getCredentials: async <T extends object>() => await Promise.resolve(credential as unknown as T),
		helpers: {
			httpRequest: async (options) => await send(options),
			httpRequestWithAuthentication: async (_, options) => await send(options, credential.apiKey),
		},
	};
}
