/** Can I work? What the key may do for the own account, and for the clients of an agency. */
import { endpoint, endpointNames, isWrite, type EndpointName } from '../../../api/endpoints';
import { isAccessible } from '../../../api/grant';
import { isRecord, type JsonRecord } from '../../../api/schemas';
import { LISTS_OF_ACCOUNT, type Asked } from '../../facts';
import { idIn, isUuidText, pageOf } from '../../records';
import { isAnswered, isRefused, httpStatusOf, type Evidence } from '../evidence';
import { needsYou, ok, REPORT_IT, row, unusual, type CheckFinding, type Row } from '../row';
import { hasScope, SCOPES } from '../subject';
import { andOf, count, inShort, inWords, routeInWords, saysOf, shownValue } from '../words';

const READS = endpointNames.filter((name) => !isWrite(name) && endpoint(name).scope.includes(':'));

/** How the document rejects a route that this key may not use. */
const isClosed = (asked: Asked): boolean => isRefused(asked, 403, 404);

/**
 * Whether this is an agency's key that only works for clients, so that its own routes are closed.
 */
export function isAgencyOnly(evidence: Evidence): boolean {
	const lists = evidence.with('reading').filter(({ name }) => isListOfAccount(name));
	const own = lists.filter(({ clientId }) => clientId === undefined);
	const ofClients = lists.filter(({ clientId }) => clientId !== undefined);
	const isOpen = ofClients.some(isAnswered) || evidence.of('client.getAll').some(isAnswered);
	return own.length > 0 && own.every(isClosed) && isOpen;
}

const isListOfAccount = (name: EndpointName): boolean =>
	LISTS_OF_ACCOUNT.some((list) => list === name);

type AccountKind = 'own' | 'agencyOnly' | 'noRoutes' | 'inactive';

const isActive = (status: string): boolean =>
	/^(active|ok|enabled|live|trial|trialing|paid|current)$/i.test(status.trim());

function account(evidence: Evidence): Array<CheckFinding<AccountKind>> {
	const lists = evidence
		.with('reading')
		.filter(({ name, clientId }) => isListOfAccount(name) && clientId === undefined);
	const { status } = evidence.subject;
	const found: Array<CheckFinding<AccountKind>> =
		status === undefined || isActive(status)
			? []
			: [
					{
						kind: 'inactive',
						seen: `account_status: ${shownValue(status)}`,
						about: shownValue(status),
					},
				];
	if (lists.some(isAnswered)) return [...found, { kind: 'own', seen: 'its lists respond' }];
	const seen = inWords(lists.map(({ outcome }) => inShort(outcome)));
	if (isAgencyOnly(evidence)) return [...found, { kind: 'agencyOnly', seen }];
	const isMissing = lists.length > 0 && lists.every((one) => isRefused(one, 404));
	return isMissing ? [...found, { kind: 'noRoutes', seen }] : found;
}

/** A service may hide what a key may not read. Then the scopes in `/me` explain the 404. */
export function isScopeRefused(evidence: Evidence, asked: Asked): boolean {
	if (isRefused(asked, 403)) return true;
	const stated = evidence.subject.scopes ?? [];
	const { scope } = endpoint(asked.name);
	return isRefused(asked, 404) && stated.length > 0 && !hasScope(stated, scope);
}

type ScopeKind = 'held' | 'missing' | 'none' | 'contradicted' | 'unlisted' | 'readOnly';

function scopes(evidence: Evidence): Array<CheckFinding<ScopeKind>> {
	const stated = evidence.subject.scopes;
	const isOnlyAgency = isAgencyOnly(evidence);
	const asked = evidence
		.with('reading')
		.filter(
			({ name, clientId }) =>
				READS.includes(name) && !(isOnlyAgency && clientId === undefined && isListOfAccount(name)),
		);
	const byScope = SCOPES.map((scope) => ({
		scope,
		asked: asked.filter(({ name }) => endpoint(name).scope === scope),
	}));
	const open = byScope.filter((one) => one.asked.some(isAnswered)).map(({ scope }) => scope);
	const isOfUser = evidence.subject.isAgency !== true && !open.includes('clients:read');
	const closed = byScope
		.filter(
			(one) =>
				!open.includes(one.scope) && one.asked.some((each) => isScopeRefused(evidence, each)),
		)
		// Only an agency's key has clients.
		.filter(({ scope }) => scope !== 'clients:read' || !isOfUser);
	const says = saysOf(closed.flatMap((one) => one.asked));
	const about = (names: readonly string[]) => ({
		seen: inWords(names, 20),
		about: andOf(names),
		says,
	});
	const names = closed.map(({ scope }) => scope);
	const contradicted = stated === undefined ? [] : names.filter((scope) => hasScope(stated, scope));
	const missing = names.filter((scope) => !contradicted.includes(scope));
	const unlisted = stated === undefined ? [] : open.filter((scope) => !hasScope(stated, scope));
	const found: Array<CheckFinding<ScopeKind>> = [];
	const isNothingOpen = open.filter((scope) => scope !== 'clients:read').length === 0;
	if (isNothingOpen && names.length > 1 && contradicted.length === 0)
		return [{ kind: 'none', ...about(names) }];
	if (missing.length > 0) found.push({ kind: 'missing', ...about(missing) });
	if (contradicted.length > 0) found.push({ kind: 'contradicted', ...about(contradicted) });
	if (unlisted.length > 0) found.push({ kind: 'unlisted', ...about(unlisted), says: undefined });
	const isReadOnly =
		stated !== undefined &&
		!SCOPES.some((scope) => /write$/.test(scope) && hasScope(stated, scope));
	if (found.length === 0 && isReadOnly && stated.length > 0)
		return [{ kind: 'readOnly', seen: inWords(stated.map(shownScope), 20) }];
	if (found.length === 0 && open.length > 0) return [{ kind: 'held', seen: inWords(open, 20) }];
	return found;
}

const shownScope = (scope: string): string =>
	SCOPES.includes(scope) || scope === '*' || scope === 'webhooks:write' ? scope : '(another one)';

type ClientsKind =
	'some' | 'inactive' | 'none' | 'ofUser' | 'unread' | 'withheld' | 'hidden' | 'oddIds';

/** The key may not list clients. Only an agency needs that list, so this is seldom a problem. */
function closedClients(evidence: Evidence, list: Asked): Array<CheckFinding<ClientsKind>> {
	const { isAgency, scopes: stated = [] } = evidence.subject;
	const seen = inShort(list.outcome);
	// Another row reports that an agency's key lacks a scope.
	if (isAgency === true) return httpStatusOf(list) === 404 ? [{ kind: 'hidden', seen }] : [];
	if (isAgency === false) return [{ kind: 'ofUser', seen: 'no clients' }];
	if (stated.includes('clients:read')) return [{ kind: 'withheld', seen }];
	return [{ kind: 'unread', seen: 'no clients' }];
}

function clients(evidence: Evidence): Array<CheckFinding<ClientsKind>> {
	const [list] = evidence.of('client.getAll');
	if (list === undefined) return [];
	const { isAgency } = evidence.subject;
	const page = pageOf(list);
	if (page === undefined) return isClosed(list) ? closedClients(evidence, list) : [];
	const all = `${count(page.data.length, 'client')}${page.pagination.has_more ? ' and more' : ''}`;
	const seen = `${all}, ${evidence.clientIds.length} checked`;
	const odd = page.data.filter(({ user_id: id }) => !isUuidText(id));
	if (odd.length > 0)
		return [{ kind: 'oddIds', seen: `${seen}, ${odd.length} without a UUID as user_id` }];
	const idle = page.data.filter(
		({ account_status: status }) => typeof status === 'string' && !isActive(status),
	);
	if (idle.length > 0) {
		const about = inWords(idle.map(({ account_status: status }) => shownValue(status)));
		const clientIds = idle.flatMap((client) => idIn(client, 'user_id') ?? []);
		return [{ kind: 'inactive', seen: `${seen}; account_status: ${about}`, about, clientIds }];
	}
	if (page.data.length > 0) return [{ kind: 'some', seen }];
	if (isAgency === true || isAgencyOnly(evidence)) return [{ kind: 'none', seen }];
	return [{ kind: isAgency === false ? 'ofUser' : 'unread', seen: 'no clients' }];
}

type GrantKind = 'active' | 'closed' | 'open' | 'untried';

const clientsIn = (evidence: Evidence): JsonRecord[] => evidence.records('client.getAll');

/** The clients whose grant is shown, and not called active, by ID. */
const withoutAccess = (evidence: Evidence): Map<string, JsonRecord> =>
	new Map(
		clientsIn(evidence)
			.filter((client) => !isAccessible(client))
			.map((client) => [idIn(client, 'user_id') ?? '', client]),
	);

function grants(evidence: Evidence): Array<CheckFinding<GrantKind>> {
	if (!clientsIn(evidence).some(({ grant }) => isRecord(grant))) return [];
	const others = withoutAccess(evidence);
	if (others.size === 0) return [{ kind: 'active', seen: 'every grant that is shown is active' }];
	// A client that the user has named is read like any other.
	const lists = evidence.with('otherGrant', 'reading').filter(({ name }) => isListOfAccount(name));
	const kindOf = (id: string): GrantKind => {
		const tried = lists.filter(
			({ clientId, outcome }) => clientId === id.toLowerCase() && outcome.kind !== 'unsent',
		);
		return tried.length === 0 ? 'untried' : tried.some(isAnswered) ? 'open' : 'closed';
	};
	// A client that was not tried counts like a tried one with the same grant status. One open client
	// shows that this status does not keep the agency out.
	const word = (client: JsonRecord): string =>
		shownValue(isRecord(client.grant) ? client.grant.status : undefined);
	const kinds = new Map<string, GrantKind>();
	for (const [id, client] of others)
		if (kindOf(id) === 'open' || (kindOf(id) === 'closed' && !kinds.has(word(client))))
			kinds.set(word(client), kindOf(id));
	return [...others].map(([id, client]): CheckFinding<GrantKind> => ({
		kind: kindOf(id) === 'untried' ? (kinds.get(word(client)) ?? 'untried') : kindOf(id),
		seen: `grant.status: ${word(client)}`,
		about: word(client),
		clientIds: id === '' ? [] : [id],
	}));
}

type ClientAccessKind = 'works' | 'refused' | 'unexplained' | 'missing';

/**
 * Clients whose lists are rejected although other clients or the own account show the same list.
 */
function clientAccess(evidence: Evidence): Array<CheckFinding<ClientAccessKind>> {
	const lists = evidence.with('reading').filter(({ name }) => isListOfAccount(name));
	const isOpen = (name: EndpointName): boolean =>
		lists.some((one) => one.name === name && isAnswered(one));
	const idOf = (client: JsonRecord): string => (idIn(client, 'user_id') ?? '').toLowerCase();
	// A client without a usable ID has a row of its own, and so has a grant that is not active.
	const inactive = new Set([...withoutAccess(evidence).values()].map(idOf));
	const clientIds = evidence.clientIds.filter((id) => isUuidText(id) && !inactive.has(id));
	const granted = new Set(
		clientsIn(evidence)
			.filter(({ grant }) => isRecord(grant))
			.map(idOf),
	);
	return clientIds.flatMap((clientId): Array<CheckFinding<ClientAccessKind>> => {
		const own = lists.filter((one) => one.clientId === clientId && one.outcome.kind !== 'unsent');
		const refused = own.filter((one) => isClosed(one) && (isOpen(one.name) || own.every(isClosed)));
		if (refused.length === 0)
			return own.some(isAnswered)
				? [{ kind: 'works', seen: 'its lists respond', clientIds: [] }]
				: [];
		const isMissing = refused.every((one) => isRefused(one, 404));
		const kind = isMissing ? 'missing' : granted.has(clientId) ? 'refused' : 'unexplained';
		const names = inWords(refused.map(({ name }) => routeInWords(name)));
		const seen = `${names}: ${inWords(refused.map(({ outcome }) => inShort(outcome)))}`;
		return [{ kind, seen, clientIds: [clientId], says: saysOf(refused) }];
	});
}

export const ACCESS: readonly Row[] = [
	row('Account', {
		block: 'work',
		find: account,
		words: {
			own: ok('n8n can read your own account.'),
			agencyOnly: ok(
				'This agency key works only for clients. Set "Act As" to Client in the nodes.',
			),
			noRoutes: needsYou(
				'The API responds at the Base URL, but it has no posts, leads, lead magnets or activity.',
				'Compare the Base URL with the URL that the service gave you. The version at its end may differ. If it is right, ask the service which routes this key may use.',
			),
			inactive: needsYou(
				'The service says that this account is not active: {about}.',
				'Ask the service whether the billing of the account is active.',
			),
		},
	}),
	row('Scopes', {
		block: 'work',
		find: scopes,
		words: {
			held: ok('The key may read everything that this diagnosis asked for.'),
			readOnly: ok(
				'The key may only read. It has no scope that ends in :write, so it cannot create anything.',
			),
			none: needsYou(
				'The service accepts the key, but does not let it read anything.',
				'Ask the service for the scopes {about}. If the key already has them, ask whether the billing of the account is active.',
			),
			missing: needsYou(
				'The key lacks {about}.',
				'Ask the service to add what is missing to the key. Until then, do not use the operations that need it.',
			),
			contradicted: needsYou(
				'According to /me, the key has {about}. The service rejects these reads anyway.',
				'Ask the service why, and send it this item.',
			),
			unlisted: unusual('The key may read more than /me says: {about}.'),
		},
	}),
	row('Clients', {
		block: 'work',
		find: clients,
		words: {
			some: ok('You can choose the clients of the agency in the nodes.'),
			inactive: needsYou(
				'Some clients have accounts that are not active: {about}.',
				'Ask these clients about it, or leave them out. The service may refuse to work for them.',
			),
			none: needsYou(
				"This is an agency's key, but no client has given the agency access.",
				'Ask your clients to accept the agency in the service. Then run this again.',
			),
			ofUser: ok("This is a user's key. It has no clients, and needs none."),
			unread: ok(
				'The key has no clients. Only agencies have clients, so nothing is missing for your own account.',
			),
			withheld: unusual(
				'According to /me, the key may read clients, but the service does not list them. This does not affect your own account.',
				'If you work for clients, ask the service why it rejects GET /clients.',
			),
			hidden: needsYou(
				"According to /me, this is an agency's key, but GET /clients does not exist.",
				'Ask the service whether agency access is enabled for this key.',
			),
			oddIds: needsYou(
				'Some clients have no UUID as their user_id. The nodes cannot work for them.',
				REPORT_IT,
			),
		},
	}),
	row('Grants', {
		block: 'work',
		find: grants,
		words: {
			active: ok('Every grant is active.'),
			closed: needsYou(
				'Some clients have a grant that does not give the agency access: {about}.',
				'Ask these clients to activate the grant, or leave them out.',
			),
			untried: needsYou(
				'Some clients have a grant that is not active: {about}.',
				'Ask these clients to activate the grant, or leave them out.',
			),
			open: needsYou(
				'The service calls a grant "{about}", but gives the agency access anyway. A trigger that watches all clients leaves these clients out.',
				`Choose these clients by ID. ${REPORT_IT}`,
			),
		},
		unseen: 'The service shows no grants.',
	}),
	row('Access to clients', {
		block: 'work',
		find: clientAccess,
		words: {
			works: ok('n8n can read the lists of the clients.'),
			refused: needsYou(
				'The service denies access to some clients, although their grant looks active.',
				'Look at these clients in the service. The grant may have ended, or may not cover these lists.',
			),
			unexplained: needsYou(
				'The service denies access to some clients, and does not show their grants.',
				'Look at these clients in the service. They may have no grant, or one that has ended.',
			),
			missing: needsYou(
				'The service does not find the lists of some clients.',
				'Look at these clients in the service. Their accounts may be closed.',
			),
		},
		unseen: 'There was no client to check.',
	}),
];
