/** The reads of a diagnosis: everything that workflows read, the most important first. */
import { randomUUID } from 'crypto';

import type { EndpointName } from '../../api/endpoints';
import { isAccessible } from '../../api/grant';
import { canonicalId } from '../../api/identifiers';
import type { JsonRecord } from '../../api/schemas';
import { isDoubtful, lifeOf, type Life } from '../alive';
import { LISTS_OF_ACCOUNT, type Asked, type ListName } from '../facts';
import { fitsPath, idIn, recordsOf } from '../records';
import type { Requests } from './requests';

/** The most clients to check. If an agency has more, the first ones are checked. */
const MAX_CLIENTS = 10;
export const LARGEST_PAGE = 100;
const PAGE_OF_OTHERS = 20;
/** How many clients are tried whose grant is not "active", to see what its status means. */
const MAX_OTHER_GRANTS = 2;

/** Reads the base and the owner of the key. The result decides whether anything else is sent. */
export async function greet(requests: Requests): Promise<Life> {
	const base = await requests.send('account.getApiInfo');
	const subject = await requests.send('account.getSubject');
	if (!isDoubtful(base, subject)) return lifeOf(base, subject);
	const query = { limit: LARGEST_PAGE, offset: 0 };
	return lifeOf(base, subject, await requests.send('post.getAll', { query }));
}

/** The clients that the agency can reach, if this is an agency's key. */
export async function readClients(requests: Requests): Promise<string[]> {
	const query = { limit: LARGEST_PAGE, offset: 0 };
	const clients = recordsOf(await requests.send('client.getAll', { query }));
	const ids = clientIdsIn(clients.filter(isAccessible));
	const [first] = ids;
	if (first !== undefined) await requests.send('client.get', { clientId: first });
	for (const clientId of clientIdsIn(clients.filter((client) => !isAccessible(client))).slice(
		0,
		MAX_OTHER_GRANTS,
	))
		await requests.send('lead.getAll', {
			clientId,
			query: { limit: PAGE_OF_OTHERS, offset: 0 },
			purpose: 'otherGrant',
		});
	return ids.slice(0, MAX_CLIENTS);
}

const clientIdsIn = (clients: readonly JsonRecord[]): string[] =>
	clients.flatMap((client) => {
		const id = idIn(client, 'user_id');
		return id !== undefined && fitsPath(id) ? canonicalId(id) : [];
	});

/** Sends every read that exists for an account. */
export async function readAccount(requests: Requests, clientId?: string): Promise<void> {
	const query = { limit: LARGEST_PAGE, offset: 0 };
	const known = requests.log.asked;
	const [posts, magnets] = await Promise.all(
		LISTS_OF_ACCOUNT.map(
			async (name) =>
				known.find((one) => one.name === name && one.clientId === clientId) ??
				(await requests.send(name, { clientId, query })),
		),
	);
	const isPublished = ({ status }: JsonRecord) => String(status).toLowerCase() === 'published';
	const isActive = ({ status }: JsonRecord) => String(status).toLowerCase() !== 'archived';
	// A published post shows the most fields, and only its engagement is worth reading.
	const published = usableId(posts, isPublished);
	const post = published ?? usableId(posts);
	const magnet = usableId(magnets, isActive) ?? usableId(magnets);
	const singles: ReadonlyArray<readonly [EndpointName, string | undefined]> = [
		['post.get', post],
		['post.getEngagement', published],
		['leadMagnet.get', magnet],
		['leadMagnet.getAnalytics', magnet],
	];
	for (const [name, id] of singles)
		if (id !== undefined) await requests.send(name, { clientId, id });
}

const usableId = (
	list: Asked | undefined,
	isWanted: (record: JsonRecord) => boolean = () => true,
): string | undefined =>
	(list === undefined ? [] : recordsOf(list))
		.filter(isWanted)
		.map((record) => idIn(record))
		.find((id) => id !== undefined && fitsPath(id));

/**
 * Reads the lists of further clients while requests are left. It starts with one list of every
 * client, so that as many grants as possible are tried.
 */
export async function readOthers(requests: Requests, clientIds: readonly string[]): Promise<void> {
	const order: readonly ListName[] = [
		'lead.getAll',
		'post.getAll',
		'activity.getAll',
		'leadMagnet.getAll',
	];
	const query = { limit: PAGE_OF_OTHERS, offset: 0 };
	for (const name of order)
		for (const clientId of clientIds)
			if (requests.left > 0) await requests.send(name, { clientId, query });
}

/** Reads a record that does not exist, to see a rejection without doing any harm. */
export async function readUnknown(requests: Requests): Promise<void> {
	await requests.send('post.get', { id: randomUUID(), purpose: 'unknownRecord' });
}
