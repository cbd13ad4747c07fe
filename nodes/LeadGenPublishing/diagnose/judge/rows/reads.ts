/** Which reads fail, and why. Missing scopes and closed clients have rows of their own. Pure. */
import { endpoint } from '../../../api/endpoints';
import { explain } from '../../../words/explain';
import { reasonOf } from '../../../api/policy';
import { knownReason } from '../../../api/policyTables';
import {
	clientsIn,
	closedChoice,
	isAnswered,
	isClosed,
	isRefused,
	httpStatusOf,
} from '../../answers';
import { LISTS_OF_ACCOUNT, type Asked, type Facts } from '../../facts';
import type { CheckFinding } from '../finding';
import { saysOf } from '../says';
import { routeInWords } from '../texts';
import { refusedLists } from './clients';
import { isAgencyOnly } from './connection';
import { closedScopes, isOfClosedScope } from './scopes';

/** Failures with the same cause become one finding. */
interface Cause {
	readonly kind: 'notOffered' | 'rejected' | 'fails' | 'unsent';
	/** What distinguishes it from other causes of this kind. */
	readonly sign: string;
}

/** Statuses of a service that knows the key but does not offer this to it. */
const NOT_OFFERED = [401, 402, 403, 404, 405, 410, 501];

function causeOf(asked: Asked): Cause {
	const { outcome } = asked;
	if (outcome.kind !== 'failed') return { kind: 'unsent', sign: '' };
	const { failure } = outcome;
	const isExplained = knownReason(reasonOf(failure)) !== undefined;
	if (isRefused(asked) && !isExplained) {
		const status = httpStatusOf(asked);
		const kind = NOT_OFFERED.includes(status) ? 'notOffered' : 'rejected';
		return { kind, sign: String(status) };
	}
	const { what, next } = explain(failure);
	return { kind: 'fails', sign: what + next };
}

/** What other rows report: scopes, clients, and an agency without an account of its own. */
function isElsewhere(facts: Facts): (asked: Asked) => boolean {
	const closed = closedScopes(facts);
	const isOnlyAgency = isAgencyOnly(facts);
	const chosen = closedChoice(facts);
	const ofClients = clientsIn(facts.clients).flatMap(({ id }) => refusedLists(facts, id));
	return (asked) => {
		if (ofClients.includes(asked)) return true;
		if (!isClosed(asked)) return false;
		if (asked.name === 'client.getAll') return true;
		if (chosen !== undefined && asked.clientId === chosen.clientId) return true;
		const isOwnList =
			asked.clientId === undefined && LISTS_OF_ACCOUNT.some((list) => list === asked.name);
		return isOfClosedScope(closed, asked) || (isOnlyAgency && isOwnList);
	};
}

/** A record that was not found, and was not found later either, may have been deleted. */
const isGone = ({ singles }: Facts, asked: Asked): boolean =>
	asked.id !== undefined &&
	isRefused(asked, 404) &&
	!singles
		.slice(singles.indexOf(asked))
		.some((one) => one.id === asked.id && one.clientId === asked.clientId && isAnswered(one));

/** The clients that it is about. None, if the own account has the same problem. */
function clientsOf(asked: readonly Asked[]): string[] {
	const ofAccounts = asked.filter(({ name }) => endpoint(name).agency);
	const ids = ofAccounts.flatMap(({ clientId }) => clientId ?? []);
	return ids.length === ofAccounts.length ? ids : [];
}

export function reads(facts: Facts): CheckFinding[] {
	const { greeting, clients, lists, singles, listTrials } = facts;
	// "Return All" reads further pages. The other reads of a trial are no workflow's.
	const pages = listTrials
		.flatMap(({ next }) => next ?? [])
		.filter((one) => !clients.includes(one));
	const { base, subject } = greeting;
	const all = [base, subject, ...clients, ...lists, ...singles, ...pages];
	const isReported = isElsewhere(facts);
	const failed = all.filter(
		(asked) => !isAnswered(asked) && !isReported(asked) && !isGone(facts, asked),
	);
	const known = clientsIn(clients);
	const groups = new Map<string, { cause: Cause; asked: Asked[] }>();
	for (const asked of failed) {
		const cause = causeOf(asked);
		const key = cause.kind + cause.sign;
		groups.set(key, { cause, asked: [...(groups.get(key)?.asked ?? []), asked] });
	}
	const found = [...groups.values()].flatMap(({ cause, asked }): CheckFinding[] => {
		const routes = [...new Set(asked.map(({ name }) => routeInWords(name)))];
		const [first] = asked;
		const ids = new Set(clientsOf(asked));
		const of = { routes, clients: known.filter(({ id }) => ids.has(id)), says: saysOf(asked) };
		if (cause.kind === 'unsent' || first === undefined) return [{ kind: 'unsent', routes }];
		if (cause.kind === 'notOffered' || cause.kind === 'rejected')
			return [{ kind: cause.kind, status: httpStatusOf(first), ...of }];
		return first.outcome.kind === 'failed'
			? [{ kind: 'fails', failure: first.outcome.failure, ...of }]
			: [];
	});
	return found.length > 0 ? found : [{ kind: 'allRead', reads: all.length }];
}
