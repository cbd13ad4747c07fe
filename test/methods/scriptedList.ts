/** A list in the editor, opened against scripted pages. */
import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import * as listSearch from '../../nodes/LeadGenPublishing/methods/listSearch';

const SERVICE = 'https://api.example.com/v1';

export type Method = Exclude<keyof typeof listSearch, 'getClients'>;

export interface Scene {
	readonly method?: Method;
	/** What the service has; it gives as many at a time as it is asked for, but not more than that. */
	readonly records?: readonly JsonRecord[];
	readonly mostInPage?: number;
	/** The limit that the service names. */
	readonly namedLimit?: number;
	/** Of the answers, in turn; 200 after that. */
	readonly statuses?: readonly number[];
	readonly retryAfter?: string;
	readonly credentials?: Promise<JsonRecord>;
	readonly filter?: string;
	readonly paginationToken?: string;
	readonly parameters?: JsonRecord;
}

export async function listed(scene: Scene = {}, lists = listSearch) {
	const { method = 'searchPosts', records = [], mostInPage = 100 } = scene;
	const parameters = scene.parameters ?? { actAs: 'own' };
	const asked: string[] = [];
	const statuses = [...(scene.statuses ?? [])];
	const headers = scene.retryAfter === undefined ? {} : { 'retry-after': scene.retryAfter };
	const functions = {
		getNode: () => ({ id: 'n', name: 'n', type: 'n', typeVersion: 1, position: [0, 0] }),
		getCredentials: async () =>
			await (scene.credentials ?? Promise.resolve({ baseUrl: SERVICE, apiKey: 'NOT_A_REAL_KEY' })),
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) => {
			const value = parameters[name];
			const inside = (value as JsonRecord | undefined)?.value;
			return options?.extractValue === true ? inside : value;
		},
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url, qs }: IHttpRequestOptions) => {
				asked.push(`${url.replace(SERVICE, '')} ${String(qs?.offset)}`);
				const [offset, limit] = [Number(qs?.offset), Number(qs?.limit)];
				const status = statuses.shift() ?? 200;
				const end = offset + Math.min(mostInPage, limit);
				const body =
					status === 200
						? {
								data: records.slice(offset, end),
								pagination: {
									...{ limit: scene.namedLimit ?? mostInPage, offset },
									has_more: end < records.length,
								},
							}
						: { error: { code: status === 403 ? 'forbidden' : 'unavailable', message: 'No' } };
				return await Promise.resolve({
					...{ statusCode: status, headers, body: JSON.stringify(body) },
				});
			},
		},
	} as unknown as ILoadOptionsFunctions;
	const result = await lists[method].call(functions, scene.filter, scene.paginationToken);
	return { asked, result, names: result.results.map(({ name }) => name) };
}

export const postsOf = (count: number, text = 'Post'): JsonRecord[] =>
	Array.from({ length: count }, (_, index) => ({ id: `p${index}`, text }));
