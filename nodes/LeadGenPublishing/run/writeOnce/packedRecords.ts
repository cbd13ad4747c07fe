/**
 * A compact map from items to records: records of one kind share their shape, each is stored as its
 * difference from the previous one, and repeated long texts are stored once. It is append-only: a
 * later record of the same item replaces the earlier one when it is read.
 */
import { createHash } from 'crypto';

import { isRecord, type JsonRecord } from '../../api/schemas';
import { MAX_KNOWN, pack, refersToItem, unpack } from './packedText';
import { filled, leavesIn, shapeOf } from './recordShape';
import { BETWEEN_ROWS, fieldOf, rowFrom, rowText, valueOf } from './rowText';

/** The form stored with the execution. */
export interface Packed {
	shapes: string[];
	texts: string[];
	rows: string;
}

export const emptyPacked = (): Packed => ({ shapes: [], texts: [], rows: '' });

interface Row {
	/** Its shape, as JSON. */
	readonly shape: string;
	readonly values: readonly string[];
	/** A checksum of the record, if it refers to the texts of its item. */
	readonly check?: string;
}

const NO_TEXTS: readonly string[] = [];
/** Stands for each text of an item while they are not known. */
const UNKNOWN = '\0?\0';
const UNKNOWN_TEXTS = Array<string>(MAX_KNOWN).fill(UNKNOWN);
/** Longer values are stored separately, in case they are repeated. */
const LONG = 40;
/** Up to this many outdated rows are tolerated. */
const MAX_OUTDATED = 200;

export class PackedRecords {
	private readonly rows = new Map<number, Row>();
	/** The last row of each shape, and the texts and numbers that it stands for. */
	private readonly lastOfShape = new Map<string, Row>();
	private readonly leavesOfShape = new Map<string, readonly string[]>();
	private readonly shapes: Map<string, number>;
	private readonly texts: Map<string, number>;
	private last: { readonly item: number; readonly shape?: string } = { item: -1 };
	private outdated = 0;
	/** The stored size. */
	bytes = 0;

	constructor(private readonly packed: Packed) {
		this.shapes = indexed(packed.shapes);
		this.texts = indexed(packed.texts);
		for (const text of packed.rows.split(BETWEEN_ROWS).slice(0, -1))
			this.addRow(...this.parse(text));
		for (const part of [packed.rows, ...packed.shapes, ...packed.texts])
			this.bytes += bytesOf(part);
	}

	get items(): number[] {
		return [...this.rows.keys()].sort((a, b) => a - b);
	}

	get size(): number {
		return this.rows.size;
	}

	has(item: number): boolean {
		return this.rows.has(item);
	}

	/** Also undefined if the record refers to texts that the item does not contain any more. */
	get(item: number, itemTexts: readonly string[] = NO_TEXTS): JsonRecord | undefined {
		const row = this.rows.get(item);
		if (row === undefined) return undefined;
		const record = recordFrom(row, itemTexts);
		return row.check === undefined || row.check === checkOf(record) ? record : undefined;
	}

	/** The ID of a record, if it can be read without the texts of its item. */
	idOf(item: number): string | undefined {
		const row = this.rows.get(item);
		if (row === undefined) return undefined;
		const { id } = recordFrom(row, UNKNOWN_TEXTS);
		return typeof id === 'string' && !id.includes(UNKNOWN) ? id : undefined;
	}

	/** Returns the bytes written; writes nothing and returns undefined if `maxBytes` is exceeded. */
	set(
		item: number,
		record: JsonRecord,
		{
			itemTexts = NO_TEXTS,
			maxBytes = Infinity,
		}: { itemTexts?: readonly string[]; maxBytes?: number } = {},
	): number | undefined {
		if (maxBytes <= 0) return undefined;
		const leaves: string[] = [];
		const shape = JSON.stringify(shapeOf(plain(record), leaves));
		const before = this.valuesBefore(shape);
		const leavesBefore = this.leavesOfShape.get(shape) ?? NO_TEXTS;
		const first = leaves.slice(0, MAX_KNOWN);
		const values = leaves.map((leaf, at) => {
			const same = leaf === leavesBefore[at] ? before[at] : undefined;
			// A reference may now point to another text.
			if (same !== undefined && !same.includes('~')) return same;
			return pack(leaf, { r: itemTexts, l: first.slice(0, at) });
		});
		const check = values.some(refersToItem) ? checkOf(plain(record)) : undefined;
		const size = this.write(item, { shape, values, check }, maxBytes);
		if (size === undefined) return undefined;
		this.leavesOfShape.set(shape, leaves);
		if (this.outdated > Math.max(MAX_OUTDATED, this.rows.size / 2)) this.rewrite();
		return size;
	}

	private write(item: number, row: Row, maxBytes: number): number | undefined {
		const { text, texts } = this.format(item, row);
		const shapes = this.shapes.has(row.shape) ? [] : [row.shape];
		const size = [text, ...texts, ...shapes].reduce((sum, part) => sum + bytesOf(part), 0);
		if (size > maxBytes) return undefined;
		for (const shape of shapes) this.shapes.set(shape, this.packed.shapes.push(shape) - 1);
		for (const long of texts) this.texts.set(long, this.packed.texts.push(long) - 1);
		this.packed.rows += text;
		this.bytes += size;
		this.addRow(item, row);
		return size;
	}

	private addRow(item: number, row: Row): void {
		if (this.rows.has(item)) this.outdated += 1;
		this.rows.set(item, row);
		this.lastOfShape.set(row.shape, row);
		this.last = { item, shape: row.shape };
	}

	private valuesBefore(shape: string): readonly string[] {
		return this.lastOfShape.get(shape)?.values ?? NO_TEXTS;
	}

	private format(item: number, { shape, values, check }: Row): { text: string; texts: string[] } {
		const before = this.valuesBefore(shape);
		const added = new Map<string, number>();
		const fields = values.map((value, at) => {
			const field = fieldOf(value, before[at] ?? '');
			if (field.length <= LONG) return field;
			const known = this.texts.get(value) ?? added.get(value);
			const index = known ?? this.packed.texts.length + added.size;
			if (known === undefined) added.set(value, index);
			return `$${index.toString(36)}`;
		});
		const head = {
			...(item === this.last.item + 1 ? {} : { item }),
			...(shape === this.last.shape
				? {}
				: { shape: this.shapes.get(shape) ?? this.packed.shapes.length }),
			check,
		};
		return { text: rowText(head, fields), texts: [...added.keys()] };
	}

	private parse(text: string): [item: number, row: Row] {
		const { item = this.last.item + 1, shape: index, check, fields } = rowFrom(text);
		const shape = (index === undefined ? this.last.shape : this.packed.shapes[index]) ?? '{}';
		const before = this.valuesBefore(shape);
		const values = Array.from({ length: leavesIn(shape) }, (_, at) => {
			const field = fields[at] ?? '';
			if (field.startsWith('$')) return this.packed.texts[parseInt(field.slice(1), 36)] ?? '';
			return valueOf(field, before[at] ?? '');
		});
		return [item, { shape, values, check }];
	}

	/** Writes everything again without the outdated rows. */
	private rewrite(): void {
		const kept = [...this.rows].sort(([one], [other]) => one - other);
		Object.assign(this.packed, emptyPacked());
		Object.assign(this, new PackedRecords(this.packed));
		for (const [item, row] of kept) this.write(item, row, Infinity);
	}
}

function recordFrom({ shape, values }: Row, itemTexts: readonly string[]): JsonRecord {
	const leaves: string[] = [];
	for (const value of values) leaves.push(unpack(value, { r: itemTexts, l: leaves }));
	const record = filled(JSON.parse(shape), leaves.values());
	return isRecord(record) ? record : {};
}

/** The size as JSON, without the quotes. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

const indexed = (list: readonly string[]) => new Map(list.map((text, index) => [text, index]));

const checkOf = (record: JsonRecord): string =>
	createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 3);

/** The record as JSON can represent it. */
const plain = (record: JsonRecord): JsonRecord => JSON.parse(JSON.stringify(record)) as JsonRecord;
