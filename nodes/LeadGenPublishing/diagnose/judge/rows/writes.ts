/** Is my data complete? What became of the harmless writes, and whether everything was removed again. */
import type { JsonRecord } from '../../../api/schemas';
import { markerIn } from '../../../operations/post/keyMarker';
import { isSameText } from '../../../operations/storedValue';
import { LISTS_OF_ACCOUNT, type Asked, type Change, type Left, type Removal } from '../../facts';
import { idIn, recordOf, recordsOf } from '../../records';
import { isAnswered, isRefused, type Evidence } from '../evidence';
import { needsYou, notChecked, ok, REPORT_IT, row, unusual, type Finding, type Row } from '../row';
import { count, fieldNames, inShort, requestOf, saysOf, shownValue } from '../words';

type FailureKind = 'forbidden' | 'rejected' | 'failing' | 'noAnswer';

/** How a write failed; undefined if it went well, or was not sent. */
function failureOf(asked: Asked | undefined): Finding<FailureKind> | undefined {
	if (asked === undefined) return undefined;
	const { outcome } = asked;
	const seen = `${requestOf(asked.name)}: ${inShort(outcome)}`;
	const says = saysOf([asked]);
	if (outcome.kind === 'success' || outcome.kind === 'unsent') return undefined;
	if (outcome.kind !== 'refused') return { kind: 'noAnswer', seen, says };
	if (outcome.status === 403 || outcome.status === 401) return { kind: 'forbidden', seen, says };
	return {
		kind: outcome.status >= 500 || outcome.status === 429 ? 'failing' : 'rejected',
		seen,
		says,
	};
}

const FAILURES = (what: string, scope: string) => ({
	forbidden: needsYou(
		`The service does not let this key ${what}.`,
		`Ask the service for the scope ${scope}, unless the key is only meant to read.`,
	),
	rejected: needsYou(
		`The service rejects the request to ${what}, although it is as documented.`,
		REPORT_IT,
	),
	failing: needsYou(
		`The service fails when asked to ${what}.`,
		'Run this again later. If it stays, send this item to the service.',
	),
	noAnswer: needsYou(
		`The service gave no usable response when asked to ${what}.`,
		'Run this again later. If it stays, send this item to the service.',
	),
});

type DraftKind = FailureKind | 'made' | 'otherStatus' | 'noId';

function draft({ trial }: Evidence): Array<Finding<DraftKind>> {
	if (trial === undefined) return [];
	const { creation } = trial.draft;
	const failure = failureOf(creation);
	if (failure !== undefined) return [failure];
	const post = recordOf(creation);
	if (post === undefined) return [];
	if (idIn(post) === undefined) return [{ kind: 'noId', seen: 'the response has no id' }];
	if (post.status !== undefined && post.status !== 'draft')
		return [
			{
				kind: 'otherStatus',
				seen: `status: ${shownValue(post.status)}`,
				about: shownValue(post.status),
			},
		];
	return [{ kind: 'made', seen: 'a draft was made' }];
}

const isKept = (stored: unknown, sent: string): boolean =>
	typeof stored === 'string' && isSameText(stored, sent);

type TextKind = 'unchanged' | 'spelled' | 'lost' | 'cut' | 'tooLong';

/** The characters that a stored text has lost, as far as they can be named. */
const lostIn = (stored: string): string[] => [
	...(/\p{Extended_Pictographic}/u.test(stored) ? [] : ['emojis']),
	...(/\n/.test(stored) ? [] : ['line breaks']),
	...(/[<>]|&lt;/.test(stored) ? [] : ['angle brackets']),
];

/** Only the end is missing. */
const isCut = (stored: string, sent: string): boolean =>
	stored.length < sent.length && sent.startsWith(stored.slice(0, Math.max(10, stored.length - 5)));

function judgeText(stored: unknown, sent: string): Finding<TextKind> {
	if (stored === sent)
		return { kind: 'unchanged', seen: `${count(sent.length, 'character')} came back as sent` };
	if (typeof stored !== 'string') return { kind: 'lost', seen: 'no text came back' };
	const length = `${count(stored.length, 'character')} of ${sent.length} came back`;
	if (isKept(stored, sent)) return { kind: 'spelled', seen: length };
	if (isCut(stored, sent)) return { kind: 'cut', seen: length };
	const lost = lostIn(stored);
	return { kind: 'lost', seen: lost.length > 0 ? `${length}, without ${lost.join(', ')}` : length };
}

function text({ trial }: Evidence): Array<Finding<TextKind>> {
	const { longText, read, sent } = trial?.draft ?? {};
	const found: Array<Finding<TextKind>> = [];
	if (longText !== undefined)
		found.push({
			kind: 'tooLong',
			seen: `3,000 characters: ${inShort(longText.outcome)}`,
			says: saysOf([longText]),
		});
	const post = read && recordOf(read);
	return post === undefined || sent === undefined
		? found
		: [...found, judgeText(post.text, sent.text)];
}

type NotesKind = 'kept' | 'spelled' | 'hidden' | 'cut';

function notes({ trial }: Evidence): Array<Finding<NotesKind>> {
	const { read, sent } = trial?.draft ?? {};
	const post = read && recordOf(read);
	if (post === undefined || sent === undefined) return [];
	const { notes: stored } = post;
	// Posts that never show notes are told of by another row.
	if (!('notes' in post)) return [];
	const length = count(sent.notes.length, 'character');
	if (stored === undefined || stored === null || stored === '')
		return [{ kind: 'hidden', seen: `of ${length} nothing came back` }];
	if (markerIn(stored) !== markerIn(sent.notes))
		return [{ kind: 'cut', seen: `the last line of ${length} is not as it was sent` }];
	return [{ kind: isKept(stored, sent.notes) ? 'kept' : 'spelled', seen: `${length} came back` }];
}

type FoundKind = 'found' | 'late' | 'notListed' | 'unmarked';

function listed({ trial }: Evidence): Array<Finding<FoundKind>> {
	const { creation, listed: pages = [], sent } = trial?.draft ?? {};
	const id = creation && idIn(recordOf(creation));
	if (
		id === undefined ||
		sent === undefined ||
		!pages.some(({ outcome }) => outcome.kind === 'success')
	)
		return [];
	const at = pages.findIndex((page) => recordsOf(page).some((post) => idIn(post) === id));
	const page = pages[at];
	const found = page && recordsOf(page).find((post) => idIn(post) === id);
	const seen = `${count(pages.length, 'page')} read`;
	if (page === undefined || found === undefined) return [{ kind: 'notListed', seen }];
	if (!('notes' in found)) return [{ kind: 'found', seen: `${seen}, without notes` }];
	if (markerIn(found.notes) !== markerIn(sent.notes)) return [{ kind: 'unmarked', seen }];
	// The same page had been read before, and did not show it.
	const isLate = pages.slice(0, at).some((one) => one.query?.offset === page.query?.offset);
	return [{ kind: isLate ? 'late' : 'found', seen }];
}

type ChangeKind = FailureKind | 'shown' | 'notShown' | 'wiped';

function change(evidence: Evidence): Array<Finding<ChangeKind>> {
	const { change: changed, read } = evidence.trial?.draft ?? {};
	if (changed === undefined) return [];
	const failure = failureOf(changed.asked);
	if (failure !== undefined) return [failure];
	const after = changed.after && recordOf(changed.after);
	if (after === undefined) return [];
	const before = (read && recordOf(read)) ?? {};
	// What a service makes of a text is told of by another row.
	const isOther = typeof before.text === 'string' && after.text !== before.text;
	if (before.text === undefined && after.text === undefined) return [];
	const isDamaged = text(evidence).some(({ kind }) => kind === 'cut' || kind === 'lost');
	if (!isOther && isDamaged) return [];
	if (!isOther && !isKept(after.text, String(changed.sent.text)))
		return [{ kind: 'notShown', seen: 'the text is the old one' }];
	const wiped = Object.keys(before).filter(
		(name) =>
			!isNothing(before[name]) && isNothing(after[name]) && name in after && name !== 'text',
	);
	return wiped.length > 0
		? [
				{
					kind: 'wiped',
					seen: `now empty: ${fieldNames([Object.fromEntries(wiped.map((name) => [name, '']))]).join(', ')}`,
				},
			]
		: [{ kind: 'shown', seen: 'the text is the new one, the rest is as before' }];
}

const isNothing = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(Array.isArray(value) && value.length === 0);

type EmptyingKind = 'emptied' | 'kept' | 'rejected';

function emptying(evidence: Evidence): Array<Finding<EmptyingKind>> {
	const { trial } = evidence;
	const emptied: Change | undefined = trial?.draft.emptying;
	// A service that ignores every change ignores this one, too.
	const isIgnored = change(evidence).some(({ kind }) => kind === 'notShown');
	if (emptied === undefined || isIgnored) return [];
	if (isRefused(emptied.asked))
		return [
			{ kind: 'rejected', seen: inShort(emptied.asked.outcome), says: saysOf([emptied.asked]) },
		];
	const after = emptied.after && recordOf(emptied.after);
	if (after === undefined || !('notes' in after)) return [];
	return [{ kind: isNothing(after.notes) ? 'emptied' : 'kept', seen: `notes: null was sent` }];
}

type MagnetKind = FailureKind | 'made' | 'noId' | 'changed';

function magnet({ trial }: Evidence): Array<Finding<MagnetKind>> {
	const { creation, read, sent } = trial?.magnet ?? {};
	const failure = failureOf(creation);
	if (failure !== undefined) return [failure];
	const made = creation && recordOf(creation);
	if (made === undefined || sent === undefined) return [];
	if (idIn(made) === undefined) return [{ kind: 'noId', seen: 'the response has no id' }];
	const shown: JsonRecord = (read && recordOf(read)) ?? made;
	const changed = Object.keys(sent).filter(
		(name) => name in shown && !isKept(shown[name], String(sent[name])),
	);
	return changed.length > 0
		? [{ kind: 'changed', seen: `other than sent: ${changed.join(', ')}` }]
		: [{ kind: 'made', seen: 'a lead magnet was made' }];
}

type UploadKind = FailureKind | 'stored' | 'noAddress' | 'storageRefused';

function upload({ trial }: Evidence): Array<Finding<UploadKind>> {
	const { address, storing } = trial?.file ?? {};
	const failure = failureOf(address);
	if (failure !== undefined) return [failure];
	if (storing === undefined) return [];
	switch (storing.kind) {
		case 'stored':
			return [{ kind: 'stored', seen: 'an image of one pixel was taken with PUT' }];
		case 'noAddress':
			return [
				{
					kind: 'noAddress',
					seen: storing.seen === 'no path' ? 'no path' : 'an address that is not safe to send to',
				},
			];
		case 'refused':
			return [{ kind: 'storageRefused', seen: storing.seen }];
	}
}

type DeletionKind = FailureKind | 'gone' | 'stillFound' | 'denied' | 'stillPublic';

const PLACES = { draft: 'a draft', magnet: 'a lead magnet', file: 'a file' } as const;
const KIND_OF_LEFT = { draft: 'draft', magnet: 'lead magnet', file: 'image' } as const;

const inLeft = ({ what, name, isCertain }: Left): string =>
	isCertain ? `${what} ${name}` : `perhaps a ${what} marked ${name}`;

function deletions({ trial }: Evidence): Array<Finding<DeletionKind>> {
	if (trial === undefined) return [];
	const removals: ReadonlyArray<readonly [keyof typeof PLACES, Removal | undefined]> = [
		['draft', trial.draft.removal],
		['magnet', trial.magnet?.removal],
		// What was never stored says nothing of deleting.
		['file', trial.file?.storing?.kind === 'stored' ? trial.file.removal : undefined],
	];
	return removals.flatMap(([what, removal]): Array<Finding<DeletionKind>> => {
		const first = removal?.deletions[0];
		if (removal === undefined || first === undefined) return [];
		const about = PLACES[what];
		const tries =
			removal.deletions.length > 1
				? ` after ${count(removal.deletions.length, 'try').replace('trys', 'tries')}`
				: '';
		const failure = failureOf(removal.deletions.at(-1));
		const seen = `${about}: ${inShort(first.outcome)}${tries}`;
		if (removal.isGone) return [{ kind: 'gone', about, seen: `${about}: gone${tries}` }];
		const left = trial.left.filter((one) => one.what === KIND_OF_LEFT[what]).map(inLeft);
		if (failure !== undefined)
			return [{ kind: failure.kind, about, seen, says: failure.says, left }];
		const isPublic = what === 'file' && trial.file?.isStillPublic === true && !removal.isDenied;
		if (isPublic)
			return [{ kind: 'stillPublic', about, seen: 'its public URL still answers', left }];
		return [{ kind: what === 'file' ? 'denied' : 'stillFound', about, seen, left }];
	});
}

function archived({ trial }: Evidence): Array<Finding<'hidden' | 'listed' | 'readable'>> {
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
function leftovers(evidence: Evidence): Array<Finding<'nothing' | 'perhaps'>> {
	const { trial } = evidence;
	if (trial === undefined) return [];
	if (trial.left.length === 0) return [{ kind: 'nothing', seen: 'nothing is left' }];
	const named = new Set(deletions(evidence).flatMap((one) => one.left ?? []));
	const others = trial.left.filter((one) => !named.has(inLeft(one)));
	if (others.length === 0) return [];
	return [{ kind: 'perhaps', seen: count(others.length, 'thing'), left: others.map(inLeft) }];
}

const OWN_TABLE =
	'Leave "Unique Key" empty, and keep a table of your own of the posts that were created.';

export const WRITES: readonly Row[] = [
	row('Write: draft', {
		block: 'data',
		find: draft,
		words: {
			made: ok('A draft can be created.'),
			otherStatus: needsYou(
				'A post that was sent as a draft has another status: {about}.',
				'Look at your posts before a workflow creates more, and ask the service.',
			),
			noId: needsYou(
				'The response to a new post has no ID, so the node cannot go on with it.',
				REPORT_IT,
			),
			...FAILURES('create a post', 'posts:write'),
		},
	}),
	row('Write: text', {
		block: 'data',
		find: text,
		words: {
			unchanged: ok('A text with emojis, line breaks and 3,000 characters is kept as it was sent.'),
			spelled: ok(
				'A text is kept. Some characters are written in another way, which the node takes for the same.',
			),
			lost: needsYou(
				'A text is not kept as it was sent.',
				'Look at a draft in the service before you publish what a workflow wrote.',
			),
			cut: needsYou(
				'A long text is cut.',
				'Keep posts shorter than what came back, or ask the service for its limit.',
			),
			tooLong: needsYou(
				'A text of 3,000 characters is rejected, although the document allows it.',
				'Keep posts shorter, or ask the service for its limit. Emojis may count as two characters.',
			),
		},
	}),
	row('Write: notes', {
		block: 'data',
		find: notes,
		words: {
			kept: ok('Notes are kept as they were sent, so a "Unique Key" can be kept there.'),
			spelled: ok('Notes are kept well enough for a "Unique Key".'),
			hidden: needsYou(
				'A post does not show the notes that were sent, so a "Unique Key" is lost.',
				OWN_TABLE,
			),
			cut: needsYou('Notes are cut or changed, so a "Unique Key" is lost.', OWN_TABLE),
		},
	}),
	row('Write: found again', {
		block: 'data',
		find: listed,
		words: {
			found: ok('The list shows a new post at once.'),
			late: unusual(
				'The list shows a new post only after a moment. The node looks again before it creates a second one.',
			),
			notListed: needsYou(
				'The list does not show a post that was just made. With a "Unique Key" it may be created twice.',
				OWN_TABLE,
			),
			unmarked: needsYou(
				'The list shows the notes of a new post in another way than they were sent, so a "Unique Key" is not found again.',
				OWN_TABLE,
			),
		},
	}),
	row('Write: change', {
		block: 'data',
		find: change,
		words: {
			shown: ok('A change of the text shows, and leaves the other fields as they were.'),
			notShown: needsYou('A change was accepted, but the post does not show it.', REPORT_IT),
			wiped: needsYou(
				'A change of the text empties other fields.',
				'In Post > Update, enter every field that the post should keep.',
			),
			...FAILURES('change a post', 'posts:write'),
		},
	}),
	row('Write: emptying a field', {
		block: 'data',
		find: emptying,
		words: {
			emptied: ok('Sending null empties a field, as the node assumes.'),
			kept: needsYou(
				'Sending null does not empty a field.',
				'Empty fields in the service itself, or send another value in "Custom Fields".',
			),
			rejected: needsYou(
				'The service rejects null for a field.',
				'Empty fields in the service itself, or send another value in "Custom Fields".',
			),
		},
	}),
	row('Write: lead magnet', {
		block: 'data',
		find: magnet,
		words: {
			made: ok('A lead magnet can be created.'),
			noId: needsYou('The response to a new lead magnet has no ID.', REPORT_IT),
			changed: unusual(
				'A lead magnet shows other values than were sent. "If Exists" compares by keyword and resource name.',
				'Look at a new lead magnet in the service before you rely on it.',
			),
			...FAILURES('create a lead magnet', 'lead_magnets:write'),
		},
	}),
	row('Write: upload', {
		block: 'data',
		find: upload,
		words: {
			stored: ok('A file can be uploaded.'),
			noAddress: needsYou(
				'The service gives no address that a file may be sent to, or no path by which it can be deleted.',
				REPORT_IT,
			),
			storageRefused: needsYou(
				'The storage does not take a file the way the node sends it (PUT).',
				`Use Media > Create Upload URL and an HTTP Request node. ${REPORT_IT}`,
			),
			...FAILURES('upload a file', 'media:write'),
		},
	}),
	row('Write: deletion', {
		block: 'data',
		find: deletions,
		words: {
			gone: ok('What was made can be deleted: {about}.'),
			stillFound: needsYou(
				'A deletion was accepted, but the record is still found: {about}.',
				'Look whether it is still there later, and ask the service.',
			),
			stillPublic: needsYou(
				'A deleted file can still be opened by its public URL. A copy may stay for a while.',
				'Open the URL again tomorrow. If the file is still there, ask the service.',
			),
			denied: needsYou(
				'A deletion was accepted, but nothing was deleted: {about}.',
				'Send what the service wants in "Custom Fields" of Media > Delete.',
			),
			forbidden: needsYou(
				'The service does not let this key delete {about}.',
				'Ask the service what the key lacks.',
			),
			rejected: needsYou(
				'The service rejects the deletion of {about}, although it is as documented or as the node assumes.',
				`For a file, send what the service wants in "Custom Fields" of Media > Delete. ${REPORT_IT}`,
			),
			failing: needsYou('The service fails when asked to delete {about}.', 'Run this again later.'),
			noAnswer: needsYou(
				'The service gave no usable response when asked to delete {about}.',
				'Run this again later.',
			),
		},
	}),
	row('Write: archived lead magnet', {
		block: 'document',
		find: archived,
		words: {
			hidden: ok('An archived lead magnet is not found any more, as documented.'),
			listed: unusual('The list still shows a lead magnet that was archived.'),
			readable: unusual(
				'An archived lead magnet can still be read. The document says that it is not found.',
			),
		},
	}),
	row('Write: what was made is gone', {
		block: 'data',
		unseen: 'Another item names what is left.',
		find: leftovers,
		words: {
			nothing: ok('Everything that was made for the trial is gone.'),
			perhaps: needsYou(
				'Something that was made for the trial may still exist.',
				'Look for what this item names, and delete it by hand.',
			),
		},
	}),
];

/** In place of the others, if nothing was written. */
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
			'Creating, changing, uploading and deleting were not tried, because no list of the account can be read.',
			'With an agency\'s key, enter the ID of a client in "Client" to try them there.',
		),
		notWanted: notChecked(
			'Creating, changing, uploading and deleting were not tried.',
			'Turn on "Also Try Writes" to try a draft, a lead magnet and an image. They are removed again.',
		),
		notReached: notChecked(
			'Creating, changing, uploading and deleting were not tried: the reads had used up the requests of this run.',
			'Run this again when the service fails less often.',
		),
	},
});
