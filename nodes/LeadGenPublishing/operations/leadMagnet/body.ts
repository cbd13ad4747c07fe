/**
 * From parameters to the body of a lead magnet, and whether that body may be sent at all. The
 * rules are applied to what is really sent, with the custom fields laid over it. Pure.
 */
import { isRecord, type JsonRecord } from '../../api/schemas';
import type { Values } from '../../fields/values';
import { requestBody, type FieldGroup, type FieldRow, type RequestBody } from '../requestBody';
import { DELIVERY_MODES, type DeliveryMode } from './fields';
import { withServicePlaceholder } from './placeholder';

type Reader = (values: Values, name: string) => unknown;
const text: Reader = (values, name) => values.text(name);
const trimmed: Reader = (values, name) => values.text(name).trim();

/** Parameter → field of the service, how it is read, and what an emptied parameter sends. */
const FIELDS: ReadonlyArray<FieldRow<Reader>> = [
	{
		name: 'deliveryMode',
		field: 'delivery_mode',
		read: (values, name) => values.choice(name, DELIVERY_MODES),
	},
	{ name: 'keyword', field: 'keyword', read: trimmed, empty: null },
	{ name: 'resourceName', field: 'resource_name', read: text, empty: null },
	{ name: 'resourceLink', field: 'resource_link', read: trimmed, empty: null },
	{ name: 'description', field: 'description', read: text, empty: null },
	{
		name: 'textTemplate',
		field: 'text_template',
		read: (values, name) => withServicePlaceholder(values.text(name)),
		empty: null,
	},
	{
		name: 'linkedPosts',
		field: 'linked_posts',
		read: (values, name) => values.optionalList(name),
		empty: [],
	},
	{ name: 'hostedPage', field: 'hosted_page', read: (values, name) => values.optionalObject(name) },
	{ name: 'ctaLabel', field: 'cta_label', read: text, empty: null },
	{ name: 'ctaUrl', field: 'cta_url', read: trimmed, empty: null },
];

export type MagnetBody = RequestBody;

export function magnetBody(groups: readonly FieldGroup[], input: Values): MagnetBody {
	const custom = input.optionalObject('customFields') ?? {};
	const sent: JsonRecord = {};
	const origin = new Map<string, { values: Values; name: string }>();
	for (const { values, names, emptyRemoves } of groups) {
		for (const { name, field, read, empty } of FIELDS) {
			if (!names.includes(name) || field in custom) continue;
			origin.set(field, { values, name });
			if (values.has(name)) {
				sent[field] = read(values, name);
			} else if (emptyRemoves) {
				// A lead magnet cannot be without these: the reader says so.
				sent[field] = empty === undefined ? values.text(name) : empty;
			}
		}
	}
	const fallback = groups.at(-1)?.values ?? input;
	return requestBody({ sent, custom, origin, rows: FIELDS, input, fallback });
}

/** Part 2.4: what holds for every lead magnet, whatever its mode. */
export function checkMagnet(magnet: MagnetBody): void {
	checkLink(magnet, 'resource_link');
	checkLink(magnet, 'cta_url');
	const { body, fail } = magnet;
	if ('hosted_page' in body && isBlank(body.hosted_page)) throw fail('hosted_page', ...NO_PAGE);
	const label = isGiven(body.cta_label);
	if (label === isGiven(body.cta_url) && 'cta_label' in body === 'cta_url' in body) return;
	const missing = label ? 'cta_url' : 'cta_label';
	throw fail(
		missing,
		'is missing',
		'Give both "CTA Label" and "CTA URL", or neither of them: the service takes them only together.',
	);
}

/** What a mode needs when the lead magnet is created. */
export function checkMode({ body, fail }: MagnetBody): void {
	const mode = body.delivery_mode as DeliveryMode;
	if (mode === 'external_link') {
		if (isGiven(body.resource_link)) return;
		throw fail(
			'resource_link',
			'is empty',
			'Enter the address of the resource; the delivery mode "External Link" needs it.',
		);
	}
	if (!isBlank(body.hosted_page)) return;
	throw fail('hosted_page', ...NO_PAGE);
}

const NO_PAGE = [
	'has no content',
	'Fill in the JSON object; the delivery modes "Gated External" and "Hosted Content" need it.',
] as const;

function checkLink({ body, fail }: MagnetBody, field: string): void {
	const link = body[field];
	if (link === undefined || link === null) return;
	if (typeof link === 'string' && isWebAddress(link)) return;
	throw fail(field, 'is not a valid URL', 'Use a full address such as https://example.com/guide.');
}

function isWebAddress(link: string): boolean {
	try {
		return /^https?:$/.test(new URL(link).protocol);
	} catch {
		return false;
	}
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Nothing anywhere in it: the start value of the parameter, for one. */
function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (Array.isArray(value)) return value.every(isBlank);
	if (isRecord(value)) return Object.values(value).every(isBlank);
	return value === undefined || value === null;
}
