/** One item of an operation, against a script instead of a service, on a clock that only waiting moves. */
import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { Walk, WalkOptions } from '../../nodes/LeadGenPublishing/api/pageWalker';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type {
	EarlierAttempt,
	SentRequest,
	Tally,
} from '../../nodes/LeadGenPublishing/item/itemCall';
import type { Operation, ItemCall } from '../../nodes/LeadGenPublishing/operations/operation';
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';
import { someFacts, type SomeFacts } from '../support/facts';

export const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

export const failure = (status: number, facts: SomeFacts = {}): ApiFailure =>
	new ApiFailure(
		someFacts({ endpoint: 'post.update', status, uncertain: status >= 500, ...facts }),
	);

/** What an item gets for a request: a record, or the error that is thrown. */
export type ItemReply = JsonRecord | Error;

/** An earlier attempt: one whose outcome is unknown, unless told. */
export interface Earlier {
	readonly kind?: EarlierAttempt['kind'];
	readonly request?: Partial<SentRequest>;
	readonly failure?: ApiFailure;
	readonly checkOnly?: boolean;
}

export const earlierAttempt = ({ kind = 'unknown', ...given }: Earlier): EarlierAttempt => {
	const request = {
		name: 'post.update',
		fingerprint: 'of another request',
		...given.request,
	} as const;
	if (kind === 'notDone') return { kind, request };
	const { failure: ended = failure(502), checkOnly = false } = given;
	return { kind, request, failure: ended, checkOnly };
};

export interface Scene {
	/** By endpoint, in turn; the last one again and again. */
	readonly answers?: Readonly<Partial<Record<EndpointName, readonly ItemReply[]>>>;
	readonly earlier?: Earlier;
	/** What a list gives. */
	readonly walk?: Partial<Walk>;
	readonly maxWaitMs?: number;
	/** As the workflow stores the parameters; like the given ones if not told. */
	readonly stored?: JsonRecord;
	/** More of the functions of n8n. */
	readonly functions?: Readonly<Record<string, unknown>>;
}

export interface Sent {
	readonly name: EndpointName;
	readonly body?: JsonRecord;
	readonly etag?: string;
	readonly idempotencyKey?: string;
	readonly params?: JsonRecord;
	readonly query?: JsonRecord;
	readonly wanted?: number;
	readonly pageSize?: number;
}

type ListOptions = Omit<Sent, 'name'> & Pick<WalkOptions, 'keeps'>;

export const NOW = Date.parse('2030-01-28T09:00:00Z');

export function itemScene(parameters: JsonRecord, scene: Scene = {}) {
	const { answers = {}, earlier, walk, maxWaitMs = 60_000, stored = parameters } = scene;
	const sent: Sent[] = [];
	const said: string[] = [];
	let now = NOW;
	let settled = 0;
	const left = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
	const callApi = async (name: EndpointName, options: Omit<Sent, 'name'> = {}) => {
		sent.push({ name, ...options });
		const script = left.get(name) ?? [];
		const answer = script.length > 1 ? script.shift() : script[0];
		if (answer === undefined) throw new Error(`Nothing was to be asked of ${name}`);
		if (answer instanceof Error) throw answer;
		return await Promise.resolve({ data: answer });
	};
	const call = {
		itemIndex: 0,
		input: new Values((name) => parameters[name], { getStored: (name) => stored[name] }),
		api: {
			...{ agency: false, accountId: 'own', maxWaitMs, now: () => now, call: callApi },
			requireAllowed: () => undefined,
			networkWord: () => 'network',
			list: async (name: EndpointName, { keeps, ...options }: ListOptions = {}) => {
				sent.push({ name, ...options });
				const { records = [], ...rest } = walk ?? {};
				const kept = keeps === undefined ? records : records.filter(keeps);
				return await Promise.resolve({ isComplete: true, ...rest, records: kept });
			},
			wait: async (ms: number) => {
				now += ms;
				await Promise.resolve();
			},
			uncounted: async <T>(work: () => Promise<T>) => await work(),
		},
		functions: {
			getNode: () => ({ parameters: stored, type: 'x.leadGenPublishing' }),
			getTimezone: () => 'UTC',
			...scene.functions,
		},
		timeZone:
			(scene.functions as { getTimezone?: () => string } | undefined)?.getTimezone?.() ?? 'UTC',
		contextOfNode: () => ({}),
		stableKey: () => 'stable',
		isDryRun: false,
		recognisedBy: () => undefined,
		notice: (message: string) => said.push(message),
		count: ({ counts, say }: Tally) => said.push(...say(counts)),
		shared: <T>(_: string, make: () => T) => make(),
		earlier: earlier && earlierAttempt(earlier),
		settled: () => void (settled += 1),
	} as unknown as ItemCall;
	return {
		...{ call, sent, said },
		/** The names of what was asked. */
		asked: () => sent.map(({ name }) => name),
		writes: () => sent.filter(({ name }) => !/\.get/.test(name)),
		timesSettled: () => settled,
		waited: () => now - NOW,
	};
}

const FITTING = { message: 'Nothing', remedy: 'Nothing.' };

/** An item of this operation, to be run, or to be resumed after an earlier attempt. */
export function itemOf(operation: Operation, ...given: Parameters<typeof itemScene>) {
	const item = itemScene(...given);
	/** Whoever is refused hears what to do, and nothing is said that says nothing. */
	const inWords = async <T>(work: Promise<T>): Promise<T> => {
		const [outcome] = await Promise.allSettled([work]);
		const failure: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
		const { message, remedy } = failure instanceof InputError ? failure : FITTING;
		const wrong = [message, ...item.said].filter((text) => !/^[A-Z\d"].*[\w.)"]$/.test(text));
		if (!/^[A-Z"].*\.$/.test(remedy)) wrong.push(`${message}: ${remedy}`);
		expect(wrong).toEqual([]);
		return await work;
	};
	return {
		...item,
		run: async () => await inWords(operation.run(item.call)),
		resume: async () => await inWords(operation.resume?.(item.call) ?? Promise.resolve(undefined)),
	};
}

/** It is refused; all that is said of that is kept. */
export async function expectRefused({ run }: { run: () => Promise<unknown> }): Promise<void> {
	const error = await run().catch((thrown: unknown) => thrown);
	if (!(error instanceof InputError)) throw new Error(`No InputError: ${String(error)}`);
	const { message, remedy, details } = error;
	expect([message, remedy, JSON.stringify(details)].join('\n')).toMatchSnapshot();
}

/** The same before anything is sent. */
export async function expectUnsent(item: {
	run: () => Promise<unknown>;
	sent: readonly unknown[];
}): Promise<void> {
	await expectRefused(item);
	expect(item.sent).toEqual([]);
}

/** The failure with which the work ends. */
export async function failing(work: Promise<unknown>): Promise<ApiFailure> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof ApiFailure)) throw new Error(`No ApiFailure: ${String(error)}`);
	return error;
}
