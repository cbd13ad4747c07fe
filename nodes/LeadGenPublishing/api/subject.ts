/**
 * Whose key it is and what it may do, as `/me` says. The API document shows none of its fields. The
 * ID is read from four places, the surest first. Pure.
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

export interface Subject {
	/** Undefined if `/me` does not show whether it is an agency's key. */
	readonly isAgency?: boolean;
	/** The scopes of the key. Undefined if `/me` shows none. */
	readonly scopes?: readonly string[];
	/** The status of the account. */
	readonly status?: string;
}

/** The fields that may say whether the account is an agency's. */
const MODES = ['actor_type', 'account_type', 'account_mode', 'subject_type', 'is_agency', 'type'];

/**
 * What else `/me` says, at the top or one level below.
 * @doubt meShape
 */
export function readSubject(me: JsonRecord): Subject {
	const holders = [me, ...Object.values(me).filter(isRecord)];
	const shown = (name: string): unknown[] =>
		holders.map((holder) => holder[name]).filter((value) => value !== undefined);
	return {
		isAgency: MODES.flatMap(shown)
			.map(isAgencyIn)
			.find((answer) => answer !== undefined),
		scopes: shown('scopes')
			.filter((value) => Array.isArray(value))
			.map((value) => value.filter((scope: unknown) => typeof scope === 'string'))[0],
		status: shown('account_status').find((value) => typeof value === 'string'),
	};
}

function isAgencyIn(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string') return undefined;
	if (/agency/i.test(value)) return true;
	return /direct|user/i.test(value) ? false : undefined;
}

/** Whether these scopes contain one. `*` satisfies any. */
export const hasScope = (scopes: readonly string[], scope: string): boolean =>
	scopes.includes(scope) || scopes.includes('*');
