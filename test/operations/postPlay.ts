/** Runs operations on posts on n8n's engine, against the fake service, in both account modes. */
import type { INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { expectFittingWords } from '../contract/fittingWords';
import { startService, type Account, type FakeService } from '../service/index';
import { runNode, type NodeRun, type RunNodeOptions } from '../support/engine';

export const MODES = ['own', 'client'] as const;
export type Mode = (typeof MODES)[number];

type Parameters = Record<string, unknown>;

/** Starts the service for a test file; every test begins with an empty log and no faults. */
export function playPosts() {
	let service: FakeService;
	beforeAll(async () => {
		service = await startService();
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

	const subject = (mode: Mode): Account =>
		mode === 'own' ? service.world.own : service.world.clientA;

	const run = async (
		mode: Mode,
		{ operation, ...parameters }: Parameters,
		more: Partial<RunNodeOptions> = {},
	): Promise<NodeRun> =>
		await runNode({
			node: LeadGenPublishing,
			credentialType: LeadGenPublishingApi,
			credentials: {
				baseUrl: service.baseUrl,
				apiKey: mode === 'own' ? service.world.keys.own : service.world.keys.agency,
			},
			parameters: {
				resource: 'post',
				operation,
				actAs: mode,
				...(mode === 'client'
					? { clientId: { __rl: true, mode: 'id', value: service.world.clientA.id } }
					: {}),
				...parameters,
			},
			...more,
		});

	return {
		get service() {
			return service;
		},
		subject,
		/** The path as it must arrive, for the account of this mode. */
		path: (mode: Mode, rest: string) =>
			mode === 'own' ? rest : `/clients/${service.world.clientA.id}${rest}`,
		/** What an item for the account of this mode has beside the record. */
		whose: (mode: Mode) =>
			mode === 'own' ? {} : { client: { user_id: service.world.clientA.id } },
		run,
		/** What arrived, shortly: `PATCH 200`. */
		sent: () => service.requests.map(({ method, status }) => `${method} ${status}`),
		writes: () => service.requests.filter(({ method }) => method !== 'GET'),
		/** The one item that came out. */
		result: async (mode: Mode, parameters: Parameters, more: Partial<RunNodeOptions> = {}) =>
			only(await run(mode, parameters, more), 0),
		/** The `details` of the one item on the error output, whose shape is checked. */
		refusal: async (mode: Mode, parameters: Parameters, more: Partial<RunNodeOptions> = {}) => {
			const failed = only(
				await run(mode, parameters, { onError: 'continueErrorOutput', ...more }),
				1,
			);
			// n8n lays the (empty) input item below exactly these three.
			expect(Object.keys(failed.json).sort()).toEqual(['details', 'error', 'message']);
			const found = failed.json as { error: string; message: string; details: Parameters };
			expectFittingWords(found, { resource: 'post', ...parameters });
			return found;
		},
	};
}

function only({ outputs, error }: NodeRun, output: number): INodeExecutionData {
	if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
	const [item, ...others] = outputs[output] ?? [];
	if (item === undefined || others.length > 0) {
		throw new Error(`Expected one item on output ${output}: ${JSON.stringify(outputs)}`);
	}
	expect(item.pairedItem).toEqual({ item: 0 });
	return item;
}

export const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });
export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
export const HOUR = 3_600_000;
