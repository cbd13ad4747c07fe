/**
 * Finds items of one run that share a key but would send different content. One would be mistaken
 * for the other, so none of them is sent. Often, an expression in their key has found nothing.
 * Pure.
 */
import { InputError } from '../../words/inputError';
import { canonical } from '../../api/identifiers';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { readClientId } from '../fields/account';
import { readUniqueKey } from '../fields/uniqueKey';
import type { Values } from './values';

interface Keyed {
	/** What the key belongs to in addition to the account, such as a post. */
	readonly place?: string;
	/** A key other than the Unique Key. Undefined if the item has none. */
	readonly key?: string | undefined;
	/** What would be sent. */
	readonly content: () => JsonRecord;
}

interface Called {
	/** The parameter that an error names. */
	readonly option: string;
	/** What an error calls the key. */
	readonly key: string;
	/** Whether the key is a required parameter and not an option. */
	readonly isRequired?: true;
	/** Told each key, in any order. */
	readonly note?: (key: string) => void;
}

export function sharedKeys(
	inputs: readonly Values[],
	{ options }: JsonRecord,
	keyed: (input: Values) => Keyed,
	called: Called = { option: 'uniqueKey', key: 'Unique Key' },
): Map<number, Error> {
	const errors = new Map<number, Error>();
	// Reading all items costs about as much as sending them, so it is avoided if possible.
	const isInOptions = isRecord(options) ? called.option in options : options !== undefined;
	const mayHaveKey = called.isRequired === true || isInOptions;
	if (inputs.length < 2 || !mayHaveKey) return errors;
	const groups = new Map<string, Array<{ item: number; content: () => JsonRecord }>>();
	forReadable(inputs, (input, item) => {
		const one = keyed(input);
		const { place, content } = one;
		const key = 'key' in one ? one.key : readUniqueKey(input.collection('options'));
		if (key === undefined) return;
		called.note?.(key);
		const name = JSON.stringify([readClientId(input), place, key]);
		const group = groups.get(name) ?? [];
		group.push({ item, content });
		groups.set(name, group);
	});
	for (const group of groups.values()) {
		const items = group.map(({ item }) => item);
		// Almost every item has a key of its own, so there is nothing to compare.
		if (items.length < 2 || differentContents(group) < 2) continue;
		const error = new InputError(
			`${items.length} items of this run have the same ${called.key}, but would send different content`,
			`Give each item its own ${called.key}. Check that its expression does not return the same value for every item.`,
			{ code: 'shared_key', parameter: called.option },
			'None of them was sent',
		);
		for (const item of items) errors.set(item, error);
	}
	return errors;
}

function differentContents(items: ReadonlyArray<{ content: () => JsonRecord }>): number {
	const contents = new Set<string>();
	forReadable(items, ({ content }) => contents.add(canonical(content())));
	return contents.size;
}

/** The same check for the idempotency keys of changes to published posts. */
export const sharedIdempotencyKeys = (
	inputs: readonly Values[],
	stored: JsonRecord,
	content: (input: Values) => JsonRecord,
): Map<number, Error> =>
	sharedKeys(
		inputs,
		stored,
		(input) => ({
			key: input.collection('options').optionalText('idempotencyKey')?.trim(),
			content: () => content(input),
		}),
		{ option: 'idempotencyKey', key: 'Idempotency Key' },
	);

/** Skips items that cannot be read. Such an item fails with its own error when it runs. */
export function forReadable<Input>(
	inputs: readonly Input[],
	read: (input: Input, item: number) => void,
): void {
	for (const [item, input] of inputs.entries()) {
		try {
			read(input, item);
		} catch {
			continue;
		}
	}
}
