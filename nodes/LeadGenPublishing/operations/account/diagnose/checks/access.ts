/** What the key may read: each endpoint that reads, and the lists of each client. */
import { endpoint, endpointNames, type EndpointName } from '../../../../api/endpoints';
import { isAccessible } from '../../../../api/grant';
import { check, type Check, type Finding } from '../check';
import {
	count,
	inShort,
	inWords,
	isAnswered,
	listOf,
	pageOf,
	wordsOf,
	type Asked,
	type Evidence,
} from '../evidence';
import { DOCUMENTED } from '../documented';

/** What a read that needs a record needs. */
const NEEDS_RECORD = [
	'No record was there to ask about, so it is not known whether the key may read this.',
	'Run this again once the account has one; engagement needs a published post.',
] as const;

const NO_AGENCY = [
	'The service shows this key no clients. That is as it should be unless it is the key of an agency; then it lacks the scope clients:read.',
	'For the key of an agency, ask the service for that scope.',
] as const;

/** As the document writes it. */
const requestOf = (name: EndpointName): string => `${endpoint(name).method} ${endpoint(name).path}`;

const isOfClients = (name: EndpointName): boolean => name.startsWith('client.');

function access(name: EndpointName, evidence: Evidence): Finding | undefined {
	const asked = evidence.of(name);
	const own = asked.filter(({ clientId }) => clientId === undefined);
	const [first] = own.length > 0 ? own : asked;
	if (first === undefined || (first.attempts.length === 0 && !first.failure)) return undefined;
	const { failure } = first;
	if (failure === undefined)
		return {
			result: 'holds',
			seen: pageOf(first) ? count(listOf(first).length, 'record') : 'read',
		};
	if (isOfClients(name) && failure.status === 403)
		return { result: 'not seen', seen: inShort(failure), words: NO_AGENCY };
	// What came from a proxy says nothing of the service.
	return failure.kind === 'unreadable' && failure.status === 200
		? { result: 'differs', seen: failure.seen ?? 'another shape' }
		: { result: 'failed', seen: inShort(failure), words: wordsOf(failure) };
}

const accessTo = (name: EndpointName): Check =>
	check(`Access: ${requestOf(name)}`, {
		needs: [],
		reads: (evidence) => access(name, evidence),
		holds: 'The key may read this, and the answer has the documented shape.',
		differs: [
			'The key may read this, but the answer has not the documented shape, so operations that need it fail.',
			'Report it, with this report.',
		],
		notSeen: name === 'client.get' ? NO_AGENCY : NEEDS_RECORD,
	});

const LISTS_OF_CLIENTS = endpointNames.filter(
	(name) => endpoint(name).agency && endpoint(name).answer === 'list',
);

function clients(name: EndpointName, evidence: Evidence): Finding | undefined {
	const asked = evidence
		.of(name)
		.filter(({ clientId, attempts, failure }) => clientId && (attempts.length > 0 || failure));
	if (asked.length === 0) return undefined;
	const refused = asked.filter((one) => !isAnswered(one));
	const failure = refused[0]?.failure;
	if (failure === undefined) return { result: 'holds', seen: count(asked.length, 'client') };
	return {
		result: 'failed',
		seen: `${refused.length} of ${count(asked.length, 'client')}: ${inWords(refused.flatMap(causeOf))}`,
		words: wordsOf(failure),
		clientIds: refused.flatMap(({ clientId }) => clientId ?? []),
	};
}

const causeOf = ({ failure }: Asked): string[] => (failure === undefined ? [] : [inShort(failure)]);

const clientAccess = (name: EndpointName): Check =>
	check(`Clients: ${requestOf(name)}`, {
		needs: [],
		reads: (evidence) => clients(name, evidence),
		holds: 'The key may read this for each client that was asked about.',
		differs: ['Not all clients answer alike.', 'Ask the service about their grants.'],
		notSeen: ['No client was asked about.', ''],
	});

function grants(evidence: Evidence): Finding | undefined {
	const records = evidence.records('client.getAll');
	if (records.length === 0) return undefined;
	const idle = records.filter((client) => !isAccessible(client));
	const isWhole = evidence.of('client.getAll').every((list) => !pageOf(list)?.pagination.has_more);
	return {
		result: idle.length > 0 ? 'differs' : 'holds',
		seen: `${count(new Set(records.map(({ user_id: id }) => id)).size, DOCUMENTED['client.getAll'].what)}${isWhole ? '' : ' and more'}, ${evidence.clientIds.length} looked at, ${idle.length} with a grant that is not active`,
		clientIds: idle.flatMap(({ user_id: id }) => (typeof id === 'string' ? [id] : [])),
	};
}

const READS = endpointNames.filter(
	(name) => endpoint(name).method === 'GET' && !name.startsWith('account.'),
);

export const ACCESS: readonly Check[] = [
	...READS.map(accessTo),
	...LISTS_OF_CLIENTS.map(clientAccess),
	check('Grants', {
		needs: ['client.getAll'],
		reads: grants,
		holds: 'Each client has given an active grant.',
		differs: [
			'Some clients have a grant that is not active: the trigger leaves them out, and other operations are refused.',
			'Let these clients renew their grant, if you are to work for them.',
		],
	}),
];
