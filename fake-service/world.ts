// What exists: accounts and all they hold, keys and grants. Tests change it here; requests change
// it through the handlers.

import type { ServiceClock } from './clock';
import type { News } from './happenings';
import { RecordList } from './recordList';
import { mix, seedOf, uuidFrom } from './random';
import { activityAt, leadAt, withSignals } from './sample';
import { plainLeadMagnet, plainPost, type PostChange } from './plainRecords';
import type {
	Activity,
	ApiKey,
	BoostWindow,
	Grant,
	JsonObject,
	Lead,
	LeadMagnet,
	Post,
	Scope,
	StoredMedia,
} from './types';
import { WORDS, type Words } from './words';

export interface Account {
	/** What the API calls `user_id` and takes as `clientId`. */
	id: string;
	fullName: string;
	businessName: string;
	status: string;
	isAgency: boolean;
	workspaceId: string;
	/** Fast Response: is the account enabled (4.3.4), and is it paused? */
	fastResponse: boolean;
	paused: boolean;
	posts: RecordList<Post>;
	leads: RecordList<Lead>;
	activity: RecordList<Activity>;
	leadMagnets: RecordList<LeadMagnet>;
	media: Map<string, StoredMedia>;
	boosts: BoostWindow[];
	grants: RecordList<Grant>;
	refreshedAt: number | null;
	seed: number;
	counters: { leads: number; activity: number };
}

export interface SocialAction {
	account: string;
	workspaceId: string;
	body: JsonObject;
	at: string;
}

export interface AppliedMutation {
	kind: 'text' | 'delete';
	post: string;
	text: string | null;
	at: string;
}

export interface BulkTiming {
	from?: number;
	everyMs?: number;
}

export class World {
	readonly accounts = new Map<string, Account>();
	readonly keyring = new Map<string, ApiKey>();
	readonly socialActions: SocialAction[] = [];
	/** Changes of published posts that really reached the network, once each. */
	readonly applied: AppliedMutation[] = [];
	/** Told of what comes in or changes. */
	tell: (account: Account, news: News) => void = () => undefined;
	private counter = 0;
	private readonly latestGrants = new Map<string, Grant>();

	constructor(
		readonly clock: ServiceClock,
		readonly seed = 1,
		readonly words: Words = WORDS,
	) {}

	uuid(): string {
		return uuidFrom(this.seed ^ 0x5eed, this.counter++);
	}

	addAccount(name: string, given: Partial<Account> = {}): Account {
		const seed = mix(seedOf(name), this.seed);
		const account: Account = {
			id: uuidFrom(seed, 0),
			fullName: name,
			businessName: `${name} Ltd`,
			status: 'active',
			isAgency: false,
			workspaceId: uuidFrom(seed, 1),
			fastResponse: true,
			paused: false,
			posts: new RecordList(),
			leads: new RecordList(),
			activity: new RecordList(),
			leadMagnets: new RecordList(),
			media: new Map(),
			boosts: [],
			grants: new RecordList(),
			refreshedAt: null,
			seed,
			counters: { leads: 0, activity: 0 },
			...given,
		};
		this.accounts.set(account.id, account);
		return account;
	}

	account(id: string): Account {
		const account = this.accounts.get(id);
		if (!account) throw new Error(`no account ${id}`);
		return account;
	}

	addKey({ id }: Account, key: string, scopes: (Scope | '*')[]): string {
		this.keyring.set(key, { key, account: id, scopes, status: 'active' });
		return key;
	}

	setKeyStatus(key: string, status: ApiKey['status']): void {
		const known = this.keyring.get(key);
		if (!known) throw new Error('no such key');
		known.status = status;
	}

	grant(agency: Account, client: Account, given: Partial<Grant> = {}): void {
		const at = this.clock.iso();
		const grant = agency.grants.add({
			id: this.uuid(),
			agency: agency.id,
			client: client.id,
			label: `${client.businessName} (managed)`,
			status: 'active',
			permissions: ['posts:read', 'posts:write', 'leads:read'],
			created_at: at,
			updated_at: at,
			...given,
		});
		this.latestGrants.set(`${grant.agency} ${grant.client}`, grant);
	}

	grantOf(agency: Account, client: Account): Grant | undefined {
		return this.latestGrants.get(`${agency.id} ${client.id}`);
	}

	setGrantStatus(agency: Account, client: Account, status: string): void {
		const grant = this.grantOf(agency, client);
		if (!grant) throw new Error('no such grant');
		agency.grants.patch(grant.id, { status, updated_at: this.clock.iso() });
	}

	revokeGrant(agency: Account, client: Account): void {
		this.setGrantStatus(agency, client, 'revoked');
	}

	/** A new client account with an active grant for the agency. */
	addClient(agency: Account, name: string, given: Partial<Account> = {}): Account {
		const client = this.addAccount(name, given);
		this.grant(agency, client);
		return client;
	}

	addLead(account: Account, given: Partial<Lead> = {}): Lead {
		const lead = this.insertLead(account, given);
		this.tell(account, { what: `${lead.name} became a lead`, lists: ['leads'], lead: lead.id });
		return lead;
	}

	private insertLead(
		{ leads, seed, counters }: Account,
		given: Partial<Lead> = {},
		at = this.clock.iso(),
	): Lead {
		return leads.add({ ...leadAt(seed, counters.leads++, at), ...withSignals(given) });
	}

	/** Many leads that are announced at once. They read like the others. */
	seedLeads(account: Account, count: number, timing: BulkTiming = {}): void {
		for (const at of this.times(count, timing)) this.insertLead(account, {}, at);
		this.tell(account, { what: `${count} leads came in at once`, lists: ['leads'] });
	}

	patchLead(account: Account, id: string, change: Partial<Lead>): Lead {
		const lead = account.leads.patch(id, {
			updated_at: this.clock.iso(),
			...withSignals(change),
		});
		this.tell(account, { what: `The lead ${lead.name} ${inWords(change)}`, lists: ['leads'] });
		return lead;
	}

	removeLead({ leads }: Account, id: string): boolean {
		return leads.remove(id);
	}

	addActivity(account: Account, given: Partial<Activity> = {}): Activity {
		const activity = this.insertActivity(account, given);
		const { author_name, source, keyword } = activity;
		const named = keyword === null ? 'without a keyword' : `with the keyword ${keyword}`;
		this.tell(account, { what: `${author_name} wrote a ${source} ${named}`, lists: ['activity'] });
		return activity;
	}

	private insertActivity(
		{ activity, seed, counters }: Account,
		given: Partial<Activity> = {},
		at = this.clock.iso(),
	): Activity {
		return activity.add({ ...activityAt(seed, counters.activity++, at), ...given });
	}

	seedActivity(account: Account, count: number, timing: BulkTiming = {}): void {
		for (const at of this.times(count, timing)) this.insertActivity(account, {}, at);
	}

	patchActivity({ activity }: Account, id: string, change: Partial<Activity>): Activity {
		return activity.patch(id, { updated_at: this.clock.iso(), ...change });
	}

	/** Someone comments the keyword: an activity, and the lead that comes of it. */
	comment(account: Account, keyword = 'GUIDE'): { lead: Lead; activity: Activity } {
		const lead = this.insertLead(account, { latest_keyword: keyword, sources: ['comment'] });
		const activity = this.insertActivity(account, {
			source: 'comment',
			status: 'matched',
			keyword,
			content: `${keyword} please! 🙏`,
			author_name: lead.name,
			author_profile_url: lead.network_profile_url,
			metadata: { post_id: this.uuid(), comment_id: this.uuid() },
		});
		const what = `${lead.name} commented ${keyword} and became a lead`;
		this.tell(account, { what, lists: ['leads', 'activity'], lead: lead.id });
		return { lead, activity };
	}

	addPost(account: Account, given: PostChange = {}): Post {
		return account.posts.add(plainPost(this, account, given));
	}

	patchPost(account: Account, id: string, { hidden, ...shown }: PostChange): Post {
		const post = account.posts.patch(id, { updated_at: this.clock.iso(), ...shown });
		Object.assign(post.hidden, hidden);
		this.tell(account, { what: `A post ${inWords(shown)}`, lists: ['posts'] });
		return post;
	}

	removePost({ posts }: Account, id: string): boolean {
		return posts.remove(id);
	}

	addLeadMagnet({ leadMagnets }: Account, given: Partial<LeadMagnet> = {}): LeadMagnet {
		return leadMagnets.add(plainLeadMagnet(this, given));
	}

	/** Whose post, lead magnet or uploaded file this is. */
	ownerOf(kind: 'posts' | 'leadMagnets' | 'media', id: string): Account | undefined {
		for (const account of this.accounts.values()) {
			if (kind === 'media' ? account.media.has(id) : account[kind].get(id)) return account;
		}
		return undefined;
	}

	private times(count: number, { from, everyMs = 60_000 }: BulkTiming): string[] {
		const start = from ?? this.clock.now() - count * everyMs;
		return Array.from({ length: count }, (_, at) => new Date(start + at * everyMs).toISOString());
	}
}

function inWords(change: { status?: string; qualification_status?: string }): string {
	const now = change.status ?? change.qualification_status;
	return now === undefined ? `changed: ${Object.keys(change).join(', ')}` : `is now ${now}`;
}
