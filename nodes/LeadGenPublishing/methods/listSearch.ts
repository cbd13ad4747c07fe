/** The searchable, paged lists of "From List". */
import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { EndpointName } from '../api/endpoints';
import { InputError } from '../api/failure';
import { isAccessible } from '../api/grant';
import { idInAddress, isAddress } from '../api/recordAddress';
import { isUuid, OWN_ACCOUNT, type Account } from '../api/route';
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

interface Searchable {
	readonly endpoint: EndpointName;
	readonly entry: (record: JsonRecord) => INodeListSearchItems | undefined;
	/** Smaller values sort first. */
	readonly rank?: (record: JsonRecord) => number;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

export function clientEntry(client: JsonRecord): INodeListSearchItems | undefined {
	const value = textOf(client.user_id);
	if (value === '') return undefined;
	const person = textOf(client.full_name);
	const business = textOf(client.business_name);
	const name = [person, business].filter((part) => part !== '').join(' · ') || value;
	return {
		name: isAccessible(client) ? name : `${name} (not accessible: no active grant)`,
		value,
	};
}

function titled(record: JsonRecord, title: string): INodeListSearchItems | undefined {
	const value = textOf(record.id);
	if (value === '') return undefined;
	const status = textOf(record.status);
	const name = shorten(title.replace(/\s+/g, ' ') || value);
	return { name: status === '' ? name : `${name} (${status})`, value };
}

export const searchClients: ListSearch = search({
	endpoint: 'client.getAll',
	entry: clientEntry,
	rank: (client) => (isAccessible(client) ? 0 : 1),
});
export const searchPosts: ListSearch = search({
	endpoint: 'post.getAll',
	entry: (post) => titled(post, textOf(post.text)),
});
export const searchLeadMagnets: ListSearch = search({
	endpoint: 'leadMagnet.getAll',
	entry: (magnet) => titled(magnet, textOf(magnet.resource_name) || textOf(magnet.keyword)),
});

function search({ endpoint, entry, rank }: Searchable): ListSearch {
	return async function (this, filter, paginationToken) {
		try {
			const client = await connectForEditor(this);
			const time = client.timeLimit();
			const account = endpoint === 'client.getAll' ? OWN_ACCOUNT : chosenAccount(this);
			const wanted = textOf(filter).toLowerCase();
			const found: Array<{ record: JsonRecord; item: INodeListSearchItems }> = [];
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
					if (item !== undefined && matches(item, wanted)) found.push({ record, item });
				}
				offset += pagination.limit > 0 ? pagination.limit : data.length || PAGE;
				// One empty page does not end a list; only as many as are read at a time do.
				seen += data.length;
				next = pagination.has_more ? offset : undefined;
				// All clients are read, so that those with an active grant come first.
				if (rank === undefined && found.length >= 20) break;
			}
			if (rank !== undefined) {
				found.sort(
					(a, b) => rank(a.record) - rank(b.record) || a.item.name.localeCompare(b.item.name),
				);
			}
			return {
				results: found.map(({ item }) => item),
				...(next === undefined || seen === 0 ? {} : { paginationToken: String(next) }),
			};
		} catch (error) {
			throw listError(this.getNode(), error);
		}
	};
}

const matches = ({ name, value }: INodeListSearchItems, wanted: string): boolean =>
	wanted === '' || name.toLowerCase().includes(wanted) || String(value).toLowerCase() === wanted;

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
