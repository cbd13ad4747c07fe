// The nouns of the service, as its document names them, and nothing of how it is served.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const SCOPES = [
	'clients:read',
	'posts:read',
	'posts:write',
	'lead_magnets:read',
	'lead_magnets:write',
	'media:write',
	'analytics:read',
	'leads:read',
	'activity:read',
	'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
	key: string;
	account: string;
	scopes: (Scope | '*')[];
	status: 'active' | 'revoked' | 'inactive';
}

export interface Grant {
	id: string;
	agency: string;
	client: string;
	label: string;
	status: string;
	permissions: string[];
	created_at: string;
	updated_at: string;
}

export interface Lead {
	id: string;
	network_profile_url: string;
	name: string;
	emails: { submitted: string | null; work: string | null; personal: string | null };
	latest_keyword: string | null;
	has_intent: boolean;
	qualification_status: string;
	headline?: string | null;
	submitted_form_name?: string | null;
	sources?: string[];
	intent_signals?: string[];
	created_at?: string;
	updated_at?: string;
}

export interface Activity {
	id: string;
	source: string;
	author_name: string;
	author_profile_url?: string;
	content: string;
	keyword: string | null;
	status: string;
	metadata: { [key: string]: Json };
	created_at?: string;
	updated_at?: string;
}

export type PostStatus = 'draft' | 'scheduled' | 'published' | 'publishing';
export const POST_STATUSES: readonly PostStatus[] = [
	'draft',
	'scheduled',
	'published',
	'publishing',
];

export interface Post {
	id: string;
	text: string;
	status: PostStatus;
	scheduled_at: string | null;
	theme_id: string | null;
	template_id: string | null;
	images: Json[];
	document_url: string | null;
	document_type: string | null;
	notes: string | null;
	followups: Json;
	team_boost: boolean;
	workspace_id: string | null;
	created_at: string;
	updated_at: string;
	hidden: PostSecrets;
}

/** What the service knows about a post and never shows as such. */
export interface PostSecrets {
	account: string;
	/** Counts the versions the network has seen; the etag is made of it. */
	version: number;
	canEdit: boolean;
	canDelete: boolean;
	/** Shown as the capability's `reason` while it is not null. */
	reason: string | null;
	/** How `published_mutation_capabilities` shows up in answers. */
	capabilities: 'object' | 'missing' | 'null';
	boostEligible: boolean;
	pending: PendingMutation | null;
}

export interface PendingMutation {
	reason: 'mutation_in_progress' | 'provider_ambiguous' | 'editing_unavailable';
	/** Single reads of the post that still see it pending. */
	readsLeft: number;
	/** Clock time (ms) from which it is settled whatever was read. */
	until: number;
	settle: () => void;
}

export interface LeadMagnet {
	id: string;
	status: 'active' | 'archived';
	delivery_mode: string;
	keyword: string | null;
	resource_name: string | null;
	resource_link: string | null;
	description: string | null;
	text_template: string | null;
	linked_posts: Json[];
	hosted_page: JsonObject | null;
	cta_label: string | null;
	cta_url: string | null;
	created_at: string;
	updated_at: string;
}

export interface StoredMedia {
	path: string;
	content_type: string;
	size: number;
	sha256: string;
	bytes: Buffer;
}

export interface BoostWindow {
	post: string;
	interval: number;
	duration: number;
	from: number;
	until: number;
}
