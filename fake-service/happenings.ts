// What a person at the control page wants to see: what came in, after how long it was asked for, and
// what else was asked, in words.

import type { LoggedRequest } from './log';

export type WatchedList = 'leads' | 'activity' | 'posts';

export interface Happening {
	id: number;
	at: number;
	kind: 'news' | 'write' | 'trouble';
	/** Whose it is: an account's id. */
	account: string;
	what: string;
	/** The lists that show it, each with the milliseconds after which it was asked for. */
	askedAfter: Partial<Record<WatchedList, number | null>>;
	/** The lead that came in. */
	lead?: string;
	/** Where it was found afterwards, as the observer says, and after how many milliseconds. */
	landed?: { where: string; after: number };
}

/** What came in or changed, and where it shows. */
export interface News {
	what: string;
	lists: readonly WatchedList[];
	lead?: string;
}

const KEPT = 100;
const LIST_OF_ROUTE: Readonly<Record<string, WatchedList>> = {
	'leads.list': 'leads',
	'activity.list': 'activity',
	'posts.list': 'posts',
};
/** What a request is for, after "asked to". */
const PURPOSES: Readonly<Record<string, string>> = {
	base: 'read what API this is',
	me: 'read whose key this is',
	'clients.list': 'list the clients',
	'clients.get': 'read a client',
	'leads.list': 'list the leads',
	'activity.list': 'list the activity',
	'posts.list': 'list the posts',
	'posts.get': 'read a post',
	'posts.create': 'create a post',
	'posts.update': 'change a post',
	'posts.delete': 'delete a post',
	'posts.engagement': "read a post's engagement",
	'fastResponse.start': 'start Fast Response',
	'fastResponse.stop': 'stop Fast Response',
	'leadMagnets.list': 'list the lead magnets',
	'leadMagnets.get': 'read a lead magnet',
	'leadMagnets.create': 'create a lead magnet',
	'leadMagnets.update': 'change a lead magnet',
	'leadMagnets.archive': 'archive a lead magnet',
	'leadMagnets.analytics': "read a lead magnet's analytics",
	'media.uploadUrl': 'upload a file',
	'media.delete': 'delete a file',
	'organizations.refresh': 'refresh the organizations',
	'socialActions.create': 'send a social action',
};
const TROUBLE: Readonly<Record<string, string>> = {
	reset: 'the connection was cut',
	hang: 'no response came',
	late: 'the connection was cut',
};

export class Happenings {
	private readonly kept: Happening[] = [];
	private readonly lastAsked = new Map<string, number>();
	private count = 0;

	/** Given whose key or client route a request used. */
	constructor(private readonly accountOf: (request: LoggedRequest) => string | undefined) {}

	/** Something that n8n can find out only by asking. */
	news(account: string, { what, lists, lead }: News): void {
		const askedAfter = Object.fromEntries(lists.map((list) => [list, null]));
		this.keep({ kind: 'news', account, what, askedAfter, ...(lead === undefined ? {} : { lead }) });
	}

	/** Leads that have been asked for, and not found anywhere yet. */
	underWay(): string[] {
		return this.kept.flatMap(({ lead, landed, askedAfter: { leads } }) =>
			lead !== undefined && landed === undefined && typeof leads === 'number' ? [lead] : [],
		);
	}

	landed(lead: string, where: string): void {
		const found = this.kept.find((happening) => happening.lead === lead);
		if (found) found.landed ??= { where, after: Date.now() - found.at };
	}

	/** Called when a request is over, whatever came of it. */
	answered(request: LoggedRequest): void {
		const account = this.accountOf(request);
		if (account === undefined) return;
		const { route, method, status, fault } = request;
		const list = LIST_OF_ROUTE[route ?? ''];
		if (list !== undefined && status === 200) this.seen(account, list, request);
		if (fault !== null) this.keep(this.tell('trouble', account, request));
		else if (method !== 'GET') this.keep(this.tell('write', account, request));
	}

	/** When one of an account's lists was last read (ms). */
	askedAt(account: string): number | null {
		return this.lastAsked.get(account) ?? null;
	}

	/** Newest first. */
	latest(count: number): Happening[] {
		return this.kept.slice(-count).reverse();
	}

	private seen(account: string, list: WatchedList, { startedAt, endedAt }: LoggedRequest): void {
		this.lastAsked.set(account, endedAt ?? startedAt);
		for (const { at, account: whose, askedAfter } of this.kept) {
			if (whose !== account || askedAfter[list] !== null || startedAt < at) continue;
			askedAfter[list] = (endedAt ?? startedAt) - at;
		}
	}

	private tell(
		kind: 'trouble' | 'write',
		account: string,
		request: LoggedRequest,
	): Omit<Happening, 'id' | 'at'> {
		const { route, method, path, status, fault, requestId } = request;
		const who = requestId.startsWith('n8n:') ? 'n8n' : 'Someone';
		const purpose = PURPOSES[route ?? ''] ?? `${method} ${path}`;
		const came = status === null ? TROUBLE[fault ?? ''] : `answered with ${status}`;
		const what = `${who} asked to ${purpose}: ${came ?? 'no response came'}`;
		return { kind, account, what, askedAfter: {} };
	}

	private keep(happening: Omit<Happening, 'id' | 'at'>): void {
		this.kept.push({ ...happening, id: ++this.count, at: Date.now() });
		if (this.kept.length > KEPT) this.kept.shift();
	}
}
