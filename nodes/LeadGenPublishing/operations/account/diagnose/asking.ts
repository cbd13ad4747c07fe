/**
 * Asks the service what a diagnosis needs to know: reads only, one page of each list, and few enough
 * requests that an account does not feel them.
 */
import { OWN_ACCOUNT, type Account, type EndpointName } from '../../../api/endpoints';
import { isAccessible } from '../../../api/grant';
import { canonicalId, isUuid } from '../../../api/identifiers';
import type { JsonRecord } from '../../../api/schemas';
import { accountOf } from '../../../fields/account';
import type { BoundApi } from '../../../item/itemCall';
import { LISTS_OF_ACCOUNT } from './documented';
import { isAnswered, listOf, type Asked, type ListName, type Purpose } from './evidence';

/** Of an agency that has more, the first ones are looked at. */
const MAX_CLIENTS = 10;
/** Whatever the service makes of them: a request that is sent again counts again. */
const MAX_REQUESTS = 80;
const PAGE = 100;
const PAGE_OF_CLIENT = 20;

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
	const [first, ...others] = clientIds.map(accountOf);
	// One client shows what a key may do for clients; of the others, it is the lists that matter.
	if (first !== undefined) await asking.whole(first, PAGE_OF_CLIENT);
	for (const client of others) await asking.lists(client, PAGE_OF_CLIENT);
	await asking.probes();
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
	private sent = 0;

	constructor(private readonly api: Pick<BoundApi, 'exchange' | 'now'>) {}

	async send(name: EndpointName, { purpose, ...options }: Question = {}): Promise<Asked> {
		const { account = OWN_ACCOUNT, query } = options;
		const at = this.api.now();
		let isStopped = false;
		const mayBegin = (): boolean => {
			isStopped = this.sent >= MAX_REQUESTS;
			if (!isStopped) this.sent += 1;
			return !isStopped;
		};
		const exchange = await this.api.exchange(name, { ...options, account, mayBegin });
		const { attempts, failure } = exchange;
		const asked: Asked = {
			...exchange,
			// What was not sent at all has not failed.
			failure: isStopped && attempts.length === 0 ? undefined : failure,
			clientId: account.kind === 'client' ? account.clientId : undefined,
			...{ purpose, query, at },
		};
		this.asked.push(asked);
		return asked;
	}

	/** The clients that the agency can reach, if this is the key of one. */
	async clients(): Promise<string[]> {
		const list = await this.send('client.getAll', { query: { limit: PAGE, offset: 0 } });
		// The others are refused, which their grant says already.
		const ids = idsOf(listOf(list).filter(isAccessible), 'user_id').map(canonicalId);
		const [first] = ids;
		if (first !== undefined) await this.send('client.get', { params: { clientId: first } });
		return ids.slice(0, MAX_CLIENTS);
	}

	/** Every reading that there is for an account. */
	async whole(account: Account, limit = PAGE): Promise<void> {
		const [posts = [], leadMagnets = []] = (await this.lists(account, limit)).map(listOf);
		// A published post shows most, and no other has an engagement.
		const [published] = idsOf(posts.filter(({ status }) => status === 'published'));
		const [leadMagnet] = idsOf(leadMagnets);
		const readings: ReadonlyArray<[EndpointName, string | undefined]> = [
			['post.get', published ?? idsOf(posts)[0]],
			['post.getEngagement', published],
			['leadMagnet.get', leadMagnet],
			['leadMagnet.getAnalytics', leadMagnet],
		];
		for (const [name, id] of readings)
			if (id !== undefined) await this.send(name, { account, params: { id } });
	}

	async lists(account: Account, limit: number): Promise<Asked[]> {
		return await Promise.all(
			LISTS_OF_ACCOUNT.map(
				async (name) => await this.send(name, { account, query: { limit, offset: 0 } }),
			),
		);
	}

	/** How limit and offset are understood by the list that shows most of it, and then the filters. */
	async probes(): Promise<void> {
		const lists = this.asked.filter(
			(one) => isAnswered(one) && LISTS_OF_ACCOUNT.some((list) => list === one.name),
		);
		const [longest] = lists.sort((one, other) => listOf(other).length - listOf(one).length);
		const filled = (list: ListName) =>
			this.asked.find((one) => one.name === list && listOf(one).length > 0);
		const activity = filled('activity.getAll');
		const source = activity && listOf(activity)[0]?.source;
		const page = { limit: PAGE_OF_CLIENT, offset: 0 };
		const probes: ReadonlyArray<[Purpose, Asked | undefined, JsonRecord]> = [
			['byDefault', longest, {}],
			['overlap', longest, { limit: 2, offset: 1 }],
			['tooMany', longest, { limit: PAGE + 1, offset: 0 }],
			['behind', longest, { limit: 2, offset: 1_000_000 }],
			['withEmail', filled('lead.getAll'), { ...page, has_email: true }],
			['bySource', typeof source === 'string' ? activity : undefined, { ...page, source }],
		];
		for (const [purpose, list, query] of probes)
			if (list !== undefined)
				await this.send(list.name, { account: accountOf(list.clientId), purpose, query });
	}
}

const idsOf = (records: readonly JsonRecord[], field = 'id'): string[] =>
	records.flatMap(({ [field]: id }) => (typeof id === 'string' && isUuid(id) ? id : []));
