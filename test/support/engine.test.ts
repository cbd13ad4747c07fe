import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeApiError,
	NodeConnectionTypes,
} from 'n8n-workflow';

import {
	listSearch,
	loadPackage,
	nodeContext,
	pollRegistration,
	readBinary,
	runAsTool,
	runNode,
	runPoll,
	testCredential,
	withBinary,
} from './engine';

const { Main } = NodeConnectionTypes;

interface Seen {
	method: string;
	url: string;
	key: string | undefined;
	length: string | undefined;
	body: string;
}

let server: Server;
let baseUrl: string;
let seen: Seen[] = [];
/** How many of the next requests are answered with 500. */
let failures = 0;
let onHang = () => {};

const bodyOf = async (request: IncomingMessage) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
};

beforeAll(async () => {
	server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const { method = '', url = '', headers } = request;
			const key = headers['x-key'] as string | undefined;
			// A request of a stopped execution may arrive as late as in the next test.
			if (url === '/hang') return onHang();
			seen.push({ method, url, key, length: headers['content-length'], body });
			const status = key !== 'secret-key' ? 401 : failures-- > 0 ? 500 : 200;
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ url, body, ok: status === 200 }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
	seen = [];
	failures = 0;
});

class EchoApi implements ICredentialType {
	name = 'echoApi';

	displayName = 'Echo API';

	properties: ICredentialType['properties'] = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://127.0.0.1:1' },
		{ displayName: 'Key', name: 'apiKey', type: 'string', default: '' },
	];

	authenticate: ICredentialType['authenticate'] = {
		type: 'generic',
		properties: { headers: { 'X-Key': '={{$credentials.apiKey}}' } },
	};

	test: ICredentialType['test'] = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/subject' },
		rules: [
			{ type: 'responseCode', properties: { value: 401, message: 'The key was not accepted' } },
		],
	};
}

const description: INodeTypeDescription = {
	displayName: 'Echo',
	name: 'echo',
	group: ['transform'],
	version: 1,
	description: 'Sends each item and returns the answer',
	defaults: { name: 'Echo' },
	inputs: [Main],
	outputs: [Main],
	usableAsTool: true,
	credentials: [{ name: 'echoApi', required: true }],
	properties: [
		{ displayName: 'Path', name: 'path', type: 'string', default: '/echo' },
		{ displayName: 'Way', name: 'way', type: 'string', default: 'echo' },
	],
};

async function send(this: IExecuteFunctions, url: string, body?: unknown): Promise<IDataObject> {
	const credentials = await this.getCredentials('echoApi');
	const headers: IDataObject = {};
	if (Buffer.isBuffer(body)) headers['Content-Length'] = body.length;
	return (await this.helpers.httpRequestWithAuthentication.call(this, 'echoApi', {
		method: 'POST',
		baseURL: credentials.baseUrl as string,
		url,
		body: body as IDataObject,
	})) as IDataObject;
}

class Echo implements INodeType {
	description = description;

	methods = {
		listSearch: {
			things: async function (this: unknown, filter?: string, paginationToken?: string) {
				const context = this as IExecuteFunctions;
				const { apiKey } = await context.getCredentials('echoApi');
				const name = [filter, paginationToken, apiKey, context.getNodeParameter('path', 0)];
				return { results: [{ name: name.join(' '), value: '1' }], paginationToken: '2' };
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const context = this.getContext('node');
		context.seed ??= this.getExecutionId();
		context.runs = Number(context.runs ?? 0) + 1;
		this.logger.info('Echo runs', { seed: context.seed as string });

		const out: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const path = this.getNodeParameter('path', item) as string;
			const way = this.getNodeParameter('way', item);
			try {
				if (way === 'stream') {
					const binary = this.helpers.assertBinaryData(item, 'data');
					const body = await this.helpers.getBinaryStream(binary.id ?? '');
					const json = await send.call(this, path, body);
					out.push({ json, pairedItem: { item } });
				} else if (way === 'domains') {
					const credentials = await this.getCredentials('echoApi');
					const { allowedHttpRequestDomains, allowedDomains } = credentials;
					out.push({ json: { allowedHttpRequestDomains, allowedDomains } as IDataObject });
				} else {
					const { n } = this.getInputData()[item]?.json ?? {};
					out.push({ json: await send.call(this, path, { n }), pairedItem: { item } });
				}
			} catch (error) {
				if (!this.continueOnFail() || this.getExecutionCancelSignal()?.aborted) throw error;
				const { message } = error as Error;
				out.push({ json: { error: message, message, details: {} }, pairedItem: { item } });
			}
		}
		return [out];
	}
}

const echo = () => ({
	node: Echo,
	credentialType: EchoApi,
	credentials: { baseUrl, apiKey: 'secret-key' },
});

describe('a node run on the engine', () => {
	it('takes items in and gives items out, each paired with its input', async () => {
		const run = await runNode({
			...echo(),
			parameters: { path: '=/echo/{{ $json.n }}' },
			items: [{ json: { n: 1 } }, { json: { n: 2 } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('success');
		expect(run.outputs).toHaveLength(1);
		expect(run.outputs[0]?.map(({ json }) => json.url)).toEqual(['/echo/1', '/echo/2']);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(seen.map(({ key }) => key)).toEqual(['secret-key', 'secret-key']);
		expect(run.runData.Success?.[0]?.data?.main?.[0]).toHaveLength(2);
		expect(run.timesRun).toBe(1);
	});

	it('keeps what the node logs, and the whole execution as it is stored', async () => {
		const run = await runNode({ ...echo(), executionId: '77' });
		expect(run.logs).toContainEqual({
			level: 'info',
			message: 'Echo runs',
			metadata: { seed: '77' },
		});
		expect(run.stored).toContain('/echo');
		expect(run.stored).not.toContain('secret-key');
	});

	it('resolves expressions in credentials and adds the fields that n8n adds', async () => {
		const credentials = { baseUrl: '={{ $json.url }}', apiKey: '={{ "secret" + "-key" }}' };
		const run = await runNode({ ...echo(), credentials, items: [{ json: { url: baseUrl } }] });
		expect(run.error).toBeUndefined();
		expect(seen).toHaveLength(1);
		const fields = await runNode({ ...echo(), parameters: { way: 'domains' } });
		expect(fields.outputs[0]?.[0]?.json).toEqual({ allowedHttpRequestDomains: 'all' });
	});

	it('fails without a credential', async () => {
		const run = await runNode({ ...echo(), credentials: undefined });
		expect(run.error?.message).toBe('Node does not have any credentials set');
		expect(seen).toHaveLength(0);
	});

	it('stops at an error', async () => {
		const run = await runNode({ ...echo(), credentials: { baseUrl, apiKey: 'wrong' } });
		expect(run.status).toBe('error');
		expect(run.error).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
		expect(run.outputs).toEqual([]);
	});

	it('sends failed items to the error output, merged with their input', async () => {
		failures = 1;
		const run = await runNode({
			...echo(),
			onError: 'continueErrorOutput',
			items: [{ json: { n: 1 } }, { json: { n: 2 } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toHaveLength(1);
		expect(run.outputs[1]?.[0]).toMatchObject({
			json: { n: 1, details: {} },
			pairedItem: { item: 0 },
		});
		expect(run.runData.Errors?.[0]?.data?.main?.[0]).toHaveLength(1);
	});

	it('runs the whole node again on Retry On Fail, with its context kept', async () => {
		failures = 1;
		const run = await runNode({
			...echo(),
			executionId: '5',
			retryOnFail: true,
			maxTries: 3,
			items: [{ json: { n: 1 } }, { json: { n: 2 } }],
		});
		expect(run.status).toBe('success');
		expect(run.timesRun).toBe(2);
		expect(seen.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}']);
		expect(nodeContext(run)).toEqual({ seed: '5', runs: 2 });
	});

	it('keeps the context when a failed execution is retried under a new id', async () => {
		failures = 1;
		const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
		const first = await runNode({ ...echo(), executionId: '5', items });
		expect(first.status).toBe('error');

		const runExecutionData = first.fullRun.data;
		const second = await runNode({ ...echo(), executionId: '6', runExecutionData });
		expect(second.error).toBeUndefined();
		expect(second.status).toBe('success');
		expect(second.outputs[0]).toHaveLength(2);
		expect(nodeContext(second)).toEqual({ seed: '5', runs: 2 });
		expect(nodeContext(first)).toEqual({ seed: '5', runs: 1 });
	});

	it('aborts requests in flight when the execution is stopped', async () => {
		const handle = new AbortController();
		let requests = 0;
		onHang = () => {
			requests++;
			handle.abort();
		};
		const { signal } = handle;
		const run = await runNode({ ...echo(), parameters: { path: '/hang' }, signal });
		onHang = () => {};
		expect(run.status).toBe('canceled');
		expect(requests).toBe(1);
	});

	it('stops an execution after a time', async () => {
		const run = await runNode({ ...echo(), parameters: { path: '/hang' }, abortAfter: 20 });
		expect(run.status).toBe('canceled');
		expect(run.fullRun.finished).toBeUndefined();
	});

	it('streams binary data from the file system', async () => {
		const buffer = Buffer.from('a file');
		const file = { buffer, fileName: 'a.txt', mimeType: 'text/plain' };
		const item = await withBinary({ json: {} }, file);
		expect(item.binary?.data).toMatchObject({ fileName: 'a.txt', data: 'filesystem-v2' });
		const run = await runNode({ ...echo(), parameters: { way: 'stream' }, items: [item] });
		expect(run.error).toBeUndefined();
		expect(seen[0]?.body).toBe('a file');
	});

	it('keeps binary data in the item in memory mode', async () => {
		const item = await withBinary({ json: {} }, { buffer: Buffer.from('x'), mode: 'default' });
		expect(item.binary?.data?.id).toBeUndefined();
		expect(await readBinary(item)).toEqual(Buffer.from('x'));
	});
});

describe('the other ways into a node', () => {
	it('searches a list with filter and token', async () => {
		const found = await listSearch({
			...echo(),
			method: 'things',
			filter: 'abc',
			paginationToken: '1',
			parameters: { path: '/p' },
		});
		expect(found).toEqual({
			results: [{ name: 'abc 1 secret-key /p', value: '1' }],
			paginationToken: '2',
		});
	});

	it('tests a credential', async () => {
		const { credentialType, credentials } = echo();
		expect(await testCredential({ credentialType, credentials })).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(seen[0]).toMatchObject({ method: 'GET', url: '/subject', key: 'secret-key' });
	});

	it('explains a credential that does not work', async () => {
		const wrong = { baseUrl, apiKey: 'wrong' };
		expect(await testCredential({ credentialType: EchoApi, credentials: wrong })).toEqual({
			status: 'Error',
			message: 'The key was not accepted',
		});
		failures = 1;
		expect(await testCredential({ ...echo() })).toEqual({
			status: 'Error',
			message: 'Internal Server Error',
		});
		const nowhere = { apiKey: 'secret-key' };
		expect(await testCredential({ credentialType: EchoApi, credentials: nowhere })).toEqual({
			status: 'Error',
			message: 'ECONNREFUSED',
		});
	});

	it('lets a credential reach its own host, whatever domains it is allowed elsewhere', async () => {
		const domains = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
		const credentials = { ...echo().credentials, ...domains };
		expect(await testCredential({ ...echo(), credentials })).toMatchObject({ status: 'OK' });
		const run = await runNode({ ...echo(), credentials, parameters: { way: 'domains' } });
		expect(run.outputs[0]?.[0]?.json).toEqual(domains);
	});
});

class Counter implements INodeType {
	description: INodeTypeDescription = {
		...description,
		name: 'counter',
		group: ['trigger'],
		polling: true,
		inputs: [],
		credentials: [],
	};

	poll: NonNullable<INodeType['poll']> = async function () {
		const state = this.getWorkflowStaticData('node');
		const count = Number(state.count ?? 0) + 1;
		state.count = count;
		const way = this.getNodeParameter('way') as string;
		if (way === 'fail') {
			throw new NodeApiError(this.getNode(), { message: 'too many' }, { httpCode: '429' });
		}
		if (way === 'nothing' || (way === 'odd' && count % 2 === 0)) return null;
		return [[{ json: { count, mode: this.getMode(), budget: this.getPollBudgetMs?.() } }]];
	};
}

describe('a trigger polled on the engine', () => {
	it('reads and writes its static data', async () => {
		const first = await runPoll({ node: Counter });
		expect(first.items?.[0]?.json).toEqual({ count: 1, mode: 'trigger', budget: 300_000 });
		expect(first).toMatchObject({ staticData: { count: 1 }, changed: true });

		const { staticData } = first;
		const second = await runPoll({ node: Counter, staticData, budgetMs: 36_000 });
		expect(second.items?.[0]?.json).toMatchObject({ count: 2, budget: 36_000 });
		expect(staticData).toEqual({ count: 1 });
	});

	it('hands back null and errors', async () => {
		const nothing = await runPoll({ node: Counter, parameters: { way: 'nothing' } });
		expect(nothing).toMatchObject({ items: null, outputs: null });
		const failing = await runPoll({ node: Counter, parameters: { way: 'fail' } });
		expect(failing.error).toMatchObject({ name: 'NodeApiError', httpCode: '429' });
	});

	it('polls manually', async () => {
		const run = await runPoll({ node: Counter, mode: 'manual' });
		expect(run.items?.[0]?.json.mode).toBe('manual');
	});

	it('keeps the state in memory, and loses what only null polls wrote, in a crash', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'odd' },
			durability: 'inMemory',
		});
		await polls.activate();
		expect(polls.stored).toEqual({ count: 1 });
		await polls.tick();
		expect(polls.stored).toEqual({ count: 1 });
		expect((await polls.tick()).staticData).toEqual({ count: 3 });
		expect(polls.stored).toEqual({ count: 3 });
		await polls.tick();
		polls.crash();
		expect((await polls.tick()).staticData).toEqual({ count: 4 });
	});

	it('starts every durable poll from what is stored', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'nothing' },
			durability: 'durable',
		});
		await polls.activate();
		await polls.tick();
		await polls.tick();
		expect(polls.stored).toEqual({ count: 1 });
	});

	it('commits a cursor without items, the activation excepted', async () => {
		const polls = pollRegistration({
			node: Counter,
			parameters: { way: 'nothing' },
			durability: 'durableCursors',
		});
		await polls.activate();
		expect(polls.stored).toBeUndefined();
		await polls.tick();
		await polls.tick();
		expect(polls.stored).toEqual({ count: 2 });
	});

	it.each(['durable', 'durableCursors'] as const)(
		'drops a thrown poll (%s)',
		async (durability) => {
			const polls = pollRegistration({ node: Counter, parameters: { way: 'fail' }, durability });
			await polls.tick();
			expect(polls.stored).toBeUndefined();
		},
	);
});

describe('the node as a tool of an agent', () => {
	const parameters = { path: "={{ '/tool/' + $fromAI('thing', 'Which thing', 'string') }}" };

	it('fills in what the model chose, and answers the model', async () => {
		const run = await runAsTool({ ...echo(), parameters, args: { thing: 'abc' } });
		expect(run.errorMessage).toBeUndefined();
		expect(run).toMatchObject({ argumentNames: ['thing'], timesRun: 1 });
		expect(run.description).toBe('Sends each item and returns the answer');
		expect(run.response).toMatchObject([{ url: '/tool/abc', ok: true }]);
	});

	it('tells the model the message of a failure', async () => {
		failures = 1;
		const run = await runAsTool({ ...echo(), parameters, args: { thing: 'abc' } });
		expect(run.response).toBeUndefined();
		expect(run.errorMessage).toContain('service was not able to process your request');
	});
});

describe('a built package', () => {
	let folder: string;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'package-'));
		const node = `class Sample { description = {
			displayName: 'Sample', name: 'sample', group: ['transform'], version: 1, description: 'd',
			defaults: {}, inputs: ['main'], outputs: ['main'], properties: [] };
			async execute() { return [this.getInputData().map(({ json }, item) =>
				({ json: { ...json, seen: true }, pairedItem: { item } }))]; } }
			module.exports = { Sample };`;
		const n8n = { nodes: ['dist/Sample.node.js'], credentials: [] };
		const manifest = { name: 'n8n-nodes-sample', version: '1.0.0', n8n };
		await mkdir(join(folder, 'dist'));
		await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
		await writeFile(join(folder, 'dist/Sample.node.js'), node);
	});

	afterAll(async () => await rm(folder, { recursive: true }));

	it('is loaded as n8n loads it, and its node runs', async () => {
		const loader = await loadPackage(folder);
		expect(Object.keys(loader.known.nodes)).toEqual(['sample']);
		const node = loader.getNode('sample').type as INodeType;
		const run = await runNode({ node, items: [{ json: { n: 1 } }] });
		expect(run.outputs[0]?.[0]?.json).toEqual({ n: 1, seen: true });
	});
});
