/** What posts show that unique keys, changes and deletions of published posts need. */
import { isRecord, type JsonRecord } from '../../../../api/schemas';
import { instantOf } from '../../../storedValue';
import { capabilitiesOf, etagOf } from '../../../post/published/state';
import { check, type Check, type Finding } from '../check';
import { count, fieldName, inWords, listOf, recordOf, type Evidence } from '../evidence';

const ofLists = (evidence: Evidence): JsonRecord[] => evidence.of('post.getAll').flatMap(listOf);
const oneByOne = (evidence: Evidence): JsonRecord[] => evidence.of('post.get').flatMap(recordOf);
const isPublished = ({ status }: JsonRecord): boolean => status === 'published';

function notes(records: readonly JsonRecord[]): Finding | undefined {
	if (records.length === 0) return undefined;
	const shown = records.filter((record) => 'notes' in record).length;
	return {
		result: shown === 0 ? 'differs' : 'holds',
		seen: `${shown} of ${count(records.length, 'post')}`,
	};
}

const CAPABILITIES = 'published_mutation_capabilities';

function capabilities(evidence: Evidence): Finding | undefined {
	const posts = oneByOne(evidence).filter(isPublished);
	if (posts.length === 0) return undefined;
	const states = posts.map((post) => {
		const { can_edit: edit, can_delete: remove } = capabilitiesOf(post);
		if (!isRecord(post[CAPABILITIES])) return 'none';
		const isWhole = [edit, remove].every((value) => typeof value === 'boolean');
		return isWhole ? 'can_edit and can_delete' : 'without can_edit and can_delete as booleans';
	});
	const isWhole = states.every((state) => state === 'can_edit and can_delete');
	return { result: isWhole ? 'holds' : 'differs', seen: inWords(states) };
}

function etag(evidence: Evidence): Finding | undefined {
	const editable = oneByOne(evidence).filter(
		(post) => isPublished(post) && capabilitiesOf(post).can_edit === true,
	);
	if (editable.length === 0) return undefined;
	const places = editable.map((post) => {
		const value = etagOf(post);
		const holders = [capabilitiesOf(post), post];
		const names = holders.flatMap((holder) =>
			Object.keys(holder).filter((name) => value !== undefined && String(holder[name]) === value),
		);
		return names[0];
	});
	const isEverywhere = places.every((name) => name !== undefined);
	return {
		result: isEverywhere ? 'holds' : 'differs',
		seen: isEverywhere ? `in ${inWords(places.map(fieldName))}` : 'none, though it can be edited',
	};
}

function schedules(evidence: Evidence): Finding | undefined {
	const scheduled = ofLists(evidence).filter(({ status }) => status === 'scheduled');
	if (scheduled.length === 0) return undefined;
	const without = scheduled.filter((post) => instantOf(post.scheduled_at) === undefined).length;
	return {
		result: without > 0 ? 'differs' : 'holds',
		seen: `${without} of ${count(scheduled.length, 'scheduled post')} without a time`,
	};
}

function archived(evidence: Evidence): Finding | undefined {
	const magnets = evidence.of('leadMagnet.getAll').flatMap(listOf);
	if (magnets.length === 0) return undefined;
	const kept = magnets.filter(({ status }) => status === 'archived').length;
	return {
		result: kept > 0 ? 'differs' : 'holds',
		seen: `${kept} of ${count(magnets.length, 'lead magnet')} archived`,
	};
}

export const POSTS: readonly Check[] = [
	check('Notes: in lists', {
		needs: ['post.getAll'],
		reads: (evidence) => notes(ofLists(evidence)),
		holds: 'Lists of posts show notes, so a post with a unique key is found again.',
		differs: [
			'Lists of posts do not show notes: with a unique key each post has to be read one by one, which takes many requests.',
			'Give posts a "Unique Key" where it matters, and leave it out in long lists.',
		],
	}),
	check('Notes: in a post', {
		needs: ['post.get'],
		reads: (evidence) => notes(oneByOne(evidence)),
		holds: 'A post shows its notes, so a unique key can be kept there.',
		differs: [
			'A post does not show its notes. If lists do not show them either, a "Unique Key" cannot be found again, and creating with one fails.',
			'Keep in a table of your own which posts were created.',
		],
	}),
	check('Capabilities', {
		needs: ['post.get'],
		reads: capabilities,
		holds: 'A published post says whether it can be edited and deleted.',
		differs: [
			'A published post does not say whether it can be edited and deleted, so the node does neither.',
			'Ask the service why.',
		],
		notSeen: ['No published post was read.', ''],
	}),
	check('ETag', {
		needs: ['post.get'],
		reads: etag,
		holds: 'The etag that a change needs is found.',
		differs: [
			'A post that can be edited shows no etag, so its text cannot be changed without one.',
			'Ask the service where the etag stands, and enter it in the option "ETag".',
		],
		notSeen: ['No published post was read that can be edited.', ''],
	}),
	check('Scheduled times', {
		needs: ['post.getAll'],
		reads: schedules,
		holds: 'Each scheduled post has a time.',
		differs: [
			'Scheduled posts have no time that can be read, so they cannot be compared by it.',
			'Report it, with this report.',
		],
		notSeen: ['No post is scheduled.', ''],
	}),
	check('Archived lead magnets', {
		needs: ['leadMagnet.getAll'],
		reads: archived,
		holds: 'What is archived is not in the list.',
		differs: [
			'The list has archived lead magnets, which cannot be read or changed.',
			'Put a Filter node behind Lead Magnet > Get Many.',
		],
	}),
];
