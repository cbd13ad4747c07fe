/** The fields that the API document names for records (parts 2.2 to 2.7), and of which type they are. */
import { isUuid } from '../../../api/identifiers';
import { isRecord } from '../../../api/schemas';
import { instantOf } from '../../storedValue';
import type { ListName } from './evidence';

export const TYPES = {
	uuid: (value: unknown) => typeof value === 'string' && isUuid(value),
	text: (value: unknown) => typeof value === 'string',
	flag: (value: unknown) => typeof value === 'boolean',
	time: (value: unknown) => instantOf(value) !== undefined,
	list: (value: unknown) => Array.isArray(value),
	object: (value: unknown) => isRecord(value),
	any: () => true,
} as const;
type FieldType = keyof typeof TYPES;

interface Documented {
	/** The records, in the singular. */
	readonly what: string;
	/** A field of an object stands as `object.field`; whatever may be null. */
	readonly fields: Readonly<Record<string, FieldType>>;
	/** Fields that a record may do without, by the document. */
	readonly mayLack: readonly string[];
}

const GRANT = {
	'grant.id': 'uuid',
	'grant.label': 'text',
	'grant.status': 'text',
	'grant.permissions': 'list',
	'grant.created_at': 'time',
	'grant.updated_at': 'time',
} as const;

/** The address of a lead's profile is not among them: its name has the network's word. */
export const DOCUMENTED: Readonly<Record<ListName, Documented>> = {
	'client.getAll': {
		what: 'client',
		fields: {
			user_id: 'uuid',
			full_name: 'text',
			business_name: 'text',
			account_status: 'text',
			grant: 'object',
			...GRANT,
		},
		mayLack: ['grant', ...Object.keys(GRANT)],
	},
	'post.getAll': {
		what: 'post',
		fields: {
			id: 'uuid',
			text: 'text',
			status: 'text',
			scheduled_at: 'time',
			theme_id: 'text',
			template_id: 'text',
			images: 'list',
			document_url: 'text',
			document_type: 'text',
			notes: 'text',
			followups: 'any',
		},
		// Whether notes are shown has checks of its own.
		mayLack: ['theme_id', 'template_id', 'document_type', 'followups', 'notes'],
	},
	'leadMagnet.getAll': {
		what: 'lead magnet',
		fields: {
			id: 'uuid',
			delivery_mode: 'text',
			keyword: 'text',
			resource_name: 'text',
			resource_link: 'text',
			description: 'text',
			text_template: 'text',
			linked_posts: 'list',
			hosted_page: 'object',
			cta_label: 'text',
			cta_url: 'text',
		},
		mayLack: [
			'description',
			'text_template',
			'linked_posts',
			'hosted_page',
			'cta_label',
			'cta_url',
		],
	},
	'lead.getAll': {
		what: 'lead',
		fields: {
			id: 'uuid',
			name: 'text',
			emails: 'object',
			'emails.submitted': 'text',
			'emails.work': 'text',
			'emails.personal': 'text',
			latest_keyword: 'text',
			has_intent: 'flag',
			qualification_status: 'text',
		},
		mayLack: [],
	},
	'activity.getAll': {
		what: 'activity record',
		fields: {
			id: 'uuid',
			source: 'text',
			author_name: 'text',
			content: 'text',
			keyword: 'text',
			status: 'text',
			metadata: 'object',
			'metadata.post_id': 'text',
			'metadata.comment_id': 'text',
		},
		mayLack: ['metadata.post_id', 'metadata.comment_id'],
	},
};

export const LISTS = Object.keys(DOCUMENTED) as ListName[];

/** The plural of what a list holds. */
export const pluralOf = (list: ListName): string => `${DOCUMENTED[list].what}s`;

/** What a value is, as a type of JSON that says no more than that. */
export function typeOf(value: unknown): string {
	if (value === null) return 'null';
	const type = (['uuid', 'time', 'text', 'flag', 'list', 'object'] as const).find((one) =>
		TYPES[one](value),
	);
	return type ?? typeof value;
}
