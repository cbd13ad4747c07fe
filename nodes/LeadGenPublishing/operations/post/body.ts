/** Builds the body of a post from the parameters. */
import type { JsonRecord } from '../../api/schemas';
import { readMoment, type MomentContext } from '../../panel/fields/moment';
import type { Values } from '../../panel/parameters/values';
import type { RequestBody } from '../../panel/parameters/requestBody';
import { requestBody, rowsOf, type FieldGroup } from '../../panel/parameters/bodyFromFields';
import { furtherPostFields, scheduledAtField, statusField, textField } from './fields';

const FIELDS = rowsOf<MomentContext>(
	[textField, statusField, scheduledAtField, ...furtherPostFields],
	{
		scheduledAt: { read: readMoment },
		// These cannot be removed from a post.
		text: { empty: undefined },
		documentType: { empty: undefined },
	},
);

export function postBody(
	groups: readonly FieldGroup[],
	{ input, ...context }: MomentContext & { input: Values },
): RequestBody {
	const post = requestBody(FIELDS, {
		groups,
		input,
		fallback: groups[0]?.values ?? input,
		context,
	});
	for (const group of groups) requireContentGiven(post.body, group);
	return post;
}

const PUBLIC: readonly unknown[] = ['scheduled', 'published'];
const MEDIA = ['images', 'documentUrl'];

/**
 * An expression without a result must not publish the rest of the post. For a row without an image, the
 * expression returns an empty text, null or an empty list. If it returns `undefined`, the column may
 * be missing.
 */
function requireContentGiven(body: JsonRecord, { values, names, emptyRemoves }: FieldGroup): void {
	// An update leaves such a field as it is, which is only wrong if it also publishes the post.
	if (emptyRemoves && !PUBLIC.includes(body.status)) return;
	if (names.includes('text') && !('text' in body) && values.isExpression('text'))
		throw values.fail(
			'text',
			'is an expression that returned no value',
			emptyRemoves
				? 'Map a value that the item has. To keep the text of the post, remove "Text" from "Update Fields".'
				: 'Map a value that the item has. To create a post without text, set "text" to "" in "Custom Fields".',
		);
	for (const name of names) if (MEDIA.includes(name)) requireColumn(values, name);
}

const UPLOADED =
	' For a file from Media > Upload, use {{ $json.public_url ?? $json.path }}, because the service may not show a public URL.';
const OF_UPLOAD: Readonly<Record<string, string>> = { images: UPLOADED, documentUrl: UPLOADED };

/**
 * Throws if an expression returned `undefined`, on its own or in a list. In the form, each entry of a list
 * may be an expression that returns a list.
 */
export function requireColumn(values: Values, name: string): void {
	if (!values.isExpression(name) || ![values.raw(name)].flat(2).includes(undefined)) return;
	throw values.fail(
		name,
		'is an expression that returned no value, so its column may be missing',
		`Check the name of the column. If some items have no value there, end the expression with ?? "".${OF_UPLOAD[name] ?? ''}`,
	);
}
