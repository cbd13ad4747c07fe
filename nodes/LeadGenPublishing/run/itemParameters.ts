/**
 * The node's parameters for each item. Evaluating an expression takes n8n about as long as preparing
 * a request, so a parameter is read once per item, or once for all items if it has no expression.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../api/schemas';
import { LOCATORS } from '../parameters/labels';
import { Values } from '../parameters/values';
import { InputFields } from './inputFields';

/** A default that differs from every value. */
const NOT_STORED = {};

type Evaluation = { readonly value: unknown } | { readonly error: unknown };
/** A parameter as the workflow stores it. */
interface Stored {
	/** With expressions as text; undefined if the workflow does not store it. */
	readonly value: unknown;
	/** Whether it has an expression, so that each item may have another value. */
	readonly isChanging: boolean;
	/** If it stands for fields of the input item, and for nothing else. */
	readonly fields: InputFields | undefined;
}
/** Without what the items have taken. */
type Block = Array<Evaluation | undefined>;

export class ItemParameters {
	private readonly shared = new Map<string, unknown>();
	private readonly stored = new Map<string, Stored>();
	private readonly blocks = new Map<string, Block>();

	/**
	 * Directly after another one, n8n evaluates an expression in less time. So items are read in
	 * blocks, without which a thousand reads took a quarter longer. An item that fails does not affect
	 * the others of its block.
	 */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly input: {
			readonly items: readonly INodeExecutionData[];
			readonly blockSize: number;
		},
	) {}

	of(itemIndex: number): Values {
		const own = new Map<string, unknown>();
		const get = (name: string): unknown => {
			const { isChanging } = this.storedOf(name);
			const known = isChanging ? own : this.shared;
			if (!known.has(name)) {
				known.set(name, isChanging ? this.take(name, itemIndex) : this.read(name, itemIndex));
			}
			return known.get(name);
		};
		return new Values(get, undefined, (name) => this.storedOf(name).value);
	}

	private take(name: string, itemIndex: number): unknown {
		const { blockSize } = this.input;
		if (blockSize === 1) return this.read(name, itemIndex);
		const slot = itemIndex % blockSize;
		const block = this.blockOf(name, itemIndex - slot);
		const evaluation = block[slot];
		if (evaluation === undefined) return this.read(name, itemIndex);
		if ('error' in evaluation) throw evaluation.error;
		// From now on the item keeps the value, for as long as it runs.
		block[slot] = undefined;
		return evaluation.value;
	}

	private blockOf(name: string, first: number): Block {
		const key = `${name}/${first}`;
		const known = this.blocks.get(key);
		if (known !== undefined) return known;
		const { items, blockSize } = this.input;
		const block = Array.from({ length: Math.min(blockSize, items.length - first) }, (_, slot) =>
			this.evaluation(name, first + slot),
		);
		this.blocks.set(key, block);
		return block;
	}

	private evaluation(name: string, itemIndex: number): Evaluation {
		try {
			return { value: this.read(name, itemIndex) };
		} catch (error) {
			return { error };
		}
	}

	private read(name: string, itemIndex: number): unknown {
		const evaluate = (): unknown => {
			const value: unknown = this.functions.getNodeParameter(name, itemIndex, null);
			return LOCATORS.has(name) ? locatorValue(value) : value;
		};
		const { fields } = this.storedOf(name);
		return fields === undefined
			? evaluate()
			: fields.valueIn(this.input.items[itemIndex]?.json, evaluate);
	}

	private storedOf(name: string): Stored {
		const known = this.stored.get(name);
		if (known !== undefined) return known;
		const raw: unknown = this.functions.getNodeParameter(name, 0, NOT_STORED, {
			rawExpressions: true,
		});
		const given = raw === NOT_STORED ? undefined : raw;
		const value = LOCATORS.has(name) ? locatorValue(given) : given;
		const isChanging = hasExpression(value);
		const stored = { value, isChanging, fields: isChanging ? InputFields.of(value) : undefined };
		this.stored.set(name, stored);
		return stored;
	}
}

/** The value of a resource locator, whatever its mode. */
const locatorValue = (value: unknown): unknown =>
	isRecord(value) && 'mode' in value ? value.value : value;

function hasExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	if (Array.isArray(raw)) return raw.some(hasExpression);
	return isRecord(raw) && Object.values(raw).some(hasExpression);
}
