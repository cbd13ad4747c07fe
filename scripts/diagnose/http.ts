// What the client needs to run without n8n.

import { setTimeout } from 'node:timers/promises';

import type { Host } from '../../nodes/LeadGenPublishing/api/host';

export function hostWithoutN8n(
	credential: { baseUrl: string; apiKey: string },
	onRequest: () => void = () => undefined,
): Host {
	return {
		credential: async () => await Promise.resolve({ ...credential }),
		request: async ({ url, query = {}, method, headers, body }, { withKey, signal }) => {
			onRequest();
			const address = new URL(url);
			for (const [name, value] of Object.entries(query))
				address.searchParams.set(name, String(value));
			const key = withKey ? { Authorization: `Bearer ${credential.apiKey}` } : {};
			const answer = await fetch(address, {
				method,
				headers: { ...(headers as Record<string, string>), ...key },
				body: body as NonNullable<RequestInit['body']> | undefined,
				redirect: 'manual',
				signal,
			});
			return {
				statusCode: answer.status,
				headers: Object.fromEntries(answer.headers),
				body: await answer.text(),
			};
		},
		sleep: async (ms, signal) => await setTimeout(ms, undefined, { signal }),
	};
}
