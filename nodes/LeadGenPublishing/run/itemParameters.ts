/**
 * The node's parameters for each item. n8n evaluates them when they are first read, and the item
 * keeps the result, because a second evaluation of `$now` would be another time. Parameters without
 * an expression are the same for all items and are read once.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../api/schemas';
import { decidingNames, valueAsText } from '../operations/describe';
import type { Operation } from '../operations/operation';
import { holdingExpressions } from '../panel/parameters/modelSource';
import { isLocator } from '../panel/parameters/idInAddress';
import { Values } from '../panel/parameters/values';
import { kept } from './kept';
import type { NamedClients } from './namedClients';

/**
 * `Values` checks parameters itself. n8n's own validation would look up each definition and check
 * nothing.
 */
const AS_IT_IS = { skipValidation: true } as const;

export class ItemParameters {
	/** As the workflow stores them, with expressions as text. */
	readonly stored: JsonRecord;
	/** The names of the parameters that may differ from item to item. */
	private readonly differing: ReadonlySet<string | undefined>;
	private readonly ofAll = new Map<string, unknown>();
	private readonly items = new Map<number, Values>();
	/** Finds the client that a locator names, if the run names any. */
	named: NamedClients | undefined;

	constructor(private readonly functions: IExecuteFunctions) {
		this.stored = functions.getNode().parameters;
		this.differing = holdingExpressions(this.stored);
	}

	of(item: number): Values {
		return kept(this.items, item, () => this.read(item));
	}

	private read(item: number): Values {
		const { functions, stored, differing, ofAll } = this;
		const ofItem = new Map<string, unknown>();
		const evaluated = (name: string): unknown =>
			this.used(
				name,
				kept(differing.has(name) ? ofItem : ofAll, name, () => this.readParameter(name, item)),
			);
		const evaluate = (expression: string): unknown =>
			kept(ofItem, `=${expression}`, () => functions.evaluateExpression(expression, item));
		const getStored = (name: string): unknown => plain(name, stored[name]);
		return new Values(evaluated, { getStored, evaluate });
	}

	private readParameter(name: string, item: number): unknown {
		return this.functions.getNodeParameter(name, item, null, AS_IT_IS);
	}

	/** The client of a name is not kept with it, because it is found later. */
	private used(name: string, value: unknown): unknown {
		const { named } = this;
		return name === 'clientId' && named !== undefined ? named(value) : plain(name, value);
	}

	/**
	 * The parameters that decide what is sent for an item, as text. Those that are the same for all
	 * items are serialized once.
	 */
	decidingFor(operation: Operation): (item: number) => string[] {
		const names = decidingNames(operation);
		const ofAll = new Map<string, string>();
		return (item) =>
			names.map((name) => {
				const text = (): string => valueAsText(name, this.of(item));
				return this.differing.has(name) ? text() : kept(ofAll, name, text);
			});
	}
}

/** The value of a resource locator, whatever its mode. */
const plain = (name: string, value: unknown): unknown =>
	isLocator(name) && isRecord(value) && 'mode' in value ? value.value : value;
