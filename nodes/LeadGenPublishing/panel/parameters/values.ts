/**
 * Reads parameters by their expected type. Values from expressions or AI models are converted if
 * their meaning is clear ("5", "true", JSON as text). Anything else is an error that names the
 * parameter and the remedy, before anything is sent.
 *
 * `undefined`, `null` and blank text never count as a value. Only readers whose name says so have a
 * default for them.
 */
import { InputError } from '../../words/inputError';
import { idInAddress, isAddress, isLocator, type LocatorName } from './idInAddress';
import { isUuid } from '../../api/identifiers';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { labelOf } from './labels';
import { expressionsOfTemplate, isExpression, joinedParts } from '../../parse/expressions';
import { flawIn, isBlank, isMissing, withDatesAsText, writesItself } from '../../parse/jsonValues';
import { entriesOfText, withoutEmptyEntries } from '../../parse/lists';

/** Where a workflow gets the ID of such a record. */
const FOUND_BY: Readonly<Record<LocatorName, string>> = {
	clientId: ' Client > Get Many returns it as user_id.',
	leadMagnetId: ' Lead Magnet > Get Many returns it as id.',
	postId: ' Post > Get Many returns it as id.',
};

type Read = (name: string) => unknown;

/** How the advice about a parameter ends. */
const ADVICE = {
	action: {
		empty: ', or map it from the input item.',
		wrong: ' and run the node again. Nothing was sent for this item.',
	},
	trigger: {
		empty: ' and publish the workflow again.',
		wrong: ' and publish the workflow again.',
	},
} as const;

type Collection = Values & { readonly names: readonly string[] };

/** Where values come from. */
interface Origin {
	/** The label of the collection that holds them. Only computed for an error. */
	readonly group?: () => string;
	/** The stored values, with expressions as text. Undefined if nothing is stored. */
	readonly getStored?: Read;
	/** Evaluates an expression such as `{{ $json.id }}` for this item. */
	readonly evaluate?: (expression: string) => unknown;
	/** The node that has the parameters. */
	readonly node?: keyof typeof ADVICE;
}

export class Values {
	/** Cached, because several readers of an item ask for the same collection. */
	private readonly collections = new Map<string, Collection>();

	constructor(
		readonly raw: Read,
		private readonly origin: Origin = {},
	) {}

	private getStored(name: string): unknown {
		return (this.origin.getStored ?? this.raw)(name);
	}

	/** Whether the workflow stores the parameter at all, whatever its expression evaluates to. */
	isStored(name: string): boolean {
		return this.getStored(name) !== undefined;
	}

	/** Whether it has an expression. In a list, any entry may be one. */
	isExpression(name: string): boolean {
		const stored = this.getStored(name);
		return Array.isArray(stored) ? stored.some(isExpression) : isExpression(stored);
	}

	/**
	 * The parts of which a stored expression makes its text, with their values: the expressions of a
	 * template, such as `row-{{ $json.id }}`, and what each of them joins, such as `'row' + $json.id`.
	 */
	partsOf(name: string): Array<{ readonly expression: string; readonly value: unknown }> {
		const stored = this.getStored(name);
		const { evaluate } = this.origin;
		if (!isExpression(stored) || evaluate === undefined) return [];
		const template = stored.slice(1).trim();
		const whole = expressionsOfTemplate(template);
		return [...whole, ...whole.flatMap(joinedParts)].map((expression) => ({
			expression,
			// If the template is a single expression, its value is already known.
			value: expression === template ? this.raw(name) : evaluate(expression),
		}));
	}

	/** Whether a value was given. */
	has(name: string): boolean {
		return !isBlank(this.raw(name));
	}

	/** The label that the user sees, with its collection. */
	labelOf(name: string): string {
		const { group } = this.origin;
		return (group === undefined ? '' : `${group()} > `) + labelOf(name);
	}

	private get advice() {
		return ADVICE[this.origin.node ?? 'action'];
	}

	fail(name: string, problem: string, remedy?: string, effect?: string): InputError {
		const label = this.labelOf(name);
		return new InputError(
			`The parameter "${label}" ${problem}`,
			remedy ?? `Correct "${label}"${this.advice.wrong}`,
			{ parameter: name },
			effect,
		);
	}

	optionalText(name: string): string | undefined {
		const value = this.raw(name);
		if (isBlank(value)) return undefined;
		if (typeof value === 'object') throw this.fail(name, 'must be text, not an object or a list');
		return String(value);
	}

	text(name: string): string {
		const text = this.optionalText(name);
		if (text !== undefined) return text;
		throw this.fail(name, 'is empty', `Enter "${labelOf(name)}"${this.advice.empty}`);
	}

	uuid(name: string): string {
		const given = this.text(name).trim();
		const isInAddress = isLocator(name) && isAddress(given);
		const id = isInAddress ? (idInAddress(given, name) ?? '') : given;
		// In lower case, because IDs are also compared.
		if (isUuid(id)) return id.toLowerCase();
		// In a collection, a parameter of this name is only a text.
		const hasList = isLocator(name) && this.origin.group === undefined;
		const choose = hasList ? 'Choose it from the list, or enter' : 'Enter';
		if (isInAddress) {
			const unclear = 'is a URL in which the node cannot find an ID';
			throw this.fail(name, unclear, `${choose} the ID itself.`);
		}
		const example = 'an ID such as 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11.';
		throw this.fail(
			name,
			'is not an ID',
			`${choose} ${example}${isLocator(name) ? FOUND_BY[name] : ''}`,
		);
	}

	flag(name: string, fallback = false): boolean {
		const value = this.raw(name);
		if (typeof value === 'boolean') return value;
		if (isBlank(value)) return fallback;
		const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
		if (['true', '1', 'yes'].includes(text)) return true;
		if (['false', '0', 'no'].includes(text)) return false;
		throw this.fail(name, 'must be true or false');
	}

	optionalNumber(name: string): number | undefined {
		const value = this.raw(name);
		if (isBlank(value)) return undefined;
		const number = typeof value === 'string' ? Number(value) : value;
		if (typeof number !== 'number' || !Number.isFinite(number))
			throw this.fail(name, 'must be a number');
		return number;
	}

	integer(name: string, { min, max }: { min: number; max?: number }): number {
		const number = this.optionalNumber(name);
		const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
		if (number === undefined) throw this.fail(name, 'is empty', `Enter a number ${range}.`);
		if (Number.isInteger(number) && number >= min && number <= (max ?? Infinity)) return number;
		throw this.fail(name, `must be a whole number ${range}`);
	}

	/** A sheet or a model may write a choice in another case. */
	choice<T extends string>(name: string, allowed: readonly T[]): T {
		const text = this.text(name).trim().toLowerCase();
		const found = allowed.find((one) => one.toLowerCase() === text);
		if (found !== undefined) return found;
		throw this.fail(name, `must be one of ${allowed.join(', ')}`);
	}

	choiceOr<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
		return this.has(name) ? this.choice(name, allowed) : fallback;
	}

	/** A JSON object, given as an object or as text. */
	optionalObject(name: string): JsonRecord | undefined {
		return this.objectOf(name, this.json(name));
	}

	private objectOf(name: string, value: unknown): JsonRecord | undefined {
		if (isMissing(value)) return undefined;
		if (!isRecord(value) || writesItself(value))
			throw this.fail(name, 'must be a JSON object, such as {"name": "value"}');
		return value;
	}

	/**
	 * A list, a JSON list, or text with one entry per line or separated by commas. A single value is
	 * a list of one. Empty entries are dropped. If that leaves nothing, the list counts as not given,
	 * but a list that was given empty stays an empty list. If the form has a list, each entry may be
	 * an expression that returns a list.
	 */
	optionalList(name: string): unknown[] | undefined {
		const value = this.raw(name);
		if (!Array.isArray(value) || !Array.isArray(this.getStored(name)))
			return this.listOf(name, value);
		const lists = value.map((entry) => this.listOf(name, entry));
		const entries = lists.flatMap((list) => list ?? []);
		return entries.length > 0 || !lists.includes(undefined) ? entries : undefined;
	}

	private listOf(name: string, value: unknown): unknown[] | undefined {
		const given =
			typeof value === 'string' && !/^\s*[[{"]/.test(value)
				? entriesOfText(value)
				: this.parsed(name, value);
		const list: unknown[] = Array.isArray(given) ? given : [given];
		const entries = this.sendable(name, withoutEmptyEntries(list));
		const isExplicitlyEmpty = typeof value !== 'string' || value.includes('[');
		return entries.length > 0 || (list.length === 0 && isExplicitlyEmpty) ? entries : undefined;
	}

	/** Returns `null` only if the JSON text says `null`. */
	json(name: string): unknown {
		return this.sendable(name, this.parsed(name, this.raw(name)));
	}

	private sendable<T>(name: string, value: T): T {
		const flaw = flawIn(value);
		if (flaw === undefined) return value;
		throw this.fail(name, ...flaw);
	}

	private parsed(name: string, value: unknown): unknown {
		if (isBlank(value)) return undefined;
		if (typeof value !== 'string') return withDatesAsText(value);
		try {
			return JSON.parse(value) as unknown;
		} catch {
			const remedy = 'Check brackets, commas and quotes. Names need double quotes.';
			throw this.fail(name, 'is not valid JSON', remedy);
		}
	}

	/**
	 * A collection of optional parameters, with only those that the user added. `inner` is the name
	 * of the group within a fixed collection.
	 */
	collection(name: string, inner?: string): Collection {
		const place = `${name} ${inner ?? ''}`;
		const made = this.collections.get(place) ?? this.collectionOf(name, inner);
		this.collections.set(place, made);
		return made;
	}

	private collectionOf(name: string, inner?: string): Collection {
		const held = this.objectOf(name, this.parsed(name, this.raw(name))) ?? {};
		const within = (from: JsonRecord): unknown => (inner === undefined ? from : from[inner]);
		const given = within(held);
		const value = isRecord(given) ? given : {};
		const stored = this.getStored(name);
		const storedWithin = isRecord(stored) ? within(stored) : undefined;
		const getStored = (key: string): unknown => {
			if (isRecord(storedWithin)) return storedWithin[key];
			// If one expression returns the whole collection, an empty parameter is its fault.
			return key in value && isBlank(value[key]) ? stored : value[key];
		};
		const group = (): string => this.labelOf(name);
		const values = new Values((key) => value[key], { ...this.origin, group, getStored });
		return Object.assign(values, { names: Object.keys(value) });
	}

	/**
	 * The rows of a fixed collection with several values. `inner` is the name of their group. An
	 * error calls one of several rows by `label` and number.
	 */
	rows(name: string, { inner, label }: { inner: string; label: string }): Values[] {
		const held = this.objectOf(name, this.parsed(name, this.raw(name))) ?? {};
		const given = held[inner] ?? [];
		const rows: readonly unknown[] = Array.isArray(given) ? given : [given];
		const stored = this.getStored(name);
		const storedGroup = isRecord(stored) ? stored[inner] : undefined;
		const storedRows: readonly unknown[] = Array.isArray(storedGroup) ? storedGroup : [storedGroup];
		return rows.map((row, place) => {
			if (!isRecord(row))
				throw this.fail(name, `has an entry in "${inner}" that is not a JSON object`);
			const storedRow = storedRows[place];
			const getStored = (key: string): unknown => {
				if (isRecord(storedRow)) return storedRow[key];
				// If an expression returns the rows, an empty parameter is its fault.
				return key in row && isBlank(row[key]) ? stored : row[key];
			};
			const ofRow = rows.length > 1 ? ` > ${label} ${place + 1}` : '';
			const group = (): string => this.labelOf(name) + ofRow;
			return new Values((key) => row[key], { ...this.origin, group, getStored });
		});
	}
}
