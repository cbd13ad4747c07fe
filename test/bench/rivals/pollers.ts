// The contenders of a poll. Each begins from the same stored state: what it held when the list was
// known and nothing was new.

import type { IDataObject, INodeType } from 'n8n-workflow';

import { runPoll, type PollRun } from '../../support/engine';
import type { Contender } from '../measure';
import { BARE, HOME_MADE, ID_LIST, OURS, TWO_REQUESTS } from '../names';
import type { Bench } from '../result';
import { Bare, type Page } from './bare';
import { everyPage } from './httpRequest';
import { IdListPoller } from './idListPoller';
import { processedItems } from './processedItems';
import { runSteps, type Step } from './workflow';

/** The budget of n8n's durable scheduler, which is the shorter one. */
const BUDGET = 36_000;

export interface Poller extends Contender {
	stateBytes: number;
}

interface Given {
	bench: Bench;
	apiKey: string;
	/** Of the list, or of all of them. */
	size: number;
}

let runs = 0;

async function poll(
	{ bench, apiKey }: Given,
	given: { node: INodeType; state?: IDataObject; parameters?: Record<string, unknown> },
): Promise<PollRun> {
	const { state, ...rest } = given;
	runs += 1;
	const run = await runPoll({
		...rest,
		credentialType: bench.ours.credential,
		credentials: { baseUrl: bench.service.baseUrl, apiKey },
		staticData: state,
		// As after a restart: no memory of the runs before.
		workflowId: `bench-${runs}`,
		budgetMs: state === undefined ? undefined : BUDGET,
	});
	if (run.error !== undefined) throw run.error;
	return run;
}

/** Whether the trigger of this package has not yet got to know its lists. */
export const isScanning = (state: IDataObject): boolean =>
	JSON.stringify(state).includes('"baseline":');

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

async function polling(
	given: Given,
	about: { name: string; node: INodeType; parameters?: Record<string, unknown> },
): Promise<Poller> {
	const { name, ...node } = about;
	let { staticData: state } = await poll(given, node);
	// An activation reads for 20 s; what is left of a first scan follows in the next polls.
	while (isScanning(state)) ({ staticData: state } = await poll(given, { ...node, state }));
	return {
		name,
		stateBytes: bytes(state),
		run: async () => {
			const { items } = await poll(given, { ...node, state });
			return { found: items?.length ?? 0 };
		},
	};
}

export const ourPoller = async (given: Given): Promise<Poller> =>
	await polling(given, {
		name: OURS,
		node: given.bench.ours.trigger,
		parameters: { event: 'newLead', watch: 'own' },
	});

/** All clients of an agency, in one trigger. */
export const watching = async (given: Given): Promise<Poller> =>
	await polling(given, {
		name: OURS,
		node: given.bench.ours.trigger,
		parameters: { event: 'newLead', watch: 'allClients' },
	});

export const idListPoller = async (given: Given): Promise<Poller> =>
	await polling(given, { name: ID_LIST, node: new IdListPoller() });

export async function homeMade(given: Given): Promise<Poller> {
	const { bench, apiKey, size } = given;
	const memory = await processedItems();
	const { step } = bench.n8n;
	const steps = [
		step('HttpRequest', {
			name: 'Read',
			parameters: everyPage(`${bench.service.baseUrl}/leads`),
			credential: true,
			to: [['Split']],
		}),
		step('SplitOut', { name: 'Split', parameters: { fieldToSplitOut: 'data' }, to: [['Unseen']] }),
		unseen(bench, size),
	];
	const credential = bench.n8n.credential(apiKey);
	const run = async () => {
		const given = { steps, types: bench.n8n.types, credential };
		const [fresh = []] = await runSteps(given, 'Unseen');
		return { found: fresh.length };
	};
	memory.row = undefined;
	await run();
	const state = memory.row;
	return {
		name: HOME_MADE,
		stateBytes: Buffer.byteLength(state ?? ''),
		run: async () => {
			memory.row = state;
			return await run();
		},
	};
}

/** Remove Duplicates, with room for what it holds and what is read. */
export const unseen = ({ n8n }: Bench, size: number): Step =>
	n8n.step('RemoveDuplicates', {
		name: 'Unseen',
		parameters: {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: '={{ $json.id }}',
			options: { scope: 'node', historySize: 2 * (size + 10_000) },
		},
	});

/** Not a poll: two pages, one after another, and nothing done with them. */
export function twoRequests({ bench, apiKey }: Given, found: () => number): Contender {
	const bare = new Bare({ baseUrl: bench.service.baseUrl, apiKey }, 1);
	return {
		name: TWO_REQUESTS,
		run: async () => {
			await bare.get('/leads?limit=100&offset=0');
			await bare.get('/leads?limit=100&offset=0');
			return { found: found() };
		},
	};
}

/** The whole list as fast as it can be read, against a set of ids in memory. */
export async function barePoller({ bench, apiKey }: Given): Promise<Poller> {
	const bare = new Bare({ baseUrl: bench.service.baseUrl, apiKey }, 8);
	const ids = (records: Page['data']): string[] => records.map(({ id }) => String(id));
	const known = ids(await bare.everyPage('/leads'));
	const seen = new Set(known);
	return {
		name: BARE,
		stateBytes: bytes(known),
		run: async () => {
			const fresh = ids(await bare.everyPage('/leads')).filter((id) => !seen.has(id));
			return { found: fresh.length };
		},
	};
}
