/**
 * The API client: calls endpoints by name, and reads pages and lists. It promises that no write is
 * sent a second time unless that is safe, that each account waits as long as the service asks, and
 * that a request either succeeds or ends with an `ApiFailure` that says what is known about it.
 *
 *     ┌──────▶ at the gate ──no time left──▶ failure: held back, or out of time
 *     │            │ open
 *     │            ▼
 *     │          sent ──success──▶ answer
 *     │            │ anything else
 *     │            ▼
 *     └─yes── may it be repeated, and is time left? ──no──▶ failure: what the attempt showed
 *
 * `sender.ts` goes this way. `retry.ts` says what may be repeated, and `policy.ts` what a failure
 * means.
 */
import { gateOf, gateOfAccount } from './accountGate';
import { allowedDomainsFor } from './allowedDomains';
import { normaliseBaseUrl } from './baseUrl';
import { download, type Download, type Wanted } from './download';
import type { Account, EndpointName } from './endpoints';
import { ApiFailure, outcomeOf, type FailureFacts } from './failure';
import type { Host } from './host';
import { canonicalId, keyFrom } from './identifiers';
import type { FetchPage } from './pages';
import { walkList, type Walk, type WalkOptions } from './pageWalker';
import { askedToWaitMs, asksToWait } from './policy';
import {
	planOf,
	type CallOptions,
	type PlannedRequest,
	type SeenAttempt,
	type ServiceConnection,
} from './request';
import { DEFAULT_RETRY, type RetryPolicy } from './retry';
import { readListEnvelope, readSuccess, type JsonRecord } from './schemas';
import { Sending, type Received, type SenderParts } from './sender';
import { throttleGates, type ThrottleGate, type ThrottleScope } from './throttleGate';
import { timeLimit, type TimeLimit } from './timeLimit';
import { isTooDeep } from './tooDeep';
import { anyOf, throwIfCanceled } from './transport';
import { putFile, readTarget, type FileToSend } from './upload';
import { VendorWords } from './wire';

export interface ClientSettings {
	readonly retry?: Partial<RetryPolicy>;
	readonly timeoutMs?: number;
	readonly now?: () => number;
	readonly random?: () => number;
	readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Cancels requests and waits. By default, n8n's own cancel signal does. */
	readonly signal?: AbortSignal;
	/** Requests with the same scope wait together. By default, the scope is the execution. */
	readonly throttle?: ThrottleScope;
	/** Names the sender in request IDs. By default, this is the execution's ID. */
	readonly origin?: string;
}

export interface Answer {
	readonly data: JsonRecord;
}

/** A request with everything that is known about it. A failure is returned, not thrown. */
export interface Exchange {
	readonly name: EndpointName;
	/** One entry per attempt. Empty if the gate or the time limit held the request back. */
	readonly attempts: readonly SeenAttempt[];
	/** The envelope of a success. */
	readonly body?: unknown;
	readonly failure?: FailureFacts;
}

async function readConnection(host: Host): Promise<ServiceConnection> {
	const credential = await host.credential();
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	return {
		baseUrl,
		allowedDomains: allowedDomainsFor(baseUrl, credential),
		secrets: key === '' ? [] : [key],
		words: VendorWords.of(credential, { baseUrl, key }),
	};
}

export class Client {
	/** Keyed by client ID, or by undefined for the own account. */
	private readonly accountIds = new Map<string | undefined, string>();

	private constructor(private readonly parts: SenderParts) {}

	/** Throws a `CredentialError` if the credential cannot be used. */
	static async connect(host: Host, settings: ClientSettings = {}): Promise<Client> {
		const connection = await readConnection(host);
		const { now = Date.now, random = Math.random, wait = host.sleep, timeoutMs } = settings;
		// Setting the time of day back neither extends nor restarts a wait.
		const clock = settings.now ?? (() => performance.now());
		const signal = settings.signal ?? host.canceled;
		const scope = settings.throttle ?? { of: host.memory ?? {} };
		const gatesOf = { host: connection.baseUrl, secret: connection.secrets.join() };
		return new Client({
			host: { ...host, canceled: signal },
			connection,
			clock,
			now,
			random,
			timeoutMs,
			gates: throttleGates(scope, gatesOf, { clock, random }),
			retry: { ...DEFAULT_RETRY, ...settings.retry },
			sleep: async (ms, ...signals) => {
				await wait(ms, anyOf(signal, ...signals)).catch((error: unknown) => {
					throwIfCanceled(signal);
					throw error;
				});
			},
			origin: settings.origin ?? host.executionId ?? 'run',
		});
	}

	get now(): () => number {
		return this.parts.now;
	}

	/** Distinguishes the accounts that this process works for, without revealing a key. */
	accountId(account: Account): string {
		const { baseUrl, secrets } = this.parts.connection;
		const clientId = account.kind === 'client' ? canonicalId(account.clientId) : undefined;
		const id = this.accountIds.get(clientId) ?? keyFrom(baseUrl, clientId ?? keyFrom(...secrets));
		this.accountIds.set(clientId, id);
		return id;
	}

	/** The request as `call` would send it. */
	planned(name: EndpointName, options: CallOptions = {}): PlannedRequest {
		return planOf(name, options, this.parts.connection.words);
	}

	/** Waits; rejects at once when the execution is cancelled. */
	async wait(ms: number): Promise<void> {
		await this.parts.sleep(ms);
	}

	/** The network's word in fields and paths; undefined while unknown. */
	get networkWord(): string | undefined {
		return this.parts.connection.words.network;
	}

	/** Reads one lead, which shows the network's word. A failure does not matter. */
	async learnNetworkWord(options: CallOptions = {}): Promise<void> {
		await outcomeOf(this.pages('lead.getAll', options)({ offset: 0, limit: 1 }));
	}

	/**
	 * Sends a file to its upload URL. If the storage asks to wait, no request is sent for this
	 * account before that time.
	 */
	async upload(given: JsonRecord, file: FileToSend, account: Account): Promise<void> {
		const { host, connection, gates } = this.parts;
		const target = readTarget(given, connection);
		const agency = account.kind === 'client';
		const { failure } = await outcomeOf(putFile(host, { target, file, agency }));
		if (failure === undefined) return;
		const { facts } = failure;
		if (asksToWait(facts))
			gates.of(gateOf('media.createUploadUrl', account)).close({
				retryAfterMs: askedToWaitMs(facts),
				requestId: facts.requestId,
				host: 'storage',
			});
		throw failure;
	}

	/** Fetches a file from a URL outside the service, without the key. */
	async download(wanted: Omit<Wanted, 'baseUrl' | 'now'>): Promise<Download> {
		const { host, connection, now } = this.parts;
		return await download(host, { ...wanted, baseUrl: connection.baseUrl, now });
	}

	/** A time limit for several requests that belong together. */
	timeLimit(maxWaitMs = this.parts.retry.maxWaitMs): TimeLimit {
		return timeLimit(maxWaitMs, this.parts);
	}

	/** A time limit that only counts time without a usable response. */
	growingTimeLimit(maxWaitMs = this.parts.retry.maxWaitMs): TimeLimit {
		return timeLimit(maxWaitMs, { clock: this.parts.clock, growing: true });
	}

	/**
	 * How much longer to wait, as the service asked: for this account, or for any if none is given.
	 */
	throttledForMs(account?: Account): number {
		return Math.max(0, ...this.gatesFor(account).map((gate) => gate.closedForMs));
	}

	/** How long that wait is in total, counted from when the service asked. */
	throttledInAllMs(account?: Account): number {
		return Math.max(0, ...this.gatesFor(account).map((gate) => gate.closedInAllMs));
	}

	private gatesFor(account: Account | undefined): readonly ThrottleGate[] {
		const { gates } = this.parts;
		return account === undefined ? gates.all : [gates.of(gateOfAccount(account))];
	}

	private async receive(name: EndpointName, options: CallOptions): Promise<Received> {
		return await new Sending(name, options, this.parts).untilSettled();
	}

	/** One record, or whatever the endpoint returns in `data`. */
	async call(name: EndpointName, options: CallOptions = {}): Promise<Answer> {
		const { body } = await this.receive(name, options);
		return { data: readSuccess(body)?.data ?? {} };
	}

	/** Sends like `call` and `pages`, to find out how the service behaves. */
	async exchange(name: EndpointName, options: CallOptions = {}): Promise<Exchange> {
		const attempts: SeenAttempt[] = [];
		const witness = (attempt: SeenAttempt): void => {
			attempts.push(attempt);
			options.witness?.(attempt);
		};
		const { value, failure } = await outcomeOf(this.receive(name, { ...options, witness }));
		if (failure !== undefined) return { name, attempts, failure: failure.facts };
		this.learnFrom(name, readListEnvelope(value.body)?.data ?? []);
		return { name, attempts, body: value.body };
	}

	private learnFrom(name: EndpointName, records: readonly JsonRecord[]): void {
		if (name === 'lead.getAll') this.parts.connection.words.observeLeads(records);
	}

	/** The pages of a list, for code that walks through it. */
	pages(name: EndpointName, options: CallOptions = {}): FetchPage {
		return async ({ limit, offset }, ahead) => {
			const query = { ...options.query, limit, offset };
			const givenUp = anyOf(options.givenUp, ahead);
			const { body, throttled } = await this.receive(name, { ...options, query, givenUp });
			const empty = { data: [], nulls: 0, pagination: { limit, offset, has_more: false } };
			const { data, pagination, nulls } = readListEnvelope(body) ?? empty;
			this.learnFrom(name, data);
			const { has_more: hasMore, ...place } = pagination;
			return { records: data, ...place, hasMore, nulls, throttled };
		};
	}

	/** A list of any length, or as many of its records as are wanted. */
	async list(name: EndpointName, options: CallOptions & WalkOptions = {}): Promise<Walk> {
		const { wanted, keeps, atOnce, pageSize, isSparing, ...rest } = options;
		const time = rest.time ?? this.growingTimeLimit(rest.maxWaitMs);
		const pages = this.pages(name, { ...rest, time });
		const readable: FetchPage = async (request, givenUp) => {
			const page = await pages(request, givenUp);
			if (page.records.some(isTooDeep)) throw tooDeep(name, rest);
			return page;
		};
		return await walkList(readable, { wanted, keeps, atOnce, pageSize, isSparing });
	}
}

/** n8n could not store such a record, and a list never silently leaves one out. */
const tooDeep = (name: EndpointName, { account }: CallOptions): ApiFailure =>
	new ApiFailure({
		kind: 'unreadable',
		problem: 'tooDeep',
		status: 200,
		endpoint: name,
		agency: account?.kind === 'client',
		attempts: 1,
		uncertain: false,
	});
