/**
 * Reads parameters by what they must be. Whatever an expression or an AI model hands in is
 * understood where its meaning is plain ("5", "true", JSON as text); everything else is an error
 * that names the parameter and the remedy, before anything is sent.
 */
import { InputError } from '../api/failure';
import { isUuid } from '../api/route';
import { isRecord, type JsonRecord } from '../api/schemas';

const ACRONYMS: Readonly<Record<string, string>> = {
	id: 'ID',
	ids: 'IDs',
	url: 'URL',
	cta: 'CTA',
	etag: 'ETag',
};

/** Labels that the name does not give: a locator is called by its record, not by the ID in it. */
const SET_LABELS: Readonly<Record<string, string>> = {
	binaryPropertyName: 'Input Binary Field',
	clientId: 'Client',
	leadMagnetId: 'Lead Magnet',
	postId: 'Post',
};

/** `ctaUrl` → "CTA URL": the label that the user sees. */
export function labelOf(name: string): string {
	const set = SET_LABELS[name];
	if (set !== undefined) return set;
	return name
		.replace(/([A-Z])/g, ' $1')
		.trim()
		.split(/[\s_]+/)
		.map((word) => ACRONYMS[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

export class Values {
	constructor(
		private readonly get: (name: string) => unknown,
		private readonly group?: string,
	) {}

	raw(name: string): unknown {
		return this.get(name);
	}

	has(name: string): boolean {
		const value = this.get(name);
		return value !== undefined && value !== null && value !== '';
	}

	fail(name: string, problem: string, remedy?: string): InputError {
		const label = this.group === undefined ? labelOf(name) : `${this.group} > ${labelOf(name)}`;
		return new InputError(
			`The parameter "${label}" ${problem}`,
			remedy ?? `Correct "${label}" and run the node again. Nothing was sent for this item.`,
			{ parameter: name },
		);
	}

	optionalText(name: string): string | undefined {
		const value = this.get(name);
		if (value === undefined || value === null) return undefined;
		if (typeof value === 'object') throw this.fail(name, 'must be text, not an object or a list');
		const text = String(value);
		return text.trim() === '' ? undefined : text;
	}

	text(name: string): string {
		const text = this.optionalText(name);
		if (text === undefined)
			throw this.fail(name, 'is empty', `Enter "${labelOf(name)}", or map it from the input item.`);
		return text;
	}

	uuid(name: string): string {
		const id = this.text(name).trim();
		if (!isUuid(id)) {
			throw this.fail(
				name,
				'is not a UUID',
				'Pick it from the list, or enter an ID such as 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11.',
			);
		}
		return id;
	}

	flag(name: string): boolean {
		const value = this.get(name);
		if (typeof value === 'boolean') return value;
		if (value === undefined || value === null || value === '') return false;
		const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
		if (text === 'true' || text === 1 || text === '1' || text === 'yes') return true;
		if (text === 'false' || text === 0 || text === '0' || text === 'no') return false;
		throw this.fail(name, 'must be true or false');
	}

	optionalNumber(name: string): number | undefined {
		const value = this.get(name);
		if (value === undefined || value === null || value === '') return undefined;
		const number = typeof value === 'string' ? Number(value.trim()) : value;
		if (typeof number !== 'number' || !Number.isFinite(number))
			throw this.fail(name, 'must be a number');
		return number;
	}

	integer(name: string, { min, max }: { min: number; max?: number }): number {
		const number = this.optionalNumber(name);
		if (number === undefined)
			throw this.fail(
				name,
				'is empty',
				`Enter a number from ${min}${max === undefined ? '' : ` to ${max}`}.`,
			);
		if (!Number.isInteger(number) || number < min || (max !== undefined && number > max)) {
			throw this.fail(
				name,
				`must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`,
			);
		}
		return number;
	}

	choice<T extends string>(name: string, allowed: readonly T[]): T {
		const text = this.text(name).trim();
		const found = allowed.find((value) => value === text);
		if (found === undefined) throw this.fail(name, `must be one of ${allowed.join(', ')}`);
		return found;
	}

	/** A date with time as ISO 8601 in UTC. */
	optionalDate(name: string): string | undefined {
		const value = this.get(name);
		if (value === undefined || value === null || value === '') return undefined;
		const date = toDate(value);
		if (date === undefined) {
			throw this.fail(name, 'is not a date', 'Use an ISO 8601 date such as 2030-01-31T09:30:00Z.');
		}
		return date.toISOString();
	}

	/** JSON as an object, given as one or as text. Empty text counts as nothing. */
	optionalObject(name: string): JsonRecord | undefined {
		const value = this.json(name);
		if (value === undefined) return undefined;
		if (!isRecord(value)) throw this.fail(name, 'must be a JSON object, such as {"name": "value"}');
		return value;
	}

	/** JSON as a list; a single value counts as a list of one, text without brackets as comma-separated. */
	optionalList(name: string): unknown[] | undefined {
		const value = this.get(name);
		if (typeof value === 'string' && value.trim() !== '' && !/^\s*[[{"]/.test(value)) {
			return value
				.split(',')
				.map((part) => part.trim())
				.filter((part) => part !== '');
		}
		const parsed = this.json(name);
		if (parsed === undefined) return undefined;
		return Array.isArray(parsed) ? parsed : [parsed];
	}

	json(name: string): unknown {
		const value = this.get(name);
		if (value === undefined || value === null) return undefined;
		if (typeof value !== 'string') return value;
		if (value.trim() === '') return undefined;
		try {
			return JSON.parse(value) as unknown;
		} catch {
			throw this.fail(
				name,
				'is not valid JSON',
				'Check brackets, commas and quotes; names need double quotes.',
			);
		}
	}

	/** A collection of further parameters; only those that the user added are there. */
	collection(name: string): Values & { readonly names: readonly string[] } {
		const value = this.json(name) ?? {};
		if (!isRecord(value)) throw this.fail(name, 'must be an object');
		return Object.assign(new Values((key) => value[key], labelOf(name)), {
			names: Object.keys(value),
		});
	}
}

function toDate(value: unknown): Date | undefined {
	// n8n's own date objects (luxon) know how to become one.
	const plain =
		isRecord(value) && typeof value.toJSDate === 'function'
			? (value.toJSDate as () => unknown).call(value)
			: value;
	if (plain instanceof Date) return Number.isNaN(plain.getTime()) ? undefined : plain;
	if (typeof plain !== 'string' && typeof plain !== 'number') return undefined;
	const date = new Date(plain);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Lays `customFields` over what is sent: it wins, and `null` takes a field away. */
export function withCustomFields(sent: JsonRecord, custom: JsonRecord | undefined): JsonRecord {
	const merged: JsonRecord = { ...sent };
	for (const [name, value] of Object.entries(custom ?? {})) {
		if (value === null) delete merged[name];
		else merged[name] = value;
	}
	return merged;
}
