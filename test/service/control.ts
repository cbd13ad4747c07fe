// A third port for people and for checks: what there is, and a few levers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CONTROL_PAGE } from './controlPage';
import type { Effect, Match } from './faults';
import { isObject } from './fields';
import type { FakeService } from './index';
import { listen, readBody, send, type Listening } from './sockets';
import type { Json, JsonObject } from './types';
import type { Account } from './world';

type Controlled = Pick<
	FakeService,
	'baseUrl' | 'world' | 'faults' | 'latency' | 'requests' | 'storageRequests' | 'clearLog'
>;

type Lever = (service: Controlled, input: JsonObject) => unknown;

const LEVERS: Record<string, Lever> = {
	'GET /state': state,
	'GET /leads': (service, input) => accountOf(service, input).leads.toArray(),
	'GET /activity': (service, input) => accountOf(service, input).activity.toArray(),
	'GET /posts': (service, input) =>
		accountOf(service, input)
			.posts.toArray()
			.map(({ hidden: _, ...shown }) => shown),
	'GET /requests': ({ requests }) => requests.map(({ headers: _, ...shown }) => shown),
	'GET /storage-requests': ({ storageRequests }) => storageRequests,
	'POST /comment': (service, input) =>
		service.world.comment(accountOf(service, input), text(input.keyword) ?? 'GUIDE'),
	'POST /leads': (service, input) => {
		const account = accountOf(service, input);
		service.world.seedLeads(account, Number(input.count ?? 1), { from: Date.now(), everyMs: 0 });
		return { leads: account.leads.size };
	},
	'POST /faults': (service, input) => {
		const match = (isObject(input.match) ? input.match : {}) as Match & JsonObject;
		if (match.count === null) match.count = Infinity;
		service.faults.add(input.effect as Effect & JsonObject, match);
		return service.faults.list();
	},
	'DELETE /faults': (service) => {
		service.faults.clear();
		return service.faults.list();
	},
	'POST /latency': ({ latency }, input) => {
		latency.global = Number(input.ms ?? 0);
		return { ms: latency.global };
	},
	'POST /clear-log': (service) => {
		service.clearLog();
		return {};
	},
};

export function startControl(service: Controlled, port?: number): Promise<Listening> {
	return listen(async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://control');
		const method = request.method ?? 'GET';
		if (method === 'GET' && url.pathname === '/') {
			return send(response, { status: 200, body: CONTROL_PAGE, headers: HTML });
		}
		const lever = LEVERS[`${method} ${url.pathname}`];
		if (!lever) return reply(response, 404, { error: 'no such lever' });
		try {
			reply(response, 200, lever(service, await inputOf(request, url)));
		} catch (error) {
			reply(response, 400, { error: error instanceof Error ? error.message : String(error) });
		}
	}, port);
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

function reply(response: ServerResponse, status: number, body: unknown): void {
	const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
	send(response, { status, body: JSON.stringify(body), headers });
}

async function inputOf(request: IncomingMessage, url: URL): Promise<JsonObject> {
	const body = (await readBody(request)).toString('utf8');
	const json = body === '' ? {} : (JSON.parse(body) as Json);
	if (!isObject(json)) throw new Error('the body must be an object');
	return { ...Object.fromEntries(url.searchParams), ...json };
}

/** By id or by the name it has in the cast; the key owner's own account otherwise. */
function accountOf({ world }: Controlled, input: JsonObject): Account {
	const wanted = text(input.account) ?? 'own';
	const named: Record<string, Account> = castOf(world);
	const account = named[wanted] ?? world.accounts.get(wanted);
	if (!account) throw new Error(`no account ${wanted}`);
	return account;
}

function castOf(world: Controlled['world']): Record<string, Account> {
	const { own, agency, clientA, clientB, clientC, clientPaused, clientUngranted, stranger } = world;
	return { own, agency, clientA, clientB, clientC, clientPaused, clientUngranted, stranger };
}

function state({ world, requests, storageRequests, faults, baseUrl }: Controlled) {
	const names = new Map(Object.entries(castOf(world)).map(([name, one]) => [one.id, name]));
	const accounts = [...world.accounts.values()].map((account) => ({
		name: names.get(account.id) ?? null,
		id: account.id,
		full_name: account.fullName,
		leads: account.leads.size,
		activity: account.activity.size,
		posts: account.posts.size,
		lead_magnets: account.leadMagnets.size,
		media: account.media.size,
	}));
	return {
		base_url: baseUrl,
		accounts,
		requests: requests.length,
		storage_requests: storageRequests.length,
		social_actions: world.socialActions.length,
		applied: world.applied,
		faults: faults.list(),
	};
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
