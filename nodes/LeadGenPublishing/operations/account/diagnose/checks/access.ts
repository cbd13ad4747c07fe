/** What the key may read: each endpoint that reads, and the lists of each client. */
import { endpoint, endpointNames, type EndpointName } from '../../../../api/endpoints';
import { isAccessible } from '../../../../api/grant';
import type { JsonRecord } from '../../../../api/schemas';
import { seenWords } from '../../../../words/problemWords';
import { check, failedBy, REPORT_IT, type Check, type Finding, type Words } from '../check';
import { LISTS_OF_ACCOUNT } from '../documented';
import { count, inShort, inWords, isAnswered, isHeldBack, listOf, pageOf } from '../evidence';
import type { Asked } from '../evidence';

const NEEDS_RECORD: Words = [
	'No record was there to ask about, so it is not known whether the key may read this.',
	'Run this again once the account has one; engagement needs a published post.',
];
const NO_AGENCY: Words = [
	'The service shows this key no clients. That is as it should be unless it is the key of an agency; then it lacks the scope clients:read.',
	'For the key of an agency, ask the service for that scope.',
];
const HELD_BACK: Words = [
	'This was not asked: the service made the node repeat so many requests that no more were sent.',
	'Run this again when the service neither fails nor asks to wait.',
];

/** As the document writes it. */
const requestOf = (name: EndpointName): string => `${endpoint(name).method} ${endpoint(name).path}`;

function access(asked: Asked): Finding {
	const { name, failure } = asked;
	if (isHeldBack(asked)) return { result: 'not seen', seen: 'not asked', words: HELD_BACK };
	if (failure === undefined) {
		const seen = pageOf(asked) ? count(listOf(asked).length, 'record') : 'read';
		return { result: 'holds', seen };
	}
	if (name.startsWith('client.') && failure.status === 403)
		return { result: 'not seen', seen: inShort(failure), words: NO_AGENCY };
	// What came from a proxy says nothing of the service.
	return failure.kind === 'unreadable' && failure.status === 200
		? { result: 'differs', seen: seenWords(failure) ?? 'another shape' }
		: failedBy(failure);
}

const accessTo = (name: EndpointName): Check =>
	check(`Access: ${requestOf(name)}`, {
		// The own account is asked first.
		looksAt: (evidence) => evidence.of(name),
		finds: ([first]) => access(first),
		differs:
			'The key may read this, but the answer has not the documented shape, so operations that need it fail.',
		next: REPORT_IT,
		notSeen: name === 'client.get' ? NO_AGENCY : NEEDS_RECORD,
	});

const clientAccess = (name: EndpointName): Check =>
	check(`Clients: ${requestOf(name)}`, {
		looksAt: (evidence) => evidence.of(name).filter((one) => one.clientId && !isHeldBack(one)),
		finds: (asked) => {
			const refused = asked.filter((one) => !isAnswered(one));
			const [failure, ...others] = refused.flatMap((one) => one.failure ?? []);
			const clients = count(asked.length, 'client');
			if (failure === undefined) return { result: 'holds', seen: clients };
			const causes = inWords([failure, ...others].map(inShort));
			return {
				...failedBy(failure, `${refused.length} of ${clients}: ${causes}`),
				clientIds: refused.flatMap(({ clientId }) => clientId ?? []),
			};
		},
	});

const READS = endpointNames.filter(
	(name) => endpoint(name).method === 'GET' && !name.startsWith('account.'),
);

export const ACCESS: readonly Check[] = [
	...READS.map(accessTo),
	...LISTS_OF_ACCOUNT.map(clientAccess),
	check('Grants', {
		needs: 'client.getAll',
		looksAt: (evidence) => evidence.records('client.getAll'),
		finds: (clients, evidence) => {
			const idsOf = (those: readonly JsonRecord[]) =>
				those.flatMap(({ user_id: id }) => (typeof id === 'string' ? id : []));
			const idle = clients.filter((client) => !isAccessible(client));
			const isCut = evidence.of('client.getAll').some((list) => pageOf(list)?.pagination.has_more);
			const all = `${count(new Set(idsOf(clients)).size, 'client')}${isCut ? ' and more' : ''}`;
			return {
				result: idle.length > 0 ? 'differs' : 'holds',
				seen: `${all}, ${evidence.clientIds.length} looked at, ${idle.length} with a grant that is not active`,
				clientIds: idsOf(idle),
			};
		},
		differs:
			'Some clients have a grant that is not active: the trigger leaves them out, and other operations are refused.',
		next: 'Let these clients renew their grant, if you are to work for them.',
	}),
];
