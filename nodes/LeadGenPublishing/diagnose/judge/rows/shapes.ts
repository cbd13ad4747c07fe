/**
 * What is unlike the document: objects whose fields it does not show, and what the node assumes
 * about them.
 */
import { ASSUMED_FIELDS } from '../../../api/assumptions';
import type { EndpointName } from '../../../api/endpoints';
import { isRecord } from '../../../api/schemas';
import { isProfileUrlDoubtful, PROFILE_URL, profileUrlField } from '../../../api/wire';
import type { ListName } from '../../facts';
import { recordOf } from '../../records';
import type { Evidence } from '../evidence';
import { needsYou, ok, row, unusual, type CheckFinding, type Row } from '../row';
import { count, fieldNames, inWords } from '../words';

function profile(evidence: Evidence): Array<CheckFinding<'found' | 'none' | 'several' | 'noUrl'>> {
	const leads = evidence.records('lead.getAll');
	if (leads.length === 0) return [];
	const { networkWord: word } = evidence.connection;
	const names = leads.map((lead) => profileUrlField(lead, word));
	const found = names.filter((name) => name !== undefined).length;
	const seen = `${found} of ${count(leads.length, 'lead')}`;
	if (leads.some((lead) => isProfileUrlDoubtful(lead, word))) return [{ kind: 'several', seen }];
	if (found === 0) return [{ kind: 'none', seen }];
	const urls = leads.flatMap((lead, at) => lead[names[at] ?? ''] ?? []);
	const areUrls = urls.every((url) => typeof url === 'string' && /^https?:\/\//i.test(url));
	return [{ kind: areUrls ? 'found' : 'noUrl', seen }];
}

function archived(evidence: Evidence): Array<CheckFinding<'hidden' | 'listed'>> {
	const magnets = evidence.listed('leadMagnet.getAll');
	if (magnets.length === 0) return [];
	const kept = magnets.filter(({ status }) => String(status).toLowerCase() === 'archived').length;
	return [
		{
			kind: kept > 0 ? 'listed' : 'hidden',
			seen: `${kept} of ${count(magnets.length, 'lead magnet')}`,
		},
	];
}

const LIMIT_HEADER = /^(x-)?rate-?limit(-[a-z]{1,20}){0,2}$/;

/** Shows only names and numbers, because a header may contain anything. */
function limits({ asked }: Evidence): Array<CheckFinding<'shown'>> {
	const headers = asked.flatMap(({ attempts }) => attempts.map((attempt) => attempt.headers));
	const named = headers.flatMap((each) =>
		Object.entries(each)
			.filter(([name]) => LIMIT_HEADER.test(name))
			.map(([name, value]) => {
				const isNumber = /^\d{1,9}$/.test(String(value));
				return /-limit$/.test(name) && isNumber ? `${name}: ${String(value)}` : name;
			}),
	);
	return named.length === 0 ? [] : [{ kind: 'shown', seen: inWords(named) }];
}

/** A row with the names of fields that the document does not show. */
const shapeRow = (check: string, objectsIn: (evidence: Evidence) => unknown[]): Row =>
	row(`Shape: ${check}`, {
		block: 'document',
		find: (evidence) => {
			const names = fieldNames(objectsIn(evidence), (name) => evidence.isData(name));
			return names.length === 0 ? [] : [{ kind: 'shown', seen: inWords(names, 20) }];
		},
		words: {
			shown: ok('The API document does not show these fields. The nodes pass them on unchanged.'),
		},
	});

const answersOf =
	(name: EndpointName) =>
	(evidence: Evidence): unknown[] =>
		evidence.of(name).map(recordOf);
const insideOf =
	(list: ListName, field: string) =>
	(evidence: Evidence): unknown[] =>
		evidence.records(list).map((record) => record[field]);

/** Posts may show the interval and duration of Fast Response, and so the names of these fields. */
function minutes(evidence: Evidence): Array<CheckFinding<'assumed' | 'others'>> {
	const names = evidence
		.records('post.getAll')
		.flatMap((post) => [post, ...Object.values(post).filter(isRecord)])
		.flatMap(Object.keys)
		.filter((name) => /^[a-z_]*(interval|duration)[a-z_]*$/i.test(name));
	if (names.length === 0) return [];
	const assumed: readonly string[] = [
		ASSUMED_FIELDS.fastResponseInterval,
		ASSUMED_FIELDS.fastResponseDuration,
	];
	const isOther = names.some((name) => !assumed.includes(name));
	return [{ kind: isOther ? 'others' : 'assumed', seen: inWords(names) }];
}

/** A guess that only a write can confirm. The trial of a file confirms this one. */
function mediaPath({ trial }: Evidence): Array<CheckFinding<'taken'>> {
	const deletion = trial?.file?.removal?.deletions.at(-1);
	if (deletion === undefined || trial?.file?.storing?.kind !== 'stored') return [];
	const isTaken = deletion.outcome.kind === 'success' && trial.file.removal?.isGone === true;
	return isTaken ? [{ kind: 'taken', seen: `a body with ${ASSUMED_FIELDS.mediaPath}` }] : [];
}

export const SHAPES: readonly Row[] = [
	row('Profile URL of leads', {
		block: 'data',
		find: profile,
		words: {
			found: ok('Leads show the URL of a profile, so you can match them by person.'),
			none: needsYou(
				'Leads do not show the URL of a profile, so simplified leads have none.',
				`Turn off "Simplify" and look at a lead. If a field ends in _${PROFILE_URL}, turn on Set Words by Hand in the credential, and enter the part before it as the Network Word.`,
			),
			several: needsYou(
				'Leads show several profile URLs, and the node does not know which one belongs to the network. Simplified leads have none.',
				`In the credential, turn on Set Words by Hand. Enter the part of the right field before _${PROFILE_URL} as the Network Word.`,
			),
			noUrl: unusual(
				'The profile URL of leads is not a complete URL, so you cannot match leads by it.',
			),
		},
		unseen: 'The account has no leads.',
	}),
	row('Archived lead magnets', {
		block: 'document',
		find: archived,
		words: {
			hidden: ok('The list shows no archived lead magnets.'),
			listed: unusual(
				'The list shows archived lead magnets. You cannot change them.',
				'Add a Filter node after Lead Magnet > Get Many.',
			),
		},
		unseen: 'The account has no lead magnets.',
	}),
	shapeRow('owner of the key', answersOf('account.getSubject')),
	shapeRow('API info', answersOf('account.getApiInfo')),
	shapeRow('engagement', answersOf('post.getEngagement')),
	shapeRow('analytics', answersOf('leadMagnet.getAnalytics')),
	row('Rate limit headers', {
		block: 'document',
		find: limits,
		words: {
			shown: ok(
				'Responses name a rate limit, which the API document does not show. The node does not use it.',
			),
		},
		unseen: 'No response names a rate limit.',
	}),
	shapeRow('hosted_page', insideOf('leadMagnet.getAll', 'hosted_page')),
	shapeRow('followups', insideOf('post.getAll', 'followups')),
	row('Fast Response fields', {
		block: 'document',
		find: minutes,
		words: {
			assumed: ok('Posts show the field names that the node sends.'),
			others: unusual(
				'Posts show other field names than the node sends when it starts Fast Response.',
				'If the service rejects a start, send the names that posts show in "Custom Fields".',
			),
		},
		unseen:
			'No post shows the names of these fields. Only a start would show them, but it acts on the network.',
	}),
	row('Field for deleting a file', {
		block: 'document',
		find: mediaPath,
		words: {
			taken: ok('The service deletes a file by its path, as the node assumes.'),
		},
		unseen: 'Only the trial of an upload shows this. If the trial fails, another item says so.',
	}),
];
