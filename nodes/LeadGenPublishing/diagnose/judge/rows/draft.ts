/**
 * Is my data complete? What happened to the trial draft: its text, its notes, and changes to them.
 */
import { carriesKey } from '../../../records/keyMarker';
import { isShortened } from '../../../records/shortened';
import type { Change } from '../../facts';
import { idIn, recordOf, recordsOf } from '../../records';
import { createdField, timeFieldsIn } from '../times';
import { isAnswered, isRefused, type Evidence } from '../evidence';
import {
	needsYou,
	ok,
	OWN_TABLE,
	REPORT_IT,
	row,
	unusual,
	type CheckFinding,
	type Row,
} from '../row';
import { count, fieldNames, inShort, saysOf, shownValue } from '../words';
import { briefIn, FAILURES, failureOf, isKept, type FailureKind } from './writeFailures';

type DraftKind = FailureKind | 'made' | 'otherStatus' | 'noId' | 'twice' | 'brief';

function draft({ trial }: Evidence): Array<CheckFinding<DraftKind>> {
	if (trial === undefined) return [];
	const { creation } = trial.draft;
	const failure = failureOf(creation);
	if (failure !== undefined) return [failure];
	if (creation.outcome.kind !== 'success') return [];
	// A success may come without a body.
	const post = recordOf(creation) ?? {};
	if (idIn(post) === undefined) return [{ kind: 'noId', seen: 'the response has no id' }];
	if (post.status !== undefined && post.status !== 'draft')
		return [
			{
				kind: 'otherStatus',
				seen: `status: ${shownValue(post.status)}`,
				about: shownValue(post.status),
			},
		];
	const { twins = [], read } = trial.draft;
	if (twins.length > 0)
		return [{ kind: 'twice', seen: `${count(twins.length + 1, 'draft')} out of one request` }];
	// Another row reports posts that never show a text.
	const isShown = read !== undefined && typeof recordOf(read)?.text === 'string';
	return [
		(isShown ? briefIn(post, ['text']) : undefined) ?? {
			kind: 'made',
			seen: 'a draft was created',
		},
	];
}

type TextKind = 'unchanged' | 'spelled' | 'lost' | 'cut' | 'tooLong';

/** The kinds of characters that a stored text has lost. */
const lostIn = (stored: string): string[] => [
	...(/\p{Extended_Pictographic}/u.test(stored) ? [] : ['emojis']),
	...(/\n/.test(stored) ? [] : ['line breaks']),
	...(/[<>]|&lt;/.test(stored) ? [] : ['angle brackets']),
];

/** Only the end is missing. */
const isCut = (stored: string, sent: string): boolean =>
	stored.length < sent.length && sent.startsWith(stored.slice(0, Math.max(10, stored.length - 5)));

function judgeText(stored: unknown, sent: string): CheckFinding<TextKind> {
	if (stored === sent)
		return { kind: 'unchanged', seen: `${count(sent.length, 'character')} came back as sent` };
	if (typeof stored !== 'string') return { kind: 'lost', seen: 'no text came back' };
	const length = `${count(stored.length, 'character')} of ${sent.length} came back`;
	if (isKept(stored, sent)) return { kind: 'spelled', seen: length };
	if (isCut(stored, sent))
		return { kind: 'cut', seen: length, about: count(stored.length, 'character') };
	const lost = lostIn(stored);
	return { kind: 'lost', seen: lost.length > 0 ? `${length}, without ${lost.join(', ')}` : length };
}

function text({ trial }: Evidence): Array<CheckFinding<TextKind>> {
	const { longText, read, sent } = trial?.draft ?? {};
	const found: Array<CheckFinding<TextKind>> = [];
	const isShortTaken = trial?.draft.creation.outcome.kind === 'success';
	if (longText !== undefined && isShortTaken)
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

function notes({ trial }: Evidence): Array<CheckFinding<NotesKind>> {
	if (trial === undefined) return [];
	const { read, sent } = trial.draft;
	const post = read && recordOf(read);
	if (post === undefined) return [];
	const { notes: stored } = post;
	// Another row reports posts that never show notes.
	if (!('notes' in post)) return [];
	const length = count(sent.notes.length, 'character');
	if (stored === undefined || stored === null || stored === '')
		return [{ kind: 'hidden', seen: `of ${length} nothing came back` }];
	if (!carriesKey(stored, trial.mark))
		return [{ kind: 'cut', seen: `the last line of ${length} is not as it was sent` }];
	return [{ kind: isKept(stored, sent.notes) ? 'kept' : 'spelled', seen: `${length} came back` }];
}

type FoundKind = 'found' | 'late' | 'notListed' | 'oneByOne' | 'unmarked' | 'readLate' | 'notRead';

/** A list that says so, or shows nothing: then the node reads the post itself. */
const saysItIsCut = (notes: unknown): boolean => isNothing(notes) || isShortened(notes);

function listed({ trial }: Evidence): Array<CheckFinding<FoundKind>> {
	if (trial === undefined) return [];
	const { creation, listed: pages, read, missed } = trial.draft;
	const id = idIn(recordOf(creation));
	if (id === undefined || !pages.some(isAnswered)) return [];
	if (read !== undefined && isRefused(read, 404))
		return [{ kind: 'notRead', seen: inShort(read.outcome) }];
	if (missed !== undefined) return [{ kind: 'readLate', seen: `first ${inShort(missed.outcome)}` }];
	const at = pages.findIndex((page) => recordsOf(page).some((post) => idIn(post) === id));
	const page = pages[at];
	const found = page && recordsOf(page).find((post) => idIn(post) === id);
	const seen = `${count(pages.length, 'page')} read`;
	if (page === undefined || found === undefined) return [{ kind: 'notListed', seen }];
	if (!('notes' in found)) return [{ kind: 'found', seen: `${seen}, without notes` }];
	if (!carriesKey(found.notes, trial.mark)) {
		const isReadable = carriesKey(read && recordOf(read)?.notes, trial.mark);
		const isNoticed = isReadable && saysItIsCut(found.notes);
		return [{ kind: isNoticed ? 'oneByOne' : 'unmarked', seen }];
	}
	// The same page had been read before, and did not show it.
	const isLate = pages.slice(0, at).some((one) => one.query?.offset === page.query?.offset);
	return [{ kind: isLate ? 'late' : 'found', seen }];
}

type ChangeKind =
	FailureKind | 'shown' | 'notShown' | 'otherResponse' | 'wiped' | 'createdMoves' | 'brief';

function change(evidence: Evidence): Array<CheckFinding<ChangeKind>> {
	const { change: changed, read } = evidence.trial?.draft ?? {};
	if (changed === undefined) return [];
	const failure = failureOf(changed.asked);
	if (failure !== undefined) return [failure];
	const after = changed.after && recordOf(changed.after);
	if (after === undefined) return [];
	const before = (read && recordOf(read)) ?? {};
	// Another row reports how a service changes a text.
	const isOther = typeof before.text === 'string' && after.text !== before.text;
	if (before.text === undefined && after.text === undefined) return [];
	const isDamaged = text(evidence).some(({ kind }) => kind === 'cut' || kind === 'lost');
	if (!isOther && isDamaged) return [];
	if (!isOther && !isKept(after.text, String(changed.sent.text)))
		return [{ kind: 'notShown', seen: 'the text is the old one' }];
	const told = recordOf(changed.asked)?.text;
	if (typeof told === 'string' && told !== after.text && !isKept(told, String(changed.sent.text)))
		return [{ kind: 'otherResponse', seen: 'a read shows the new text, the response does not' }];
	const wiped = Object.keys(before).filter(
		(name) =>
			!isNothing(before[name]) && isNothing(after[name]) && name in after && name !== 'text',
	);
	if (wiped.length > 0)
		return [
			{
				kind: 'wiped',
				seen: `now empty: ${fieldNames([Object.fromEntries(wiped.map((name) => [name, '']))]).join(', ')}`,
			},
		];
	const created = createdField(timeFieldsIn([before]));
	if (created !== undefined && before[created] !== after[created])
		return [{ kind: 'createdMoves', seen: `${fieldNames([{ [created]: '' }]).join()} changed` }];
	const response = recordOf(changed.asked);
	const brief = response === undefined ? undefined : briefIn(response, ['text']);
	return [brief ?? { kind: 'shown', seen: 'the text is the new one, the rest is as before' }];
}

const isNothing = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(Array.isArray(value) && value.length === 0);

type EmptyingKind = 'emptied' | 'kept' | 'rejected';

function emptying(evidence: Evidence): Array<CheckFinding<EmptyingKind>> {
	const { trial } = evidence;
	const emptied: Change | undefined = trial?.draft.emptying;
	// If the service ignores every change, it also ignores this one.
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

export const DRAFT: readonly Row[] = [
	row('Write: draft', {
		block: 'data',
		find: draft,
		words: {
			made: ok('The node can create a draft.'),
			otherStatus: needsYou(
				'A post that the node created as a draft has another status: {about}.',
				'Check your posts before a workflow creates more, and ask the service about it.',
			),
			noId: needsYou(
				'The response to a new post has no ID, so the node cannot read or change it.',
				REPORT_IT,
			),
			twice: needsYou(
				'The service created one post several times.',
				'Ask the service why, before you let workflows create posts.',
			),
			brief: unusual(
				'The response to a new post shows only these fields: {about}. Post > Create returns nothing more.',
				'If a later node needs more fields, read the post with Post > Get.',
			),
			...FAILURES('create a post', 'posts:write'),
		},
	}),
	row('Write: text', {
		block: 'data',
		find: text,
		words: {
			unchanged: ok(
				'The service stores a text with emojis and line breaks exactly as the node sent it.',
			),
			spelled: ok(
				'The service writes some characters of a text differently. The node treats them as the same.',
			),
			lost: needsYou(
				'The service does not store a text as the node sent it.',
				'Look at a draft in the service before you publish texts from a workflow.',
			),
			cut: needsYou(
				'The service cuts long texts off after {about}.',
				'Keep posts shorter than that, or ask the service for its limit.',
			),
			tooLong: needsYou(
				'The service rejects a text of 3,000 characters, although the API document allows it.',
				'Keep posts shorter, or ask the service for its limit. Emojis may count as two characters.',
			),
		},
	}),
	row('Write: notes', {
		block: 'data',
		find: notes,
		words: {
			kept: ok('The service stores notes exactly as the node sent them, so a "Unique Key" works.'),
			spelled: ok('The service stores notes well enough for a "Unique Key".'),
			hidden: needsYou(
				'A new post does not show the notes that the node sent, so a "Unique Key" is lost.',
				OWN_TABLE,
			),
			cut: needsYou('The service shortens or changes notes, so a "Unique Key" is lost.', OWN_TABLE),
		},
	}),
	row('Write: found again', {
		block: 'data',
		find: listed,
		words: {
			found: ok('The list shows a new post immediately.'),
			late: unusual(
				'The list shows a new post only after a moment. The node looks again before it creates a second one.',
			),
			readLate: unusual(
				'The service finds a new post by its ID only after a moment.',
				'If a later node reads or changes the new post, add a Wait node before it.',
			),
			notRead: needsYou(
				'The service does not find a new post by its ID.',
				'Run this again. If nothing changes, ask the service after what time a new post can be read.',
			),
			notListed: needsYou(
				'The list does not show a new post. A post with a "Unique Key" may be created twice.',
				OWN_TABLE,
			),
			oneByOne: unusual(
				'The list does not show all notes of a new post. A "Unique Key" works, but the node reads posts one by one to find it.',
				'Use a "Unique Key" only where you need one.',
			),
			unmarked: needsYou(
				'The list does not show the notes of a new post as the node sent them, so the node cannot find a "Unique Key" there.',
				OWN_TABLE,
			),
		},
	}),
	row('Write: change', {
		block: 'data',
		find: change,
		words: {
			shown: ok('A post shows its new text, and its other fields stay as they were.'),
			notShown: needsYou('The service accepts a change, but the post does not show it.', REPORT_IT),
			otherResponse: unusual(
				'The response to a change shows a different text than the post has afterwards. Post > Update returns the text from the response.',
				'If a later node needs the new text, read the post with Post > Get.',
			),
			createdMoves: needsYou(
				'A change also changes the creation time of a post. The trigger may report a changed post as a new one.',
				REPORT_IT,
			),
			brief: unusual(
				'The response to a change shows only these fields: {about}. Post > Update returns nothing more.',
				'If a later node needs more fields, read the post with Post > Get.',
			),
			wiped: needsYou(
				'When the text changes, other fields become empty.',
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
				'Clear fields in the service itself, or send a different value in "Custom Fields".',
			),
			rejected: needsYou(
				'The service rejects null as the value of a field.',
				'Clear fields in the service itself, or send a different value in "Custom Fields".',
			),
		},
	}),
];
