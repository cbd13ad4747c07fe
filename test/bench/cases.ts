// What is measured: each case is one thing that a workflow does, by this package and by others.

import { runPoll } from '../support/engine';
import { pollOnce, scannedState, serve, uuids } from '../watch/pollHelpers';
import type { Contender, Sample } from './measure';
import type { Nodes, Step } from './nodes';
import { everyPage, looped, request } from './rivals';
import type { Service } from './service';

export const OURS = 'this package';
const BATCHING = 'HTTP Request, batching';
const LOOPING = 'Loop Over Items + HTTP Request';
const HTTP_REQUEST = 'HTTP Request';

/** What must hold in the median of the rounds: ours, divided by what the rival takes. */
export interface Bar {
	by: keyof Sample;
	/** Without a rival, the figure itself. */
	rival?: string;
	atMost: number;
}

export interface Case {
	title: string;
	/** What the service takes for each answer. */
	latency: number;
	/** How many records every contender has to bring. */
	expected: number;
	contenders: Contender[];
	bars: Bar[];
}

interface Bench {
	service: Service;
	nodes: Nodes;
	/** Small sizes: shows that everything runs, not how fast. */
	quick: boolean;
}

const READS_AT_ONCE = 10;
const LATENCY = 25;

let polls = 0;

/** The trigger of this package, once it knows its lists; every run begins from the same state. */
async function ourTrigger(
	{ nodes, service }: Bench,
	{ apiKey, watch }: { apiKey: string; watch: 'own' | 'allClients' },
): Promise<Contender> {
	const poll = async (staticData: Awaited<ReturnType<typeof runPoll>>['staticData']) => {
		const run = await runPoll({
			node: nodes.trigger,
			credentialType: nodes.credentialType,
			credentials: { baseUrl: service.baseUrl, apiKey },
			parameters: { event: 'newLead', watch },
			staticData,
			// As after a restart: no memory of the runs before.
			workflowId: `bench-${(polls += 1)}`,
		});
		if (run.error !== undefined) throw run.error;
		return run;
	};
	let { staticData: state } = await poll({});
	// An activation reads for 20 s; what is left of a first walk follows in the next polls.
	while (JSON.stringify(state).includes('"first":')) ({ staticData: state } = await poll(state));
	return {
		name: OURS,
		stateBytes: Buffer.byteLength(JSON.stringify(state)),
		run: async () => (await poll(state)).items?.length ?? 0,
	};
}

/** A trigger made of n8n's own nodes reads everything each time; sorting out what it knows comes on top. */
const reading = (nodes: Nodes, given: { steps: Step[]; apiKey: string }): Contender => ({
	name: `${HTTP_REQUEST}, every page`,
	run: async () => {
		await nodes.run(given);
		return 0;
	},
});

async function idlePoll(bench: Bench): Promise<Case> {
	const { service, nodes } = bench;
	const size = bench.quick ? 1_000 : 100_000;
	const { apiKey } = await service.pull('leads', { count: size });
	const steps = [everyPage(`${service.baseUrl}/leads`)];
	return {
		title: `idle poll of ${number(size)} leads`,
		latency: LATENCY,
		expected: 0,
		contenders: [
			await ourTrigger(bench, { apiKey, watch: 'own' }),
			reading(nodes, { steps, apiKey }),
		],
		bars: [{ by: 'requests', atMost: 2 }],
	};
}

async function idleClients(bench: Bench): Promise<Case> {
	const { service, nodes } = bench;
	const [count, leads] = [bench.quick ? 30 : 300, 100];
	const { apiKey } = await service.pull('clients', { count, leads });
	const { baseUrl } = service;
	const clients: Step = { ...everyPage(`${baseUrl}/clients`), name: 'Clients', to: [['Each']] };
	const each: Step = {
		name: 'Each',
		node: 'SplitOut',
		parameters: { fieldToSplitOut: 'data' },
		to: [['Read']],
	};
	const read = everyPage(`=${baseUrl}/clients/{{ $json.user_id }}/leads`);
	const steps = [clients, each, read];
	return {
		title: `idle poll of ${count} clients with ${leads} leads each`,
		latency: LATENCY,
		expected: 0,
		contenders: [
			await ourTrigger(bench, { apiKey, watch: 'allClients' }),
			reading(nodes, { steps, apiKey }),
		],
		bars: [{ by: 'requests', atMost: Math.round(1.1 * count) }],
	};
}

/** What a poll computes: its pages come from memory, and what n8n does around it is left out. */
async function tenNew({ quick }: Bench): Promise<Case> {
	const [size, fresh] = [quick ? 1_000 : 100_000, 10];
	const ids = uuids(size + fresh);
	const stored = JSON.stringify(scannedState(ids.slice(fresh), { grows: 'head' }));
	return {
		title: `computing of a poll with ${fresh} new among ${number(size)} leads`,
		latency: 0,
		expected: fresh,
		contenders: [
			{
				name: OURS,
				stateBytes: Buffer.byteLength(stored),
				run: async () => (await pollOnce(JSON.parse(stored), serve(ids))).items.length,
			},
		],
		bars: [{ by: 'cpuMs', atMost: 40 }],
	};
}

async function returnAll({ service, nodes, quick }: Bench): Promise<Case> {
	const size = quick ? 1_000 : 10_000;
	const { baseUrl } = service;
	const { apiKey } = await service.pull('leads', { count: size });
	const ours: Step = {
		...{ name: 'Get', node: 'Ours' },
		parameters: { resource: 'lead', operation: 'getAll', returnAll: true },
	};
	const steps = [everyPage(`${baseUrl}/leads`)];
	return {
		title: `Return All of ${number(size)} leads`,
		latency: LATENCY,
		expected: size,
		contenders: [
			{
				name: OURS,
				run: async () => (await nodes.run({ steps: [ours], apiKey }))[0]?.length ?? 0,
			},
			{
				name: HTTP_REQUEST,
				run: async () => {
					const [pages = []] = await nodes.run({ steps, apiKey });
					return pages.reduce((sum, { json }) => sum + (json.data as unknown[]).length, 0);
				},
			},
		],
		bars: [{ by: 'ms', rival: HTTP_REQUEST, atMost: 0.2 }],
	};
}

async function reads({ service, nodes, quick }: Bench): Promise<Case> {
	const size = quick ? 100 : 1_000;
	const { baseUrl } = service;
	const { apiKey, ids } = await service.pull('posts', { count: size });
	const items = ids.map((id) => ({ json: { id } }));
	const url = `=${baseUrl}/posts/{{ $json.id }}`;
	// It does not wait for answers, so it keeps to so many at a time only as the interval was guessed.
	const batched = request(url, { batches: { size: READS_AT_ONCE, interval: LATENCY } });
	const ours: Step = {
		...{ name: 'Get', node: 'Ours' },
		parameters: {
			...{ resource: 'post', operation: 'get' },
			postId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
	};
	const count = async (steps: Step[], result?: string) =>
		(await nodes.run({ steps, apiKey, items, result }))[0]?.length ?? 0;
	return {
		title: `${number(size)} reads`,
		latency: LATENCY,
		expected: size,
		contenders: [
			{ name: OURS, run: async () => await count([ours]) },
			{ name: BATCHING, run: async () => await count([batched]) },
			{ name: LOOPING, run: async () => await count(looped(request(url), READS_AT_ONCE), 'Loop') },
		],
		bars: [{ by: 'ms', rival: BATCHING, atMost: 1.2 }],
	};
}

let written = 0;

async function writes({ service, nodes, quick }: Bench): Promise<Case> {
	const size = quick ? 50 : 1_000;
	const { baseUrl } = service;
	const { apiKey } = await service.pull('posts', { count: 0 });
	const texts = Array.from({ length: size }, (_, place) => `Post ${place}`);
	const items = () => {
		written += 1;
		return texts.map((text) => ({ json: { text, key: `${written} ${text}` } }));
	};
	const create = (options: object = {}): Step => ({
		...{ name: 'Create', node: 'Ours' },
		parameters: {
			...{ resource: 'post', operation: 'create', text: '={{ $json.text }}', status: 'draft' },
			options,
		},
	});
	const body = '={{ JSON.stringify({ text: $json.text, status: "draft" }) }}';
	const loop = looped(request(`${baseUrl}/posts`, { body }), 1);
	const count = async (steps: Step[], result?: string) =>
		(await nodes.run({ steps, apiKey, items: items(), result }))[0]?.length ?? 0;
	return {
		title: `${number(size)} writes in order`,
		latency: 0,
		expected: size,
		contenders: [
			{ name: OURS, run: async () => await count([create()]) },
			{
				name: `${OURS}, with unique keys`,
				run: async () => await count([create({ uniqueKey: '={{ $json.key }}' })]),
			},
			{ name: LOOPING, run: async () => await count(loop, 'Loop') },
		],
		bars: [{ by: 'ms', rival: LOOPING, atMost: 0.85 }],
	};
}

const number = (value: number): string => value.toLocaleString('en-GB');

export const CASES = {
	...{ poll: idlePoll, clients: idleClients, scale: tenNew },
	...{ list: returnAll, reads, writes },
};
