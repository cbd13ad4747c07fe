/**
 * Builds the body of a lead magnet from parameters, and checks it. The checks apply to the body as
 * it is sent, including custom fields, and only reject what the API document forbids.
 */
import { isRecord } from '../../api/schemas';
import type { Notice } from '../../panel/fields/notice';
import { isBlank } from '../../parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import type { RequestBody } from '../../panel/parameters/requestBody';
import {
	asText,
	requestBody,
	rowsOf,
	type FieldGroup,
} from '../../panel/parameters/bodyFromFields';
import { ctaFields, UPDATABLE_FIELDS } from './fields';
import { withServicePlaceholder } from './placeholder';

const single = UPDATABLE_FIELDS.filter(({ type }) => type !== 'fixedCollection');
const FIELDS = rowsOf<undefined>([...single, ...ctaFields], {
	hostedPage: { read: (values, name) => values.optionalObject(name), empty: undefined },
	// Texts that people read are sent as they were written.
	resourceName: { read: asText },
	ctaLabel: { read: asText },
	textTemplate: { read: (values, name) => withServicePlaceholder(values.text(name)) },
});

/** The fields that the user has added, including those of the call to action. */
export function addedGroups(
	added: Values & { readonly names: readonly string[] },
	{ emptyRemoves }: Pick<FieldGroup, 'emptyRemoves'>,
): FieldGroup[] {
	const group = { values: added, names: added.names, emptyRemoves };
	if (!added.has('cta')) return [group];
	const cta = added.collection('cta', 'values');
	return [group, { values: cta, names: cta.names, emptyRemoves }];
}

export const magnetBody = (groups: readonly FieldGroup[], input: Values): RequestBody =>
	requestBody(FIELDS, {
		groups,
		input,
		fallback: groups.at(-1)?.values ?? input,
		context: undefined,
	});

/** Part 2.4: the rules for lead magnets of every mode. */
export function checkMagnet({ body, fail, isCustom, labelOf }: RequestBody, notice: Notice): void {
	// The parameter's default value would erase the stored page.
	if ('hosted_page' in body && !isCustom('hosted_page') && isEmptyThroughout(body.hosted_page))
		throw fail('hosted_page', ...NO_PAGE);
	// Only an external link has to be valid. For other URLs, the user gets a hint.
	for (const field of ['resource_link', 'cta_url']) {
		if (isBlank(body[field]) || isWebAddress(body[field])) continue;
		notice(
			`"${labelOf(field)}" is not a URL such as https://example.com/guide. The node sends it unchanged.`,
		);
	}
	const label = !isBlank(body.cta_label);
	if (label === !isBlank(body.cta_url) && 'cta_label' in body === 'cta_url' in body) return;
	const missing = label || !('cta_url' in body) ? 'cta_url' : 'cta_label';
	throw fail(
		missing,
		'is missing',
		'Enter both "CTA Label" and "CTA URL", or neither. The service only accepts them together.',
	);
}

/** What each mode requires when a lead magnet is created. */
export function checkMode({ body, fail }: RequestBody): void {
	const { delivery_mode: mode, resource_link: link, hosted_page: page } = body;
	if (mode === 'external_link') {
		if (isBlank(link)) {
			throw fail(
				'resource_link',
				'is empty',
				'Enter the URL of the resource. The delivery mode "External Link" requires it.',
			);
		}
		if (!isWebAddress(link)) {
			throw fail(
				'resource_link',
				'is not a valid URL',
				'Use a full URL such as https://example.com/guide.',
			);
		}
	}
	if ((mode === 'hosted_content' || mode === 'gated_external') && isBlank(page))
		throw fail('hosted_page', ...NO_PAGE);
}

const NO_PAGE = [
	'has no content',
	'Fill in the JSON object. The delivery modes "Gated External" and "Hosted Content" require it.',
] as const;

function isWebAddress(link: unknown): boolean {
	try {
		return typeof link === 'string' && ['http:', 'https:'].includes(new URL(link).protocol);
	} catch {
		return false;
	}
}

/** Whether it contains no value on any level. */
function isEmptyThroughout(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isEmptyThroughout);
	if (isRecord(value)) return Object.values(value).every(isEmptyThroughout);
	return isBlank(value);
}
