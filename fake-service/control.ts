// A third port for people and for checks: what there is, and a few levers.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DIFFERENCES } from './differences';
import type { Effect, Match } from './faults';
import { isObject } from './fields';
import type { FakeService } from './index';
import { listen, readBody, send, type Listening } from './sockets';
import type { Json, JsonObject } from './types';
import type { Account } from './world';

type Controlled = Pick<
	FakeService,
	| 'baseUrl'
	| 'world'
	| 'faults'
	| 'happenings'
	| 'guide'
	| 'requests'
	| 'storageRequests'
	| 'settings'
	| 'lists'
>;

/** The differences that are switched on, and how each goes away. */
const PLANTED = new WeakMap<object, Map<string, () => void>>();
function planted({ world }: Controlled): Map<string, () => void> {
	const known = PLANTED.get(world) ?? new Map<string, () => void>();
	PLANTED.set(world, known);
	return known;
}

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
	'POST /comment': (service, input) =>
		service.world.comment(accountOf(service, input), text(input.keyword) ?? 'GUIDE'),
	'POST /leads': (service, input) => {
		const account = accountOf(service, input);
		service.world.seedLeads(account, Number(input.count ?? 1), { from: Date.now(), everyMs: 0 });
		return { leads: account.leads.size };
	},
	'POST /activity': (service, input) => service.world.addActivity(accountOf(service, input)),
	'POST /change-lead': (service, input) => {
		const account = accountOf(service, input);
		const lead = account.leads.at(-1);
		if (!lead) throw new Error('this account has no lead');
		const qualified = lead.qualification_status === 'qualified';
		const change = { qualification_status: qualified ? 'unqualified' : 'qualified' };
		return service.world.patchLead(account, lead.id, change);
	},
	'POST /publish-post': (service, input) => {
		const { world } = service;
		const account = accountOf(service, input);
		const scheduled = account.posts.toArray().find(({ status }) => status === 'scheduled');
		const post = scheduled ?? world.addPost(account, { status: 'scheduled' });
		const { hidden: _, ...shown } = world.patchPost(account, post.id, { status: 'published' });
		return shown;
	},
	'POST /faults': (service, input) => {
		const match = (isObject(input.match) ? input.match : {}) as Match & JsonObject;
		if (match.count === null) match.count = Infinity;
		service.faults.add(input.effect as Effect & JsonObject, match);
		return service.faults.list();
	},
	'POST /differences': (service, input) => {
		const name = text(input.name) ?? '';
		const difference = DIFFERENCES[name];
		if (difference === undefined) throw new Error(`no difference ${name}`);
		const remove = planted(service).get(name);
		if (remove === undefined) planted(service).set(name, difference.plant(service));
		else {
			remove();
			planted(service).delete(name);
		}
		return [...planted(service).keys()];
	},
	'DELETE /faults': (service) => {
		for (const remove of planted(service).values()) remove();
		planted(service).clear();
		service.faults.clear();
		return service.faults.list();
	},
};

export function startControl(service: Controlled, port?: number): Promise<Listening> {
	return listen(async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://control');
		const method = request.method ?? 'GET';
		const page = method === 'GET' ? PAGE[url.pathname] : undefined;
		if (page) {
			const headers = {
				'Content-Type': `${page.type}; charset=utf-8`,
				'Cache-Control': 'no-store',
			};
			return send(response, { status: 200, body: readFileSync(page.file), headers });
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

/** Plain files over the control API, for a person at a demo. */
const PAGE: Readonly<Record<string, { file: string; type: string }>> = {
	'/': { file: join(__dirname, 'page', 'index.html'), type: 'text/html' },
	'/style.css': { file: join(__dirname, 'page', 'style.css'), type: 'text/css' },
	'/page.js': { file: join(__dirname, 'page', 'page.js'), type: 'text/javascript' },
};

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

/** Who everybody is to somebody who watches, in the order in which they are shown. */
const ROLES: Readonly<Record<string, { group: string; is: string }>> = {
	own: { group: 'Your account', is: 'what “Own Account” means in n8n' },
	agency: { group: 'The agency', is: 'works for its clients' },
	clientA: { group: 'Clients of the agency', is: 'has given a grant' },
	clientB: { group: 'Clients of the agency', is: 'has given a grant; no Fast Response' },
	clientC: { group: 'Clients of the agency', is: 'has given a grant' },
	clientPaused: { group: 'Not to be reached', is: 'a client whose grant is paused' },
	clientUngranted: { group: 'Not to be reached', is: 'never gave a grant' },
	stranger: { group: 'Not to be reached', is: 'a stranger with a key of their own' },
};
const HAPPENINGS = 40;

function state(service: Controlled) {
	const { world, requests, storageRequests, faults, happenings, baseUrl, guide } = service;
	const { own, agency } = world.keys;
	const names = new Map(Object.entries(castOf(world)).map(([name, one]) => [one.id, name]));
	const keyOf: Readonly<Record<string, string>> = { own, agency };
	const accounts = [...world.accounts.values()].map((account) => {
		const name = names.get(account.id) ?? null;
		const { group, is } = ROLES[name ?? ''] ?? { group: 'Others', is: '' };
		return {
			...{ name, group, is, id: account.id, full_name: account.fullName },
			key: keyOf[name ?? ''] ?? null,
			leads: account.leads.size,
			activity: account.activity.size,
			posts: account.posts.size,
			lead_magnets: account.leadMagnets.size,
			media: account.media.size,
			asked_at: happenings.askedAt(account.id),
		};
	});
	const order = Object.keys(ROLES);
	const placeOf = (name: string | null) => (name === null ? order.length : order.indexOf(name));
	return {
		base_url: baseUrl,
		now: Date.now(),
		guide,
		accounts: accounts.sort((one, other) => placeOf(one.name) - placeOf(other.name)),
		requests: requests.length,
		storage_requests: storageRequests.length,
		social_actions: world.socialActions.length,
		applied: world.applied,
		faults: faults.list(),
		differences: Object.entries(DIFFERENCES).map(([name, { words }]) => ({
			...{ name, words },
			on: planted(service).has(name),
		})),
		happenings: happenings.latest(HAPPENINGS),
	};
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
