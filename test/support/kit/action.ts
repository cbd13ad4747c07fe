/**
 * The action node on n8n's engine, against a fake service of its own:
 *
 *     const kit = setUpKit();
 *
 *     it('reads a post', async () => {
 *         const { id } = kit.service.world.addPost(kit.service.world.own);
 *         await kit.item({ resource: 'post', operation: 'get', postId: byId(id) });
 *         expect(kit.sent()).toEqual([`GET /posts/${id}`]);
 *     });
 *
 * The service runs as long as the test file; its log and its faults are cleared before each test,
 * its records stay. Nothing is replaced: the node, the credential type and the engine are the real
 * ones, and every request crosses the loopback.
 */
import type { INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import {
	startService,
	type Account,
	type FakeService,
	type ServiceOptions,
} from '../../../fake-service/index';
import { runNode, type NodeRun, type RunNodeOptions } from '../engine';
import { skipWaits } from '../skipWaits';
import { expectFittingCheck, expectFittingWords } from './fittingWords';
import { byId, type Parameters } from './values';

/** Not a limit of the node. It only reports what hangs before jest ends the test silently. */
const HANGS_MS = 30_000;

export type More = Partial<RunNodeOptions>;

/** The account that the node acts on: "Act As". */
export const MODES = ['own', 'client'] as const;
export type Mode = (typeof MODES)[number];

/** The fields of an item on the error output. */
export interface Failure {
	error: string;
	message: string;
	details: Record<string, unknown>;
}

/** The node, its credential type, and what is stored of the credential. */
export const subjectOf = (credentials: Record<string, unknown>) => ({
	node: LeadGenPublishing,
	credentialType: LeadGenPublishingApi,
	credentials,
});

/**
 * `resource`: the default for all runs in the file. `skipsWaits`: the clock jumps over all waits of
 * the node, n8n and the service.
 */
export function setUpKit({
	resource,
	skipsWaits = false,
	...options
}: ServiceOptions & { resource?: string; skipsWaits?: boolean } = {}) {
	let service: FakeService;
	beforeAll(async () => {
		service = await startService(options);
	});
	afterAll(async () => {
		await service.close();
	});
	beforeEach(() => {
		service.clearLog();
		service.faults.clear();
		service.provider.clear();
		for (const account of service.world.accounts.values()) account.boosts = [];
	});

	if (skipsWaits) skipWaits(() => service);

	/** The agency's key if the run acts on clients, otherwise the key of the own account. */
	const credentials = (parameters: Parameters) => ({
		baseUrl: service.baseUrl,
		apiKey:
			parameters.actAs === 'client' || parameters.resource === 'client'
				? service.world.keys.agency
				: service.world.keys.own,
	});

	const run = async (given: Parameters, more: More = {}): Promise<NodeRun> => {
		const parameters: Parameters = { ...(resource && { resource }), ...given };
		// The node has a default, which might let a test pass for the wrong reason.
		if (!('resource' in parameters)) throw new Error('A run needs a resource');
		const ran = await runNode({ ...subjectOf(credentials(parameters)), parameters, ...more });
		// A request that is given up still reaches the service, but leaves nothing open.
		await within(HANGS_MS, service.idle(), 'The run has left a request open');
		if (more.onError === 'continueErrorOutput')
			for (const { json } of ran.outputs[1] ?? [])
				expectFittingWords(json as unknown as Failure, parameters);
		for (const { json } of ran.outputs[0] ?? []) if ('do_next' in json) expectFittingCheck(json);
		for (const { hints = [] } of Object.values(ran.runData).flat())
			for (const { message } of hints) expect(message).toMatch(/^[A-Z\d"].*\.$/);
		return ran;
	};
	const items = async (parameters: Parameters, more: More = {}): Promise<INodeExecutionData[]> => {
		const { outputs, error } = await run(parameters, more);
		if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
		return outputs[0] ?? [];
	};

	return {
		get service() {
			return service;
		},
		credentials,

		/** One run of the node, successful or not. */
		run,
		/** The items on the success output of a run that must not fail. */
		items,
		/** The `json` of these items. */
		records: async (parameters: Parameters, more: More = {}) =>
			(await items(parameters, more)).map(({ json }) => json),
		/** The only item of a run that must not fail; it is paired with the first input item. */
		item: async (parameters: Parameters, more: More = {}): Promise<INodeExecutionData> =>
			only(await items(parameters, more)),
		/** The only item, on the error output; its shape and its words are checked. */
		failure: async (parameters: Parameters, more: More = {}): Promise<Failure> => {
			const { outputs, error } = await run(parameters, {
				onError: 'continueErrorOutput',
				...more,
			});
			if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
			expect(outputs[0] ?? []).toEqual([]);
			const { json } = only(outputs[1] ?? []);
			// n8n puts the (empty) input item beneath exactly these three.
			expect(Object.keys(json).sort()).toEqual(['details', 'error', 'message']);
			return json as unknown as Failure;
		},

		/** The parameters of a run in this mode. The client is the agency's first. */
		as: (mode: Mode, parameters: Parameters = {}): Parameters =>
			mode === 'own'
				? { actAs: mode, ...parameters }
				: { actAs: mode, clientId: byId(service.world.clientA.id), ...parameters },
		/** The account that a run in this mode acts on. */
		account: (mode: Mode): Account => (mode === 'own' ? service.world.own : service.world.clientA),
		/** The path of this account, as it must arrive. */
		path: (mode: Mode, rest: string) =>
			mode === 'own' ? rest : `/clients/${service.world.clientA.id}${rest}`,

		/** The requests that arrived, in order: `GET /leads?limit=50&offset=0`. */
		sent: () =>
			service.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1', '')}`),
		/** The requests that arrived, with the status of the response: `PATCH 200`. */
		answered: () => service.requests.map(({ method, status }) => `${method} ${status}`),
		writes: () => service.requests.filter(({ method }) => method !== 'GET'),
	};
}

async function within(ms: number, awaited: Promise<void>, otherwise: string): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const tooLate = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(otherwise)), ms);
	});
	await Promise.race([awaited, tooLate]).finally(() => clearTimeout(timer));
}

function only(items: INodeExecutionData[]): INodeExecutionData {
	const [item, ...others] = items;
	if (item === undefined || others.length > 0)
		throw new Error(`Expected one item: ${JSON.stringify(items)}`);
	expect(item.pairedItem).toEqual({ item: 0 });
	return item;
}
