/**
 * The lists in the editor, where a person waits for the response: the searchable, paged lists of
 * "From List", and the clients of a multi-select field.
 */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Client } from '../../api/client';
import { connect } from '../../n8n/host';
import { idInAddress, isAddress } from '../parameters/idInAddress';
import { OWN_ACCOUNT } from '../../api/endpoints';
import type { Account, EndpointName } from '../../api/endpoints';
import { InputError } from '../../words/inputError';
import { isAccessible } from '../../api/grant';
import { isUuid } from '../../api/identifiers';
import { MAX_PAGE, PageReader, type PageRead } from '../../api/pages';
import type { JsonRecord } from '../../api/schemas';
import { folded } from '../../records/sameWord';
import { detailsOf } from '../../words/errorDetails';
import { toNodeError } from '../../n8n/nodeErrors';

/** All lists of the editor share their gates as long as this process lives. */
const EDITOR = {};
const MAX_THROTTLE_MS = 10 * 60_000;

async function read<T>(
	functions: ILoadOptionsFunctions,
	list: (client: Client) => Promise<T>,
): Promise<T> {
	try {
		const client = await connect(functions, {
			retry: { maxAttempts: 2, maxPauseMs: 5_000, maxWaitMs: 30_000 },
			throttle: { of: EDITOR, longestMs: MAX_THROTTLE_MS },
			origin: 'editor',
		});
		return await list(client);
	} catch (error) {
		const nodeError = toNodeError(functions.getNode(), error);
		const { next } = detailsOf(error);
		// n8n shows only the message where the list would be.
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
	/** All of its name, in the form in which it is compared. */
	readonly searched: string;
	/** Whether it comes after the others. */
	readonly isLast: boolean;
}

const textOf = (value: unknown): string =>
	typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
const shorten = (text: string): string => {
	const characters = Array.from(text);
	return characters.length > 80 ? `${characters.slice(0, 79).join('')}…` : text;
};

/** Empty if the record has no ID. */
function entryOf(id: unknown, parts: readonly unknown[], isAccessible = true): Entry[] {
	const value = textOf(id);
	const words = parts.map(textOf).filter((part) => part !== '');
	const whole = words.join(' · ') || value;
	const note = isAccessible ? '' : ' (not accessible: no active grant)';
	const name = shorten(whole) + note;
	const searched = folded(whole + note);
	return value === '' ? [] : [{ name, value, searched, isLast: !isAccessible }];
}

const clientEntry = (client: JsonRecord): Entry[] =>
	entryOf(client.user_id, [client.full_name, client.business_name], isAccessible(client));

/** Sorts all lists by name. Entries with the same name show their ID in a second line. */
function inOrder(entries: readonly Entry[]): INodePropertyOptions[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries
		.toSorted((a, b) => Number(a.isLast) - Number(b.isLast) || a.name.localeCompare(b.name))
		.map(({ name, value }) =>
			counts.get(name) === 1 ? { name, value } : { name, value, description: `ID ${value}` },
		);
}

/** The lists that a locator can name. */
export const LISTS = {
	searchClients: search('client.getAll', clientEntry),
	searchPosts: search('post.getAll', ({ id, status, text }) => entryOf(id, [status, text])),
	searchLeadMagnets: search('leadMagnet.getAll', (magnet) =>
		entryOf(magnet.id, [magnet.resource_name, magnet.keyword, magnet.status]),
	),
};

function search(endpoint: EndpointName, entry: (record: JsonRecord) => Entry[]): ListSearch {
	return async function (this, filter, paginationToken) {
		return await read(this, async (client) => {
			const isOfAgency = endpoint === 'client.getAll';
			const account = isOfAgency ? OWN_ACCOUNT : chosenAccount(this);
			const reader = new PageReader(client.pages(endpoint, { account, time: client.timeLimit() }));
			const wanted = folded(textOf(filter));
			const found: Entry[] = [];
			let next: number | undefined = Number(/^\d+$/.exec(paginationToken ?? '')?.[0] ?? 0);
			let isBlank = true;
			for (let pages = 0; next !== undefined && pages < PAGES_PER_SEARCH; pages += 1) {
				const page: PageRead = await reader.read({ offset: next, limit: MAX_PAGE });
				for (const one of page.records.flatMap(entry)) if (matches(one, wanted)) found.push(one);
				next = page.hasMore ? page.next : undefined;
				// One empty page does not end a list, but a whole step of empty pages does.
				isBlank &&= page.records.length === 0;
				// All clients are read before any is shown: the accessible ones come first.
				if (!isOfAgency && found.length >= ENOUGH) break;
			}
			const isEnd = next === undefined || isBlank;
			return { results: inOrder(found), paginationToken: isEnd ? undefined : String(next) };
		});
	};
}

/** As the filters of Get Many compare texts. */
const matches = ({ searched, value }: Entry, wanted: string): boolean =>
	searched.includes(wanted) || folded(value) === wanted;

/** Clients with an active grant come first. */
export async function getClients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await read(this, async (client) => {
		const { records } = await client.list('client.getAll');
		return inOrder(records.flatMap(clientEntry));
	});
}

/** Posts and lead magnets are listed for the account in "Act As", like in the operation itself. */
function chosenAccount(functions: ILoadOptionsFunctions): Account {
	const actAs = functions.getCurrentNodeParameter('actAs');
	// If an expression evaluates to nothing, the editor does not send a value, although it shows the client.
	const isClientShown = functions.getCurrentNodeParameter('clientId') !== undefined;
	if (actAs === 'own' || (actAs === undefined && !isClientShown)) return OWN_ACCOUNT;
	if (actAs !== 'client')
		throw new InputError('"Act As" must be "own" or "client".', CHOOSE_ACCOUNT);
	const clientId = functions.getCurrentNodeParameter('clientId', { extractValue: true });
	const given = typeof clientId === 'string' ? clientId.trim() : '';
	const id = isAddress(given) ? (idInAddress(given, 'clientId') ?? '') : given;
	if (isUuid(id)) return { kind: 'client', clientId: id.toLowerCase() };
	throw new InputError('No client is chosen yet.', CHOOSE_CLIENT);
}

const CHOOSE_ACCOUNT =
	'Choose "Act As" first. If it is an expression, this list may be unable to read it.';
const CHOOSE_CLIENT =
	'Choose "Client" first, from the list or by ID. This list cannot read an expression.';
