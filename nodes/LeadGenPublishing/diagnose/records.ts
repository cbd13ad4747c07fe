/**
 * How both steps read records and pages: leniently, because a service may return anything. Pure.
 */
import { isUuid } from '../api/identifiers';
import { isRecord, readListEnvelope, type JsonRecord, type ListEnvelope } from '../api/schemas';
import type { Asked } from './facts';

export const pageOf = ({ outcome }: Asked): ListEnvelope | undefined =>
	outcome.kind === 'success' ? readListEnvelope(outcome.body) : undefined;

export const recordsOf = (asked: Asked): readonly JsonRecord[] => pageOf(asked)?.data ?? [];

/** The record of a response for one record. */
export function recordOf({ outcome }: Asked): JsonRecord | undefined {
	const { data } = outcome.kind === 'success' && isRecord(outcome.body) ? outcome.body : {};
	return isRecord(data) ? data : undefined;
}

/** An ID in any form: a text or a number. */
export function idIn(record: JsonRecord | undefined, field = 'id'): string | undefined {
	const id = record?.[field];
	const text = typeof id === 'number' && Number.isFinite(id) ? String(id) : id;
	return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** Identifies a record on another page. */
export const identityIn = (record: JsonRecord): string =>
	idIn(record) ?? idIn(record, 'user_id') ?? JSON.stringify(record);

/** Whether an ID can be used in a path without leading to another path. */
export const fitsPath = (id: string): boolean => /^\w[\w.:~@-]{0,127}$/.test(id);

export const isUuidText = (value: unknown): boolean => typeof value === 'string' && isUuid(value);

export const showsEmail = ({ emails }: JsonRecord): boolean =>
	isRecord(emails) &&
	Object.values(emails).some((email) => typeof email === 'string' && email.trim() !== '');

/** A service may keep a record that was deleted, and say so. */
export const saysItIsGone = ({ status }: JsonRecord): boolean =>
	['archived', 'deleted'].includes(String(status).toLowerCase());
