/**
 * What the API document shows of bodies and records (its part 2), as JSON Schema. Nothing is closed,
 * and nothing is required that the document does not require: an unknown field is no mistake.
 */
import { DOCUMENTED_WORDS, PROFILE_URL } from '../../../nodes/LeadGenPublishing/api/wire';
import { MAX_PAGE } from '../../../nodes/LeadGenPublishing/api/pages';
import { KNOWN_REASONS } from '../../../nodes/LeadGenPublishing/api/policyTables';
import { KNOWN_CODES } from '../../../nodes/LeadGenPublishing/words/codeWords';

export interface Schema {
	readonly [keyword: string]: unknown;
}
type Properties = Readonly<Record<string, Schema>>;

export const NOT_SHOWN: Schema = { description: "Not shown in the service's document." };

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };
const flag: Schema = { type: 'boolean' };
const whole: Schema = { type: 'integer' };
const uuid: Schema = { type: 'string', format: 'uuid' };
const link: Schema = { type: 'string', format: 'uri' };
const instant: Schema = { type: 'string', format: 'date-time' };
const instantOrNull: Schema = { type: ['string', 'null'], format: 'date-time' };
/** Known values, and any other: the service may have more of them one day. */
const knownOf = (values: readonly string[]): Schema => ({ anyOf: [{ enum: values }, text] });
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Properties, more: Schema = {}): Schema => ({
	type: 'object',
	properties,
	...more,
});
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const note = (schema: Schema, description: string): Schema => ({ ...schema, description });

/** Of errors: that those who may only read cannot write is said by a post's capabilities. */
const REASONS = KNOWN_REASONS.filter((reason) => reason !== 'write_forbidden');

const MAX_POST_TEXT = 3_000;
const MAX_IMAGE_BYTES = 5_242_880;
/** The later of two statements; the earlier one gives 20 MB. */
const MAX_PDF_BYTES = 15 * 1_024 * 1_024;
const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const PDF = 'application/pdf';

const postFields: Properties = {
	text: { ...text, maxLength: MAX_POST_TEXT },
	status: { ...text, examples: ['draft', 'scheduled', 'published', 'publishing'] },
	scheduled_at: note(instantOrNull, 'A scheduled post needs it, and one that is not over yet.'),
	theme_id: textOrNull,
	template_id: textOrNull,
	images: note(list({}), 'A document post has none.'),
	document_url: note(textOrNull, 'Makes the post a document, which has no images.'),
	document_type: { ...text, examples: ['image'] },
	notes: note(textOrNull, 'Internal note.'),
	followups: note({}, 'Null, or a structure that the document does not show.'),
};

const leadMagnetFields: Properties = {
	delivery_mode: { ...text, enum: ['hosted_content', 'gated_external', 'external_link'] },
	keyword: note(text, 'Trigger word.'),
	resource_name: text,
	resource_link: note(link, 'Required when `delivery_mode` is `external_link`.'),
	description: text,
	text_template: note(text, 'May contain the placeholder `{{resource_link}}`.'),
	linked_posts: list({}),
	hosted_page: note(
		{ type: 'object' },
		"Required for `hosted_content` and `gated_external`. Its fields are not shown in the service's document.",
	),
	cta_label: note(text, 'Given together with `cta_url`, or not at all.'),
	cta_url: note(text, 'Given together with `cta_label`, or not at all.'),
};

const whenDelivery = (modes: readonly string[], required: string): Schema => ({
	if: { properties: { delivery_mode: { enum: modes } }, required: ['delivery_mode'] },
	then: { properties: { [required]: {} }, required: [required] },
});

/**
 * Of a change, the document shows limits and allowed values, but not what empties a field: so each
 * field keeps its limits, and its type is left open.
 */
const ofChange = (properties: Properties): Properties =>
	Object.fromEntries(
		Object.entries(properties).map(([name, { type: _, items: __, ...rest }]) => [name, rest]),
	);

/** The limits of what is sent are not said of what is stored. */
const ofRecord = (properties: Properties): Properties =>
	Object.fromEntries(
		Object.entries(properties).map(([name, { enum: known, maxLength: _, ...rest }]) => [
			name,
			known === undefined ? rest : { ...rest, examples: known },
		]),
	);

/**
 * A record in a response always has its ID. No other field is said to be there, so each may also be
 * null.
 */
function record(properties: Properties, description?: string, id = 'id'): Schema {
	const all = object({ [id]: uuid, ...orNull(properties) }, { required: [id] });
	return description === undefined ? all : note(all, description);
}

const orNull = (properties: Properties): Properties =>
	Object.fromEntries(
		Object.entries(properties).map(([name, { type, ...rest }]) => [
			name,
			type === undefined ? rest : { type: [...new Set([type, 'null'].flat())], ...rest },
		]),
	);

const permissions = note(list(text), 'For visibility only; not used for authorization.');

export const SCHEMAS = {
	Client: record(
		{
			full_name: text,
			business_name: text,
			account_status: { ...text, examples: ['active'] },
			grant: note(
				object(
					orNull({
						id: uuid,
						label: text,
						status: note(text, '`active` is the state that allows access.'),
						permissions,
						created_at: instant,
						updated_at: instant,
					}),
				),
				'Visible for agency keys.',
			),
		},
		'Its `user_id` is the value used as `clientId`.',
		'user_id',
	),
	PostFields: object(postFields, {
		allOf: [
			{
				if: { properties: { status: { const: 'scheduled' } }, required: ['status'] },
				then: { properties: { scheduled_at: text }, required: ['scheduled_at'] },
			},
			{
				if: { properties: { document_url: text }, required: ['document_url'] },
				then: { properties: { images: { maxItems: 0 } } },
			},
		],
	}),
	PostChanges: object(ofChange(postFields), {
		description:
			'Not shown beyond the rules of the document. Of a published post, only `theme_id`, `template_id`, `notes` and, with `Idempotency-Key` and the latest etag, `text` can be changed; a `publishing` post cannot be changed at all.',
	}),
	Post: record(
		{
			...ofRecord(postFields),
			published_mutation_capabilities: note(
				{
					properties: {
						can_edit: {},
						can_delete: {},
						reason: { examples: ['write_forbidden'] },
					},
				},
				'What the caller may do with the published post, with an edit etag. Missing, null or false means that the operation is unavailable.',
			),
		},
		"Further fields are not shown in the service's document.",
	),
	LeadMagnetFields: object(leadMagnetFields, {
		required: ['delivery_mode'],
		dependentRequired: { cta_label: ['cta_url'], cta_url: ['cta_label'] },
		allOf: [
			whenDelivery(['external_link'], 'resource_link'),
			whenDelivery(['hosted_content', 'gated_external'], 'hosted_page'),
		],
	}),
	LeadMagnetChanges: object(ofChange(leadMagnetFields), {
		description: 'The document shows only the rules of a change, not its fields.',
		dependentRequired: { cta_label: ['cta_url'], cta_url: ['cta_label'] },
	}),
	LeadMagnet: record(
		ofRecord(leadMagnetFields),
		'Before it is published, `hosted_content` needs Markdown that is not empty, and `gated_external` needs a valid URL of its resource. An archived lead magnet is no longer found.',
	),
	UploadRequest: object(
		{
			filename: text,
			content_type: { ...text, enum: [...IMAGES, PDF] },
			file_size: note(whole, 'Bytes.'),
		},
		{
			required: ['filename', 'content_type', 'file_size'],
			if: { properties: { content_type: { enum: IMAGES } } },
			then: { properties: { file_size: { maximum: MAX_IMAGE_BYTES } } },
			else: { properties: { file_size: { maximum: MAX_PDF_BYTES } } },
		},
	),
	Upload: object(
		{
			upload_url: note(link, 'Short-lived and sensitive; the file is sent to it in a second step.'),
			path: note(text, 'Storage path.'),
			...orNull({
				token: note(text, 'Short-lived and sensitive.'),
				public_url: note(text, 'Not in every response.'),
				bucket: { ...text, examples: ['content-images'] },
				content_type: text,
				max_file_size: note(whole, 'In bytes; not in every response.'),
			}),
		},
		{ required: ['upload_url', 'path'] },
	),
	Lead: record(
		{
			[`${DOCUMENTED_WORDS.network}_${PROFILE_URL}`]: note(
				link,
				'The document replaces the name of the network by `network`.',
			),
			name: {},
			emails: object({ submitted: textOrNull, work: textOrNull, personal: textOrNull }),
			latest_keyword: {},
			has_intent: flag,
			qualification_status: { ...text, examples: ['qualified'] },
		},
		'Personal data. Headline, form, sources, signals of intent and timestamps may come as well.',
	),
	Activity: record(
		{
			source: { ...text, examples: ['comment'] },
			author_name: {},
			content: note({}, 'What was written, in a comment or a message.'),
			keyword: {},
			status: { ...text, examples: ['matched'] },
			metadata: { type: 'object', properties: { post_id: {}, comment_id: {} } },
		},
		'Personal data and message content. May also carry author information, profile URLs and further IDs.',
	),
	Pagination: object(
		{
			limit: { ...whole, minimum: 1, maximum: MAX_PAGE },
			offset: { ...whole, minimum: 0 },
			has_more: flag,
		},
		{ required: ['limit', 'offset', 'has_more'] },
	),
	RequestId: note(
		{ ...text, examples: ['req_2f8c'] },
		'`req_` followed by characters, or what came in `X-Request-Id`; also in that header of the answer.',
	),
	Error: object(
		{
			error: object(
				{
					code: knownOf(KNOWN_CODES),
					message: text,
					details: reference('ErrorDetails'),
				},
				{ required: ['code', 'message'] },
			),
			request_id: reference('RequestId'),
		},
		{ required: ['error', 'request_id'] },
	),
	ErrorDetails: object(
		{
			reason: knownOf(REASONS),
			spacing_minutes: note(whole, 'With `team_boost_spacing_conflict`, as the next four.'),
			blocked_from: instant,
			blocked_until: instant,
			earliest_scheduled_at: note(instant, 'The boosted post may be due then, or later.'),
			conflicting_post_id: uuid,
		},
		{
			description:
				'May gain more at any time. With `boost_window_conflict` it may also tell the post that has the window, an excerpt of it, its status and the window; the names of these fields are not shown.',
		},
	),
} as const satisfies Readonly<Record<string, Schema>>;
export type SchemaName = keyof typeof SCHEMAS;
