/** The credential in n8n's own helpers, as its HTTP Request node calls them: who gets to see the key. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { runNode, type NodeRun } from '../support/engine';
import { otherNode } from '../support/workflowRun';

const KEY = 'svc_live_NOT_A_REAL_KEY';
const TYPE = 'leadGenPublishingApi';

type Ask = (this: IExecuteFunctions) => Promise<unknown>;

interface Host {
	readonly server: Server;
	readonly url: string;
	readonly seen: Array<{ url: string; authorization?: string }>;
}

async function host(answer: (request: IncomingMessage) => { to?: string; body?: object }) {
	const seen: Host['seen'] = [];
	const server = createServer((request, response) => {
		seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
		const { to, body = {} } = answer(request);
		response.writeHead(to === undefined ? 200 : 307, {
			'content-type': 'application/json',
			...(to === undefined ? {} : { location: to }),
		});
		response.end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let ours: Host;
let foreign: Host;
beforeAll(async () => {
	foreign = await host(() => ({}));
	ours = await host(({ url }) => {
		if (url?.includes('/leave')) return { to: `${foreign.url}/api/v1/me` };
		if (url?.includes('/move')) return { to: '/api/v1/me' };
		if (url?.includes('/page1')) return { body: { next: `${ours.url}/api/v1/page2` } };
		if (url?.includes('/page2')) return { body: { next: `${foreign.url}/api/v1/page3` } };
		return {};
	});
});
afterAll(async () => {
	for (const { server } of [ours, foreign]) await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
	ours.seen.length = 0;
	foreign.seen.length = 0;
});

const run = async (ask: Ask): Promise<NodeRun> =>
	await runNode({
		node: otherNode(async function () {
			const answer = await ask.call(this);
			return [[{ json: { answer: JSON.parse(JSON.stringify(answer)) as IDataObject } }]];
		}),
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: `${ours.url}/api/v1`, apiKey: KEY },
	});

/** As the HTTP Request node does in its newest version, redirects included. */
const legacy = (request: IDataObject): Ask =>
	async function () {
		const options = { method: 'GET' as const, followRedirect: true, followAllRedirects: true };
		return (await this.helpers.requestWithAuthentication.call(this, TYPE, {
			...options,
			...request,
			json: true,
		})) as unknown;
	};

const modern = (request: { url: string; baseURL?: string }): Ask =>
	async function () {
		return (await this.helpers.httpRequestWithAuthentication.call(this, TYPE, request)) as unknown;
	};

const authorized = [{ url: '/api/v1/me', authorization: `Bearer ${KEY}` }];

it.each<[string, () => Ask]>([
	['uri', () => legacy({ uri: `${ours.url}/api/v1/me` })],
	['both', () => legacy({ url: `${ours.url}/api/v1/me`, uri: `${ours.url}/api/v1/other` })],
	['the newer request', () => modern({ url: `${ours.url}/api/v1/me` })],
])('the service gets the key with %s', async (_, ask) => {
	const { error } = await run(ask());
	expect(error).toBeUndefined();
	expect(ours.seen).toEqual(authorized);
});

it.each<[string, () => Ask]>([
	['another host', () => legacy({ uri: `${foreign.url}/api/v1/me` })],
	['the newer request', () => modern({ url: `${foreign.url}/api/v1/me` })],
])('nobody gets anything with %s', async (_, ask) => {
	const { error } = await run(ask());
	expect(error?.message).toContain('The API key was not sent');
	expect([...ours.seen, ...foreign.seen]).toEqual([]);
});

it.each<[string, () => Ask]>([
	['the older request', () => legacy({ uri: `${ours.url}/api/v1/leave` })],
	[
		'the older request that asks for it',
		() => legacy({ uri: `${ours.url}/api/v1/leave`, sendCredentialsOnCrossOriginRedirect: true }),
	],
	['the newer request', () => modern({ url: `${ours.url}/api/v1/leave` })],
	['the older request to the same host', () => legacy({ uri: `${ours.url}/api/v1/move` })],
])('no redirect is followed by %s', async (_, ask) => {
	const { error } = await run(ask());
	expect(error?.message).toContain('307');
	expect(ours.seen).toHaveLength(1);
	expect(foreign.seen).toEqual([]);
});

it('pagination does not carry the key to the next address that an answer names', async () => {
	const { error } = await run(async function () {
		return await this.helpers.requestWithAuthenticationPaginated.call(
			this,
			{ method: 'GET', uri: `${ours.url}/api/v1/page1`, json: true },
			0,
			{
				continue: '={{ true }}',
				request: { url: '={{ $response.body.next ?? $request.uri }}' },
				requestInterval: 0,
				maxRequests: 4,
			},
			TYPE,
		);
	});
	expect(error?.message).toContain('The API key was not sent');
	expect(ours.seen.map(({ url }) => url)).toEqual(['/api/v1/page1', '/api/v1/page2']);
	expect(foreign.seen).toEqual([]);
});
