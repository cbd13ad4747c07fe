// What the responses of a service say about each doubt. Pure.

import { readMarkers } from '../../nodes/LeadGenPublishing/records/keyMarker';
import { isRecord, type JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { PROFILE_URL, serviceWordIn } from '../../nodes/LeadGenPublishing/api/wire';
import {
	isRefused,
	pageOf,
	recordOf,
	recordsOf,
	httpStatusOf,
} from '../../nodes/LeadGenPublishing/diagnose/answers';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { listIdentityOf } from '../../nodes/LeadGenPublishing/diagnose/judge/rows/lists';
import { andOf, listsInWords } from '../../nodes/LeadGenPublishing/diagnose/judge/texts';
import { count } from '../../nodes/LeadGenPublishing/words/count';
import { accountIdIn, readSubject } from '../../nodes/LeadGenPublishing/api/subject';
import {
	createdAt,
	showsNoZone,
	timeOf,
	updatedAt,
} from '../../nodes/LeadGenPublishing/records/times';
import type { DoubtName } from './doubts';
import type { Explored } from './explore';
import { ofWrites } from './observeWrites';
import { needed, open, settled, type Observation } from './observation';
import type { Trial } from './trial';

interface Seen {
	readonly apiKey: string;
	readonly subject: Asked;
	readonly lists: readonly Explored[];
	/** All responses, to see what only some of them show. */
	readonly asked: readonly Asked[];
	readonly trial?: Trial;
}

const withRecords = ({ lists }: Seen): Explored[] =>
	lists.filter(({ first }) => recordsOf(first).length > 0);

const namesOf = (lists: readonly Explored[]): string => listsInWords(lists.map(({ list }) => list));

/** Fewer records show no order. */
const FEW = 3;

type Order = 'newest first' | 'oldest first' | 'not sorted' | 'unknown';

export function orderOf(records: readonly JsonRecord[]): Order {
	const times = records.map(({ created_at: time }) => timeOf(time));
	if (records.length < FEW || times.some((time) => time === undefined)) return 'unknown';
	const isSorted = (sign: 1 | -1): boolean =>
		times.every((time = 0, at) => at === 0 || sign * (time - (times[at - 1] ?? 0)) >= 0);
	return isSorted(-1) ? 'newest first' : isSorted(1) ? 'oldest first' : 'not sorted';
}

function listOrder({ lists }: Seen): Observation {
	const orders = lists
		.filter(({ first }) => recordsOf(first).length >= FEW)
		.map((one) => ({ one, order: orderOf(recordsOf(one.first)) }));
	const inWords = (['newest first', 'oldest first', 'not sorted', 'unknown'] as const)
		.map((order) => [order, orders.filter((each) => each.order === order)] as const)
		.filter(([, ofOrder]) => ofOrder.length > 0)
		.map(([order, ofOrder]) => `${namesOf(ofOrder.map(({ one }) => one))}: ${order}`)
		.join('; ');
	if (orders.length === 0) return open(`no list has ${FEW} records`);
	if (orders.every(({ order }) => order === 'newest first')) return settled(inWords);
	return orders.some(({ order }) => order === 'oldest first' || order === 'not sorted')
		? needed(inWords)
		: open(`${inWords}, because records have no created_at`);
}

function offsetUnit(seen: Seen): Observation {
	const tried = withRecords(seen).filter(({ second }) => second !== undefined);
	if (tried.length === 0) return open('no list has four records');
	const wrong = tried.filter(({ first, second }) => {
		const ids = recordsOf(first).map(listIdentityOf).slice(1, 3);
		const page = second && pageOf(second);
		return page?.data.map(listIdentityOf).join() !== ids.join() || page.pagination.offset !== 1;
	});
	if (wrong.length === 0) return settled(`offset 1 counts records: ${namesOf(tried)}`);
	const refused = wrong.filter(({ second }) => second !== undefined && isRefused(second));
	const inWords = refused.length === wrong.length ? 'is rejected' : 'does not count records';
	return needed(`offset 1 ${inWords}: ${namesOf(wrong)}`);
}

function repeatedPages({ lists, asked }: Seen): Observation {
	const blank = asked.filter((one) => {
		const page = pageOf(one);
		return page?.pagination.has_more === true && page.data.length === 0;
	});
	if (blank.length > 0)
		return needed(`${count(blank.length, 'empty page')} said that more records follow`);
	const past = lists.flatMap(({ past: one }) => one ?? []);
	const again = past.filter((one) => recordsOf(one).length > 0);
	if (again.length > 0) return needed(`${count(again.length, 'page')} past the end had records`);
	const ended = past.filter((one) => pageOf(one) !== undefined);
	return ended.length === 0
		? open('no list ended within 100 records')
		: settled(`${count(ended.length, 'page')} past the end, each empty and the last`);
}

function offsetDepth({ lists }: Seen): Observation {
	const refused = lists.filter(({ far }) => isRefused(far));
	if (refused.length > 0) return needed(`offset 1,000,000 is rejected: ${namesOf(refused)}`);
	const ended = lists.filter(({ far }) => pageOf(far)?.data.length === 0);
	return ended.length === 0
		? open('no list responded')
		: settled(`offset 1,000,000 is an empty page: ${namesOf(ended)}`);
}

const LONG = 300;

/** Whether a list shows the notes of a post as the post itself does. */
function notesIn(listed: JsonRecord | undefined, read: JsonRecord): Observation | undefined {
	const { notes } = read;
	if (typeof notes !== 'string' || notes === '' || listed === undefined) return undefined;
	if (listed.notes === undefined || listed.notes === null) return needed('lists show no notes');
	if (listed.notes !== notes) return needed('lists show other notes than a single post');
	return notes.length >= LONG
		? settled(`a list shows all ${notes.length} characters`)
		: open('lists show short notes whole; no post has long ones');
}

function notesInLists(seen: Seen): Observation {
	const posts = seen.lists.filter(({ list }) => list === 'post.getAll');
	const found = posts.flatMap(({ first, singles }) =>
		singles.flatMap((single) => {
			const read = recordOf(single);
			const listed = recordsOf(first).find(({ id }) => id === read?.id);
			return read === undefined ? [] : (notesIn(listed, read) ?? []);
		}),
	);
	const { draft } = seen.trial ?? {};
	const made = draft?.read && recordOf(draft.read);
	const listed = draft?.listed && recordsOf(draft.listed).find(({ id }) => id === made?.id);
	const ofTrial = made && notesIn(listed, made);
	const all = [...(ofTrial === undefined ? [] : [ofTrial]), ...found];
	const listedPosts = posts.flatMap(({ first }) => recordsOf(first));
	return (
		all.find(({ kind }) => kind === 'needed') ??
		all.find(({ kind }) => kind === 'settled') ??
		all[0] ??
		(listedPosts.length > 0 && !listedPosts.some((post) => 'notes' in post)
			? needed('lists have no field "notes"')
			: open('no post has notes; try --try-writes'))
	);
}

function timeNames(seen: Seen): Observation {
	const lists = withRecords(seen);
	if (lists.length === 0) return open('no list has records');
	const isShown = (value: unknown): boolean => timeOf(value) !== undefined;
	const other = lists.filter(
		({ first }) =>
			!recordsOf(first).every((one) => isShown(one.created_at) && isShown(one.updated_at)),
	);
	return other.length === 0
		? settled(`created_at and updated_at: ${namesOf(lists)}`)
		: needed(`created_at or updated_at is missing: ${namesOf(other)}`);
}

function timeZones(seen: Seen): Observation {
	const lists = withRecords(seen);
	const timed = lists.filter(({ first }) =>
		recordsOf(first).some((one) => (createdAt(one) ?? updatedAt(one)) !== undefined),
	);
	if (timed.length === 0) return open('no record shows a time');
	const local = timed.filter(({ first }) => recordsOf(first).some(showsNoZone));
	return local.length === 0
		? settled(`all times name their zone: ${namesOf(timed)}`)
		: needed(`times without a zone: ${namesOf(local)}`);
}

function meShape({ subject }: Seen): Observation {
	const me = recordOf(subject);
	if (me === undefined) return open(`/me: HTTP ${httpStatusOf(subject)}`);
	const { scopes, isAgency } = readSubject(me);
	const lacks = [
		accountIdIn(me) === undefined ? 'an ID of the account' : '',
		scopes === undefined ? 'scopes' : '',
		isAgency === undefined ? 'whether it is an agency' : '',
	].filter((text) => text !== '');
	if (lacks.length > 0) return needed(`/me does not show ${andOf(lacks)}`);
	const place = isRecord(me.subject) ? 'subject' : isRecord(me.owner) ? 'owner' : 'the top';
	return settled(`the ID at ${place}, ${count(scopes?.length ?? 0, 'scope')}, the kind of account`);
}

function vendorWords({ apiKey, lists }: Seen): Observation {
	const leads = lists
		.filter(({ list }) => list === 'lead.getAll')
		.flatMap(({ first }) => recordsOf(first));
	const profiles = leads.map((lead) =>
		Object.keys(lead).filter((name) => name.endsWith(`_${PROFILE_URL}`)),
	);
	if (serviceWordIn(apiKey) === undefined) return needed('the key does not begin with a word');
	if (profiles.length === 0) return open('the key begins with a word; there are no leads');
	const names = new Set(profiles.flat());
	return names.size === 1 && profiles.every(({ length }) => length === 1)
		? settled('the key begins with a word, and every lead has one field for its profile')
		: needed(`fields of leads that end in _${PROFILE_URL}: ${names.size}`);
}

const publishedIn = ({ lists }: Seen): JsonRecord[] =>
	lists
		.filter(({ list }) => list === 'post.getAll')
		.flatMap(({ singles }) => singles.map(recordOf))
		.flatMap((post) => {
			const shown = post?.published_mutation_capabilities;
			return isRecord(shown) ? [shown] : [];
		});

function etagName(seen: Seen): Observation {
	const editable = publishedIn(seen).filter((one) => one.can_edit === true);
	if (editable.length === 0) return open('no published post can be edited');
	const names = editable.map((one) => Object.keys(one).filter((name) => /etag/i.test(name)));
	const all = andOf(names.flat());
	return names.every(({ length }) => length === 1) && new Set(names.flat()).size === 1
		? settled(`its name is ${all}`)
		: needed(all === '' ? 'no field has "etag" in its name' : `several fields: ${all}`);
}

/** Only words of the service itself are printed. */
const OWN_WORD = /^[a-z]+(?:_[a-z]+)*$/;

function capabilityReasons(seen: Seen): Observation {
	const shown = publishedIn(seen);
	const reasons = shown.flatMap(({ reason }) =>
		typeof reason === 'string' && OWN_WORD.test(reason) ? reason : [],
	);
	const saw = reasons.length === 0 ? 'none' : andOf(reasons);
	return open(
		`reasons of ${count(shown.length, 'published post')}: ${saw}. The service has to list them`,
	);
}

/** The names of fields of objects, such as those of hosted pages. */
function fieldsOf(objects: readonly unknown[], what: string): Observation {
	const names = objects.flat().filter(isRecord).flatMap(Object.keys);
	return names.length === 0 ? open(`no ${what}`) : settled(`fields: ${andOf(names)}`);
}

const every = (seen: Seen, list: Explored['list'], field: string): unknown[] =>
	seen.lists
		.filter((one) => one.list === list)
		.flatMap(({ first, singles }) => [...recordsOf(first), ...singles.map(recordOf)])
		.map((record) => record?.[field]);

/** Only posts that were created with a key show whether it is kept. */
const notesKept = (seen: Seen): Observation =>
	every(seen, 'post.getAll', 'notes').some((notes) => readMarkers(notes).length > 0)
		? settled('a post shows its Unique Key')
		: open('no post shows a Unique Key');

/** One observation for each doubt. */
export const observe = (seen: Seen): Readonly<Record<DoubtName, Observation>> => ({
	listOrder: listOrder(seen),
	offsetUnit: offsetUnit(seen),
	repeatedPages: repeatedPages(seen),
	offsetDepth: offsetDepth(seen),
	notesInLists: notesInLists(seen),
	notesKept: notesKept(seen),
	timeNames: timeNames(seen),
	timeZones: timeZones(seen),
	serviceClock: open('one run cannot show whether there are two clocks, or a cache'),
	pollProcess: open('n8n decides it, not the service'),
	meShape: meShape(seen),
	vendorWords: vendorWords(seen),
	etagName: etagName(seen),
	capabilityReasons: capabilityReasons(seen),
	followupFields: fieldsOf(every(seen, 'post.getAll', 'followups'), 'post has follow-ups'),
	socialActionFields: open('not tried, because it would act on the network'),
	hostedPageFields: fieldsOf(
		every(seen, 'leadMagnet.getAll', 'hosted_page'),
		'lead magnet has a hosted page',
	),
	...ofWrites(seen.trial),
});
