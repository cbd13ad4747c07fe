/**
 * Is my data complete? IDs, single reads, and what unique keys, published and scheduled posts need.
 */
import { isRecord, type JsonRecord } from '../../../api/schemas';
import { parseIsoDateTime } from '../../../panel/parameters/parse/dateTime';
import { instantOf } from '../../../records/storedValue';
import { capabilitiesOf, etagOf } from '../../../records/capabilities';
import { idIn, isUuidText, recordOf, recordsOf } from '../../records';
import { isRefused, type Evidence } from '../evidence';
import {
	needsYou,
	notChecked,
	ok,
	OWN_TABLE,
	REPORT_IF_IT_STAYS,
	REPORT_IT,
	row,
	unusual,
	type CheckFinding,
	type Row,
} from '../row';
import { EVERY_LIST, count, fieldNames, inShort, listName } from '../words';

type IdKind = 'uuids' | 'otherForm' | 'missing' | 'shared' | 'moving';

function ids(evidence: Evidence): Array<CheckFinding<IdKind>> {
	return EVERY_LIST.filter((list) => list !== 'client.getAll').flatMap(
		(list): Array<CheckFinding<IdKind>> => {
			const records = evidence.listed(list);
			if (records.length === 0) return [];
			const about = listName(list);
			const without = records.filter((record) => idIn(record) === undefined).length;
			const odd = records.filter(({ id }) => !isUuidText(id)).length;
			const seen = `${about}: ${count(records.length, 'record')}, ${without} without ID, ${odd - without} with another form`;
			const given = evidence.probed(list);
			const distinct = new Set(
				given === undefined ? [] : recordsOf(given).map((record) => idIn(record)),
			);
			if (evidence.hasMovingIds(list))
				return [{ kind: 'moving', about, seen: `${about}: two requests, two IDs for one record` }];
			if (without > 0) return [{ kind: 'missing', about, seen }];
			if (records.length > 2 && distinct.size === 1)
				return [{ kind: 'shared', about, seen: `${about}: all records have one ID` }];
			return [{ kind: odd > 0 ? 'otherForm' : 'uuids', about, seen }];
		},
	);
}

type NotesKind = 'listed' | 'single' | 'nowhere' | 'unread';

const showsNotes = (records: readonly JsonRecord[]): boolean =>
	records.some((record) => 'notes' in record);

function notes(evidence: Evidence): Array<CheckFinding<NotesKind>> {
	const listed = evidence.listed('post.getAll');
	const singles = evidence.singles('post.getAll');
	if (listed.length === 0) return [];
	const seen = `notes in lists: ${showsNotes(listed) ? 'yes' : 'no'}, in a single post: ${singles.length === 0 ? 'not read' : showsNotes(singles) ? 'yes' : 'no'}`;
	if (showsNotes(listed))
		return [{ kind: singles.length > 0 && !showsNotes(singles) ? 'single' : 'listed', seen }];
	if (singles.length === 0) return [{ kind: 'unread', seen }];
	return [{ kind: showsNotes(singles) ? 'single' : 'nowhere', seen }];
}

type PublishedKind = 'whole' | 'hidden' | 'otherForm' | 'noEtag' | 'etagMoves';

/** Whether two reads of one post show two etags, although its text is the same. */
function isEtagMoving(evidence: Evidence): boolean {
	const [again] = evidence.with('again');
	const before = evidence.of('post.get').find(({ id }) => id === again?.id);
	const [one, other] = [before && recordOf(before), again && recordOf(again)];
	return (
		one !== undefined &&
		other !== undefined &&
		one.text === other.text &&
		etagOf(one) !== etagOf(other)
	);
}

function published(evidence: Evidence): Array<CheckFinding<PublishedKind>> {
	if (isEtagMoving(evidence)) return [{ kind: 'etagMoves', seen: 'two reads, two ETags' }];
	const posts = evidence
		.singles('post.getAll')
		.filter(({ status }) => String(status).toLowerCase() === 'published');
	return posts.map((post): CheckFinding<PublishedKind> => {
		const capabilities = post.published_mutation_capabilities;
		if (!isRecord(capabilities)) return { kind: 'hidden', seen: 'a published post shows none' };
		const { can_edit: edit, can_delete: remove } = capabilities;
		const names = fieldNames([capabilities], (name) => evidence.isData(name)).join(', ');
		if (typeof edit !== 'boolean' || typeof remove !== 'boolean')
			return { kind: 'otherForm', seen: `fields: ${names}` };
		return {
			kind: edit && etagOf(post) === undefined ? 'noEtag' : 'whole',
			seen: `fields: ${names}`,
		};
	});
}

/** The name of the field that holds the etag. */
function etag(evidence: Evidence): Array<CheckFinding<'found'>> {
	return evidence.singles('post.getAll').flatMap((post) => {
		const value = etagOf(post);
		const fields = [capabilitiesOf(post), post].flatMap((holder) => Object.entries(holder));
		const name = fields.find(([, held]) => value !== undefined && String(held) === value)?.[0];
		return name === undefined ? [] : [{ kind: 'found', seen: fieldNames([{ [name]: '' }]).join() }];
	});
}

/** A service needs a moment to publish. */
const OVERDUE_MS = 3_600_000;

type ScheduledKind = 'timed' | 'untimed' | 'zoneless' | 'overdue';

function scheduled(evidence: Evidence): Array<CheckFinding<ScheduledKind>> {
	const posts = evidence
		.listed('post.getAll')
		.filter(({ status }) => String(status).toLowerCase() === 'scheduled');
	if (posts.length === 0) return [];
	const without = posts.filter((post) => instantOf(post.scheduled_at) === undefined).length;
	const of = `of ${count(posts.length, 'scheduled post')}`;
	const seen = `${without} ${of} without a time that can be read`;
	if (without > 0) return [{ kind: 'untimed', seen }];
	const zoneless = posts.filter(
		({ scheduled_at: time }) => parseIsoDateTime(String(time))?.offset === undefined,
	).length;
	if (zoneless > 0)
		return [{ kind: 'zoneless', seen: `${zoneless} ${of} with a time without a zone` }];
	const now = evidence.now;
	const overdue = posts.filter(
		({ scheduled_at: time }) => (instantOf(time) ?? now) < now - OVERDUE_MS,
	).length;
	if (overdue > 0) return [{ kind: 'overdue', seen: `${overdue} ${of} whose time has passed` }];
	return [{ kind: 'timed', seen }];
}

/** Whether a single read returns the record that was requested. */
function singles(evidence: Evidence): Array<CheckFinding<'same' | 'another' | 'notFound'>> {
	const names = ['post.get', 'leadMagnet.get', 'client.get'] as const;
	return names.flatMap((name) =>
		evidence.of(name).flatMap((asked): Array<CheckFinding<'same' | 'another' | 'notFound'>> => {
			const wanted = name === 'client.get' ? asked.clientId : asked.id;
			const about = listName(`${name}All`);
			if (isRefused(asked, 404))
				return [{ kind: 'notFound', about, seen: `${about}: ${inShort(asked.outcome)}` }];
			const record = recordOf(asked);
			const id = idIn(record, name === 'client.get' ? 'user_id' : 'id');
			if (record === undefined || id === undefined || wanted === undefined) return [];
			const isSame = id.toLowerCase() === wanted.toLowerCase();
			return [
				{
					kind: isSame ? 'same' : 'another',
					about,
					seen: `${about}: ${isSame ? 'the record that was asked for' : 'another ID than was asked for'}`,
				},
			];
		}),
	);
}

export const RECORDS: readonly Row[] = [
	row('Record IDs', {
		block: 'data',
		find: ids,
		words: {
			uuids: ok('Every record has a UUID: {about}.'),
			otherForm: needsYou(
				'IDs are not UUIDs: {about}. The nodes reject such an ID when you enter it, so you cannot read or change these records one by one.',
				REPORT_IT,
			),
			missing: needsYou(
				'Some records have no ID: {about}. The trigger cannot tell which of them are new.',
				REPORT_IT,
			),
			moving: needsYou(
				'IDs change with every request: {about}. The trigger reports every record as new again, and no record can be read by its ID.',
				REPORT_IT,
			),
			shared: needsYou(
				'All records have the same ID: {about}. The nodes treat them as one record.',
				REPORT_IT,
			),
		},
		unseen: 'The lists are empty.',
	}),
	row('Single reads', {
		block: 'data',
		find: singles,
		words: {
			same: ok('Reading by ID returns the right record: {about}.'),
			another: needsYou(
				'The service returns a different record than the node asked for: {about}.',
				`Do not change records by ID. ${REPORT_IT}`,
			),
			notFound: needsYou(
				'The service lists a record, but does not find it by its ID: {about}.',
				REPORT_IF_IT_STAYS,
			),
		},
		unseen: 'The node did not read any record by its ID.',
	}),
	row('Unique keys', {
		block: 'data',
		find: notes,
		words: {
			listed: ok(
				'Lists of posts show notes, so the node quickly finds a post by its "Unique Key".',
			),
			single: unusual(
				'The service shows notes in lists of posts or in single posts, but not in both. A "Unique Key" works, but the node reads posts one by one to find it.',
				'Use a "Unique Key" only where you need one.',
			),
			nowhere: needsYou(
				'Posts do not show their notes, so the node cannot find a post by its "Unique Key". Creating a post with one fails.',
				OWN_TABLE,
			),
			unread: notChecked('Lists of posts show no notes, and no single post was read.'),
		},
		unseen: 'The account has no posts.',
	}),
	row('Published posts', {
		block: 'data',
		find: published,
		words: {
			whole: ok('A published post says whether it can be edited and deleted.'),
			hidden: needsYou(
				'A published post does not say whether it can be edited or deleted, so the node does neither.',
				'Ask the service why published_mutation_capabilities is missing for this key.',
			),
			otherForm: needsYou(
				'A published post shows its capabilities in an undocumented form, so the node neither edits nor deletes it.',
				REPORT_IT,
			),
			etagMoves: needsYou(
				'The ETag of a published post changes with every read, although the post does not. The service may reject every change of its text as outdated.',
				REPORT_IF_IT_STAYS,
			),
			noEtag: needsYou(
				'A published post can be edited, but shows no ETag. Without one, the node cannot change its text.',
				'Ask the service which field holds the ETag, and enter its value in the option "ETag".',
			),
		},
		unseen: 'There was no published post to read.',
	}),
	row('ETag field', {
		block: 'document',
		find: etag,
		words: { found: ok('The ETag of a published post is in this field.') },
		unseen: 'The node saw no ETag.',
	}),
	row('Scheduled posts', {
		block: 'data',
		find: scheduled,
		words: {
			timed: ok('Scheduled posts show their time.'),
			zoneless: unusual(
				'The times of scheduled posts have no time zone. Next Free Slot and Unique Key read them as UTC.',
				REPORT_IT,
			),
			overdue: needsYou(
				'The time of some scheduled posts has passed, but the service did not publish them.',
				'Look at these posts in the service, and schedule or publish them again.',
			),
			untimed: needsYou(
				'Scheduled posts show no time that the node can read. Next Free Slot cannot tell which times are taken.',
				REPORT_IT,
			),
		},
		unseen: 'No post is scheduled.',
	}),
];
