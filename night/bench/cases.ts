// What is measured: each case is one thing that a workflow does, by this package and by others.

import type { INodeExecutionData } from 'n8n-workflow';

import { runPoll } from '../../test/support/engine';
import { pollOnce, scannedState, serve, uuids } from '../../test/watch/pollHelpers';
import { loadingOfAll } from './loading';
import type { Contender, Sample } from './measure';
import type { Nodes, Run, Step } from './nodes';
import { everyPage, looped, request, updateWhereDifferent } from './rivals';
import { imageOfRow, markerOfRow, textOfRow, type Service } from './service';

export const OURS = 'this package';
const KEYED = `${OURS}, with unique keys`;
const BATCHING = 'HTTP Request, batching';
const LOOPING = 'Loop Over Items + HTTP Request';
const HTTP_REQUEST = 'HTTP Request';
const GET_MERGE_UPDATE = 'Get Many + Merge + If + Update';

/** What must hold in the median of the rounds: ours, divided by what the rival takes. */
export interface Bar {
	by: keyof Sample;
	/** Of this package, unless told. */
	of?: string;
	/** Without a rival, the figure itself. */
	rival?: string;
	/** Times may be about a fifth above what was measured last, so that noise is no alarm. */
	atMost: number;
}

interface Case {
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
	// An activation reads for 20 s; the rest of a first reading follows in the next polls.
	while (JSON.stringify(state).includes('"kind":"first"'))
		({ staticData: state } = await poll(state));
	return {
		name: OURS,
		stateBytes: Buffer.byteLength(JSON.stringify(state)),
		run: async () => (await poll(state)).items?.length ?? 0,
	};
}

/** Steps in a workflow, of which the items that come out at its end are counted. */
const contender = (
	{ nodes }: Bench,
	name: string,
	{ count = countOf, ...given }: Run & { count?: typeof countOf },
): Contender => ({ name, run: async () => count((await nodes.run(given))[0] ?? []) });

/**
 * The same in a new account for each run, with so many posts of earlier runs. In one account, every
 * round would have more posts to read than the one before.
 */
function inNewAccount(
	bench: Bench,
	name: string,
	{ rows, ...given }: Omit<Run, 'apiKey'> & { rows: number },
): Contender {
	let apiKey = '';
	return {
		name,
		prepare: async () => {
			({ apiKey } = await bench.service.pull('account', { rows }));
		},
		run: async () => await contender(bench, name, { ...given, apiKey }).run(),
	};
}

const countOf = (items: INodeExecutionData[]): number => items.length;
const recordsIn = (pages: INodeExecutionData[]): number =>
	pages.reduce((sum, { json }) => sum + (json.data as unknown[]).length, 0);

const ours = (parameters: Step['parameters']): Step => ({ name: 'Ours', node: 'Ours', parameters });

/** A trigger made of n8n's own nodes reads everything each time; sorting out what it knows comes on top. */
const reading = (bench: Bench, steps: Step[], apiKey: string): Contender =>
	contender(bench, `${HTTP_REQUEST}, every page`, { steps, apiKey, count: () => 0 });

async function idlePoll(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const leads = quick ? 1_000 : 100_000;
	const { apiKey } = await service.pull('account', { leads });
	const steps = [everyPage(`${service.baseUrl}/leads`)];
	return {
		title: `idle poll of ${number(leads)} leads`,
		...{ latency: LATENCY, expected: 0 },
		contenders: [await ourTrigger(bench, { apiKey, watch: 'own' }), reading(bench, steps, apiKey)],
		bars: [{ by: 'requests', atMost: 2 }],
	};
}

async function idleClients(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const [clients, leads] = [quick ? 30 : 300, 100];
	const { apiKey } = await service.pull('account', { clients, leads });
	const { baseUrl } = service;
	const steps: Step[] = [
		{ ...everyPage(`${baseUrl}/clients`), name: 'Clients' },
		{ name: 'Each', node: 'SplitOut', parameters: { fieldToSplitOut: 'data' } },
		everyPage(`=${baseUrl}/clients/{{ $json.user_id }}/leads`),
	];
	return {
		title: `idle poll of ${clients} clients with ${leads} leads each`,
		...{ latency: LATENCY, expected: 0 },
		contenders: [
			await ourTrigger(bench, { apiKey, watch: 'allClients' }),
			reading(bench, steps, apiKey),
		],
		bars: [{ by: 'requests', atMost: Math.round(1.1 * clients) }],
	};
}

/** What a poll computes: its pages come from memory, and what n8n does around it is left out. */
async function tenNew({ quick }: Bench): Promise<Case> {
	const [size, fresh] = [quick ? 1_000 : 100_000, 10];
	const ids = uuids(size + fresh);
	const stored = JSON.stringify(scannedState(ids.slice(fresh)));
	const poll = async () => (await pollOnce(JSON.parse(stored), serve(ids))).items.length;
	return await Promise.resolve({
		title: `computing of a poll with ${fresh} new among ${number(size)} leads`,
		...{ latency: 0, expected: fresh },
		contenders: [{ name: OURS, stateBytes: Buffer.byteLength(stored), run: poll }],
		bars: [{ by: 'cpuMs', atMost: 40 }],
	});
}

async function loading(): Promise<Case> {
	const { contender, classes } = loadingOfAll(OURS);
	return await Promise.resolve({
		title: 'loading both nodes and the credential',
		...{ latency: 0, expected: classes },
		contenders: [contender],
		bars: [{ by: 'ms', atMost: 100 }],
	});
}

async function returnAll(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const leads = quick ? 1_000 : 10_000;
	const { apiKey } = await service.pull('account', { leads });
	const get = ours({ resource: 'lead', operation: 'getAll', returnAll: true });
	const read = everyPage(`${service.baseUrl}/leads`);
	return {
		title: `Return All of ${number(leads)} leads`,
		...{ latency: LATENCY, expected: leads },
		contenders: [
			contender(bench, OURS, { steps: [get], apiKey }),
			contender(bench, HTTP_REQUEST, { steps: [read], apiKey, count: recordsIn }),
		],
		bars: [{ by: 'ms', rival: HTTP_REQUEST, atMost: 0.35 }],
	};
}

async function reads(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const posts = quick ? 100 : 1_000;
	const { apiKey, ids } = await service.pull('account', { posts });
	const url = `=${service.baseUrl}/posts/{{ $json.id }}`;
	// It does not wait for answers, so it keeps to so many at a time only as the interval was guessed.
	const batched = request(url, { batches: { size: READS_AT_ONCE, interval: LATENCY } });
	const postId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const get = ours({ resource: 'post', operation: 'get', postId });
	const given = { apiKey, items: () => ids.map((id) => ({ json: { id } })) };
	const loop = looped(request(url), READS_AT_ONCE);
	return {
		title: `${number(posts)} reads`,
		...{ latency: LATENCY, expected: posts },
		contenders: [
			contender(bench, OURS, { ...given, steps: [get] }),
			contender(bench, BATCHING, { ...given, steps: [batched] }),
			contender(bench, LOOPING, { ...given, steps: loop, result: 'Loop' }),
		],
		bars: [{ by: 'ms', rival: BATCHING, atMost: 1.2 }],
	};
}

let written = 0;

async function writes(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const size = quick ? 50 : 1_000;
	const items = () => {
		written += 1;
		const texts = Array.from({ length: size }, (_, place) => `Post ${place}`);
		return texts.map((text) => ({ json: { text, key: `${written} ${text}` } }));
	};
	const post = {
		resource: 'post',
		operation: 'create',
		text: '={{ $json.text }}',
		status: 'draft',
	};
	const keyed = ours({ ...post, options: { uniqueKey: '={{ $json.key }}' } });
	const body = '={{ JSON.stringify({ text: $json.text, status: "draft" }) }}';
	const loop = looped(request(`${service.baseUrl}/posts`, { body }), 1);
	const given = { items, rows: size };
	return await Promise.resolve({
		title: `${number(size)} writes in order, to an account with as many posts`,
		...{ latency: 0, expected: size },
		contenders: [
			inNewAccount(bench, OURS, { ...given, steps: [ours({ ...post, options: {} })] }),
			inNewAccount(bench, KEYED, { ...given, steps: [keyed] }),
			inNewAccount(bench, LOOPING, { ...given, steps: loop, result: 'Loop' }),
		],
		bars: [
			{ by: 'ms', rival: LOOPING, atMost: 1.2 },
			{ by: 'ms', of: KEYED, rival: LOOPING, atMost: 1.4 },
		],
	});
}

/** One new post with a unique key, in an account that has many: in a new process, and in one that knows them. */
async function keys(bench: Bench, likelyShapes: boolean): Promise<Case> {
	const { service, nodes, quick } = bench;
	const posts = quick ? 30 : 900;
	const { apiKey } = await service.pull('account', { posts, likelyShapes });
	const post = {
		...{ resource: 'post', operation: 'create', text: '={{ $json.text }}', status: 'draft' },
		options: { uniqueKey: '={{ $json.key }}' },
	};
	const run = async (kind: string, made: Nodes): Promise<number> => {
		written += 1;
		const json = { text: `${kind} ${written}`, key: `${kind}-${written}` };
		return countOf(
			(await made.run({ apiKey, steps: [ours(post)], items: () => [{ json }] }))[0] ?? [],
		);
	};
	return {
		title: `one post with a unique key among ${number(posts)}${likelyShapes ? ', whose list shows no notes' : ''}`,
		...{ latency: 100, expected: 1 },
		contenders: [
			{ name: FIRST_RUN, run: async () => await run('first', await nodes.anew()) },
			{ name: NEXT_RUN, run: async () => await run('next', nodes) },
		],
		bars: [
			{ by: 'ms', of: FIRST_RUN, atMost: 15_000 },
			{ by: 'ms', of: NEXT_RUN, atMost: 2_000 },
		],
	};
}

/** A sheet of which some rows were edited since the last run: only their posts are updated. */
async function editedRows(bench: Bench): Promise<Case> {
	const { service, quick } = bench;
	const [size, edited] = quick ? [100, 10] : [1_000, 100];
	/** Every run edits the same rows once more. */
	const versions = () => {
		let version = 0;
		return () => {
			version += 1;
			return Array.from({ length: size }, (_, row) => {
				const wanted = textOfRow(row, row % (size / edited) === 0 ? version : 0);
				return { json: { wanted, key: `row-${row}`, notes: markerOfRow(row) } };
			});
		};
	};
	const upsert = ours({
		resource: 'post',
		operation: 'upsert',
		uniqueKey: '={{ $json.key }}',
		text: '={{ $json.wanted }}',
		status: 'draft',
	});
	const [own, theirs] = [
		await service.pull('account', { rows: size }),
		await service.pull('account', { rows: size }),
	];
	const updated = (items: INodeExecutionData[]): number =>
		items.filter(({ json }) => json.action === 'updated').length;
	return {
		title: `${number(edited)} edited rows among ${number(size)}`,
		latency: LATENCY,
		expected: edited,
		contenders: [
			contender(bench, OURS, {
				apiKey: own.apiKey,
				items: versions(),
				steps: [upsert],
				count: updated,
			}),
			contender(bench, GET_MERGE_UPDATE, {
				apiKey: theirs.apiKey,
				items: versions(),
				steps: updateWhereDifferent(`${service.baseUrl}/posts`),
				first: ['Read', 'Merge'],
				result: 'Loop',
			}),
		],
		// The node reads each post before it changes it. The other workflow trusts the list.
		bars: [
			{ by: 'ms', rival: GET_MERGE_UPDATE, atMost: 1.8 },
			{ by: 'requests', rival: GET_MERGE_UPDATE, atMost: 2 },
		],
	};
}

const HOUR_MS = 60 * 60_000;

/** Runs as if it were this much later. Nothing else in this process looks at the time meanwhile. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
	const { now } = Date;
	Date.now = () => now() + ms;
	return await work().finally(() => {
		Date.now = now;
	});
}

/** A sheet with images, of which no row or a few were edited since the last run. */
async function sheet(
	{ service, nodes, quick }: Bench,
	{ likelyShapes, edited }: { likelyShapes: boolean; edited: number },
): Promise<Case> {
	const size = quick ? 100 : 1_000;
	const upsert = ours({
		...{ resource: 'post', operation: 'upsert', status: 'draft' },
		...{ uniqueKey: '={{ $json.key }}', text: '={{ $json.wanted }}' },
		additionalFields: { images: '={{ $json.image }}' },
	});
	/** In an account of its own, because every run edits the same rows once more. */
	const runsOf = async (): Promise<(made: Nodes) => Promise<number>> => {
		const { apiKey } = await service.pull('account', { rows: size, likelyShapes });
		let version = 0;
		const items = () => {
			version += 1;
			return Array.from({ length: size }, (_, row) => ({
				json: {
					wanted: textOfRow(row, row < edited ? version : 0),
					...{ key: `row-${row}`, image: imageOfRow(row) },
				},
			}));
		};
		return async (made) => {
			const [all = []] = await made.run({ apiKey, items, steps: [upsert] });
			return all.filter(({ json }) => json.action === 'updated').length;
		};
	};
	const [first, next, afterAnHour] = [await runsOf(), await runsOf(), await runsOf()];
	const ofLater = await nodes.anew();
	let hours = 0;
	const pages = Math.ceil(size / 100) + 1;
	// Each edited post is read before it is changed.
	const atMost = pages + 2 * edited;
	const whole = likelyShapes ? atMost + size : atMost;
	return {
		title: `${number(size)} rows with images, ${edited} edited${likelyShapes ? ', whose list shows neither notes nor images' : ''}`,
		...{ latency: LATENCY, expected: edited },
		contenders: [
			{ name: FIRST_RUN, run: async () => await first(await nodes.anew()) },
			{ name: NEXT_RUN, run: async () => await next(nodes) },
			{
				name: HOUR_LATER,
				run: async () => {
					hours += 1;
					return await later(hours * HOUR_MS, async () => await afterAnHour(ofLater));
				},
			},
		],
		bars: [
			{ by: 'requests', of: FIRST_RUN, atMost: whole },
			{ by: 'requests', of: NEXT_RUN, atMost },
			{ by: 'requests', of: HOUR_LATER, atMost: whole },
		],
	};
}

const HOUR_LATER = 'next run, an hour later';
const FIRST_RUN = 'first run of a process';
const NEXT_RUN = 'next run of a process';

const number = (value: number): string => value.toLocaleString('en-GB');

export const CASES = {
	load: loading,
	...{ poll: idlePoll, clients: idleClients, scale: tenNew },
	...{ list: returnAll, reads, writes },
	upsert: editedRows,
	keys: async (bench: Bench) => await keys(bench, false),
	'keys.likely': async (bench: Bench) => await keys(bench, true),
	...Object.fromEntries(
		[false, true].flatMap((likelyShapes) =>
			[0, 10].map((edited) => [
				`keys.${likelyShapes ? 'likely.' : ''}rows${edited === 0 ? '' : '.edited'}`,
				async (bench: Bench) => await sheet(bench, { likelyShapes, edited }),
			]),
		),
	),
};
