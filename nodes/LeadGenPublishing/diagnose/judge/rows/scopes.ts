/** What the key may read. Pure. */
import { endpoint, endpointNames, isWrite } from '../../../api/endpoints';
import { hasScope } from '../../../api/subject';
import { closedChoice, isAnswered, isRefused, subjectOf } from '../../answers';
import { LISTS_OF_ACCOUNT, type Asked, type Facts } from '../../facts';
import type { CheckFinding } from '../finding';
import { saysOf } from '../says';
import { isAgencyOnly } from './connection';

const READ_SCOPES: readonly string[] = [
	...new Set(
		endpointNames.filter((name) => !isWrite(name)).map((name): string => endpoint(name).scope),
	),
].filter((scope) => scope.includes(':'));

const isListOfAccount = ({ name }: Asked): boolean =>
	LISTS_OF_ACCOUNT.some((list) => list === name);

/**
 * The ordinary reads that show scopes. Some reads are rejected for other reasons: those of an agency's
 * own account, if it has none, and those of a chosen client that the key cannot reach.
 */
function readsOf(facts: Facts): Asked[] {
	const isOnlyAgency = isAgencyOnly(facts);
	const chosen = closedChoice(facts);
	return [...facts.clients, ...facts.lists, ...facts.singles].filter((asked) =>
		asked.clientId === undefined
			? !(isOnlyAgency && isListOfAccount(asked))
			: asked.clientId !== chosen?.clientId,
	);
}

interface Scope {
	readonly scope: string;
	readonly asked: readonly Asked[];
}

/** Scopes that the key lacks: all reads that need them are rejected. */
export function closedScopes(facts: Facts): Scope[] {
	const { scopes: stated = [], isAgency } = subjectOf(facts);
	// A service may hide what a key may not read. Then the scopes in `/me` explain the 404.
	const isDenied = (asked: Asked): boolean =>
		isRefused(asked, 403) ||
		(isRefused(asked, 404) && stated.length > 0 && !hasScope(stated, endpoint(asked.name).scope));
	const reads = readsOf(facts);
	return READ_SCOPES.map((scope) => ({
		scope,
		asked: reads.filter(({ name }) => endpoint(name).scope === scope),
	}))
		.filter(({ asked }) => asked.some(isDenied) && !asked.some(isAnswered))
		.filter(({ scope }) => scope !== 'clients:read' || isAgency === true);
}

export const isOfClosedScope = (closed: readonly Scope[], { name }: Asked): boolean =>
	closed.some(({ scope }) => scope === endpoint(name).scope);

export function scopes(facts: Facts): CheckFinding[] {
	const { scopes: stated } = subjectOf(facts);
	const closed = closedScopes(facts);
	const says = saysOf(closed.flatMap(({ asked }) => asked));
	const names = closed.map(({ scope }) => scope);
	const contradicted = stated === undefined ? [] : names.filter((scope) => hasScope(stated, scope));
	const missing = names.filter((scope) => !contradicted.includes(scope));
	const isAnyListOpen = facts.lists.some(isAnswered);
	if (!isAnyListOpen && missing.length > 1)
		return [{ kind: 'nothingAllowed', scopes: missing, says }];
	const found: CheckFinding[] = [];
	if (missing.length > 0) found.push({ kind: 'scopesMissing', scopes: missing, says });
	if (contradicted.length > 0)
		found.push({ kind: 'scopesContradicted', scopes: contradicted, says });
	if (found.length > 0) return found;
	const open = readsOf(facts).filter(isAnswered);
	return [
		{ kind: 'scopesHeld', scopes: [...new Set(open.map(({ name }) => endpoint(name).scope))] },
	];
}
