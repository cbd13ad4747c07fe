/** The searchable, paged lists of "From List". */
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import {
	type EndpointName,
	idInAddress,
	isAddress,
	OWN_ACCOUNT,
	type Account,
} from '../api/endpoints';
import { InputError } from '../api/failure';
import { isAccessible } from '../api/grant';
import { isUuid } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { connectForEditor } from './editorClient';
import { listError } from './listError';

/** The service has no search, so we filter; this many pages are read per step. */
const PAGES_PER_SEARCH = 10;
const PAGE = 100;

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

export function clientEntry(client: JsonRecord): Entry | undefined {
	const isLast = !isAccessible(client);
	const entry = entryOf(client.user_id, [client.full_name, client.business_name], isLast);
	return entry && isLast
		? { ...entry, name: `${entry.name} (not accessible: no active grant)` }
		: entry;
}

/** All lists alike: by name, and with a second line where two have the same name. */
export function inOrder(entries: readonly Entry[]): INodePropertyOptions[] {
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
		try {
			const client = await connectForEditor(this);
			const time = client.timeLimit();
			const account = endpoint === 'client.getAll' ? OWN_ACCOUNT : chosenAccount(this);
			const wanted = textOf(filter).toLowerCase();
			const found: Entry[] = [];
			let offset = /^\d+$/.test(paginationToken ?? '') ? Number(paginationToken) : 0;
			let next: number | undefined = offset;
			let seen = 0;
			for (let pages = 0; next !== undefined && pages < PAGES_PER_SEARCH; pages += 1) {
				const { data, pagination } = await client.page(endpoint, {
					account,
					offset,
					limit: PAGE,
					time,
				});
				for (const record of data) {
					const item = entry(record);
					if (item !== undefined && matches(item, wanted)) found.push(item);
				}
				offset += pagination.limit > 0 ? pagination.limit : data.length || PAGE;
				// One empty page does not end a list; only as many as are read at a time do.
				seen += data.length;
				next = pagination.has_more ? offset : undefined;
				if (!whole && found.length >= 20) break;
			}
			return {
				results: inOrder(found),
				...(next === undefined || seen === 0 ? {} : { paginationToken: String(next) }),
			};
		} catch (error) {
			throw listError(this.getNode(), error);
		}
	};
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
			{
				parameter: 'clientId',
			},
		);
	}
	return { kind: 'client', clientId: id.toLowerCase() };
}
