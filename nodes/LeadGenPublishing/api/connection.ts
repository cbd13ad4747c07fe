/**
 * What a client sends with: the connection as the credential gives it, the gate of its key, and the
 * clocks.
 */
import { sleep } from 'n8n-workflow';

import { allowedDomainsFor, normaliseBaseUrl } from './addresses';
import { type Clock, processClock, steadyClock } from './timeLimit';
import { keyFrom } from './identifiers';
import { anyOf, throwIfCanceled } from './cancelling';
import type { RetryPolicy } from './retry';
import type { JsonRecord } from './schemas';
import { Sender, type SenderParts } from './sender';
import { ServiceRequests } from './serviceRequest';
import { throttleGate, type ThrottleGate, type ThrottleScope, Turnstile } from './throttleGate';
import { CREDENTIAL, type HttpFunctions } from './transport';
import { VendorWords } from './vendorWords';

export interface Connection {
	readonly baseUrl: string;
	readonly allowedDomains?: string;
	/** Texts that no error may contain. */
	readonly secrets: readonly string[];
	readonly words: VendorWords;
}

export async function readConnection(functions: HttpFunctions): Promise<Connection> {
	const credential = await functions.getCredentials<JsonRecord>(CREDENTIAL);
	const key = typeof credential.apiKey === 'string' ? credential.apiKey.trim() : '';
	const baseUrl = normaliseBaseUrl(credential.baseUrl);
	return {
		baseUrl,
		allowedDomains: allowedDomainsFor(baseUrl, credential),
		secrets: key === '' ? [] : [key],
		words: VendorWords.of(credential, { baseUrl, key }),
	};
}

export interface ClientSettings {
	readonly retry?: Partial<RetryPolicy>;
	readonly timeoutMs?: number;
	readonly now?: () => number;
	readonly random?: () => number;
	readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
	/** Aborts waiting as well as n8n's own cancel signal does. */
	readonly signal?: AbortSignal;
	/** What waits together when the service asks to wait; the execution, if not given. */
	readonly throttle?: ThrottleScope;
	/** Who sends, for the request IDs; the execution, if not given. */
	readonly origin?: string;
}

export interface ClientParts {
	readonly baseUrl: string;
	/** A hash of the key. */
	readonly ownerId: string;
	/** What a request would be. */
	readonly plan: ServiceRequests['plan'];
	readonly words: VendorWords;
	readonly sender: Sender;
	readonly gate: ThrottleGate;
	/** Before the storage of uploads, which is another host and asks to wait for itself. */
	readonly storageGate: ThrottleGate;
	readonly clock: Clock;
	readonly sleep: SenderParts['sleep'];
}

export async function clientParts(
	functions: HttpFunctions,
	settings: ClientSettings,
): Promise<ClientParts> {
	const connection = await readConnection(functions);
	const { now = Date.now, random = Math.random, wait = sleep } = settings;
	const clock = settings.now === undefined ? processClock : steadyClock(now);
	const signal = settings.signal ?? functions.getExecutionCancelSignal?.();
	// What is kept for a run goes when its execution does; each further attempt has the same context.
	const scope = settings.throttle ?? { of: functions.getContext?.('flow') ?? {} };
	const { baseUrl, secrets, words } = connection;
	const gateBefore = (host: string): ThrottleGate =>
		throttleGate(scope, { host, secret: secrets.join() }, { clock, random });
	const gate = gateBefore(baseUrl);
	const origin = settings.origin ?? functions.getExecutionId?.() ?? 'run';
	const untilAborted: SenderParts['sleep'] = async (ms, ...signals) => {
		await wait(ms, anyOf(signal, ...signals)).catch((error: unknown) => {
			throwIfCanceled(signal);
			throw error;
		});
	};
	const requests = new ServiceRequests(functions, connection, { now, signal, origin });
	const sender = new Sender({
		requests,
		turnstile: new Turnstile(),
		...{ gate, clock, now, random },
		sleep: untilAborted,
	});
	const storageGate = gateBefore(`storage of ${baseUrl}`);
	const ownerId = keyFrom(...secrets);
	const plan: ClientParts['plan'] = (request) => requests.plan(request);
	return { baseUrl, ownerId, plan, words, sender, gate, storageGate, clock, sleep: untilAborted };
}
