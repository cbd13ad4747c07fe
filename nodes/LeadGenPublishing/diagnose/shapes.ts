/**
 * What the responses look like: names and types of fields, statuses, headers and counts. No values.
 * A service may use data as names, such as figures by keyword. So a name counts as one only if the
 * API document has it, or if two records show it. Other names are counted. Pure.
 */
import type { EndpointName } from '../api/endpoints';
import { isUuid } from '../api/identifiers';
import { isRecord } from '../api/schemas';
import { DOCUMENTED_WORDS, etagHeaderOf, PROFILE_URL } from '../api/wire';
import { timeOf } from '../records/times';
import type { Asked, AttemptFacts } from './facts';
import { count } from '../words/count';
import { routeInWords } from './judge/texts';

/** The fields of the document, and those of the base and `/me` in similar services. */
const DOCUMENTED: ReadonlySet<string> = new Set(
	(
		'data pagination limit offset has_more error code message details reason request_id ' +
		'id user_id full_name business_name account_status grant label status permissions created_at ' +
		'updated_at text scheduled_at theme_id template_id images document_url document_type notes ' +
		'followups published_mutation_capabilities can_edit can_delete delivery_mode keyword ' +
		'resource_name resource_link description text_template linked_posts hosted_page cta_label ' +
		'cta_url upload_url token path public_url bucket content_type max_file_size profile_url name ' +
		'emails submitted work personal latest_keyword has_intent qualification_status headline sources ' +
		'source author_name content metadata post_id comment_id version owner subject actor_type ' +
		'account_type scopes'
	).split(' '),
);

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;
const MAX_DEPTH = 6;

/** Tells names of fields from data. */
export type IsName = (name: string) => boolean;

const isOfProfile = (name: string): boolean => name.endsWith(`_${PROFILE_URL}`);

/** The names that the document has, or that two objects of these responses show. */
export function namesIn(bodies: readonly unknown[]): IsName {
	const shownBy = new Map<string, number>();
	const note = (value: unknown, depth: number): void => {
		if (depth > MAX_DEPTH) return;
		if (Array.isArray(value)) value.forEach((entry) => note(entry, depth));
		if (!isRecord(value)) return;
		for (const [name, inner] of Object.entries(value)) {
			shownBy.set(name, (shownBy.get(name) ?? 0) + 1);
			note(inner, depth + 1);
		}
	};
	bodies.forEach((body) => note(body, 0));
	return (name) =>
		DOCUMENTED.has(name) ||
		isOfProfile(name) ||
		((shownBy.get(name) ?? 0) > 1 && FIELD_NAME.test(name));
}

export interface Shape {
	/** How many values there are. */
	readonly count: number;
	readonly types: readonly string[];
	/** How many of the values, or of the entries of lists, are objects. */
	readonly objects: number;
	/** The fields of these objects. */
	readonly fields: Readonly<Record<string, Shape>>;
	/** How many other names they have. */
	readonly others: number;
}

export function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'list';
	if (typeof value === 'boolean') return 'flag';
	if (typeof value !== 'string') return typeof value;
	if (isUuid(value)) return 'uuid';
	return timeOf(value) === undefined ? 'text' : 'time';
}

/** The vendor's own words are replaced by those of the document. */
const neutral = (name: string): string =>
	isOfProfile(name) ? `${DOCUMENTED_WORDS.network}_${PROFILE_URL}` : name;

/** The shape of values in the same place. */
export function shapeOf(values: readonly unknown[], isName: IsName, depth = 0): Shape {
	const inner = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
	const objects = depth > MAX_DEPTH ? [] : inner.filter(isRecord);
	const valuesOf = new Map<string, unknown[]>();
	for (const object of objects)
		for (const [name, value] of Object.entries(object))
			valuesOf.set(name, [...(valuesOf.get(name) ?? []), value]);
	const named = [...valuesOf].filter(([name]) => isName(name));
	return {
		count: values.length,
		types: [...new Set(values.map(typeOf))].sort(),
		objects: objects.length,
		fields: Object.fromEntries(
			named.map(([name, found]) => [neutral(name), shapeOf(found, isName, depth + 1)]),
		),
		others: valuesOf.size - named.length,
	};
}

function linesOf({ fields, others, objects }: Shape, indent = ''): string[] {
	const lines = Object.entries(fields).flatMap(([name, shape]) => {
		const share = shape.count === objects ? '' : ` (${shape.count} of ${objects})`;
		const entries = shape.types.includes('list') ? `, ${count(shape.objects, 'object')}` : '';
		return [
			`${indent}- ${name}: ${shape.types.join(' or ')}${entries}${share}`,
			...linesOf(shape, `${indent}  `),
		];
	});
	return others === 0 ? lines : [...lines, `${indent}- (${count(others, 'other name')})`];
}

const POST_ETAG = etagHeaderOf('').slice(2).toLowerCase();
const headerOf = (name: string): string =>
	name.endsWith(POST_ETAG) ? etagHeaderOf(DOCUMENTED_WORDS.service).toLowerCase() : name;

/** All responses to one route with one status. */
function sectionOf(
	name: EndpointName,
	attempts: readonly AttemptFacts[],
	isName: IsName,
): string[] {
	const [{ status } = { status: undefined }] = attempts;
	const headers = new Set(attempts.flatMap((one) => Object.keys(one.headers).map(headerOf)));
	const bodies = attempts.map(({ json }) => json).filter((json) => json !== undefined);
	const came = status === undefined ? 'no response' : `HTTP ${status}`;
	return [
		`### ${routeInWords(name)}: ${came}, ${count(attempts.length, 'time')}`,
		'',
		...(headers.size === 0 ? [] : [`Headers: ${[...headers].sort().join(', ')}`, '']),
		...(bodies.length === 0 ? ['No JSON'] : linesOf(shapeOf(bodies, isName))),
		'',
	];
}

/** The dump of shapes, as Markdown. */
export function dumpOf(asked: readonly Asked[]): string {
	const isName = namesIn(asked.flatMap(({ attempts }) => attempts.map(({ json }) => json)));
	const groups = new Map<string, { name: EndpointName; attempts: AttemptFacts[] }>();
	for (const { name, attempts } of asked)
		for (const attempt of attempts) {
			const key = `${name} ${attempt.status}`;
			const known = groups.get(key)?.attempts ?? [];
			groups.set(key, { name, attempts: [...known, attempt] });
		}
	return [...groups.values()]
		.flatMap(({ name, attempts }) => sectionOf(name, attempts, isName))
		.join('\n');
}
