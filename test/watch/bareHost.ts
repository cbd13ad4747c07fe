/**
 * The least that the trigger needs to poll, without n8n and without a service: each request is
 * answered at once by a function, the clock stands still unless it is moved, and what n8n was asked
 * to send can be looked at.
 */
import type { IDataObject, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { OWN } from '../support/kit/index';

export interface Asked {
	/** Below the base URL. */
	readonly path: string;
	readonly offset: number;
	/** The ID that was sent with the request. */
	readonly requestId: string;
	/** What n8n was told that the request may take (ms). */
	readonly timeout: number | undefined;
}

interface Reply {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	readonly body: IDataObject;
}

export type Answer = (asked: Asked) => Reply | Promise<Reply>;

/** A page of a list, which is the last one unless more is said to follow. */
export const pageOf = (
	records: readonly IDataObject[],
	{ offset = 0, hasMore = false }: { offset?: number; hasMore?: boolean } = {},
): Reply => ({
	body: { data: [...records], pagination: { limit: 100, offset, has_more: hasMore } },
});

export const refusalOf = (status: number, code = 'forbidden'): Reply => ({
	status,
	body: { error: { code, message: 'No' } },
});

const BASE_URL = 'https://api.example.com/v1';
const START = 1_800_000_000_000;
let hosts = 0;

/** Restored by `jest.restoreAllMocks()`. */
export function standingClock() {
	let now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	return { advance: (ms: number) => void (now += ms) };
}

export function bareHost({
	answer,
	node: Node = LeadGenPublishingTrigger,
	...given
}: {
	answer: Answer;
	/** What is polled. */
	node?: new () => Pick<LeadGenPublishingTrigger, 'poll'>;
	parameters?: IDataObject;
	/** What the host says that a poll may take. */
	budgetMs?: number;
	mode?: 'trigger' | 'manual';
	activation?: string;
	/** Stored by an earlier process. */
	data?: IDataObject;
}) {
	hosts += 1;
	const id = `bare-${hosts}`;
	const asked: Asked[] = [];
	const logs: Array<[level: string, message: string]> = [];
	const host = {
		...{ parameters: OWN as IDataObject, budgetMs: 300_000, mode: 'trigger', activation: 'manual' },
		...given,
		data: given.data ?? {},
		credentials: { baseUrl: BASE_URL, apiKey: 'x_live_abcd' } as IDataObject,
	};
	const log = (level: string) => (message: string) => void logs.push([level, message]);
	const contextOf = (process: string) => ({
		getNode: () => ({ id, name: id, type: 'bare', typeVersion: 1, position: [0, 0] }),
		getWorkflow: () => ({ id: process, name: id, active: true }),
		getMode: () => host.mode,
		getActivationMode: () => host.activation,
		getNodeParameter: (name: string) => host.parameters[name] ?? null,
		getCredentials: async () => await Promise.resolve(host.credentials),
		getWorkflowStaticData: () => host.data,
		getPollBudgetMs: () => host.budgetMs,
		logger: { debug: log('debug'), warn: log('warn'), error: log('error') },
		helpers: {
			httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) => {
				const request: Asked = {
					path: http.url.replace(BASE_URL, ''),
					offset: Number(http.qs?.offset ?? 0),
					requestId: String(
						new Headers(http.headers as Record<string, string>).get('X-Request-ID'),
					),
					timeout: http.timeout,
				};
				asked.push(request);
				const { status = 200, headers = {}, body } = await answer(request);
				return { statusCode: status, headers, body: JSON.stringify(body) };
			},
		},
	});
	const pollIn = async (context: ReturnType<typeof contextOf>) => {
		const outputs = await new Node().poll.call(context as unknown as IPollFunctions);
		if (outputs === null) return null;
		expect(outputs).toHaveLength(1);
		return (outputs[0] ?? []).map(({ json }) => json);
	};
	let context = contextOf(id);
	return {
		host,
		asked,
		logs,
		/** What the node polls with now, to be changed. */
		context: () => context,
		poll: async () => await pollIn(context),
		/** A poll of the same process with another context, as when n8n publishes the workflow anew. */
		publish: async () => {
			context = contextOf(id);
			return await pollIn(context);
		},
		/** Another process, which knows only what was stored. */
		restart: () => {
			context = contextOf(`${id} again ${(hosts += 1)}`);
			host.data = JSON.parse(JSON.stringify(host.data)) as IDataObject;
		},
		/** What was asked since the last time. */
		takeAsked: () => asked.splice(0),
		/** What was said at this level since the last time. */
		takeLogs: (level: string) =>
			logs
				.splice(0)
				.filter(([one]) => one === level)
				.map(([, message]) => message),
	};
}

/** Lets what is waiting go on until this holds, without a look at the clock. */
export async function turnsUntil(holds: () => boolean, most = 100_000): Promise<void> {
	for (let turns = 0; turns < most && !holds(); turns++)
		await new Promise((resolve) => setImmediate(resolve));
}

export const leads = (...ids: string[]): IDataObject[] => ids.map((id) => ({ id }));

export const idsIn = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;

/** The answers to the key of this account, with the leads that it has when it is asked. */
export const accountWith =
	(ids: () => readonly string[], account: IDataObject = { user_id: 'me' }): Answer =>
	({ path }) =>
		path === '/me' ? { body: { data: account } } : pageOf(leads(...ids()));
