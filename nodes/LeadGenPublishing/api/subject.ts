/**
 * Whose key it is, as `/me` says. The API document shows none of its fields, so the ID is read from
 * four places, the surest first.
 */
import { isRecord, type JsonRecord } from './schemas';

/**
 * The ID of the account that the key belongs to. Undefined if the response shows none.
 * @doubt meShape
 */
export const accountIdIn = (me: JsonRecord): string | undefined =>
	[fieldOf(me.subject, 'user_id'), fieldOf(me.owner, 'user_id'), me.user_id, me.id]
		.map(textOf)
		.find((id) => id !== '');

const fieldOf = (value: unknown, name: string): unknown =>
	isRecord(value) ? value[name] : undefined;

const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
