/**
 * Can I work? Reads that fail, each cause once. Missing scopes and grants have rows of their own.
 */
import { endpoint, type EndpointName } from '../../../api/endpoints';
import type { Asked } from '../../facts';
import { isAnswered, isAskedToWait, isFailing, isRefused, type Evidence } from '../evidence';
import { needsYou, notChecked, ok, REPORT_IT, row, type CheckFinding, type Row } from '../row';
import { count, inShort, routeInWords, saysOf } from '../words';
import { isAgencyOnly, isScopeRefused } from './access';

type Kind =
	| 'answered'
	| 'failing'
	| 'noResponse'
	| 'broken'
	| 'unreadable'
	| 'disguised'
	| 'rejected'
	| 'noRoute'
	| 'unauthorized'
	| 'unpaid'
	| 'forbidden'
	| 'redirected'
	| 'waiting'
	| 'blocked'
	| 'unsent';

function kindOf(evidence: Evidence, asked: Asked): Kind | undefined {
	const { outcome } = asked;
	switch (outcome.kind) {
		case 'success':
			return 'answered';
		case 'unreadable':
			return 'unreadable';
		case 'redirected':
			return 'redirected';
		case 'noResponse':
			return outcome.why === 'damaged' ? 'broken' : 'noResponse';
		case 'unsent':
			return 'unsent';
		case 'refused':
			if (isDisguised(outcome)) return 'disguised';
			if (isBlocked(asked)) return 'blocked';
			if (isAskedToWait(asked)) return 'waiting';
			if (isFailing(asked)) return 'failing';
			if (outcome.status === 401) return 'unauthorized';
			if (outcome.status === 402) return 'unpaid';
			if (outcome.status === 404) return 'noRoute';
			if (outcome.status === 403) return isScopeOpen(evidence, asked) ? 'forbidden' : undefined;
			return 'rejected';
	}
}

/** A service that asks to wait longer has probably blocked the account. */
const LONGEST_WAIT_S = 86_400;

const isBlocked = ({ attempts }: Asked): boolean =>
	Number(attempts.at(-1)?.headers['retry-after']) > LONGEST_WAIT_S;

/** An error in the documented envelope, with a status of success. */
const isDisguised = ({ status }: { readonly status: number }): boolean => status < 300;

/** Rejected although the scope works elsewhere. A missing scope or grant has a row of its own. */
function isScopeOpen(evidence: Evidence, { name, clientId }: Asked): boolean {
	const { scope, answer } = endpoint(name);
	if (clientId !== undefined && answer === 'list') return false;
	if (clientId === undefined && isAgencyOnly(evidence)) return false;
	return evidence
		.with('reading')
		.some((one) => endpoint(one.name).scope === scope && isAnswered(one));
}

const GREETINGS: readonly EndpointName[] = ['account.getApiInfo', 'account.getSubject'];
const SINGLES: readonly EndpointName[] = ['post.get', 'leadMagnet.get'];

/** Whether the record itself was not found either. */
const isOfMissingRecord = (evidence: Evidence, asked: Asked): boolean =>
	isRefused(asked, 404) &&
	evidence
		.with('reading')
		.some((one) => SINGLES.includes(one.name) && one.id === asked.id && isRefused(one, 404));

/** A client, a missing record and an agency without an account of its own have rows of their own. */
function isElsewhere(evidence: Evidence, asked: Asked): boolean {
	const { name, clientId } = asked;
	if (GREETINGS.includes(name)) return true;
	// A client without a usable ID, and a record that is not found, have rows of their own.
	if (name === 'client.get' && isRefused(asked, 403, 404)) return true;
	if (SINGLES.includes(name) && isRefused(asked, 404)) return true;
	if (isOfMissingRecord(evidence, asked)) return true;
	if (!isRefused(asked, 404)) return false;
	if (isScopeRefused(evidence, asked)) return true;
	if (name === 'client.getAll' || (clientId === undefined && isAgencyOnly(evidence))) return true;
	const same = evidence.of(name);
	const isOwnRouteMissing = same.every((one) => isRefused(one, 404));
	const lists = evidence
		.with('reading')
		.filter((one) => endpoint(one.name).answer === 'list' && endpoint(one.name).agency);
	const areAllMissing = lists.every((one) => isRefused(one, 404));
	return areAllMissing || (clientId !== undefined && !isOwnRouteMissing);
}

function requests(evidence: Evidence): Array<CheckFinding<Kind>> {
	const names = [...new Set(evidence.with('reading').map(({ name }) => name))];
	return names.flatMap((name) => {
		const all = evidence.of(name).filter((asked) => !isElsewhere(evidence, asked));
		const kinds = [...new Set(all.flatMap((asked) => kindOf(evidence, asked) ?? []))];
		return kinds.map((kind): CheckFinding<Kind> => {
			const hit = all.filter((asked) => kindOf(evidence, asked) === kind);
			const [first] = hit;
			const share =
				hit.length < all.length ? ` (${hit.length} of ${count(all.length, 'time')})` : '';
			const how = kind === 'answered' || first === undefined ? '' : `: ${inShort(first.outcome)}`;
			return {
				kind,
				seen: `${routeInWords(name)}${share}${how}`,
				about: routeInWords(name),
				clientIds: kind === 'answered' ? [] : hit.flatMap(({ clientId }) => clientId ?? []),
				says: saysOf(hit),
			};
		});
	});
}

const ASK =
	'Wait a few minutes and run this again. If nothing changes, send this item to the service.';

export const REQUESTS: readonly Row[] = [
	row('Requests', {
		block: 'work',
		find: (evidence) => {
			const found = requests(evidence);
			// Reads that worked are shown only if no read failed.
			const answered = found.filter(({ kind }) => kind === 'answered');
			const others = found.filter(({ kind }) => kind !== 'answered');
			const isAll = others.every(({ kind }) => kind === 'unsent');
			return isAll && answered.length > 0
				? [
						{ kind: 'answered', seen: count(evidence.asked.filter(isAnswered).length, 'request') },
						...others,
					]
				: others;
		},
		words: {
			answered: ok('The service responded to the reads that the node sent.'),
			failing: needsYou(
				'The service responds to {about} with an error. This is not caused by your settings.',
				ASK,
			),
			noResponse: needsYou('The service did not respond in time: {about}.', ASK),
			broken: needsYou('The response to {about} is damaged, and n8n cannot unpack it.', ASK),
			unreadable: needsYou(
				'The response to {about} does not have the documented format. Operations that need it fail.',
				REPORT_IT,
			),
			disguised: needsYou(
				'The service responds to {about} with an error, but with a success status. Operations that need it fail.',
				'Send this item to the service.',
			),
			rejected: needsYou(
				'The service rejects {about}, although the request follows the API document.',
				REPORT_IT,
			),
			noRoute: needsYou(
				'The service does not know {about}, although it knows other routes. Operations that need it fail.',
				'Ask the service whether your account includes this.',
			),
			unauthorized: needsYou(
				'The service accepts the key, but not for {about}.',
				'Ask the service why it rejects the key there.',
			),
			unpaid: needsYou(
				'The service asks for a payment before it allows {about}.',
				'Ask the service whether the billing of your account is active, and what your plan includes.',
			),
			forbidden: needsYou(
				'The service rejects {about}, although the key may read the same data elsewhere.',
				'Ask the service why, and send it this item.',
			),
			redirected: needsYou(
				'The service redirects {about} to another URL. The node does not follow redirects, because it would send your key there.',
				REPORT_IT,
			),
			waiting: needsYou(
				'The service asks n8n to wait before it responds to {about}.',
				'Run this again later, or set a higher "Max Wait (Seconds)".',
			),
			blocked: needsYou(
				'The service asks n8n to wait for more than a day before it responds to {about}.',
				'Ask the service whether it has blocked your account.',
			),
			unsent: notChecked(
				'This run had no time or requests left for {about}.',
				'Run this again when the service responds faster, or set a higher "Max Wait (Seconds)".',
			),
		},
	}),
];
