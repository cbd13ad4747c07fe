/**
 * What each operation puts out, as the JSON Schema files that n8n shows before a node has run.
 * They name what the API document shows and what the node itself adds, no more: where an answer is
 * not shown, the schema is open, and n8n shows nothing. `npm run docs` rewrites the files.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { ENDPOINTS, type EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { PROFILE_URL } from '../../nodes/LeadGenPublishing/api/wire';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { findOperation, RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { PROFILE_KEY } from '../../nodes/LeadGenPublishing/panel/output/profileUrl';
import { WORDS } from '../../fake-service/words';

export interface OutputSchema {
	readonly type: string | readonly string[];
	readonly properties?: Properties;
	readonly items?: OutputSchema;
}
type Properties = Readonly<Record<string, OutputSchema>>;

const text: OutputSchema = { type: 'string' };
const textOrNull: OutputSchema = { type: ['string', 'null'] };
const flag: OutputSchema = { type: 'boolean' };
const flagOrNull: OutputSchema = { type: ['boolean', 'null'] };
const whole: OutputSchema = { type: 'integer' };
const list: OutputSchema = { type: 'array' };
const texts: OutputSchema = { type: 'array', items: text };
/** n8n shows no fields of "object or null", so null counts as an object that is not there. */
const object = (properties: Properties): OutputSchema => ({ type: 'object', properties });

const client: Properties = {
	user_id: text,
	full_name: text,
	business_name: text,
	account_status: text,
	grant: object({
		id: text,
		label: text,
		status: text,
		permissions: texts,
		created_at: text,
		updated_at: text,
	}),
};

const simplifiedLead: Properties = {
	id: text,
	name: textOrNull,
	email: textOrNull,
	email_work: textOrNull,
	email_submitted: textOrNull,
	email_personal: textOrNull,
	[PROFILE_URL]: textOrNull,
	[PROFILE_KEY]: textOrNull,
	latest_keyword: textOrNull,
	has_intent: flagOrNull,
	qualification_status: textOrNull,
};

const simplifiedActivity: Properties = {
	id: text,
	source: text,
	author_name: textOrNull,
	content: textOrNull,
	keyword: textOrNull,
	status: textOrNull,
	metadata_post_id: textOrNull,
	metadata_comment_id: textOrNull,
};

const plainPost: Properties = {
	id: text,
	text: textOrNull,
	status: text,
	scheduled_at: textOrNull,
	theme_id: textOrNull,
	template_id: textOrNull,
	images: list,
	document_url: textOrNull,
	document_type: textOrNull,
	notes: textOrNull,
};
const post: Properties = {
	...plainPost,
	published_mutation_capabilities: object({
		can_edit: flagOrNull,
		can_delete: flagOrNull,
		reason: textOrNull,
	}),
};
const simplifiedPost: Properties = {
	id: text,
	status: text,
	text: textOrNull,
	scheduled_at: textOrNull,
	images: list,
	document_url: textOrNull,
	notes: textOrNull,
	can_edit: flag,
	edit_etag: textOrNull,
};

/** What Create or Update says of a record. */
const saidOfWrite: Properties = { action: text, changed_fields: texts };

const simplifiedLeadMagnet: Properties = {
	id: text,
	resource_name: textOrNull,
	keyword: textOrNull,
	delivery_mode: text,
	resource_link: textOrNull,
	description: textOrNull,
	linked_posts: list,
	cta_label: textOrNull,
	cta_url: textOrNull,
};
const leadMagnet: Properties = {
	...simplifiedLeadMagnet,
	text_template: textOrNull,
	hosted_page: { type: 'object' },
};

const deleted: Properties = { deleted: flag, id: text };
const notShown: Properties = {};

/** For what the table does not call undocumented. */
export const PROPERTIES: Readonly<Record<string, Properties>> = {
	'account.diagnose': {
		check: text,
		result: text,
		means: text,
		do_next: text,
		seen: text,
		service_says: text,
		clients: { type: 'array', items: { type: 'object' } },
	},
	'account.getSubject': notShown,
	'activity.getAll': simplifiedActivity,
	'client.get': client,
	'client.getAll': client,
	'lead.getAll': simplifiedLead,
	'leadMagnet.archive': deleted,
	'leadMagnet.create': simplifiedLeadMagnet,
	'leadMagnet.get': simplifiedLeadMagnet,
	'leadMagnet.getAll': simplifiedLeadMagnet,
	'leadMagnet.update': simplifiedLeadMagnet,
	'leadMagnet.upsert': { ...simplifiedLeadMagnet, ...saidOfWrite },
	'media.createUploadUrl': {
		upload_url: text,
		token: text,
		path: text,
		public_url: text,
		bucket: text,
		content_type: text,
		max_file_size: whole,
	},
	'media.delete': { deleted: flag, path: text },
	'media.upload': {
		path: textOrNull,
		public_url: text,
		bucket: textOrNull,
		content_type: text,
		size: whole,
	},
	'post.create': simplifiedPost,
	'post.delete': deleted,
	'post.get': simplifiedPost,
	'post.getAll': simplifiedPost,
	'post.update': simplifiedPost,
	'post.upsert': { ...simplifiedPost, ...saidOfWrite },
	'schedule.nextFreeSlot': { slot: text, after: textOrNull, scheduled_at: text },
	'schedule.spread': { scheduled_at: text },
};

/** Of the trigger's events, n8n knows only one schema: what all of them have. */
const TRIGGER = object({
	account: text,
	client_id: text,
	client_name: text,
	event: text,
	detected_at: text,
	dedupe_key: text,
});

/** Simplify off: the record exactly as the service returns it. n8n keeps only the default's schema. */
export const RAW: Readonly<Record<string, OutputSchema>> = {
	'activity.getAll': object({
		id: text,
		source: text,
		author_name: textOrNull,
		content: textOrNull,
		keyword: textOrNull,
		status: textOrNull,
		metadata: object({ post_id: textOrNull, comment_id: textOrNull }),
	}),
	'lead.getAll': object({
		id: text,
		[`${WORDS.network}_${PROFILE_URL}`]: textOrNull,
		name: textOrNull,
		emails: object({ submitted: textOrNull, work: textOrNull, personal: textOrNull }),
		latest_keyword: textOrNull,
		has_intent: flagOrNull,
		qualification_status: textOrNull,
	}),
	...Object.fromEntries(
		['create', 'get', 'getAll', 'update'].flatMap((operation) => [
			[`leadMagnet.${operation}`, object(leadMagnet)],
			[`post.${operation}`, object(post)],
		]),
	),
	'leadMagnet.upsert': object({ ...leadMagnet, ...saidOfWrite }),
	'post.upsert': object({ ...post, ...saidOfWrite }),
};

export const SCHEMA_HOME = join(
	__dirname,
	...['..', '..', 'nodes', 'LeadGenPublishing', '__schema__'],
);

const isShown = (operation: string): boolean => {
	const { answer } = ENDPOINTS[operation as EndpointName] ?? {};
	return answer !== 'undocumented';
};

function propertiesOf(operation: string): Properties {
	const properties = PROPERTIES[operation] ?? (isShown(operation) ? undefined : notShown);
	if (properties === undefined)
		throw new Error(`PROPERTIES of ${__filename} says nothing about ${operation}`);
	return properties;
}

/** Further fields of items for a client. Next to an answer that is not shown, they would look complete. */
export function clientProperties(name: string): Properties {
	const operation = findOperation(...(name.split('.') as [string, string]));
	if (!isAgency(operation) || propertiesOf(name) === notShown) return {};
	return operation.simplification !== undefined || operation.keepsItem === true
		? { client_id: text }
		: { client: object({ user_id: text }) };
}

/** By the place where n8n looks: version, resource, operation; the trigger has none of the two. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, OutputSchema>> = {
	'v1.0.0.json': TRIGGER,
	...Object.fromEntries(
		RESOURCES.flatMap(({ value: resource, operations }) =>
			operations.map(({ value: operation }) => [
				`v1.0.0/${resource}/${operation}.json`,
				object({
					...propertiesOf(`${resource}.${operation}`),
					...clientProperties(`${resource}.${operation}`),
				}),
			]),
		),
	),
};

/** What stands in the file. */
export const written = (schema: OutputSchema): string => JSON.stringify({ ...schema, version: 1 });

export async function writeSchemas(): Promise<void> {
	const style = await resolveConfig(__filename);
	rmSync(SCHEMA_HOME, { recursive: true, force: true });
	for (const [file, schema] of Object.entries(OUTPUT_SCHEMAS)) {
		const path = join(SCHEMA_HOME, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, await format(written(schema), { ...style, parser: 'json' }));
	}
}
