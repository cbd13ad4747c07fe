// A third port for people and for checks: what there is, and a few levers.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { differenceNames, DIFFERENCES, differenceOf } from './differences';
import type { Effect, Match } from './effect';
import { isObject } from './fields';
import type { FakeService } from './service';
import type { ServiceOptions } from './options';
import { listen, readBody, send, type Listening } from './sockets';
import type { Json, JsonObject, Post } from './types';
import type { Account } from './world';

type Service = Pick<
	FakeService,
	'baseUrl' | 'world' | 'faults' | 'happenings' | 'guide' | 'requests' | 'settings' | 'orders'
>;

interface Controlled extends Service {
	/** The differences that are switched on, and how each goes away. */
	planted: Map<string, () => void>;
}

type Lever = (service: Controlled, input: JsonObject) => unknown;

const LEVERS: Record<string, Lever> = {
	'GET /state': state,
	'GET /leads': (service, input) => accountOf(service, input).leads.toArray(),
	'GET /records': (service, input) => newestOf(accountOf(service, input)),
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
		return { published: world.patchPost(account, post.id, { status: 'published' }).id };
	},
	'POST /faults': (service, input) => {
		const match = (isObject(input.match) ? input.match : {}) as Match & JsonObject;
		if (match.count === null) match.count = Infinity;
		service.faults.add(input.effect as Effect & JsonObject, match);
		return service.faults.list();
	},
	'POST /differences': (service, input) => {
		const name = text(input.name) ?? '';
		const difference = differenceOf(name);
		if (difference === undefined) throw new Error(`no difference ${name}`);
		const remove = service.planted.get(name);
		if (remove === undefined) service.planted.set(name, difference.plant(service));
		else {
			remove();
			service.planted.delete(name);
		}
		return [...service.planted.keys()];
	},
	'DELETE /faults': ({ planted, faults }) => {
		for (const remove of planted.values()) remove();
		planted.clear();
		faults.clear();
		return faults.list();
	},
};

export function startControl(
	of: Service,
	{ controlPort, controlHost }: Pick<ServiceOptions, 'controlPort' | 'controlHost'>,
): Promise<Listening> {
	const service = { ...of, planted: new Map<string, () => void>() };
	const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
		const url = new URL(request.url ?? '/', 'http://control');
		const method = request.method ?? 'GET';
		const [file, type] = (method === 'GET' && PAGE[url.pathname]) || [];
		if (file !== undefined) {
			const body = readFileSync(join(__dirname, 'page', file));
			return reply(response, 200, body, `${type}; charset=utf-8`);
		}
		const lever = LEVERS[`${method} ${url.pathname}`];
		// A client that takes this port for the API gets the answers of another service.
		if (!lever) return reply(response, 404, JSON.stringify({ error: 'no such lever' }));
		try {
			reply(response, 200, JSON.stringify(lever(service, await inputOf(request, url))));
		} catch (error) {
			const words = error instanceof Error ? error.message : String(error);
			reply(response, 400, JSON.stringify({ error: words }));
		}
	};
	return listen(onRequest, controlPort, controlHost);
}

/** Plain files over the control API, for a person at a demo. */
const PAGE: Readonly<Record<string, readonly [file: string, type: string]>> = {
	'/': ['index.html', 'text/html'],
	'/style.css': ['style.css', 'text/css'],
	'/page.js': ['page.js', 'text/javascript'],
};

function reply(
	response: ServerResponse,
	status: number,
	body: string | Buffer,
	type = 'application/json',
): void {
	send(response, { status, body, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } });
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
	const name = NAMES.find((one) => one === wanted);
	const account = name === undefined ? world.accounts.get(wanted) : world[name];
	if (!account) throw new Error(`no account ${wanted}`);
	return account;
}

/** Who everybody is to somebody who watches, in the order in which they are shown. */
const ROLES = {
	own: { group: 'Your account', is: 'what “Own Account” means in n8n' },
	agency: { group: 'The agency', is: 'works for its clients' },
	clientA: { group: 'Clients of the agency', is: 'has given a grant' },
	clientB: { group: 'Clients of the agency', is: 'has given a grant; no Fast Response' },
	clientC: { group: 'Clients of the agency', is: 'has given a grant' },
	clientPaused: { group: 'No access', is: 'a client whose grant is paused' },
	clientUngranted: { group: 'No access', is: 'never gave a grant' },
	stranger: { group: 'No access', is: 'a stranger with a key of their own' },
} as const;
const NAMES = Object.keys(ROLES) as Array<keyof typeof ROLES>;
const HAPPENINGS = 40;

function state(service: Controlled) {
	const { world, requests, faults, happenings, baseUrl, guide, planted } = service;
	const { own, agency } = world.keys;
	const keyOf: Readonly<Record<string, string>> = { own, agency };
	const accounts = [...world.accounts.values()].map((account) => {
		const name = NAMES.find((one) => world[one] === account);
		const { group, is } = name === undefined ? { group: 'Others', is: '' } : ROLES[name];
		return {
			...{ name: name ?? null, group, is, id: account.id, full_name: account.fullName },
			key: keyOf[name ?? ''] ?? null,
			leads: account.leads.size,
			activity: account.activity.size,
			posts: account.posts.size,
			asked_at: happenings.askedAt(account.id),
		};
	});
	const placeOf = (name: string | null) =>
		name === null ? NAMES.length : NAMES.findIndex((one) => one === name);
	return {
		base_url: baseUrl,
		now: Date.now(),
		guide,
		accounts: accounts.sort((one, other) => placeOf(one.name) - placeOf(other.name)),
		requests: requests.length,
		faults: faults.list(),
		differences: differenceNames.map((name) => ({
			...{ name, words: DIFFERENCES[name].words },
			on: planted.has(name),
		})),
		happenings: happenings.latest(HAPPENINGS),
	};
}

const NEWEST = 10;

/** What a person wants to know of the newest records, under the headings that the page shows. */
function newestOf({ fullName, leads, activity, posts }: Account) {
	const newest = <T>(records: readonly T[]): T[] => records.slice(-NEWEST).reverse();
	return {
		full_name: fullName,
		leads: newest(leads.toArray()).map(({ name, emails, latest_keyword, ...lead }) => ({
			Name: name,
			Email: emails.work ?? emails.submitted ?? emails.personal,
			Keyword: latest_keyword,
			Qualification: lead.qualification_status,
		})),
		activity: newest(activity.toArray()).map(({ author_name, source, content, status }) => ({
			...{ From: author_name, Kind: source, Text: content, Status: status },
		})),
		posts: newest(posts.toArray()).map(({ text: words, status, scheduled_at, ...post }) => ({
			Text: words,
			Status: status,
			Due: scheduled_at,
			Media: mediaIn(post),
		})),
	};
}

function mediaIn({ document_url: document, images }: Pick<Post, 'document_url' | 'images'>) {
	if (document !== null) return 'a document';
	return images.length === 1 ? 'an image' : images.length > 1 ? `${images.length} images` : null;
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
