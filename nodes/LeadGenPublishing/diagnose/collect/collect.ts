/**
 * The first step of a diagnosis: sends the requests and records all results. It does not judge. It
 * only looks at a response if that decides about the next request.
 */
import { Client, readConnection } from '../../api/client';
import { throwIfCanceled, type HttpFunctions } from '../../api/transport';
import { accountOf } from '../../panel/fields/account';
import {
	LISTS_OF_ACCOUNT,
	type ConnectionFacts,
	type Facts,
	type Left,
	type Trial,
} from '../facts';
import { tryOwnNetwork } from './ownNetwork';
import { probeLists } from './probes';
import { greet, readAccount, readClients, readOthers, readUnknown } from './readings';
import { Log, MAX_REQUESTS, Requests, type Allowance } from './requests';
import { tryWrites } from './trial';

export interface DiagnosisWanted {
	/** Check this client instead of the first ones in the list. */
	readonly clientId?: string;
	readonly withWrites: boolean;
	/** As set by the user. Undefined for the default. */
	readonly maxWaitMs: number | undefined;
	/** Whether it runs in n8n, so that the protection of n8n's own network can be tried. */
	readonly isInN8n: boolean;
	/** Called with what is left over if the run is stopped, because then no report can name it. */
	readonly onLeft: (left: readonly Left[]) => void;
}

/**
 * The number of requests reserved for writes, and how many of those are reserved for cleaning up.
 */
const FOR_WRITES = 34;
const FOR_TIDYING = 16;
/** Cleaning up has its own time limit, whatever "Max Wait" says. */
const TIDYING_MS = 30_000;

export async function collect(functions: HttpFunctions, wanted: DiagnosisWanted): Promise<Facts> {
	const { withWrites, maxWaitMs, isInN8n } = wanted;
	const { baseUrl, words } = await readConnection(functions);
	const client = await Client.connect(functions);
	const isStopped = (): boolean => functions.getExecutionCancelSignal?.()?.aborted ?? false;
	const log = new Log();
	const whole: Allowance = { client, maxWaitMs, lastRequest: MAX_REQUESTS };
	const ofReads = withWrites ? MAX_REQUESTS - FOR_WRITES : MAX_REQUESTS;
	const reader = new Requests(log, { ...whole, lastRequest: ofReads });
	let ownNetwork: ConnectionFacts['ownNetwork'];
	let trial: Trial | undefined;
	if ((await greet(reader)) === 'alive') {
		if (isInN8n) ownNetwork = await tryOwnNetwork(functions, reader);
		const clientIds = await readAccounts(reader, wanted.clientId);
		await probeLists(reader);
		await readUnknown(reader);
		if (withWrites && isOpen(log, wanted.clientId))
			trial = await runTrial(functions, { wanted, log, whole, isStopped, baseUrl });
		await readOthers(new Requests(log, whole), clientIds.slice(1));
	}
	const connection = {
		isEncrypted: baseUrl.startsWith('https:'),
		serviceWord: words.service,
		networkWord: client.networkWord,
		ownNetwork,
	};
	return { asked: log.asked, requests: log.sent, connection, trial, writesWanted: withWrites };
}

/** Whether the account lets the key read at least one list. */
const isOpen = ({ asked }: Log, clientId: string | undefined): boolean =>
	asked.some(
		(one) =>
			one.clientId === clientId &&
			one.outcome.kind === 'success' &&
			LISTS_OF_ACCOUNT.some((list) => list === one.name),
	);

/** Reads the own account and one client completely. Returns the clients that were chosen. */
async function readAccounts(reader: Requests, clientId: string | undefined): Promise<string[]> {
	if (clientId === undefined) {
		const clientIds = await readClients(reader);
		await readAccount(reader);
		// One client shows what the key may do for clients. For the others, only the lists matter.
		if (clientIds[0] !== undefined) await readAccount(reader, clientIds[0]);
		return clientIds;
	}
	await reader.send('client.get', { clientId });
	await readAccount(reader);
	await readAccount(reader, clientId);
	return [clientId];
}

interface Writing {
	readonly wanted: DiagnosisWanted;
	readonly log: Log;
	readonly whole: Allowance;
	readonly isStopped: () => boolean;
	readonly baseUrl: string;
}

async function runTrial(
	functions: HttpFunctions,
	{ wanted, log, whole, isStopped, baseUrl }: Writing,
): Promise<Trial> {
	const { clientId, onLeft } = wanted;
	// Stopping the run does not abort these requests, so that their outcome is known.
	const uncancelable = uncanceled(functions);
	const client = await Client.connect(uncancelable);
	const allowance = { ...whole, client };
	const trial = await tryWrites({
		clientId,
		writer: new Requests(log, { ...allowance, lastRequest: MAX_REQUESTS - FOR_TIDYING }),
		tidier: new Requests(log, { ...allowance, time: client.timeLimit(TIDYING_MS) }),
		isStopped,
		upload: {
			send: async (given, file) => await client.upload(given, file, accountOf(clientId)),
			functions: uncancelable,
			baseUrl,
		},
	});
	if (isStopped() && trial.left.length > 0) onLeft(trial.left);
	throwIfCanceled(functions.getExecutionCancelSignal?.());
	return trial;
}

const uncanceled = (functions: HttpFunctions): HttpFunctions =>
	Object.create(functions, {
		getExecutionCancelSignal: { value: () => undefined },
	}) as HttpFunctions;
