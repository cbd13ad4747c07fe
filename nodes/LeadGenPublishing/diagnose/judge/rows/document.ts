/**
 * What is unlike the document: how the service responds in general. For maintainers of the package.
 */
import { endpoint } from '../../../api/endpoints';
import { codeOfStatus } from '../../../api/policy';
import { isRecord } from '../../../api/schemas';
import { KNOWN_CODES } from '../../../words/codeWords';
import type { Asked } from '../../facts';
import { pageOf, recordOf } from '../../records';
import { httpStatusOf, isAskedToWait, isFailing, isRefused, type Evidence } from '../evidence';
import { notChecked, ok, row, unusual, type CheckFinding, type Row } from '../row';
import { count, inShort, inWords } from '../words';

function base(evidence: Evidence): Array<CheckFinding<'answers' | 'fails'>> {
	const asked = evidence.first('account.getApiInfo');
	if (asked === undefined) return [];
	return [
		{ kind: asked.outcome.kind === 'success' ? 'answers' : 'fails', seen: inShort(asked.outcome) },
	];
}

type RequestIdKind = 'repeated' | 'missing' | 'another' | 'differing';

function requestIds({ asked }: Evidence): Array<CheckFinding<RequestIdKind>> {
	const shown = asked.flatMap(({ name, attempts, outcome }) => {
		const last = attempts.at(-1);
		// Only a documented response has an envelope with the ID.
		const hasEnvelope =
			outcome.kind === 'success' &&
			endpoint(name).answer !== 'undocumented' &&
			endpoint(name).method !== 'DELETE';
		if (last === undefined || !hasEnvelope || !isRecord(last.json)) return [];
		return [
			{ sent: last.requestId, body: last.json.request_id, header: last.headers['x-request-id'] },
		];
	});
	if (shown.length === 0) return [];
	const without = shown.filter(({ body }) => typeof body !== 'string').length;
	const others = shown.filter(({ sent, body }) => body !== sent).length - without;
	const differing = shown.filter(
		({ body, header }) => header !== undefined && header !== body,
	).length;
	const seen = `${count(shown.length, 'response')}, ${without} without an ID, ${others} with another one, ${differing} with another one in the header`;
	if (without > 0) return [{ kind: 'missing', seen }];
	if (others > 0) return [{ kind: 'another', seen }];
	return [{ kind: differing > 0 ? 'differing' : 'repeated', seen }];
}

type RefusalKind = 'asDocumented' | 'bare' | 'otherCodes' | 'otherStatus';

/** Errors with a success status are left to the row of requests. */
const errorsOf = (asked: readonly Asked[]) =>
	asked.flatMap((one) =>
		one.outcome.kind === 'refused' && one.outcome.status >= 400 && one.outcome.status < 500
			? [{ ...one.outcome, name: one.name }]
			: [],
	);

function refusals(evidence: Evidence): Array<CheckFinding<RefusalKind>> {
	const refused = errorsOf(evidence.asked);
	const found: Array<CheckFinding<RefusalKind>> = [];
	const bare = refused.filter(({ hasEnvelope }) => !hasEnvelope);
	const all = count(refused.length, 'error response');
	if (bare.length > 0)
		found.push({
			kind: 'bare',
			seen: `${bare.length} of ${all}: ${inWords(bare.map((one) => `HTTP ${one.status}`))}`,
		});
	const odd = refused.filter(
		({ hasEnvelope, code = '' }) => hasEnvelope && !KNOWN_CODES.includes(code),
	);
	if (odd.length > 0)
		found.push({
			kind: 'otherCodes',
			seen: `${odd.length} of ${all} with a code that is not in the document`,
		});
	const mismatched = refused.filter(
		({ hasEnvelope, code = '', status }) =>
			hasEnvelope && KNOWN_CODES.includes(code) && codeOfStatus(status) !== code,
	);
	if (mismatched.length > 0)
		found.push({
			kind: 'otherStatus',
			seen: inWords(mismatched.map(({ status, code }) => `HTTP ${status} ${code ?? ''}`)),
		});
	if (found.length > 0 || refused.length === 0) return found;
	return [{ kind: 'asDocumented', seen: all }];
}

type UnknownKind = 'notFound' | 'invented' | 'fails' | 'otherwise';

function unknown(evidence: Evidence): Array<CheckFinding<UnknownKind>> {
	return evidence.with('unknownRecord').flatMap((asked): Array<CheckFinding<UnknownKind>> => {
		const seen = inShort(asked.outcome);
		if (asked.outcome.kind === 'unsent' || asked.outcome.kind === 'noResponse') return [];
		if (recordOf(asked) !== undefined || asked.outcome.kind === 'success')
			return [{ kind: 'invented', seen }];
		// Without the scope, nobody knows how the service would have responded.
		const isRefusedAlways = evidence.of('post.get').some((one) => isRefused(one, 403));
		const isWithoutScope =
			httpStatusOf(asked) === 403 &&
			!evidence.of('post.getAll').some((one) => one.outcome.kind === 'success');
		if (isWithoutScope || isRefusedAlways || isAskedToWait(asked)) return [];
		if (isRefused(asked, 404)) return [{ kind: 'notFound', seen }];
		return [{ kind: isFailing(asked) ? 'fails' : 'otherwise', seen }];
	});
}

const LARGEST = 100;
const DEFAULT = 50;

function defaultPage(evidence: Evidence): Array<CheckFinding<'documented' | 'another'>> {
	return evidence
		.with('byDefault')
		.flatMap((asked): Array<CheckFinding<'documented' | 'another'>> => {
			const page = pageOf(asked);
			if (page === undefined) return [];
			const { limit } = page.pagination;
			const isOther = limit !== DEFAULT || page.data.length > DEFAULT;
			return [
				{
					kind: isOther ? 'another' : 'documented',
					seen: `the response names ${limit} and has ${count(page.data.length, 'record')}`,
				},
			];
		});
}

function largestPage(
	evidence: Evidence,
): Array<CheckFinding<'refused' | 'cut' | 'taken' | 'fails'>> {
	return evidence
		.with('tooMany')
		.flatMap((asked): Array<CheckFinding<'refused' | 'cut' | 'taken' | 'fails'>> => {
			if (asked.outcome.kind === 'refused') {
				if (isAskedToWait(asked)) return [];
				return [
					{ kind: httpStatusOf(asked) === 400 ? 'refused' : 'fails', seen: inShort(asked.outcome) },
				];
			}
			const page = pageOf(asked);
			if (page === undefined) return [];
			const isCut = Math.max(page.pagination.limit, page.data.length) <= LARGEST;
			return [
				{
					kind: isCut ? 'cut' : 'taken',
					seen: `${LARGEST + 1} were asked for, the response names ${page.pagination.limit}`,
				},
			];
		});
}

export const DOCUMENT: readonly Row[] = [
	row('API info', {
		block: 'document',
		find: base,
		words: {
			answers: ok('The Base URL responds without a key.'),
			fails: unusual(
				'The Base URL itself does not respond as documented. Only Account > Get API Info needs this.',
			),
		},
	}),
	row('Request IDs', {
		block: 'document',
		find: requestIds,
		words: {
			repeated: ok('Responses repeat the request ID that the node sent.'),
			missing: unusual('Responses have no request ID. Errors show the one that the node sent.'),
			another: unusual(
				'Responses have a different request ID than the node sent. Errors show the one from the response.',
			),
			differing: unusual(
				'The body and the header of a response have different request IDs. Errors show the one in the body.',
			),
		},
	}),
	row('Error responses', {
		block: 'document',
		find: refusals,
		words: {
			asDocumented: ok('Errors have the documented envelope and a documented code.'),
			bare: unusual(
				'Errors do not have the documented envelope. The node goes by their status alone.',
			),
			otherCodes: unusual(
				'Errors have codes that are not in the API document. The node goes by their status.',
			),
			otherStatus: unusual(
				'The code of an error does not match its status. The node goes by the code.',
			),
		},
		unseen: 'The service returned no errors.',
	}),
	row('A record that does not exist', {
		block: 'document',
		find: unknown,
		words: {
			notFound: ok('The service says that the record does not exist.'),
			invented: unusual(
				'The service returns a record for an ID that does not exist. After a deletion, the record still seems to be there.',
			),
			fails: unusual(
				'The service fails for an ID that does not exist. The node repeats the read, and then reports that the service fails.',
			),
			otherwise: unusual(
				'For an ID that does not exist, the service returns a different error than documented.',
			),
		},
	}),
	row('Page without a limit', {
		block: 'document',
		find: defaultPage,
		words: {
			documented: ok('Without a limit, a page holds 50 records.'),
			another: unusual(
				'Without a limit, a page has a different size than documented. The node always sends a limit.',
			),
		},
	}),
	row('Page above the limit', {
		block: 'document',
		find: largestPage,
		words: {
			refused: ok('The service rejects a limit above 100.'),
			cut: ok('The service reduces a limit above 100.'),
			taken: unusual(
				'The service returns more than 100 records at once. The node never asks for more than 100.',
			),
			fails: unusual(
				'For a limit above 100, the service returns a different error than documented. The node never asks for more than 100.',
			),
		},
	}),
	row('Idempotency keys', {
		block: 'document',
		find: () => [{ kind: 'untried', seen: 'not tried' }],
		words: {
			untried: notChecked(
				'Only writes that act on the network take an idempotency key, so the node did not try one. It sends a UUID.',
				'If the service rejects the key, enter another one in "Idempotency Key".',
			),
		},
	}),
	row('Routes that act on the network', {
		block: 'document',
		find: () => [{ kind: 'untried', seen: 'not tried' }],
		words: {
			untried: notChecked(
				'Social actions, the refresh of organizations and Fast Response act on the network, so the node did not try them.',
			),
		},
	}),
];
