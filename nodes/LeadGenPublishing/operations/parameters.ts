/**
 * The node's parameters for each item. Reading one that holds an expression costs n8n about as much
 * as a request costs, so each is read once per item, and once for all items if it holds none.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/schemas';
import { LOCATORS } from '../fields/labels';
import { Values } from '../fields/values';

/** How long expressions are evaluated in one go. */
const MAX_BLOCK_MS = 25;
/** Told apart from every value by its identity. */
const NOT_STORED = {};

type Reading = { readonly value: unknown } | { readonly error: unknown };
const TAKEN = Symbol('taken');
type Block = Array<Reading | typeof TAKEN | undefined>;

export class Parameters {
	private readonly forAll = new Map<string, unknown>();
	private readonly changing = new Map<string, boolean>();
	private readonly stored = new Map<string, unknown>();
	private readonly blocks = new Map<string, Block>();

	/**
	 * n8n evaluates an expression in half the time right after another one, so items are read in
	 * blocks of `together`, and a block that takes long in pieces: nothing else runs meanwhile. An
	 * item whose reading fails takes no other of its block along.
	 */
	constructor(
		private readonly functions: IExecuteFunctions,
		private readonly items: { readonly size: number; readonly together: number },
		private readonly now: () => number = Date.now,
	) {}

	of(itemIndex: number): Values {
		const own = new Map<string, unknown>();
		const get = (name: string): unknown => {
			const isChanging = this.isChanging(name);
			const known = isChanging ? own : this.forAll;
			if (!known.has(name)) {
				known.set(name, isChanging ? this.take(name, itemIndex) : this.read(name, itemIndex));
			}
			return known.get(name);
		};
		return new Values(get, undefined, (name) => this.storedOf(name));
	}

	private take(name: string, itemIndex: number): unknown {
		const { together } = this.items;
		if (together === 1) return this.read(name, itemIndex);
		const slot = itemIndex % together;
		const first = itemIndex - slot;
		const block = this.blocks.get(`${name}/${first}`) ?? [];
		this.blocks.set(`${name}/${first}`, block);
		if (block[slot] === undefined) this.readOn(name, { block, first, slot });
		const reading = block[slot];
		if (reading === undefined || reading === TAKEN) return this.read(name, itemIndex);
		if ('error' in reading) throw reading.error;
		// Its item keeps it now, and only as long as it runs.
		block[slot] = TAKEN;
		return reading.value;
	}

	/** Reads the item in this slot and, as long as there is time, those behind it in the block. */
	private readOn(
		name: string,
		{ block, first, slot }: { block: Block; first: number; slot: number },
	): void {
		const { size, together } = this.items;
		const end = this.now() + MAX_BLOCK_MS;
		for (let at = slot; at < Math.min(together, size - first); at += 1) {
			block[at] ??= this.reading(name, first + at);
			if (this.now() >= end) return;
		}
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
		const isChanging = holdsExpression(this.storedOf(name));
		this.changing.set(name, isChanging);
		return isChanging;
	}

	/** With expressions as their text; undefined for what the workflow does not store. */
	private storedOf(name: string): unknown {
		if (!this.stored.has(name)) {
			const raw: unknown = this.functions.getNodeParameter(name, 0, NOT_STORED, {
				rawExpressions: true,
			});
			const value = raw === NOT_STORED ? undefined : raw;
			this.stored.set(name, LOCATORS.has(name) ? chosen(value) : value);
		}
		return this.stored.get(name);
	}
}

/** Of a locator what was chosen, whichever way; nothing, if nothing was. */
const chosen = (value: unknown): unknown =>
	isRecord(value) && 'mode' in value ? value.value : value;

function holdsExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	if (Array.isArray(raw)) return raw.some(holdsExpression);
	return isRecord(raw) && Object.values(raw).some(holdsExpression);
}
