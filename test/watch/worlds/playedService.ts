/**
 * The simulated service of a world: accounts with their lists, clients, the owner of each key, its
 * way of paging, and special responses.
 */
import type { Chance } from '../random';
import {
	RecordList,
	type Fields,
	type Order,
	type Resource,
	type Times,
	type View,
} from './records';
import { ok, refused, type Reply } from '../../support/replies';
import type { VirtualTime } from './virtualTime';

export interface Asked {
	/** Below the base URL. */
	readonly path: string;
	readonly offset: number;
	readonly limit: number;
	readonly query: Fields;
	readonly key: string;
}

export interface Paging {
	/** Offsets are rounded down to whole pages of this size. */
	readonly roundsTo?: number;
	/** `pagination.offset` is the rounded offset. */
	readonly saysRounded?: boolean;
	readonly ignoresOffset?: boolean;
	/** Offsets that are not whole pages get a 400. */
	readonly refusesOdd?: boolean;
	/** Offsets above this one get a 400. */
	readonly refusesAbove?: number;
	readonly alwaysMore?: boolean;
	/** The most records of a page. */
	readonly mostOnPage?: number;
}

export interface PlayedPage {
	/** As they are sent. */
	readonly records: readonly string[];
	readonly hasMore: boolean;
}

export interface Client {
	readonly user_id: string;
	readonly full_name: string;
	/** Of its grant; undefined: the client is not listed at all. */
	status: string | undefined;
	/** The list of clients lacks it, although it has a grant. */
	isLeftOut?: boolean;
}

export interface ServiceShape {
	readonly order?: Order;
	readonly times?: Times;
	readonly paging?: Paging;
	readonly clients?: number;
	/** How long a response takes. */
	readonly latencyMs?: number;
	/** No header says what time it is. */
	readonly hidesDate?: boolean;
	readonly me?: Fields;
}

const RESOURCES: Record<string, Resource> = { leads: 'lead', activity: 'activity', posts: 'post' };

export const BASE_URL = 'https://api.example.com/v1';
export const FIRST_KEY = 'x_live_0123456789abcdef';
export const OWN = 'own';

export const htmlPage = (status: number): Reply => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<!doctype html><html><head><title>Not found</title></head><body>nginx</body></html>',
});

export class PlayedService {
	readonly clients: Client[];
	paging: Paging;
	latencyMs: number;
	/** Every page is empty and announces more. */
	isBlank = false;
	me: Fields;
	/** The account of each key. Keys that are not listed show the account of the first one. */
	readonly ownerOf = new Map<string, string>();
	/** Called before each response, because something may happen between two requests. */
	before: Array<(asked: Asked) => void | Promise<void>> = [];
	/** A special response, if any. */
	instead: Array<(asked: Asked) => Reply | undefined> = [];
	/** How far the service's clock is ahead, as its responses show. */
	dateIsAhead: () => number = () => 0;
	/** What happens to a page before it is sent. */
	alter: (page: PlayedPage, asked: Asked) => PlayedPage = (page) => page;
	/** How each request sees the lists. */
	view: (asked: Asked) => View = () => ({});
	requests = 0;
	/** The same by account; `clients` and `me` for these. */
	readonly requestsOf = new Map<string, number>();
	private readonly lists = new Map<string, RecordList>();
	private lastDate: { second: number; text: string } | undefined;

	constructor(
		private readonly time: VirtualTime,
		private readonly chance: Chance,
		private readonly shape: ServiceShape,
	) {
		this.paging = shape.paging ?? {};
		this.latencyMs = shape.latencyMs ?? 0;
		this.me = shape.me ?? { user_id: 'account-1' };
		this.clients = Array.from({ length: shape.clients ?? 0 }, (_, at) => ({
			user_id: chance.uuid(),
			full_name: `Client Number${at + 1}`,
			status: 'active',
		}));
	}

	list(account: string, resource: Resource): RecordList {
		const key = `${account} ${resource}`;
		const { order = 'newest', times = {} } = this.shape;
		const list =
			this.lists.get(key) ?? new RecordList(account, resource, order, times, this.chance);
		this.lists.set(key, list);
		return list;
	}

	get allLists(): RecordList[] {
		return [...this.lists.values()];
	}

	/** The subject of a path: an account, `clients` or `me`. */
	static accountIn(path: string): string {
		const [, first = '', second] = path.split('/');
		if (first === 'me' || (first === 'clients' && second === undefined)) return first;
		return first === 'clients' ? (second ?? '') : OWN;
	}

	async answer(asked: Asked): Promise<Reply> {
		this.requests++;
		const account = PlayedService.accountIn(asked.path);
		this.requestsOf.set(account, (this.requestsOf.get(account) ?? 0) + 1);
		for (const happen of this.before) await happen(asked);
		if (this.latencyMs > 0) await this.time.wait(this.latencyMs);
		const reply =
			this.instead.map((one) => one(asked)).find((one) => one !== undefined) ??
			this.usualAnswer(asked);
		if (this.shape.hidesDate) return reply;
		return { ...reply, headers: { date: this.dateNow(), ...reply.headers } };
	}

	private dateNow(): string {
		const second = Math.floor((this.time.now + this.dateIsAhead()) / 1000);
		if (this.lastDate?.second !== second)
			this.lastDate = { second, text: new Date(second * 1000).toUTCString() };
		return this.lastDate.text;
	}

	private usualAnswer(asked: Asked): Reply {
		const { path } = asked;
		const [, first = '', second, third = ''] = path.split('/');
		if (path === '/me') return ok(this.me);
		if (path === '/clients') {
			const listed = this.clients.filter(
				({ status, isLeftOut }) => status !== undefined && isLeftOut !== true,
			);
			return this.pageOf(
				listed.map((client) => JSON.stringify(clientRecord(client))),
				asked,
				{},
			);
		}
		const client = this.clients.find(({ user_id }) => user_id === second);
		if (first === 'clients' && third === '') {
			if (client === undefined) return refused(404, 'not_found');
			return client.status === undefined ? refused(403, 'forbidden') : ok(clientRecord(client));
		}
		const resource = RESOURCES[first === 'clients' ? third : first];
		if (resource === undefined) return refused(404, 'not_found');
		if (first === 'clients' && client?.status !== 'active') return refused(403, 'forbidden');
		const account =
			first === 'clients' ? (client?.user_id ?? '') : (this.ownerOf.get(asked.key) ?? OWN);
		const list = this.list(account, resource);
		if (this.isBlank) return this.pageOf([], asked, { alwaysMore: true });
		const texts = list.textsShown(asked.query, this.time.now, this.view(asked));
		return this.pageOf(texts, asked, this.paging);
	}

	private pageOf(texts: readonly string[], asked: Asked, paging: Paging): Reply {
		const { offset, limit } = asked;
		const { refusesAbove, refusesOdd, roundsTo, saysRounded, ignoresOffset, alwaysMore } = paging;
		const size = Math.min(limit, paging.mostOnPage ?? 100);
		if (refusesOdd && offset % size !== 0) return refused(400, 'bad_request');
		if (refusesAbove !== undefined && offset > refusesAbove) return refused(400, 'bad_request');
		const rounded = roundsTo === undefined ? offset : Math.floor(offset / roundsTo) * roundsTo;
		const from = ignoresOffset ? 0 : rounded;
		const told = saysRounded ? from : offset;
		const page = this.alter(
			{
				records: texts.slice(from, from + size),
				hasMore: alwaysMore === true || from + size < texts.length,
			},
			asked,
		);
		const { hasMore } = page;
		const data = page.records.join(',');
		return {
			status: 200,
			body: `{"data":[${data}],"pagination":{"limit":${size},"offset":${told},"has_more":${hasMore}},"request_id":"req_1"}`,
		};
	}
}

const clientRecord = ({ user_id, full_name, status }: Client): Fields => ({
	user_id,
	full_name,
	business_name: `${full_name} Ltd`,
	account_status: 'active',
	grant: { id: user_id, label: 'Agency', status, permissions: ['leads:read'] },
});
