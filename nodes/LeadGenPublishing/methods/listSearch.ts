/**
 * The lists in the editor, where a person waits for the answer: the searchable, paged ones of "From
 * List", and the clients of a multi-select field.
 */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { Client } from '../api/client';
import { idInAddress, isAddress, OWN_ACCOUNT } from '../api/endpoints';
import type { Account, EndpointName } from '../api/endpoints';
import { detailsOf, toNodeError } from '../api/errors';
import { InputError } from '../api/failure';
import { isAccessible } from '../api/grant';
import { isUuid } from '../api/identifiers';
import { MAX_PAGE, PageReader, type PageRead } from '../api/pageWalker';
import type { JsonRecord } from '../api/schemas';

/** All lists of the editor wait together, as long as this process lives. */
const EDITOR = {};
const MAX_THROTTLE_MS = 10 * 60_000;

async function read<T>(
	functions: ILoadOptionsFunctions,
	list: (client: Client) => Promise<T>,
): Promise<T> {
	try {
		const client = await Client.connect(functions, {
			retry: { maxAttempts: 2, maxPauseMs: 5_000, maxWaitMs: 30_000 },
			throttle: { of: EDITOR, longestMs: MAX_THROTTLE_MS },
			origin: 'editor',
		});
		return await list(client);
	} catch (error) {
		const nodeError = toNodeError(functions.getNode(), error);
		const { next } = detailsOf(error);
		// In place of a list, n8n shows only the message.
		if (typeof next === 'string') nodeError.message = `${nodeError.message} ${next}`;
		throw nodeError;
	}
}

/** The service has no search, so we filter; this many pages are read per step. */
const PAGES_PER_SEARCH = 10;
const ENOUGH = 20;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

interface Entry {
	readonly name: string;
	readonly value: string;
	/** Told apart by a second line where names are alike. */
	readonly description?: string;
	/** Comes after the others. */
	readonly isLast?: boolean;
}

interface Searchable {
	readonly endpoint: EndpointName;
	readonly entry: (record: JsonRecord) => Entry | undefined;
	/** Whether everything is read before anything is shown. */
	readonly whole?: boolean;
}

const textOf = (value: unknown): string =>
	typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

function entryOf(id: unknown, parts: readonly unknown[], isLast = false): Entry | undefined {
	const value = textOf(id);
	const name = parts
		.map(textOf)
		.filter((part) => part !== '')
		.join(' · ');
	return value === '' ? undefined : { name: shorten(name || value), value, isLast };
}

function clientEntry(client: JsonRecord): Entry | undefined {
	const isLast = !isAccessible(client);
	const entry = entryOf(client.user_id, [client.full_name, client.business_name], isLast);
	return entry && isLast
		? { ...entry, name: `${entry.name} (not accessible: no active grant)` }
		: entry;
}

/** All lists alike: by name, and with a second line where two have the same name. */
function inOrder(entries: readonly Entry[]): INodePropertyOptions[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries
		.toSorted((a, b) => Number(a.isLast) - Number(b.isLast) || a.name.localeCompare(b.name))
		.map(({ name, value }) =>
			counts.get(name) === 1 ? { name, value } : { name, value, description: `ID ${value}` },
		);
}

export const searchClients: ListSearch = search({
	endpoint: 'client.getAll',
	entry: clientEntry,
	whole: true,
});
export const searchPosts: ListSearch = search({
	endpoint: 'post.getAll',
	entry: ({ id, status, text }) => entryOf(id, [status, text]),
});
export const searchLeadMagnets: ListSearch = search({
	endpoint: 'leadMagnet.getAll',
	entry: ({ id, resource_name: name, keyword, status }) => entryOf(id, [name, keyword, status]),
});

function search({ endpoint, entry, whole = false }: Searchable): ListSearch {
	return async function (this, filter, paginationToken) {
		return await read(this, async (client) => {
			const account = endpoint === 'client.getAll' ? OWN_ACCOUNT : chosenAccount(this);
			const reader = new PageReader(client.pages(endpoint, { account, time: client.timeLimit() }));
			const wanted = textOf(filter).toLowerCase();
			const found: Entry[] = [];
			let next: number | undefined = /^\d+$/.test(paginationToken ?? '')
				? Number(paginationToken)
				: 0;
			let isBlank = true;
			for (let pages = 0; next !== undefined && pages < PAGES_PER_SEARCH; pages += 1) {
				const page: PageRead = await reader.read({ offset: next, limit: MAX_PAGE });
				const entries = page.records.flatMap((record) => entry(record) ?? []);
				found.push(...entries.filter((item) => matches(item, wanted)));
				next = page.hasMore ? page.next : undefined;
				// One empty page does not end a list; only as many as are read at a time do.
				isBlank &&= page.records.length === 0;
				if (!whole && found.length >= ENOUGH) break;
			}
			return {
				results: inOrder(found),
				...(next === undefined || isBlank ? {} : { paginationToken: String(next) }),
			};
		});
	};
}

/** Those with an active grant first. */
export async function getClients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await read(this, async (client) => {
		const { records } = await client.list('client.getAll');
		return inOrder(records.flatMap((record) => clientEntry(record) ?? []));
	});
}

const matches = ({ name, value }: Entry, wanted: string): boolean =>
	wanted === '' || name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted;

/** Posts and lead magnets are listed for the account in "Act As", like in the operation itself. */
function chosenAccount(functions: ILoadOptionsFunctions): Account {
	const actAs = functions.getCurrentNodeParameter('actAs');
	// If an expression evaluates to nothing, the editor sends no value, although it shows the client.
	const isClientShown = functions.getCurrentNodeParameter('clientId') !== undefined;
	if (actAs === 'own' || (actAs === undefined && !isClientShown)) return OWN_ACCOUNT;
	if (actAs !== 'client') {
		throw new InputError(
			'"Act As" gives neither "own" nor "client" here.',
			'Choose "Act As" first (an expression may not be known here).',
			{ parameter: 'actAs' },
		);
	}
	const clientId = functions.getCurrentNodeParameter('clientId', { extractValue: true });
	const given = typeof clientId === 'string' ? clientId.trim() : '';
	const id = isAddress(given) ? (idInAddress(given, 'clientId') ?? '') : given;
	if (!isUuid(id)) {
		throw new InputError(
			'No client is chosen yet.',
			'Choose "Client" first, by list or by ID (an expression cannot be resolved here).',
			{ parameter: 'clientId' },
		);
	}
	return { kind: 'client', clientId: id.toLowerCase() };
}
