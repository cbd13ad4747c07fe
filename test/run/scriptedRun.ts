/** A run of the node over its items, where a script stands for n8n and for the service. */
import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { executeItems } from '../../nodes/LeadGenPublishing/run/executeItems';
import { asReceived, ok, refused, type Reply } from '../support/replies';

const SERVICE = 'https://api.example.com/v1';
export const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const NOW = Date.parse('2030-01-28T09:00:00Z');

export const idOf = (index: number): string =>
	`6f1c2f0e-7d4b-4a53-9d53-${String(index).padStart(12, '0')}`;

export interface Asked {
	readonly method: string;
	/** Without the address of the service. */
	readonly path: string;
	/** Of the first record, in a list. */
	readonly offset: number;
}

/** A write that may have been carried out. */
export const LOST = refused(502, 'upstream_error');

/** An error is thrown, as n8n's helper does where no response came. */
type Answering = (asked: Asked) => Reply | Error | Promise<Reply | Error>;

export interface Script {
	readonly parameters: JsonRecord;
	/** As the workflow holds them, expressions as their text, where that is not what they give. */
	readonly stored?: JsonRecord;
	/** Of the node: `…Tool` is one that an agent calls. */
	readonly type?: string;
	readonly apiKey?: string;
	/** When it begins, in seconds after other runs. */
	readonly after?: number;
	/** Its ID, if there are several. */
	readonly node?: string;
	/** Parameters that hold an expression, and what it gives for each item; an error is thrown. */
	readonly each?: Readonly<Record<string, readonly unknown[]>>;
	/** What the expressions of a template give, such as `$json.id`, for each item. */
	readonly inTemplates?: Readonly<Record<string, readonly unknown[]>>;
	/** As many as the expressions have values, or one, unless told. */
	readonly items?: ReadonlyArray<Partial<INodeExecutionData>>;
	readonly answer?: Answering;
	/** What the storage does with a file; it takes it unless told. */
	readonly storage?: () => Promise<unknown>;
	readonly continueOnFail?: boolean;
	/** What n8n stores with the execution. */
	readonly context?: JsonRecord;
	readonly execution?: string;
	/** Of the node in a loop. */
	readonly runIndex?: number;
	readonly onRequest?: (http: IHttpRequestOptions) => void;
	readonly signal?: AbortSignal;
	readonly hasCredential?: boolean;
	/** Of modules that are loaded again. */
	readonly execute?: typeof executeItems;
}

export async function scriptedRun({
	parameters,
	each = {},
	answer = () => ok(),
	continueOnFail = false,
	context = {},
	execution = '7',
	...more
}: Script) {
	/** What happened: `GET /path` of a request, `name 3` of an expression for item 3. */
	const log: string[] = [];
	const hints: string[] = [];
	const warnings: string[] = [];
	/** What would change something. */
	const writes: Array<{ method: string; path: string; body: JsonRecord; key?: string }> = [];
	const begin = NOW + (more.after ?? 0) * 1_000;
	let [now, timesConnected] = [begin, 0];
	const [values = [{}]] = Object.values(each);
	const items = (more.items ?? values.map(() => ({}))).map((item) => ({ json: {}, ...item }));
	const expressions = Object.keys(each).map((name) => [name, '={{ of the item }}'] as const);
	const given: JsonRecord = { ...parameters, ...Object.fromEntries(expressions) };
	const stored = more.stored ?? given;
	const type = more.type ?? 'x.leadGenPublishing';
	const evaluated = (name: string, item: number): unknown => {
		log.push(`${name} ${item}`);
		const value = each[name]?.[item];
		if (value instanceof Error) throw value;
		return value ?? null;
	};
	const functions = {
		getNode: () => ({
			...{ id: more.node ?? 'n', name: 'Node', type, typeVersion: 1, position: [0, 0] },
			parameters: stored,
		}),
		getNodeParameter: (name: string, item: number, fallback: unknown) => {
			if (!(name in given)) return fallback;
			return name in each ? evaluated(name, item) : given[name];
		},
		evaluateExpression: (expression: string, item: number) =>
			more.inTemplates?.[expression]?.[item],
		getInputData: () => items,
		continueOnFail: () => continueOnFail,
		getContext: (of: string) => (of === 'node' ? context : {}),
		getExecutionId: () => execution,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowDataProxy: () => ({ $runIndex: more.runIndex ?? 0 }),
		getTimezone: () => 'UTC',
		getExecutionCancelSignal: () => more.signal,
		addExecutionHints: ({ message, type }: { message: string; type?: string }) => {
			hints.push(message);
			if (type === 'warning') warnings.push(message);
		},
		getCredentials: async () => {
			timesConnected += 1;
			if (more.hasCredential === false) throw new Error('There is no credential');
			return await Promise.resolve({ baseUrl: SERVICE, apiKey: more.apiKey ?? 'NOT_A_REAL_KEY' });
		},
		helpers: {
			httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) => {
				more.onRequest?.(http);
				const { method = 'GET', url, qs } = http;
				const asked = { method, path: url.replace(SERVICE, ''), offset: Number(qs?.offset ?? 0) };
				log.push(`${method} ${asked.path}`);
				const sent = JSON.parse(String(http.body ?? '{}')) as JsonRecord;
				const key = (http.headers as Record<string, string> | undefined)?.['Idempotency-Key'];
				if (method !== 'GET') writes.push({ method, path: asked.path, body: sent, key });
				const reply = await answer(asked);
				if (reply instanceof Error) throw reply;
				return asReceived(reply);
			},
			httpRequest:
				more.storage ??
				(async () => await Promise.resolve({ statusCode: 200, headers: {}, body: '' })),
		},
	} as unknown as IExecuteFunctions;
	const settings = {
		now: () => now,
		random: () => 0,
		wait: async (ms: number) => {
			now += ms;
			await Promise.resolve();
		},
	};
	const ended = await (more.execute ?? executeItems)(functions, settings).then(
		([output = []]) => ({ output }),
		(error: unknown) => ({ error: error as Error & { context?: JsonRecord } }),
	);
	return {
		output: 'output' in ended ? ended.output : undefined,
		error: 'error' in ended ? ended.error : undefined,
		/** The fields of what came out. */
		records: 'output' in ended ? ended.output.map(({ json }) => json as JsonRecord) : [],
		asked: log.filter((one) => /^[A-Z]+ \//.test(one)),
		...{ log, hints, warnings, context, timesConnected, writes },
		/** How much time has passed (ms). */
		waited: now - begin,
	};
}

/** The kept execution, as n8n reads it from its database. */
export const reread = (context: JsonRecord): JsonRecord =>
	JSON.parse(JSON.stringify(context)) as JsonRecord;

/** One try after the other of an execution; with the number of another one, of "Retry execution". */
export function tries(script: Script) {
	let context: JsonRecord = {};
	return {
		kept: () => context,
		next: async (more: Partial<Script> = {}) => {
			const ran = await scriptedRun({ ...script, context, ...more });
			context = reread(ran.context);
			return ran;
		},
	};
}

const tick = async (): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Answers that are held back until so many are under way at the same time. */
export function heldUntil(count: number, isHeld: (asked: Asked) => boolean = () => true) {
	let [open, most] = [0, 0];
	let release = (): void => undefined;
	const reached = new Promise<void>((resolve) => {
		release = resolve;
	});
	return {
		most: () => most,
		held:
			(answer: Answering): Answering =>
			async (asked) => {
				open += 1;
				most = Math.max(most, open);
				if (open === count) release();
				if (isHeld(asked)) await reached;
				// For those that should not be under way as well.
				for (let times = 0; times < 5; times += 1) await tick();
				open -= 1;
				return await answer(asked);
			},
	};
}
