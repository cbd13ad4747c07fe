/**
 * The node's parameters for each item. Reading one costs n8n about as much as a request costs, so
 * each is read once per item, and once for all items if it holds no expression.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/schemas';
import { Values } from '../fields/values';

const LOCATORS = new Set(['clientId', 'postId', 'leadMagnetId']);

export class Parameters {
	private readonly forAll = new Map<string, unknown>();
	private readonly changing = new Map<string, boolean>();

	constructor(private readonly functions: IExecuteFunctions) {}

	of(itemIndex: number): Values {
		const own = new Map<string, unknown>();
		return new Values((name) => {
			const known = this.isChanging(name) ? own : this.forAll;
			if (!known.has(name)) {
				const value: unknown = this.functions.getNodeParameter(name, itemIndex, null);
				known.set(name, LOCATORS.has(name) ? chosen(value) : value);
			}
			return known.get(name);
		});
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
