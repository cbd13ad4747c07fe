/**
 * Items of one run that share a key, but not what they would send: one of them would be taken for
 * the other, so none of them is sent. Often their key is made from something that was not found. Pure.
 */
import { InputError } from '../api/failure';
import { isRecord, type JsonRecord } from '../api/schemas';
import { readAccount } from '../fields/account';
import { readUniqueKey } from '../fields/uniqueKey';
import type { Values } from '../parameters/values';

interface Keyed {
	/** What the key belongs to beside the account, such as a post. */
	readonly place?: string;
	/** What would be sent. */
	readonly content: () => JsonRecord;
	/** In place of the Unique Key; undefined if the item has none. */
	readonly key?: () => string | undefined;
}

export function sharedKeys(
	inputs: readonly Values[],
	{ options }: JsonRecord,
	keyed: (input: Values) => Keyed,
	called: { option: string; key: string } = { option: 'uniqueKey', key: 'Unique Key' },
): Map<number, Error> {
	const errors = new Map<number, Error>();
	// Reading all items costs about as much as sending them, so it is avoided if possible.
	const mayHaveKey = isRecord(options) ? called.option in options : options !== undefined;
	if (inputs.length < 2 || !mayHaveKey) return errors;
	const groups = new Map<string, number[]>();
	for (const [item, input] of inputs.entries()) {
		const name = readable(() => {
			const { place = '', key = () => readUniqueKey(input.collection('options')) } = keyed(input);
			const account = readAccount(input);
			const unique = key();
			return unique && JSON.stringify([account, place, unique]);
		});
		if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), item]);
	}
	for (const items of groups.values()) {
		const contents = items.flatMap(
			(item) => readable(() => canonical(keyed(inputs[item] as Values).content())) ?? [],
		);
		if (new Set(contents).size < 2) continue;
		const error = new InputError(
			`${items.length} items of this run have the same ${called.key}, but would not send the same. None of them was sent`,
			`Give each item a ${called.key} of its own. Check that no expression in it gives the same value for all of them.`,
			{ code: 'shared_key', parameter: called.option },
		);
		for (const item of items) errors.set(item, error);
	}
	return errors;
}

/** An item that cannot be read is not sent: it fails with that error when it runs. */
function readable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner,
	);

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
	one < other ? -1 : 1;
