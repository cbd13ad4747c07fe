/** Which clients an agency can work for, and why not for the others. Pure. */
import {
	clientsIn,
	closedChoice,
	isAnswered,
	isClosed,
	isRefused,
	pageOf,
	subjectOf,
	type KnownClient,
} from '../../answers';
import type { Asked, Facts } from '../../facts';
import type { CheckFinding, Looked } from '../finding';
import { saysOf } from '../says';
import { isActive } from './connection';
import { closedScopes, isOfClosedScope } from './scopes';

/** The lists of one client that were requested. */
export const listsOf = ({ lists }: Facts, clientId: string): Asked[] =>
	lists.filter((one) => one.clientId === clientId && one.outcome.kind !== 'unsent');

/** Lists that are rejected for this client although another account shows the same list. */
export function refusedLists(facts: Facts, clientId: string): Asked[] {
	const closed = closedScopes(facts);
	const own = listsOf(facts, clientId);
	const isOpen = ({ name }: Asked): boolean =>
		facts.lists.some((one) => one.name === name && isAnswered(one));
	return own.filter(
		(one) => isClosed(one) && !isOfClosedScope(closed, one) && (isOpen(one) || own.every(isClosed)),
	);
}

/** How many clients were looked at. */
export function lookedAt(facts: Facts): Looked {
	const all = clientsIn(facts.clients);
	const last = facts.clients.at(-1);
	return {
		read: all.filter(({ id }) => listsOf(facts, id).length > 0).length,
		all: all.length,
		hasMore: last !== undefined && pageOf(last)?.pagination.has_more === true,
	};
}

/** Clients with the same word become one finding. */
const byWord = (
	clients: readonly KnownClient[],
	wordOf: (client: KnownClient) => string | undefined,
): Array<readonly [string, KnownClient[]]> => {
	const groups = new Map<string, KnownClient[]>();
	for (const client of clients) {
		const word = wordOf(client) ?? '';
		groups.set(word, [...(groups.get(word) ?? []), client]);
	}
	return [...groups];
};

export function clients(facts: Facts): CheckFinding[] {
	const chosen = closedChoice(facts);
	if (chosen?.clientId !== undefined)
		return [
			{
				kind: 'chosenClosed',
				clients: [{ id: chosen.clientId, hasAccess: false }],
				says: saysOf([chosen]),
			},
		];
	const list = facts.clients.find(isAnswered) ?? facts.clients[0];
	if (list === undefined || !isAnswered(list)) return list && isClosed(list) ? unlisted(facts) : [];
	const all = clientsIn(facts.clients);
	if (all.length === 0) return unlisted(facts);
	const closed = all.filter(({ hasAccess }) => !hasAccess);
	const others = all.filter(({ hasAccess }) => hasAccess);
	const refused = others
		.map((client) => ({ client, lists: refusedLists(facts, client.id) }))
		.filter(({ lists }) => lists.length > 0);
	const isMissing = ({ lists }: (typeof refused)[number]): boolean =>
		lists.every((one) => isRefused(one, 404));
	const idle = others.filter(({ status }) => status !== undefined && !isActive(status));
	const found: CheckFinding[] = [
		...byWord(closed, ({ grant }) => grant).map(([status, group]): CheckFinding => ({
			kind: 'grantInactive',
			status,
			clients: group,
		})),
		...byWord(idle, ({ status }) => status).map(([status, group]): CheckFinding => ({
			kind: 'clientInactive',
			status,
			clients: group,
		})),
	];
	for (const kind of ['clientRefused', 'clientMissing'] as const) {
		const group = refused.filter((one) => isMissing(one) === (kind === 'clientMissing'));
		if (group.length > 0)
			found.push({
				kind,
				clients: group.map(({ client }) => client),
				says: saysOf(group.flatMap(({ lists }) => lists)),
			});
	}
	const looked = lookedAt(facts);
	if (found.length > 0) return found;
	return [{ kind: looked.read === 0 ? 'clientsUnread' : 'clientsWork', looked }];
}

/** Only an agency's key has clients. Another row reports a missing scope. */
function unlisted(facts: Facts): CheckFinding[] {
	const { isAgency } = subjectOf(facts);
	if (isAgency !== true) return [{ kind: 'noClientsNeeded' }];
	const [list] = facts.clients;
	const isOfScope = list !== undefined && isOfClosedScope(closedScopes(facts), list);
	return [{ kind: isOfScope ? 'clientsClosed' : 'noClients' }];
}
