/** The reads of a diagnosis: everything that workflows read, the most important first. */
import type { EndpointName } from '../../api/endpoints';
import type { JsonRecord } from '../../api/schemas';
import {
	fitsPath,
	idIn,
	isAnswered,
	isClosed,
	isInconclusive,
	pageOf,
	recordsOf,
} from '../answers';
import { LARGEST_PAGE, LISTS_OF_ACCOUNT, type Asked, type Greeting, type ListName } from '../facts';
import { pageStrideOf } from '../judge/rows/lists';
import type { Requests } from './requests';

/** So many pages of the list of clients are read, to know how many clients there are. */
const MAX_PAGES_OF_CLIENTS = 5;
/** Enough to see whether two accounts show the same records. */
const PAGE_OF_OTHERS = 10;
/** How many clients are read at the same time. */
const AT_ONCE = 4;

export const FIRST_PAGE = { limit: LARGEST_PAGE, offset: 0 } as const;

/** Reads the base and the owner of the key. The result decides whether anything else is sent. */
export async function greet(requests: Requests): Promise<Greeting> {
	const base = await requests.ask('account.getApiInfo');
	const greeting = { base, subject: await requests.ask('account.getSubject') };
	if (!isInconclusive(greeting)) return greeting;
	return { ...greeting, further: await requests.ask('post.getAll', { query: FIRST_PAGE }) };
}

/** The client that the user has chosen, or the pages of the list of clients. */
export async function readClients(requests: Requests, clientId?: string): Promise<Asked[]> {
	if (clientId === undefined) return await readClientList(requests);
	const chosen = await requests.ask('client.get', { clientId });
	// If it is closed, only the list shows whether the key works for clients at all.
	return isClosed(chosen) ? [chosen, ...(await readClientList(requests))] : [chosen];
}

async function readClientList(requests: Requests): Promise<Asked[]> {
	const pages: Asked[] = [];
	for (let offset = 0; pages.length < MAX_PAGES_OF_CLIENTS;) {
		const asked = await requests.ask('client.getAll', { query: { limit: LARGEST_PAGE, offset } });
		pages.push(asked);
		const page = pageOf(asked);
		if (page?.pagination.has_more !== true || page.data.length === 0) break;
		offset += pageStrideOf(page);
	}
	return pages;
}

/** Every list of one account. */
export async function readAccountLists(
	requests: Requests,
	{ clientId, known }: { clientId?: string; known?: Asked },
): Promise<Asked[]> {
	const query = FIRST_PAGE;
	return await Promise.all(
		LISTS_OF_ACCOUNT.map(async (name) =>
			known?.name === name ? known : await requests.ask(name, { clientId, query }),
		),
	);
}

/**
 * One list of each further client, each time another one, so that all lists of two clients can be
 * compared. Lists that are known to respond come first.
 */
export async function readOthers(
	requests: Requests,
	clientIds: readonly string[],
	read: readonly Asked[],
): Promise<Asked[]> {
	const others: Asked[] = [];
	const isOpen = (name: ListName): boolean =>
		[...read, ...others].some((one) => one.name === name && isAnswered(one));
	const query = { limit: PAGE_OF_OTHERS, offset: 0 };
	const left = [...clientIds.entries()];
	const work = async (): Promise<void> => {
		for (let next = left.shift(); next !== undefined; next = left.shift()) {
			const [at, clientId] = next;
			const begin = at % LISTS_OF_ACCOUNT.length;
			const rotated = [...LISTS_OF_ACCOUNT.slice(begin), ...LISTS_OF_ACCOUNT.slice(0, begin)];
			const names = rotated.sort((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
			for (const name of names) {
				const asked = await requests.ask(name, { clientId, query });
				others.push(asked);
				// If the list responds for another account, the failure is about this client.
				if (isOpen(name)) break;
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return others;
}

/** Records that operations read by their ID, of the first accounts that have any. */
export async function readSingles(requests: Requests, lists: readonly Asked[]): Promise<Asked[]> {
	const posts = placesIn(lists, 'post.getAll');
	const published = placesIn(lists, 'post.getAll', ({ status }) => status === 'published');
	const magnets = placesIn(lists, 'leadMagnet.getAll');
	// A published post shows the most fields. The document does not show those of figures: a name that
	// two records show is the name of a field. The record comes last, to see whether it still exists.
	const wanted: ReadonlyArray<readonly [EndpointName, readonly Place[]]> = [
		['post.getEngagement', published.slice(0, 2)],
		['post.get', [...published, ...posts].slice(0, 1)],
		['leadMagnet.getAnalytics', magnets.slice(0, 2)],
		['leadMagnet.get', magnets.slice(0, 1)],
	];
	const asked: Asked[] = [];
	for (const [name, places] of wanted)
		for (const place of places) asked.push(await requests.ask(name, place));
	return asked;
}

interface Place {
	readonly clientId?: string;
	readonly id: string;
}

const placesIn = (
	lists: readonly Asked[],
	name: ListName,
	isWanted: (record: JsonRecord) => boolean = () => true,
): Place[] =>
	lists
		.filter((asked) => asked.name === name)
		.flatMap((asked) =>
			recordsOf(asked)
				.filter(isWanted)
				.map((record) => ({ clientId: asked.clientId, id: idIn(record) ?? '' })),
		)
		.filter(({ id }) => fitsPath(id));
