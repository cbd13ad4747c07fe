/** Runs any operation of the node on n8n's engine, against the fake service. */
import type { INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { expectFittingWords } from './fittingWords';
import { startService, type FakeService, type ServiceOptions } from '../service/index';
import { runNode, type NodeRun, type RunNodeOptions } from '../support/engine';

export type Parameters = Record<string, unknown>;
export type More = Partial<RunNodeOptions>;

export const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

/** The subject that every run shares: the node, its credential type and what is stored of it. */
export const subjectOf = (credentials: Record<string, unknown>) => ({
	node: LeadGenPublishing,
	credentialType: LeadGenPublishingApi,
	credentials,
});

export function play(options: ServiceOptions = {}) {
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
	});

	/** Client mode is what has a `clientId` or `actAs: client`; it uses the agency's key. */
	const credentials = (parameters: Parameters) => ({
		baseUrl: service.baseUrl,
		apiKey:
			parameters.actAs === 'client' || parameters.resource === 'client'
				? service.world.keys.agency
				: service.world.keys.own,
	});
	const run = async (parameters: Parameters, more: More = {}): Promise<NodeRun> =>
		await runNode({ ...subjectOf(credentials(parameters)), parameters, ...more });

	return {
		get service() {
			return service;
		},
		credentials,
		run,
		/** `GET /leads?limit=50&offset=0`, in the order of arrival. */
		sent: () =>
			service.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1', '')}`),
		asClient: () => ({ actAs: 'client', clientId: byId(service.world.clientA.id) }),
		/** The items on the success output of a run that must not fail. */
		items: async (parameters: Parameters, more: More = {}): Promise<INodeExecutionData[]> =>
			succeeded(await run(parameters, more)),
		records: async (parameters: Parameters, more: More = {}) =>
			succeeded(await run(parameters, more)).map(({ json }) => json),
		/** The one item on the error output, whose shape is checked. */
		failure: async (parameters: Parameters, more: More = {}): Promise<Failure> => {
			const { outputs, error } = await run(parameters, {
				onError: 'continueErrorOutput',
				...more,
			});
			if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
			const [item, ...others] = outputs[1] ?? [];
			if (item === undefined || others.length > 0 || (outputs[0] ?? []).length > 0)
				throw new Error(`Expected one failed item: ${JSON.stringify(outputs)}`);
			expect(Object.keys(item.json).sort()).toEqual(['details', 'error', 'message']);
			const found = item.json as unknown as Failure;
			expectFittingWords(found, parameters);
			return found;
		},
	};
}

export interface Failure {
	error: string;
	message: string;
	details: Record<string, unknown>;
}

function succeeded({ outputs, error }: NodeRun): INodeExecutionData[] {
	if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
	return outputs[0] ?? [];
}
