/**
 * Parameters whose expressions are nothing but fields of the input item, such as `{{ $json.post.id }}`,
 * as dragging a field onto a parameter writes them. n8n takes about as long to evaluate one as to send
 * a request, so it is asked for the first value alone: if the item holds the same, further values are
 * taken from the items. Where the node is a tool, `$json` may be an item of the agent instead. Fields
 * that are not plain text, a number or a boolean are always left to n8n.
 */
import { isRecord } from '../api/schemas';

const STEP = String.raw`\.[A-Za-z_]\w*|\["[^"\\]+"\]|\['[^'\\]+'\]`;
const FIELD = new RegExp(String.raw`^=\{\{\s*\$json((?:${STEP})+)\s*\}\}$`);

/** Gives the value for an item with these fields; undefined if it is left to n8n. */
type Reader = (fields: unknown) => unknown;

export class InputFields {
	/** Undefined until n8n has been asked. */
	private isSame: boolean | undefined;

	private constructor(private readonly read: Reader) {}

	/** Undefined if the parameter, as stored, has any other expression. */
	static of(stored: unknown): InputFields | undefined {
		const reader = readerOf(stored);
		return reader && new InputFields(reader);
	}

	/** The value for an item with these fields; `evaluate` asks n8n for it. */
	valueIn(fields: unknown, evaluate: () => unknown): unknown {
		const own = this.isSame === false ? undefined : this.read(fields);
		if (own === undefined) return evaluate();
		if (this.isSame === true) return own;
		const value = evaluate();
		this.isSame = JSON.stringify(value) === JSON.stringify(own);
		return value;
	}
}

function readerOf(stored: unknown): Reader | undefined {
	if (Array.isArray(stored)) return readerOfAll(stored);
	if (isRecord(stored)) {
		const readAll = readerOfAll(Object.values(stored));
		const names = Object.keys(stored);
		return (
			readAll &&
			((fields) => {
				const values = readAll(fields);
				return values && Object.fromEntries(names.map((name, index) => [name, values[index]]));
			})
		);
	}
	if (typeof stored !== 'string' || !stored.startsWith('=')) return () => stored;
	const path = pathIn(stored);
	return path && ((fields) => plainValue(fields, path));
}

function readerOfAll(stored: unknown[]): ((fields: unknown) => unknown[] | undefined) | undefined {
	const readers = stored.map(readerOf);
	if (!readers.every((reader) => reader !== undefined)) return undefined;
	return (fields) => {
		const values = readers.map((read) => read(fields));
		return values.includes(undefined) ? undefined : values;
	};
}

function pathIn(expression: string): string[] | undefined {
	const steps = FIELD.exec(expression)?.[1]?.matchAll(new RegExp(STEP, 'g'));
	return steps && Array.from(steps, ([step]) => nameIn(step));
}

const nameIn = (step: string): string => (step.startsWith('[') ? step.slice(2, -2) : step.slice(1));

function plainValue(fields: unknown, path: readonly string[]): unknown {
	let value = fields;
	for (const name of path) {
		if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
		value = value[name];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
