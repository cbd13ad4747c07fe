// What exists: accounts and all they hold, keys and grants. Tests change it here; requests change
// it through the handlers.

import type { ServiceClock } from './clock';
import type { News } from './happenings';
import { RecordList } from './recordList';
import { mix, seedOf, uuidFrom } from './random';
import { activityAt, leadAt } from './sample';
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

export type AccountRef = string | Account;

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

	/** By the account itself or its id. */
	account(ref: AccountRef): Account {
		const account = typeof ref === 'string' ? this.accounts.get(ref) : ref;
		if (!account) throw new Error(`no account ${String(ref)}`);
		return account;
	}

	addKey(ref: AccountRef, key: string, scopes: (Scope | '*')[]): string {
		this.keyring.set(key, { key, account: this.account(ref).id, scopes, status: 'active' });
		return key;
	}

	setKeyStatus(key: string, status: ApiKey['status']): void {
		const known = this.keyring.get(key);
		if (!known) throw new Error('no such key');
		known.status = status;
	}

	grant(agency: AccountRef, client: AccountRef, given: Partial<Grant> = {}): Grant {
		const at = this.clock.iso();
		const of = this.account(client);
		const grant = this.account(agency).grants.add({
			id: this.uuid(),
			agency: this.account(agency).id,
			client: of.id,
			label: `${of.businessName} (managed)`,
			status: 'active',
			permissions: ['posts:read', 'posts:write', 'leads:read'],
			created_at: at,
			updated_at: at,
			...given,
		});
		this.latestGrants.set(`${grant.agency} ${grant.client}`, grant);
		return grant;
	}

	grantOf(agency: AccountRef, client: AccountRef): Grant | undefined {
		return this.latestGrants.get(`${this.account(agency).id} ${this.account(client).id}`);
	}

	setGrantStatus(agency: AccountRef, client: AccountRef, status: string): void {
		const grant = this.grantOf(agency, client);
		if (!grant) throw new Error('no such grant');
		const change = { status, updated_at: this.clock.iso() };
		this.account(agency).grants.patch(grant.id, change);
	}

	revokeGrant(agency: AccountRef, client: AccountRef): void {
		this.setGrantStatus(agency, client, 'revoked');
	}

	/** A new client account with an active grant for the agency. */
	addClient(agency: AccountRef, name: string, given: Partial<Account> = {}): Account {
		const client = this.addAccount(name, given);
		this.grant(agency, client);
		return client;
	}

	addLead(ref: AccountRef, given: Partial<Lead> = {}): Lead {
		const lead = this.insertLead(ref, given);
		const what = `${lead.name} became a lead`;
		this.tell(this.account(ref), { what, lists: ['leads'], lead: lead.id });
		return lead;
	}

	private insertLead(ref: AccountRef, given: Partial<Lead>): Lead {
		const account = this.account(ref);
		const lead = leadAt(account.seed, account.counters.leads++, this.clock.iso());
		return account.leads.add({ ...lead, ...given });
	}

	/** Many leads, of which is told at once; they read like the others. */
	seedLeads(ref: AccountRef, count: number, timing: BulkTiming = {}): void {
		const account = this.account(ref);
		const at = this.times(count, timing);
		for (let index = 0; index < count; index++)
			account.leads.add(leadAt(account.seed, account.counters.leads++, at(index)));
		this.tell(account, { what: `${count} leads came in at once`, lists: ['leads'] });
	}

	patchLead(ref: AccountRef, id: string, change: Partial<Lead>): Lead {
		const account = this.account(ref);
		const lead = account.leads.patch(id, { updated_at: this.clock.iso(), ...change });
		const what = `The lead ${lead.name} ${changeInWords(change)}`;
		this.tell(account, { what, lists: ['leads'] });
		return lead;
	}

	removeLead(ref: AccountRef, id: string): boolean {
		return this.account(ref).leads.remove(id);
	}

	addActivity(ref: AccountRef, given: Partial<Activity> = {}): Activity {
		const activity = this.insertActivity(ref, given);
		const { author_name, source, keyword } = activity;
		const named = keyword === null ? 'without a keyword' : `with the keyword ${keyword}`;
		const what = `${author_name} wrote a ${source} ${named}`;
		this.tell(this.account(ref), { what, lists: ['activity'] });
		return activity;
	}

	private insertActivity(ref: AccountRef, given: Partial<Activity>): Activity {
		const account = this.account(ref);
		const activity = activityAt(account.seed, account.counters.activity++, this.clock.iso());
		return account.activity.add({ ...activity, ...given });
	}

	seedActivity(ref: AccountRef, count: number, timing: BulkTiming = {}): void {
		const account = this.account(ref);
		const at = this.times(count, timing);
		for (let index = 0; index < count; index++)
			account.activity.add(activityAt(account.seed, account.counters.activity++, at(index)));
	}

	patchActivity(ref: AccountRef, id: string, change: Partial<Activity>): Activity {
		return this.account(ref).activity.patch(id, { updated_at: this.clock.iso(), ...change });
	}

	/** Someone comments the keyword: an activity, and the lead that comes of it. */
	comment(ref: AccountRef, keyword = 'GUIDE'): { lead: Lead; activity: Activity } {
		const lead = this.insertLead(ref, { latest_keyword: keyword, sources: ['comment'] });
		const activity = this.insertActivity(ref, {
			source: 'comment',
			status: 'matched',
			keyword,
			content: `${keyword} please! 🙏`,
			author_name: lead.name,
			author_profile_url: lead.network_profile_url,
			metadata: { post_id: this.uuid(), comment_id: this.uuid() },
		});
		const what = `${lead.name} commented ${keyword} and became a lead`;
		this.tell(this.account(ref), { what, lists: ['leads', 'activity'], lead: lead.id });
		return { lead, activity };
	}

	addPost(ref: AccountRef, given: PostChange = {}): Post {
		const account = this.account(ref);
		return account.posts.add(plainPost(this, account, given));
	}

	patchPost(ref: AccountRef, id: string, change: PostChange): Post {
		const { posts } = this.account(ref);
		const { hidden, ...shown } = change;
		const post = posts.get(id);
		if (!post) throw new Error(`no post ${id}`);
		Object.assign(post.hidden, hidden);
		const patched = posts.patch(id, { updated_at: this.clock.iso(), ...shown });
		const what = `A post ${changeInWords(shown)}`;
		this.tell(this.account(ref), { what, lists: ['posts'] });
		return patched;
	}

	removePost(ref: AccountRef, id: string): boolean {
		return this.account(ref).posts.remove(id);
	}

	addLeadMagnet(ref: AccountRef, given: Partial<LeadMagnet> = {}): LeadMagnet {
		return this.account(ref).leadMagnets.add(plainLeadMagnet(this, given));
	}

	/** Whose post, lead magnet or uploaded file this is. */
	ownerOf(kind: 'posts' | 'leadMagnets' | 'media', id: string): Account | undefined {
		for (const account of this.accounts.values()) {
			if (kind === 'media' ? account.media.has(id) : account[kind].get(id)) return account;
		}
		return undefined;
	}

	private times(count: number, { from, everyMs = 60_000 }: BulkTiming) {
		const start = from ?? this.clock.now() - count * everyMs;
		return (index: number) => new Date(start + index * everyMs).toISOString();
	}
}

function changeInWords(change: { status?: string; qualification_status?: string }): string {
	const now = change.status ?? change.qualification_status;
	return now === undefined ? `changed: ${Object.keys(change).join(', ')}` : `is now ${now}`;
}
