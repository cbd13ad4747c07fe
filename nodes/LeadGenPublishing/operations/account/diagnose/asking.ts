/**
 * Asks the service what a diagnosis needs to know: reads only, one page of each list, and few enough
 * requests that an account does not feel them.
 */
import { OWN_ACCOUNT, type Account, type EndpointName } from '../../../api/endpoints';
import { isAccessible } from '../../../api/grant';
import { canonicalId, isUuid } from '../../../api/identifiers';
import type { JsonRecord } from '../../../api/schemas';
import type { BoundApi } from '../../define';
import { listOf, type Asked, type ListName, type Purpose } from './evidence';

/** Of an agency that has more, the first ones are looked at. */
const MAX_CLIENTS = 10;
/** No request begins after so many, whatever the service makes of them. */
const MAX_REQUESTS = 76;
const PAGE = 100;
const PAGE_OF_CLIENT = 20;

const LISTS: readonly ListName[] = [
	'post.getAll',
	'leadMagnet.getAll',
	'lead.getAll',
	'activity.getAll',
];

export async function ask(
	api: Pick<BoundApi, 'exchange' | 'now'>,
	account: Account,
): Promise<Asked[]> {
	const asking = new Asking(api);
	const base = await asking.send('account.getApiInfo');
	const subject = await asking.send('account.getSubject');
	// Whoever does not let us in, or is not there, answers every other request in the same way.
	if (isHopeless(subject, base)) return asking.asked;
	const clientIds = account.kind === 'client' ? [account.clientId] : await asking.clients();
	await asking.whole(OWN_ACCOUNT);
	for (const [index, clientId] of clientIds.entries()) {
		const client: Account = { kind: 'client', clientId };
		// One client shows what a key may do for clients; of the others, it is the lists that matter.
		if (index === 0) await asking.whole(client, PAGE_OF_CLIENT);
		else await asking.lists(client, PAGE_OF_CLIENT);
	}
	await asking.longestList();
	await asking.filters();
	return asking.asked;
}

const isHopeless = ({ failure }: Asked, base: Asked): boolean => {
	if (failure === undefined) return false;
	const { kind, status, retryable } = failure;
	return kind !== 'answered' ? base.failure !== undefined : status === 401 || retryable;
};

interface Question {
	readonly account?: Account;
	readonly params?: Record<string, string>;
	readonly query?: JsonRecord;
	readonly purpose?: Purpose;
}

class Asking {
	readonly asked: Asked[] = [];

	constructor(private readonly api: Pick<BoundApi, 'exchange' | 'now'>) {}

	async send(name: EndpointName, { purpose, ...options }: Question = {}): Promise<Asked> {
		const { account = OWN_ACCOUNT, query } = options;
		const at = this.api.now();
		const sent = this.asked.reduce((sum, { attempts }) => sum + attempts.length, 0);
		const exchange =
			sent < MAX_REQUESTS
				? await this.api.exchange(name, { ...options, account })
				: { name, attempts: [] };
		const clientId = account.kind === 'client' ? account.clientId : undefined;
		const asked: Asked = { ...exchange, clientId, purpose, query, at };
		this.asked.push(asked);
		return asked;
	}

	/** The clients that the agency can reach, if this is the key of one. */
	async clients(): Promise<string[]> {
		const list = await this.send('client.getAll', { query: { limit: PAGE, offset: 0 } });
		// The others are refused, which their grant says already.
		const ids = listOf(list)
			.filter(isAccessible)
			.flatMap(({ user_id: id }) =>
				typeof id === 'string' && isUuid(id) ? [canonicalId(id)] : [],
			);
		const [first] = ids;
		if (first !== undefined) await this.send('client.get', { params: { clientId: first } });
		return ids.slice(0, MAX_CLIENTS);
	}

	/** Every reading that there is for an account. */
	async whole(account: Account, limit = PAGE): Promise<void> {
		const [posts, leadMagnets] = await this.lists(account, limit);
		// A published post shows most, and no other has an engagement.
		const published = idOf(posts, ({ status }) => status === 'published');
		const leadMagnet = idOf(leadMagnets);
		await this.one('post.get', account, published ?? idOf(posts));
		await this.one('post.getEngagement', account, published);
		await this.one('leadMagnet.get', account, leadMagnet);
		await this.one('leadMagnet.getAnalytics', account, leadMagnet);
	}

	private async one(name: EndpointName, account: Account, id: string | undefined): Promise<void> {
		if (id !== undefined) await this.send(name, { account, params: { id } });
	}

	async lists(account: Account, limit: number): Promise<Asked[]> {
		return await Promise.all(
			LISTS.map(async (name) => await this.send(name, { account, query: { limit, offset: 0 } })),
		);
	}

	/** Whether the two filters that the document names leave out what they should. */
	async filters(): Promise<void> {
		const leads = this.filled('lead.getAll');
		const query = { limit: PAGE_OF_CLIENT, offset: 0 };
		if (leads !== undefined)
			await this.send('lead.getAll', {
				...{ account: accountOf(leads), purpose: 'withEmail' },
				query: { ...query, has_email: true },
			});
		const activity = this.filled('activity.getAll');
		const source = activity && listOf(activity)[0]?.source;
		if (activity !== undefined && typeof source === 'string')
			await this.send('activity.getAll', {
				...{ account: accountOf(activity), purpose: 'bySource' },
				query: { ...query, source },
			});
	}

	private filled(list: ListName): Asked | undefined {
		return this.asked.find((one) => one.name === list && listOf(one).length > 0);
	}

	/** How limit and offset are understood, by the list that shows most of it. */
	async longestList(): Promise<void> {
		const lists = this.asked.filter(
			({ name, query, failure }) =>
				query !== undefined && LISTS.includes(name as ListName) && !failure,
		);
		const [longest] = lists.sort((one, other) => listOf(other).length - listOf(one).length);
		if (longest === undefined) return;
		const { name } = longest;
		const about = { account: accountOf(longest) };
		await this.send(name, { ...about, purpose: 'byDefault', query: {} });
		await this.send(name, { ...about, purpose: 'overlap', query: { limit: 2, offset: 1 } });
		await this.send(name, { ...about, purpose: 'tooMany', query: { limit: PAGE + 1, offset: 0 } });
		await this.send(name, { ...about, purpose: 'behind', query: { limit: 2, offset: 1_000_000 } });
	}
}

function idOf(list: Asked | undefined, wanted: (record: JsonRecord) => boolean = () => true) {
	const ids = (list === undefined ? [] : listOf(list))
		.filter(wanted)
		.flatMap(({ id }) => (typeof id === 'string' && isUuid(id) ? [id] : []));
	return ids[0];
}

const accountOf = ({ clientId }: Asked): Account =>
	clientId === undefined ? OWN_ACCOUNT : { kind: 'client', clientId };
