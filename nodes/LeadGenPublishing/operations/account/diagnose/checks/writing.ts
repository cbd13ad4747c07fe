/** What came of the writes, and what no harmless write can show. */
import { check, type Check, type Untried, type Words } from '../check';
import type { Step } from '../trying';

const LEFT_OUT: Words = ['An earlier write failed, so this one was left out.', ''];

const written = (name: string, step: Step, holds: string, differs: Words): Check =>
	check(`Write: ${name}`, {
		needs: [],
		reads: ({ written: findings }) => findings?.get(step),
		holds,
		differs,
		failed: differs,
		notSeen: LEFT_OUT,
	});

const REPORT = 'Report it, with this report.';

export const WRITING: readonly Check[] = [
	written('what was made is gone', 'removed', 'Nothing that was made for a try is left.', [
		'Something that was made for a try is left, or may be.',
		'Look for what this item names, and delete it by hand.',
	]),
	written('a draft', 'made', 'A draft can be made, and stays one.', [
		'What was sent as a draft has another status.',
		'Look at your posts before you let a workflow create more, and report it.',
	]),
	written('a draft is found again', 'found', 'A post with a unique key is found by its note.', [
		'The list does not show the note of a post that was just made, so a unique key is found by reading posts one by one, or not at all.',
		'Keep in a table of your own which posts were created.',
	]),
	written('notes', 'notes', 'Notes are kept as they were sent.', [
		'Notes are not kept as they were sent, so a unique key may not be found again.',
		'Keep in a table of your own which posts were created.',
	]),
	written('text', 'text', 'A text is kept; the node sees through another spelling.', [
		'A text is not kept as it was sent.',
		'Look at a draft before you publish.',
	]),
	written('a change', 'changed', 'A draft can be changed.', [
		'A change was accepted, but the post does not show it.',
		REPORT,
	]),
	written('emptying a field', 'emptied', 'A field is emptied by null, as the node assumes.', [
		'A field is not emptied by null, as the node assumes.',
		'Empty fields in the service itself, or send another value in "Custom Fields".',
	]),
	written('deleting', 'deleted', 'What is deleted is not found any more.', [
		'A deletion was accepted, but the post is still found.',
		'Look whether it is still there later.',
	]),
	written('a lead magnet', 'leadMagnetMade', 'A lead magnet can be made.', [
		'The answer to the creation of a lead magnet has no ID.',
		REPORT,
	]),
	written('archiving', 'leadMagnetArchived', 'What is archived is not found any more.', [
		'A lead magnet was archived, but is still found.',
		'Look whether it is still there later.',
	]),
	written('uploading', 'uploaded', 'A file is uploaded with PUT, as the node assumes.', [
		'The service gave no address that a file may be sent to, or no path by which it is deleted.',
		REPORT,
	]),
	written('deleting a file', 'fileDeleted', 'A file is deleted by its path, as the node assumes.', [
		'The file was not deleted by its path.',
		'Send what the service wants in "Custom Fields".',
	]),
];

/** In their place, if nobody has turned them on. */
export const NOT_WRITTEN: Untried = {
	name: 'Writes',
	why: [
		'Writes were not tried: whether notes and texts are kept, fields emptied, and files uploaded and deleted.',
		'Turn on "Also Try Writes" to try a draft, a lead magnet and an image, which are removed again.',
	],
};

export const NEVER_TRIED: readonly Untried[] = [
	{
		name: 'Idempotency keys',
		why: [
			'Only what acts on the network takes such a key, so it is not tried. The node sends a UUID.',
			'If the service refuses the key, enter another one in "Idempotency Key".',
		],
	},
	{
		name: 'Social actions and organizations',
		why: [
			'These routes act on the network, or are throttled for everyone, so they are not tried.',
			'',
		],
	},
];
