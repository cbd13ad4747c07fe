/**
 * The node's parameters for each item. Reading one that holds an expression costs n8n about as much
 * as a request costs, so each is read once per item, and once for all items if it holds none.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/schemas';
import { Values } from '../fields/values';

const LOCATORS = new Set(['clientId', 'postId', 'leadMagnetId']);

type Reading = { readonly value: unknown } | { readonly error: unknown };

export class Parameters {
	private readonly forAll = new Map<string, unknown>();
	private readonly changing = new Map<string, boolean>();
	private readonly blocks = new Map<string, Reading[]>();

	/**
	 * n8n evaluates an expression in half the time right after another one, so items are read in
	 * blocks of `together`. An item whose reading fails takes no other of its block along.
	 */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly items: { readonly size: number; readonly together: number },
	) {}

	of(itemIndex: number): Values {
		const own = new Map<string, unknown>();
		return new Values((name) => {
			const isChanging = this.isChanging(name);
			const known = isChanging ? own : this.forAll;
			if (!known.has(name)) {
				known.set(name, isChanging ? this.take(name, itemIndex) : this.read(name, itemIndex));
			}
			return known.get(name);
		});
	}

	private take(name: string, itemIndex: number): unknown {
		const { size, together } = this.items;
		if (together === 1) return this.read(name, itemIndex);
		const first = itemIndex - (itemIndex % together);
		const key = `${name}/${first}`;
		const block =
			this.blocks.get(key) ??
			Array.from({ length: Math.min(together, size - first) }, (_, index) =>
				this.reading(name, first + index),
			);
		this.blocks.set(key, block);
		const reading = block[itemIndex - first];
		if (reading === undefined || 'error' in reading) throw reading?.error;
		return reading.value;
	}

	private reading(name: string, itemIndex: number): Reading {
		try {
			return { value: this.read(name, itemIndex) };
		} catch (error) {
			return { error };
		}
	}

	private read(name: string, itemIndex: number): unknown {
		const value: unknown = this.functions.getNodeParameter(name, itemIndex, null);
		return LOCATORS.has(name) ? chosen(value) : value;
	}

	private isChanging(name: string): boolean {
		const known = this.changing.get(name);
		if (known !== undefined) return known;
		const raw: unknown = this.functions.getNodeParameter(name, 0, null, { rawExpressions: true });
		const isChanging = holdsExpression(raw);
		this.changing.set(name, isChanging);
		return isChanging;
	}
}

/** Of a locator what was chosen, whichever way. */
const chosen = (value: unknown): unknown =>
	isRecord(value) && 'mode' in value && 'value' in value ? value.value : value;

function holdsExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	if (Array.isArray(raw)) return raw.some(holdsExpression);
	return isRecord(raw) && Object.values(raw).some(holdsExpression);
}
