/** What came of the writes, and what no harmless write can show. */
import { check, REPORT_IT, untried, type Check, type Words } from '../check';

const OWN_TABLE = 'Keep in a table of your own which posts were created.';
const LATER = 'Look whether it is still there later.';

/** By what is tried: what it means if it did not go well, and what to do then. */
const STEPS = {
	'what was made is gone': [
		'Something that was made for a try is left, or may be.',
		'Look for what this item names, and delete it by hand.',
	],
	'a draft': [
		'What was sent as a draft has another status, or came back without an ID.',
		'Look at your posts before you let a workflow create more, and report it.',
	],
	'a draft is found again': [
		'The list does not show a post that was just made, or not its note, so a unique key is found by reading posts one by one, or not at all.',
		OWN_TABLE,
	],
	notes: [
		'Notes are not kept as they were sent, so a unique key may not be found again.',
		OWN_TABLE,
	],
	text: ['A text is not kept as it was sent.', 'Look at a draft before you publish.'],
	'a change': ['A change was accepted, but the post does not show it.', REPORT_IT],
	'emptying a field': [
		'A field is not emptied by null, as the node assumes.',
		'Empty fields in the service itself, or send another value in "Custom Fields".',
	],
	deleting: ['A deletion was accepted, but the post is still found.', LATER],
	'a lead magnet': ['The answer to the creation of a lead magnet has no ID.', REPORT_IT],
	archiving: ['A lead magnet was archived, but is still found.', LATER],
	uploading: [
		'The service gave no address that a file may be sent to, or no path by which it is deleted.',
		REPORT_IT,
	],
	'deleting a file': [
		'The file was not deleted by its path.',
		'Send what the service wants in "Custom Fields".',
	],
} as const satisfies Readonly<Record<string, Words>>;
export type Step = keyof typeof STEPS;

export const WRITING: readonly Check[] = Object.entries(STEPS).map(([step, failed]) =>
	check(`Write: ${step}`, {
		needs: 'account.getSubject',
		looksAt: ({ written }) => [written?.get(step as Step) ?? []].flat(),
		finds: ([finding]) => finding,
		...{ differs: failed[0], next: failed[1], failed },
		notSeen: ['An earlier write failed, so this one was left out.', ''],
	}),
);

/** In their place, if nobody has turned them on. */
export const NOT_WRITTEN = untried(
	'Writes',
	'Writes were not tried: whether notes and texts are kept, fields emptied, and files uploaded and deleted.',
	'Turn on "Also Try Writes" to try a draft, a lead magnet and an image, which are removed again.',
);

export const NEVER_TRIED: readonly Check[] = [
	untried(
		'Idempotency keys',
		'Only what acts on the network takes such a key, so it is not tried. The node sends a UUID.',
		'If the service refuses the key, enter another one in "Idempotency Key".',
	),
	untried(
		'Social actions and organizations',
		'These routes act on the network, or are throttled for everyone, so they are not tried.',
	),
];
