/**
 * Expressions that are nothing but a field of the input item, such as `{{ $json.post.id }}`, as
 * dragging a field onto a parameter writes them. n8n takes about as long to evaluate one as to send a
 * request, so it is asked for the first value alone: if the item holds the same, further values are
 * taken from the items. Where the node is a tool, `$json` may be
 * an item of the agent. Whatever is not plain text, a number or a boolean is always left to n8n.
 */
import { isRecord } from '../api/schemas';

const STEP = String.raw`\.[A-Za-z_]\w*|\["[^"\\]+"\]|\['[^'\\]+'\]`;
const FIELD = new RegExp(String.raw`^=\{\{\s*\$json((?:${STEP})+)\s*\}\}$`);

type Plain = string | number | boolean;

/** Undefined for any other expression. */
export class InputField {
	/** Undefined until n8n has been asked. */
	private isSame: boolean | undefined;

	private constructor(private readonly path: readonly string[]) {}

	static of(expression: unknown): InputField | undefined {
		const steps = typeof expression === 'string' ? FIELD.exec(expression)?.[1] : undefined;
		if (steps === undefined) return undefined;
		const path = [...steps.matchAll(new RegExp(STEP, 'g'))].map(([step]) => nameIn(step));
		return new InputField(path);
	}

	/** The value for an item with these fields; `evaluate` asks n8n for it. */
	valueIn(fields: unknown, evaluate: () => unknown): unknown {
		const own = this.isSame === false ? undefined : this.find(fields);
		if (own === undefined) return evaluate();
		if (this.isSame === true) return own;
		const value = evaluate();
		this.isSame = value === own;
		return value;
	}

	private find(fields: unknown): Plain | undefined {
		let value = fields;
		for (const name of this.path) {
			if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
			value = value[name];
		}
		return isPlain(value) ? value : undefined;
	}
}

const nameIn = (step: string): string => (step.startsWith('[') ? step.slice(2, -2) : step.slice(1));

const isPlain = (value: unknown): value is Plain =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
