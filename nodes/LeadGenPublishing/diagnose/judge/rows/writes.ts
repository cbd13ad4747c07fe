/**
 * Is my data complete? The result of the other harmless writes, and whether everything was removed.
 */
import type { JsonRecord } from '../../../api/schemas';
import { LISTS_OF_ACCOUNT, type Removal } from '../../facts';
import { idIn, recordOf, recordsOf, saysItIsGone } from '../../records';
import { isAnswered, type Evidence } from '../evidence';
import {
	needsYou,
	notChecked,
	ok,
	REPORT_IT,
	row,
	unusual,
	type CheckFinding,
	type Row,
} from '../row';
import { count, fieldNames, inShort, leftInWords, problemIn } from '../words';
import { briefIn, FAILURES, failureOf, isKept, type FailureKind } from './writeFailures';

type MagnetKind = FailureKind | 'made' | 'noId' | 'changed' | 'brief';

function magnet({ trial }: Evidence): Array<CheckFinding<MagnetKind>> {
	const { creation, read, sent } = trial?.magnet ?? {};
	const failure = failureOf(creation);
	if (failure !== undefined) return [failure];
	if (creation?.outcome.kind !== 'success' || sent === undefined) return [];
	// A success may come without a body.
	const made = recordOf(creation) ?? {};
	if (idIn(made) === undefined) return [{ kind: 'noId', seen: 'the response has no id' }];
	const shown: JsonRecord = (read && recordOf(read)) ?? made;
	const changed = Object.keys(sent).filter(
		(name) => name in shown && !isKept(shown[name], String(sent[name])),
	);
	if (changed.length > 0)
		return [{ kind: 'changed', seen: `other than sent: ${changed.join(', ')}` }];
	return [
		briefIn(made, ['keyword', 'resource_name']) ?? {
			kind: 'made',
			seen: 'a lead magnet was created',
		},
	];
}

type UploadKind = FailureKind | 'stored' | 'noPath' | 'noUrl' | 'unsigned' | 'storageRefused';

function upload({ trial }: Evidence): Array<CheckFinding<UploadKind>> {
	const { address, storing } = trial?.file ?? {};
	const failure = failureOf(address);
	if (failure !== undefined) return [failure];
	if (storing === undefined) return [];
	switch (storing.kind) {
		case 'stored':
			return [{ kind: 'stored', seen: 'an image of one pixel was taken with PUT' }];
		case 'unusable': {
			if (storing.lacks === 'path') return [{ kind: 'noPath', seen: 'no path' }];
			const given: JsonRecord = (address && recordOf(address)) ?? {};
			const seen =
				typeof given.upload_url === 'string'
					? `upload_url ${problemIn(storing)}`
					: `no upload_url; fields: ${fieldNames([given]).join(', ')}`;
			return [{ kind: 'noUrl', seen }];
		}
		case 'refused': {
			const { status } = storing;
			const seen = status === undefined ? problemIn(storing) : `HTTP ${status}`;
			return [{ kind: status === 401 || status === 403 ? 'unsigned' : 'storageRefused', seen }];
		}
	}
}

const IMAGE_LIMIT = 5_242_880;

/** What the media upload result says about the file. */
function announced({
	trial,
}: Evidence): Array<CheckFinding<'asSent' | 'otherType' | 'otherLimit' | 'noToken'>> {
	const { address, sent } = trial?.file ?? {};
	const given = address && recordOf(address);
	if (given === undefined || sent === undefined) return [];
	const { content_type: type, max_file_size: limit } = given;
	if (type !== undefined && type !== sent.content_type)
		return [{ kind: 'otherType', seen: 'content_type is not as it was sent' }];
	if (limit !== undefined && limit !== IMAGE_LIMIT)
		return [
			{
				kind: 'otherLimit',
				seen: `max_file_size: ${typeof limit === 'number' ? limit : 'no number'}`,
			},
		];
	if (typeof given.token !== 'string' || given.token === '')
		return [{ kind: 'noToken', seen: 'no token' }];
	return [{ kind: 'asSent', seen: 'type and limit are as documented' }];
}

type DeletionKind = FailureKind | 'gone' | 'stillShown' | 'stillFound' | 'denied' | 'stillPublic';

const PLACES = { draft: 'a draft', magnet: 'a lead magnet', file: 'a file' } as const;
const KIND_OF_LEFT = { draft: 'draft', magnet: 'lead magnet', file: 'image' } as const;

function deletions({ trial }: Evidence): Array<CheckFinding<DeletionKind>> {
	if (trial === undefined) return [];
	const removals: ReadonlyArray<readonly [keyof typeof PLACES, Removal | undefined]> = [
		['draft', trial.draft.removal],
		['magnet', trial.magnet?.removal],
		// A file that was never stored does not test a deletion.
		['file', trial.file?.storing?.kind === 'stored' ? trial.file.removal : undefined],
	];
	return removals.flatMap(([what, removal]): Array<CheckFinding<DeletionKind>> => {
		const first = removal?.deletions[0];
		if (removal === undefined || first === undefined) return [];
		const about = PLACES[what];
		const tries =
			removal.deletions.length > 1
				? ` after ${count(removal.deletions.length, 'try').replace('trys', 'tries')}`
				: '';
		const failure = failureOf(removal.deletions.at(-1));
		const seen = `${about}: ${inShort(first.outcome)}${tries}`;
		const shown = what === 'draft' ? removal.look && recordOf(removal.look) : undefined;
		const isShown = shown !== undefined && saysItIsGone(shown);
		if (removal.isGone && isShown)
			return [{ kind: 'stillShown', about, seen: `${about}: found with another status` }];
		if (removal.isGone) return [{ kind: 'gone', about, seen: `${about}: gone${tries}` }];
		const left = trial.left.filter((one) => one.what === KIND_OF_LEFT[what]).map(leftInWords);
		if (failure !== undefined)
			return [{ kind: failure.kind, about, seen, says: failure.says, left }];
		const isPublic = what === 'file' && trial.file?.isStillPublic === true && !removal.isDenied;
		if (isPublic) return [{ kind: 'stillPublic', about, seen: 'its public URL still works', left }];
		return [{ kind: what === 'file' ? 'denied' : 'stillFound', about, seen, left }];
	});
}

function archived({ trial }: Evidence): Array<CheckFinding<'hidden' | 'listed' | 'readable'>> {
	const { removal, listedAfter, creation } = trial?.magnet ?? {};
	const id = creation && idIn(recordOf(creation));
	if (removal?.isGone !== true || id === undefined) return [];
	const isReadable = removal.look !== undefined && recordOf(removal.look) !== undefined;
	const isListed =
		listedAfter !== undefined && recordsOf(listedAfter).some((one) => idIn(one) === id);
	if (isListed) return [{ kind: 'listed', seen: 'the list still shows it' }];
	return [
		{
			kind: isReadable ? 'readable' : 'hidden',
			seen: isReadable ? 'it can still be read' : 'it is not found',
		},
	];
}

/** What is left, unless the row about the deletion names it. */
function leftovers(evidence: Evidence): Array<CheckFinding<'nothing' | 'perhaps'>> {
	const { trial } = evidence;
	if (trial === undefined) return [];
	if (trial.left.length === 0) return [{ kind: 'nothing', seen: 'nothing is left' }];
	const named = new Set(deletions(evidence).flatMap((one) => one.left ?? []));
	const others = trial.left.filter((one) => !named.has(leftInWords(one)));
	if (others.length === 0) return [];
	return [{ kind: 'perhaps', seen: count(others.length, 'thing'), left: others.map(leftInWords) }];
}

const BY_HAND = 'In the service, find what is listed under "left", and delete it there.';

export const WRITES: readonly Row[] = [
	row('Write: lead magnet', {
		block: 'data',
		find: magnet,
		words: {
			made: ok('The node can create a lead magnet.'),
			noId: needsYou(
				'The response to a new lead magnet has no ID, so the node cannot read or change it.',
				REPORT_IT,
			),
			brief: unusual(
				'The response to a new lead magnet shows only these fields: {about}. Lead Magnet > Create returns nothing more.',
				'If a later node needs more fields, read the lead magnet with Lead Magnet > Get.',
			),
			changed: unusual(
				'A new lead magnet has different values than the node sent. "If Exists" compares the keyword and the resource name.',
				'Look at a new lead magnet in the service before you rely on it.',
			),
			...FAILURES('create a lead magnet', 'lead_magnets:write'),
		},
	}),
	row('Write: upload', {
		block: 'data',
		find: upload,
		words: {
			stored: ok('The node can upload a file.'),
			noPath: needsYou(
				'The upload result has no path. Without one, a file cannot be deleted, so the node did not upload any.',
				REPORT_IT,
			),
			noUrl: needsYou(
				'The upload result has no upload_url that the node can send a file to. Uploads fail.',
				REPORT_IT,
			),
			unsigned: needsYou(
				'The storage does not accept a file at the URL that the service gave for it. It may also need the token.',
				`Use Media > Create Upload URL and an HTTP Request node. ${REPORT_IT}`,
			),
			storageRefused: needsYou(
				'The storage does not accept a file as the node sends it (with PUT).',
				`Use Media > Create Upload URL and an HTTP Request node. ${REPORT_IT}`,
			),
			...FAILURES('upload a file', 'media:write'),
		},
	}),
	row('Write: upload result', {
		block: 'document',
		find: announced,
		words: {
			asSent: ok('The service describes the upload as documented.'),
			otherType: unusual(
				'The service announces a different type of file than the node asked for. The node sends the file with its real type.',
			),
			noToken: unusual(
				'The upload result has no token. Media > Upload does not need one, but Media > Create Upload URL cannot return it.',
			),
			otherLimit: unusual(
				'The service announces a different limit for images than the API document (5 MB). The node checks files against the document.',
				'If larger images fail, make them smaller.',
			),
		},
	}),
	row('Write: deletion', {
		block: 'data',
		find: deletions,
		words: {
			gone: ok('The node can delete what it created: {about}.'),
			stillShown: unusual(
				'The service still finds a deleted record, but says that it is deleted: {about}. Post > Get does not fail for it.',
				'Check the status of a post after you read it.',
			),
			stillFound: needsYou(
				'The service accepts a deletion, but still finds the record: {about}.',
				'Check later whether it is still there, and ask the service.',
			),
			stillPublic: needsYou(
				'The public URL of a deleted file still works. A copy may remain for a while.',
				'If you delete files that must not stay public, ask the service how long copies remain.',
			),
			denied: needsYou(
				'The service accepts a deletion, but deletes nothing: {about}.',
				'Ask the service what a deletion needs, and send it in "Custom Fields" of Media > Delete.',
			),
			forbidden: needsYou(
				'The service does not let this key delete {about}.',
				'Ask the service which scope the key lacks.',
			),
			rejected: needsYou(
				'The service rejects the request to delete {about}.',
				`For a file, ask the service what a deletion needs, and send it in "Custom Fields" of Media > Delete. ${REPORT_IT}`,
			),
			failing: needsYou('The service fails when the node tries to delete {about}.', BY_HAND),
			noAnswer: needsYou(
				'The node got no usable response when it tried to delete {about}.',
				BY_HAND,
			),
		},
	}),
	row('Write: archived lead magnet', {
		block: 'document',
		find: archived,
		words: {
			hidden: ok('The service no longer finds an archived lead magnet, as documented.'),
			listed: unusual('The list still shows a lead magnet after it was archived.'),
			readable: unusual(
				'An archived lead magnet can still be read. According to the API document, it should not be found.',
			),
		},
	}),
	row('Write: nothing left', {
		block: 'data',
		unseen: 'Another item names what is left.',
		find: leftovers,
		words: {
			nothing: ok('The node removed everything that it created for the trial.'),
			perhaps: needsYou('Something that the node created for the trial may still exist.', BY_HAND),
		},
	}),
];

/** The only row if nothing was written. */
export const NOT_WRITTEN: Row = row('Writes', {
	block: 'data',
	find: (evidence) => [
		{
			kind: !evidence.writesWanted
				? 'notWanted'
				: LISTS_OF_ACCOUNT.some((list) => evidence.of(list).some(isAnswered))
					? 'notReached'
					: 'closed',
			seen: 'not tried',
		},
	],
	words: {
		closed: notChecked(
			'The node did not try to create, change, upload or delete anything, because it cannot read any list of the account.',
			'If you have an agency\'s key, enter the ID of a client in "Client" to try them there.',
		),
		notWanted: notChecked(
			'The node did not try to create, change, upload or delete anything.',
			'To try a draft, a lead magnet and an image, turn on "Also Try Writes". The node removes them again.',
		),
		notReached: notChecked(
			'The node did not try to create, change, upload or delete anything, because the reads had used up the requests of this run.',
			'Run this again when the service fails less often.',
		),
	},
});
