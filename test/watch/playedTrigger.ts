/**
 * The trigger with a simulated n8n and service: a function answers each request at once, and time
 * passes only if the test or a timer says so, so no test waits.
 */
import type { IDataObject, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { expectFittingPollError } from '../support/kit/fittingWords';
import { OWN } from '../support/kit/index';
import { asReceived, pageFrom, pageOf, refused, type Reply } from '../support/replies';

export interface Asked {
	/** Below the base URL. */
	readonly path: string;
	readonly offset: number;
	readonly limit: number;
	readonly query: IDataObject;
	/** The ID that was sent with the request. */
	readonly requestId: string;
	/** The time limit that n8n was given for the request (ms). */
	readonly timeout: number | undefined;
	/** Tells n8n that nobody waits for the response any more. */
	readonly signal: AbortSignal | undefined;
}

export type Answering = (asked: Asked) => Reply | Promise<Reply>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const [ADA, BOB, CAT] = ['11', '12', '13'].map(
	(end) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${end}`,
) as [string, string, string];
export const ALL = { event: 'newLead', watch: 'allClients' };
export const CHOSEN = { event: 'newLead', watch: 'clients', clientIds: [ADA, BOB] };

export const leads = (...ids: string[]): IDataObject[] => ids.map((id) => ({ id }));
/** `1` to the count. */
export const numbered = (count: number, from = 1): string[] =>
	Array.from({ length: count }, (_, at) => `${from + at}`);
/** A value nested this deep. */
export const nested = (depth: number) =>
	JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as IDataObject;

/** The same where more is always announced. */
export const endlessPageFrom = (records: readonly IDataObject[], { offset, limit }: Asked): Reply =>
	pageOf(records.slice(offset, offset + limit), { offset, hasMore: true });

export const hangs = async (): Promise<never> => await new Promise<never>(() => undefined);

const BASE_URL = 'https://api.example.com/v1';
/** The path of one client, where the service shows its grant. */
const ONE_CLIENT = /^\/clients\/[^/]+$/;
const START = 1_800_000_000_000;

beforeEach(() => {
	jest.useFakeTimers({
		now: START,
		doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'],
	});
	// The clock of the process advances with the time of day, and never goes back.
	let [last, passed] = [Date.now(), 0];
	jest.spyOn(performance, 'now').mockImplementation(() => {
		passed += Math.max(0, Date.now() - last);
		last = Date.now();
		return passed;
	});
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

export const advance = (ms: number): void => void jest.setSystemTime(Date.now() + ms);

/** How many polls are between one of these and the next. */
export const gapsIn = (polls: readonly number[]): number[] =>
	polls.slice(1).map((poll, at) => poll - (polls[at] ?? 0));

const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

/** Lets waiting work continue until this holds. */
export async function turnsUntil(holds: () => boolean): Promise<void> {
	for (let turns = 0; turns < 100_000 && !holds(); turns++) await turn();
}

/** Lets it continue to its end. If it only waits for a timer, the clock moves to that time. */
async function playedOut<T>(running: Promise<T>): Promise<T> {
	let isOver = false;
	const end = (): void => void (isOver = true);
	void running.then(end, end);
	for (let turns = 1; !isOver; turns++) {
		await turn();
		if (turns % 10 === 0 && !isOver) jest.advanceTimersToNextTimer();
	}
	return await running;
}

/** The records of the service, and special responses. */
export interface Service {
	/** The records of every list that has no records of its own. */
	records: IDataObject[];
	/** By the path of the list. */
	lists: Record<string, IDataObject[]>;
	me: IDataObject;
	clients: IDataObject[];
	/** A special response, by the end of the path. Undefined: the usual one. */
	instead: Record<string, Answering | Reply | undefined>;
}

export const clientOf = (user_id: string, full_name?: string, status = 'active'): IDataObject => ({
	...{ user_id, full_name, grant: { status } },
});

/** IDs of the items, `null`, or the message of the error. */
export type Outcome = unknown[] | null | string;

let hosts = 0;

export function playedTrigger(
	given: {
		parameters?: IDataObject;
		/** The parameters as they are stored: expressions as their text. */
		stored?: IDataObject;
		/** The IDs of the existing leads. */
		ids?: readonly string[];
		service?: Partial<Service>;
		/** In place of the service. */
		answer?: Answering;
		/** The time that the host allows a poll. Less than n8n's 300 s means its durable scheduler. */
		budgetMs?: number;
		mode?: 'trigger' | 'manual';
		activation?: string;
		/** Stored by an earlier process. */
		data?: IDataObject;
		/** n8n stores nothing of a poll without items, unlike with its durable cursors. */
		forgets?: boolean;
	} = {},
) {
	hosts += 1;
	const id = `played-${hosts}`;
	const asked: Asked[] = [];
	const logs: Array<[level: string, message: string]> = [];
	const { ids = ['a'], service: held = {}, answer, ...more } = given;
	const host = {
		...{ parameters: OWN as IDataObject, budgetMs: 300_000, mode: 'trigger', activation: 'manual' },
		...{ data: {} as IDataObject, forgets: false, ...more },
		stored: given.stored ?? given.parameters ?? (OWN as IDataObject),
		credentials: { baseUrl: BASE_URL, apiKey: 'x_live_abcd' } as IDataObject,
	};
	const service: Service = {
		...{ records: leads(...ids), lists: {}, me: { user_id: 'me' }, instead: {} },
		...{ clients: [clientOf(ADA, 'Ada'), clientOf(BOB, 'Bob')], ...held },
	};
	const answerTo = (request: Asked): Reply | Promise<Reply> => {
		const { path } = request;
		const found = Object.entries(service.instead).find(
			([end, answer]) => path.endsWith(end) && answer !== undefined,
		)?.[1];
		if (found !== undefined) return typeof found === 'function' ? found(request) : found;
		if (path === '/me') return { body: { data: service.me } };
		if (path === '/clients') return pageFrom(service.clients, request);
		if (ONE_CLIENT.test(path)) {
			const client = service.clients.find(({ user_id }) => path.endsWith(`/${user_id as string}`));
			return client === undefined ? refused(404, 'not_found') : { body: { data: client } };
		}
		return pageFrom(service.lists[path] ?? service.records, request);
	};
	const log = (level: string) => (message: string) => void logs.push([level, message]);
	const contextOf = (process: string) => ({
		getNode: () => ({ id, name: id, type: 'played', typeVersion: 1, position: [0, 0] }),
		getWorkflow: () => ({ id: process, name: id, active: true }),
		getMode: () => host.mode,
		getActivationMode: () => host.activation,
		getNodeParameter: (name: string, _: unknown, options?: { rawExpressions?: boolean }) =>
			(options?.rawExpressions === true ? host.stored : host.parameters)[name] ?? null,
		getCredentials: async () => await Promise.resolve(host.credentials),
		getWorkflowStaticData: () => host.data,
		getPollBudgetMs: () => host.budgetMs,
		getTimezone: () => 'Europe/Zurich',
		logger: { debug: log('debug'), warn: log('warn'), error: log('error') },
		helpers: {
			httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) => {
				const { offset, limit, ...query } = http.qs ?? {};
				const headers = new Headers(http.headers as Record<string, string>);
				const request: Asked = {
					...{ path: http.url.replace(BASE_URL, ''), query, timeout: http.timeout },
					...{ offset: Number(offset), limit: Number(limit) },
					requestId: String(headers.get('X-Request-ID')),
					signal: http.abortSignal as AbortSignal | undefined,
				};
				asked.push(request);
				const isPage = request.path !== '/me' && !ONE_CLIENT.test(request.path);
				expect([request.offset >= 0, request.limit]).toEqual(isPage ? [true, 100] : [false, NaN]);
				return asReceived(await (answer ?? answerTo)(request));
			},
		},
	});
	type Context = ReturnType<typeof contextOf>;
	const begin = async (context: Context): Promise<IDataObject[] | null> => {
		const before = structuredClone(host.data);
		const forget = (): void => void (host.data = host.forgets ? before : host.data);
		const outputs = await new LeadGenPublishingTrigger().poll
			.call(context as unknown as IPollFunctions)
			.catch((error: Error) => {
				forget();
				expectFittingPollError(error);
				throw error;
			});
		if (outputs === null) {
			forget();
			return null;
		}
		expect(outputs).toHaveLength(1);
		return (outputs[0] ?? []).map(({ json }) => json);
	};
	let context = contextOf(id);
	const poll = async () => await playedOut(begin(context));
	const outcome = async (): Promise<Outcome> =>
		await poll().then(idsIn, (error: unknown) => (error as Error).message);
	return {
		...{ host, service, asked, logs, poll, outcome },
		/** The current parameters of the node. A test may change them. */
		context: () => context,
		/** A poll for which no time passes. */
		begin: async () => await begin(context),
		/** The output of the following polls, a minute apart by default. */
		outcomes: async (count: number, every = MINUTE): Promise<Outcome[]> => {
			const all: Outcome[] = [];
			for (let polls = 0; polls < count; polls++) {
				advance(every);
				all.push(await outcome());
			}
			return all;
		},
		/** A poll of the same process with another context, as when n8n publishes the workflow again. */
		publish: async () => {
			context = contextOf(id);
			return await poll();
		},
		/** Another process, which knows only what was stored. */
		restart: () => {
			context = contextOf(`${id} again ${(hosts += 1)}`);
			host.data = JSON.parse(JSON.stringify(host.data)) as IDataObject;
		},
		/** New leads, at the head of the list. */
		add: (...newIds: string[]) => void service.records.unshift(...leads(...newIds)),
		useKey: (apiKey: string) => void (host.credentials = { ...host.credentials, apiKey }),
		/** The requests since the last call. */
		takeAsked: () => asked.splice(0),
		/** The log lines of this level since the last call. */
		takeLogs: (level: string) =>
			logs
				.splice(0)
				.filter(([one]) => one === level)
				.map(([, message]) => message),
	};
}

const idsIn = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;

/** A trigger that has been published and has polled once: existing records count as known. */
export async function watching(given: Parameters<typeof playedTrigger>[0] = {}) {
	const node = playedTrigger(given);
	await node.outcomes(2);
	node.takeAsked();
	node.takeLogs('');
	return node;
}
