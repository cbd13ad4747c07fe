/** The texts that an item contains: if an answer repeats them, the ledger only stores references. */
import { isRecord } from '../../api/schemas';
import type { ItemCall, Operation } from '../../operations/define';
import { MAX_KNOWN } from './packedText';

export function textsOfItem(
	{ fields }: Operation,
	{ input, functions, itemIndex }: ItemCall,
): string[] {
	const texts = new Set<string>();
	for (const { name } of fields) collect(parsed(attempt(() => input.raw(name))), texts);
	const item = functions.getInputData()[itemIndex];
	collect(item?.json, texts);
	for (const { fileName, bytes } of Object.values(item?.binary ?? {}))
		collect([fileName, bytes], texts);
	return [...texts];
}

function collect(value: unknown, texts: Set<string>): void {
	if (texts.size >= MAX_KNOWN) return;
	if (typeof value === 'string' || typeof value === 'number') texts.add(String(value));
	else if (Array.isArray(value)) for (const entry of value) collect(entry, texts);
	else if (isRecord(value)) for (const entry of Object.values(value)) collect(entry, texts);
}

/** A JSON parameter may contain an object or its text. */
const parsed = (value: unknown): unknown =>
	typeof value === 'string' && value.trimStart().startsWith('{')
		? (attempt((): unknown => JSON.parse(value)) ?? value)
		: value;

/** Values that cannot be read are skipped. */
function attempt<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
