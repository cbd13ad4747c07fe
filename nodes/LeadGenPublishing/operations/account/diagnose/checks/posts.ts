/** What posts show that unique keys, changes and deletions of published posts need. */
import { isRecord, type JsonRecord } from '../../../../api/schemas';
import { instantOf } from '../../../../item/storedValue';
import { capabilitiesOf, etagOf } from '../../../post/published/state';
import { check, checkOfWords, holdsIf, REPORT_IT, type Check, type Finding } from '../check';
import { count, fieldName, inWords, type Evidence } from '../evidence';

const publishedIn = (evidence: Evidence): JsonRecord[] =>
	evidence.ones('post.getAll').filter(({ status }) => status === 'published');

function notes(records: readonly JsonRecord[]): Finding {
	const shown = records.filter((record) => 'notes' in record).length;
	return holdsIf(shown > 0, `${shown} of ${count(records.length, 'post')}`);
}

const WHOLE = 'can_edit and can_delete';

function capabilities(post: JsonRecord): string {
	const { can_edit: edit, can_delete: remove } = capabilitiesOf(post);
	if (!isRecord(post.published_mutation_capabilities)) return 'none';
	const isWhole = typeof edit === 'boolean' && typeof remove === 'boolean';
	return isWhole ? WHOLE : `without ${WHOLE} as booleans`;
}

/** The name of the field that holds it. */
function etagField(post: JsonRecord): string | undefined {
	const etag = etagOf(post);
	const fields = [capabilitiesOf(post), post].flatMap((holder) => Object.entries(holder));
	return fields.find(([, value]) => etag !== undefined && String(value) === etag)?.[0];
}

export const POSTS: readonly Check[] = [
	check('Notes: in lists', {
		needs: 'post.getAll',
		looksAt: (evidence) => evidence.listed('post.getAll'),
		finds: notes,
		holds: 'Lists of posts show notes, so a post with a unique key is found again.',
		differs:
			'Lists of posts do not show notes: with a unique key each post has to be read one by one, which takes many requests.',
		next: 'Give posts a "Unique Key" where it matters, and leave it out in long lists.',
	}),
	check('Notes: in a post', {
		needs: 'post.get',
		looksAt: (evidence) => evidence.ones('post.getAll'),
		finds: notes,
		holds: 'A post shows its notes, so a unique key can be kept there.',
		differs:
			'A post does not show its notes. If lists do not show them either, a "Unique Key" cannot be found again, and creating with one fails.',
		next: 'Keep in a table of your own which posts were created.',
	}),
	checkOfWords('Capabilities', {
		needs: 'post.get',
		looksAt: (evidence) => publishedIn(evidence).map(capabilities),
		known: [WHOLE],
		differs:
			'A published post does not say whether it can be edited and deleted, so the node does neither.',
		next: 'Ask the service why.',
	}),
	check('ETag', {
		needs: 'post.get',
		looksAt: (evidence) =>
			publishedIn(evidence).filter((post) => capabilitiesOf(post).can_edit === true),
		finds: (posts) => {
			const names = posts.flatMap((post) => etagField(post) ?? []);
			const isEverywhere = names.length === posts.length;
			const seen = `in ${inWords(names.map(fieldName))}`;
			return holdsIf(isEverywhere, isEverywhere ? seen : 'none, though it can be edited');
		},
		differs: 'A post that can be edited shows no etag, so its text cannot be changed without one.',
		next: 'Ask the service where the etag stands, and enter it in the option "ETag".',
	}),
	check('Scheduled times', {
		needs: 'post.getAll',
		looksAt: (evidence) =>
			evidence.listed('post.getAll').filter(({ status }) => status === 'scheduled'),
		finds: (posts) => {
			const without = posts.filter((post) => instantOf(post.scheduled_at) === undefined).length;
			const seen = `${without} of ${count(posts.length, 'scheduled post')} without a time`;
			return holdsIf(without === 0, seen);
		},
		differs: 'Scheduled posts have no time that can be read, so they cannot be compared by it.',
		next: REPORT_IT,
	}),
	check('Archived lead magnets', {
		needs: 'leadMagnet.getAll',
		looksAt: (evidence) => evidence.listed('leadMagnet.getAll'),
		finds: (magnets) => {
			const kept = magnets.filter(({ status }) => status === 'archived').length;
			return holdsIf(kept === 0, `${kept} of ${count(magnets.length, 'lead magnet')} archived`);
		},
		differs: 'The list has archived lead magnets, which cannot be read or changed.',
		next: 'Put a Filter node behind Lead Magnet > Get Many.',
	}),
];
