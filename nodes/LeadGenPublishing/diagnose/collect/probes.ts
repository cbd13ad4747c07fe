/**
 * Reads that no workflow sends. They check whether a list can be read completely: where pages
 * begin, what follows them, which page sizes there are, and what the filters do.
 */
import type { JsonRecord } from '../../api/schemas';
import { LISTS_OF_ACCOUNT, type Asked, type ListName, type Purpose } from '../facts';
import { etagOf } from '../../records/capabilities';
import { showsEmail, pageOf, recordOf, recordsOf } from '../records';
import { LARGEST_PAGE } from './readings';
import type { Requests } from './requests';

const FAR = 1_000_000;
/** Tried if the far offset is rejected, to find out where rejections start. */
const NEARER = [10_001, 1_001] as const;
/**
 * A source that no record has. It is tried if all records have the same one, and should return
 * nothing.
 */
const NO_SOURCE = 'n8n-diagnosis';

const LISTS: readonly ListName[] = ['client.getAll', ...LISTS_OF_ACCOUNT];

export async function probeLists(requests: Requests): Promise<void> {
	for (const name of LISTS) {
		const list = longest(requests, name);
		if (list !== undefined) await probePlaces(requests, list);
	}
	const [widest] = LISTS_OF_ACCOUNT.flatMap((name) => longest(requests, name) ?? []).sort(
		(one, other) => recordsOf(other).length - recordsOf(one).length,
	);
	if (widest !== undefined) {
		await again(requests, widest, 'byDefault', {});
		await again(requests, widest, 'tooMany', { limit: LARGEST_PAGE + 1, offset: 0 });
	}
	await probeFilters(requests);
	await readAgain(requests);
	for (const name of LISTS_OF_ACCOUNT) {
		const list = longest(requests, name);
		if (list !== undefined) await probeFar(requests, list);
	}
}

/** The list of this kind with the most records on its first page. */
function longest({ log }: Requests, name: ListName): Asked | undefined {
	const lists = log.asked.filter((one) => one.name === name && one.purpose === 'reading');
	const [first] = lists
		.filter((one) => pageOf(one) !== undefined)
		.sort((one, other) => recordsOf(other).length - recordsOf(one).length);
	return first;
}

const again = async (
	requests: Requests,
	{ name, clientId }: Asked,
	purpose: Purpose,
	query: JsonRecord,
): Promise<Asked> => await requests.send(name, { clientId, query, purpose });

async function probePlaces(requests: Requests, list: Asked): Promise<void> {
	const { length } = recordsOf(list);
	if (length >= 3) await again(requests, list, 'second', { limit: 2, offset: 1 });
	const isDone = length === 0 && pageOf(list)?.pagination.has_more !== true;
	if (!isDone) await again(requests, list, 'following', { limit: 2, offset: length });
}

/** A published post once more: its etag must be the same as long as it does not change. */
async function readAgain(requests: Requests): Promise<void> {
	const read = requests.log.asked.find((one) => {
		const record = one.name === 'post.get' ? recordOf(one) : undefined;
		return record !== undefined && etagOf(record) !== undefined;
	});
	if (read !== undefined)
		await requests.send('post.get', {
			clientId: read.clientId,
			id: read.id,
			purpose: 'again',
		});
}

async function probeFar(requests: Requests, list: Asked): Promise<void> {
	// The last offset is just past the end. It shows whether the service rejects the end or high
	// numbers.
	for (const offset of [FAR, ...NEARER, recordsOf(list).length + 5]) {
		const { outcome } = await again(requests, list, 'farBehind', { limit: 2, offset });
		if (outcome.kind !== 'refused' || outcome.meaning !== 'refused') return;
	}
}

async function probeFilters(requests: Requests): Promise<void> {
	const leads = longest(requests, 'lead.getAll');
	const page = { limit: LARGEST_PAGE, offset: 0 };
	if (leads !== undefined && recordsOf(leads).length > 0) {
		await again(requests, leads, 'withEmail', { ...page, has_email: true });
		const isMixed = recordsOf(leads).some((lead) => !showsEmail(lead));
		if (isMixed) await again(requests, leads, 'withoutEmail', { ...page, has_email: false });
	}
	const activity = longest(requests, 'activity.getAll');
	if (activity === undefined) return;
	const sources = recordsOf(activity).flatMap(({ source }) =>
		typeof source === 'string' && source.trim() !== '' ? source : [],
	);
	const [rarest] = [...new Set(sources)].sort(
		(one, other) => times(sources, one) - times(sources, other),
	);
	if (rarest === undefined) return;
	await again(requests, activity, 'bySource', { ...page, source: rarest });
	if (times(sources, rarest) === recordsOf(activity).length)
		await again(requests, activity, 'bySource', { ...page, source: NO_SOURCE });
}

const times = (all: readonly string[], one: string): number =>
	all.filter((other) => other === one).length;
