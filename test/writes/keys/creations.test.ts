/**
 * Post > Create with a Unique Key, row by row: how long the node looks for a post, what a process
 * remembers, and which posts never count as the one wanted.
 */
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { type ApiFailure } from '../../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import {
	creations,
	DIFFERENT,
	EXISTED,
	fails,
	gives,
	LOST,
	outcomeOf,
	PROXY,
	rejects,
	Stage,
	UNREADABLE_LIST,
	type Asked,
	type Creation,
	type Happening,
} from './stage';

// What happens before the item, in runs of its own.
const lost: Happening = async (stage) => await outcomeOf(stage.make({ reply: LOST }));
const made: Happening = async (stage) => await stage.make({ reply: stage.post() });
const cancelled: Happening = async (stage) =>
	await stage.make({ reply: new Error('cancelled') }).catch(() => undefined);
const heldBack: Happening = async (stage) =>
	await outcomeOf(stage.make({ reply: new InputError('Held', '') }));
const foundAgain: Happening = async (stage) => await stage.make({ maxWaitMs: 10_000 });
const seconds =
	(count: number): Happening =>
	(stage) =>
		(stage.now += count * 1_000);

// What happens in the run of the item.
const inSameRun =
	(creationOf: (stage: Stage) => Creation): Happening =>
	async (stage) => {
		stage.sameRun = stage.run();
		await outcomeOf(stage.sameRun(creationOf(stage)));
	};
const sameItem = inSameRun(() => ({}));
const otherKey = inSameRun(({ key }) => ({ key: `${key}-other` }));
const madeThere = inSameRun((stage) => ({ reply: stage.post() }));
const madeWithoutId = inSameRun(() => ({ reply: {} }));
const lostThere = inSameRun(() => ({ reply: LOST, maxWaitMs: 60_000 }));

// What the service shows.
const BARE: JsonRecord = { id: 'x', text: 'Hello' };
const DRAFT: JsonRecord = { id: 'a', text: 'Hello', status: 'draft' };
const shown: Happening = (stage) => stage.show(stage.post());
const shownIn2s: Happening = (stage) => stage.show(stage.post(), 2_000);
const shownTwice: Happening = (stage) => {
	for (const id of ['a', 'b']) stage.show(stage.post({ id }));
};
const edited: Happening = (stage) => stage.hold(stage.post({ text: 'Edited' }));
const toBeRead: Happening = (stage) => stage.readable.set('x', stage.post());
const readWithoutNotes: Happening = (stage) => stage.readable.set('x', BARE);
const notesChanged: Happening = (stage) =>
	stage.readable.set('x', stage.post({ notes: 'Another note' }));
const notesShownNowhere: Happening = (stage) => stage.hold(BARE);
const bareIn1ms: Happening = (stage) => {
	stage.show(BARE, 1);
	stage.readable.set('x', BARE);
};
const otherNote: Happening = (stage) => stage.show({ ...DRAFT, notes: 'Mine' });
const keyOfOther: Happening = (stage) =>
	stage.show({ ...DRAFT, notes: 'Mine\n[unique-key: another]' });
const noNote: Happening = (stage) => stage.hold({ ...DRAFT, notes: null });
const noteInRead: Happening = (stage) => stage.hold(DRAFT, { ...DRAFT, notes: 'Mine' });
const bareAndGone: Happening = (stage) => stage.show(DRAFT);
const scheduledWithNotes: Happening = (stage) =>
	stage.show({ id: 'b', status: 'scheduled', notes: '[unique-key: another]' });
const bareDrafts: Happening = (stage) => {
	for (const id of ['a', 'c', 'd']) stage.hold({ ...DRAFT, id });
};
const bareDraftWithIt: Happening = (stage) =>
	stage.hold({ ...BARE, status: 'draft' }, stage.post());
const summary: Happening = (stage) => {
	stage.show({ id: 'gone', notes: stage.marker });
	stage.hold({ id: 'x', notes: stage.marker }, stage.post());
};
const cutInKey: Happening = (stage) => {
	stage.hold(stage.post({ notes: stage.marker.slice(0, -2) }));
	stage.hold(
		stage.post({ id: 'y', notes: 'Other…' }),
		stage.post({ id: 'y', notes: 'Other notes' }),
	);
};
const behindProxy: Happening = ({ lists }) => (lists.isProxied = true);
const listSlow: Happening = ({ lists }) => (lists.takeMs = 5_000);
const listOnce: Happening = ({ lists }) => (lists.readable = 1);
const listBroken: Happening = ({ lists }) => (lists.readable = 0);
const listMended: Happening = ({ lists }) => (lists.readable = Infinity);
const incompleteOnce: Happening = ({ lists }) => (lists.incomplete = 1);
const incomplete: Happening = ({ lists }) => (lists.incomplete = Infinity);

// How the item is made.
const waiting = (maxWaitMs: number): Creation => ({ maxWaitMs });
const losing = (maxWaitMs: number): Creation => ({ reply: LOST, maxWaitMs });
const FAIL: JsonRecord = { ifExists: 'fail' };
/** Whether the earlier attempt was for this item, or how long ago it ended. */
const ours =
	(options?: JsonRecord) =>
	({ identities }: Stage): Creation => ({ options, earlier: { recognisedBy: identities[0] } });
const oursEnded =
	(secondsAgo: number) =>
	({ identities, now }: Stage): Creation => ({
		maxWaitMs: 9_000,
		earlier: { recognisedBy: identities[0], endedAt: now - secondsAgo * 1_000 },
	});

// How it ends.
const created = gives({ kind: 'created', id: 'new' });
const isTheirs = gives({ kind: 'created', id: 'x' });
const existed = gives({ kind: 'existed', id: 'x' }, EXISTED);
const existedDifferent = gives({ kind: 'existed', id: 'x' }, EXISTED, DIFFERENT);
const existedTwice = gives(
	{ kind: 'existed', id: 'a' },
	EXISTED,
	'More than one post exists for 1 item.',
);
const REPEATED = expect.stringMatching(/^1 item has the same post as an earlier/) as string;
const repeated = gives({ kind: 'existed', id: 'x' }, REPEATED);
const repeatedWithoutId = gives({ kind: 'existed', id: undefined }, REPEATED);
const nothing = gives({ kind: 'nothing' });

const NOTES_NOT_SHOWN =
	'The service does not show the notes of all posts, so the node cannot recognize an existing one.';
const UNCHECKED_AFTERWARDS = 'The node could not check afterwards whether the post exists.';
const open = (found: string, ...asked: Asked[]) =>
	fails(LOST, { found, recognisable: true }, ...asked);
const notFound = (times: string, ...asked: Asked[]) =>
	open(`The node looked for it ${times} and did not find it.`, ...asked);
const unchecked = (failed: ApiFailure, ...asked: Asked[]) =>
	fails(
		failed,
		{ found: 'The node could not check whether the post already exists, so it created nothing.' },
		...asked,
	);
const tooEarly = (why: string, time: string) =>
	rejects(
		`${why}. Nothing was sent now`,
		`Run the node again in ${time}. The node creates the post only if it is still not found. To let the node wait instead, increase "Max Wait (Seconds)".`,
		{ code: 'outcome_unknown', outcome: 'unknown', retryable: true },
	);
const notYet = (time: string, ...asked: Asked[]) =>
	tooEarly(
		'It is not known whether the post was created: it was sent a moment ago but has not appeared yet',
		time,
	)(...asked);
const goneAgain = (time: string, ...asked: Asked[]) =>
	tooEarly(
		'The post existed a moment ago but is not found now, and may appear again',
		time,
	)(...asked);
const isIncomplete = rejects(
	'The list of posts is incomplete: the service reported more records than it returned',
	'A matching record may exist, so nothing was sent. Run the node again later.',
	{ code: 'incomplete_list', retryable: true },
);
const notRecognisable = rejects(
	`${NOTES_NOT_SHOWN} Nothing was sent`,
	'To avoid a duplicate, the node sent nothing. If the service only leaves out empty notes, add notes to one post and run the node again. Use Post > Create without "Unique Key", and make sure in the workflow that each item is sent once.',
	{ code: 'not_recognisable' },
);
const EXISTS = { code: 'already_exists', parameter: 'uniqueKey', post_id: 'x' };
const oursDiffers = rejects(
	'An earlier attempt at this item created the post with this Unique Key (x), which differs from the item in: text. Nothing was changed',
	'For another post, use a different "Unique Key". To change the existing one, use Post > Update. To keep it unchanged, set "If Exists" to Return.',
	{ ...EXISTS, differs: ['text'] },
);
const alreadyExists = rejects(
	'A post with this Unique Key already exists (x). Nothing was created',
	'To get the existing post instead, set "If Exists" to Return. To create another post, give it a different "Unique Key".',
	EXISTS,
);

creations('a creation whose response is lost', [
	[
		'is looked for until the time ends',
		[],
		notFound('9 times', 'list', 'send', 60_000),
		losing(60_000),
	],
	['is looked for once without time', [], notFound('once', 'list', 'send', 'list'), losing(0)],
	[
		'is looked for as long if the list is slow',
		[listSlow],
		notFound('2 times', 'list', 'send', 2_000),
		losing(2_000),
	],
	[
		'stays in doubt if the list fails',
		[listOnce],
		open(UNCHECKED_AFTERWARDS, 'list', 'send', 2_000),
		losing(2_000),
	],
	[
		'stays in doubt if the list shows no notes',
		[bareIn1ms],
		open(`${UNCHECKED_AFTERWARDS} ${NOTES_NOT_SHOWN}`, 'list', 'send', 1_000),
		losing(1_000),
	],
	['succeeds once the post appears', [shownIn2s], isTheirs('list', 'send', 3_000), losing(60_000)],
	['gives the post to the next item, too', [shownIn2s, lostThere], repeated()],
	[
		'is remembered after a cancelled execution',
		[cancelled, seconds(1)],
		created('list', 9_000, 'send'),
		waiting(9_000),
	],
	['is not remembered if nothing was sent', [heldBack], created('list', 'send'), waiting(10_000)],
]);

creations('the next attempt after a lost response', [
	[
		'looks for the post for at least ten seconds',
		[lost, seconds(3)],
		created('list', 7_000, 'send'),
		waiting(7_200),
	],
	[
		'looks as long as the item may take',
		[lost, seconds(3)],
		created('list', 27_000, 'send'),
		waiting(27_000),
	],
	['looks for at most a minute', [lost], created('list', 60_000, 'send'), waiting(100_000)],
	[
		'looks only for the rest of that time',
		[lost, seconds(4)],
		created('list', 6_000, 'send'),
		waiting(9_000),
	],
	['does not wait later on', [lost, seconds(10)], created('list', 'send'), waiting(9_000)],
	[
		'waits no longer if the clock was set back',
		[lost, seconds(-50)],
		created('list', 60_000, 'send'),
		waiting(90_000),
	],
	[
		'sends nothing if the item may not wait so long',
		[lost, seconds(3)],
		notYet('5 seconds', 'list', 2_000),
		waiting(2_000),
	],
	[
		'says so if a second is left',
		[lost, seconds(7)],
		notYet('a second', 'list', 2_000),
		waiting(2_000),
	],
	[
		'returns the post that has appeared',
		[lost, shownIn2s],
		existed('list', 3_000),
		waiting(10_000),
	],
	[
		'sends nothing while the list cannot be read',
		[lost, listOnce],
		unchecked(UNREADABLE_LIST, 'list', 1_000),
		waiting(10_000),
	],
	[
		'sends nothing while the list is incomplete',
		[lost, incomplete],
		isIncomplete('list', 'list'),
		waiting(10_000),
	],
	[
		'waits since the loss that this process knows, if that was later',
		[lost, seconds(3)],
		created('list', 7_000, 'settled', 'send'),
		oursEnded(6),
	],
	[
		'waits since the loss of the execution, if that was later',
		[lost, seconds(3)],
		created('list', 9_000, 'settled', 'send'),
		oursEnded(1),
	],
	[
		'of the execution returns its post even if others are an error',
		[lost, shown],
		isTheirs('list', 'settled'),
		ours(FAIL),
	],
	[
		'of the execution says how a corrected item differs',
		[lost, edited],
		oursDiffers('list', 'read', 'settled'),
		ours(),
	],
	[
		'of the execution says so even if others are an error',
		[lost, edited],
		oursDiffers('list', 'read', 'settled'),
		ours(FAIL),
	],
	[
		'of the execution returns a different post if asked to',
		[lost, edited],
		existedDifferent('list', 'read', 'settled'),
		ours({ ifExists: 'return' }),
	],
	[
		'of another execution treats it like any existing post',
		[lost, edited],
		alreadyExists('list', 'read'),
		{ options: FAIL },
	],
	[
		'does nothing if the earlier one was for another item',
		[lost, edited],
		nothing(),
		{ earlier: { recognisedBy: 'something else' } },
	],
]);

creations('a post that another run of this process has created', [
	['is read by its ID if the list does not show it', [made, toBeRead], existed('list', 'read')],
	['is recognized by its ID without its notes', [made, readWithoutNotes], existed('list', 'read')],
	['is awaited for ten seconds', [made], created('list', 'read', 10_000, 'send'), waiting(10_000)],
	[
		'is awaited for the rest of ten seconds',
		[made, seconds(4)],
		created('list', 'read', 6_000, 'send'),
		waiting(10_000),
	],
	[
		'is created again if it is older',
		[made, seconds(10)],
		created('list', 'read', 'send'),
		waiting(10_000),
	],
	[
		'is awaited as long if the clock was set back',
		[made, seconds(-3_600)],
		created('list', 'read', 10_000, 'send'),
		waiting(10_000),
	],
	[
		'is not created again if the item may not wait',
		[made],
		goneAgain('7 seconds', 'list', 'read', 3_000),
		waiting(3_000),
	],
	[
		'is created again if someone has removed its key',
		[made, notesChanged],
		created('list', 'read', 'send'),
	],
	[
		'is taken by the same run even if its notes were changed',
		[madeThere, notesChanged],
		repeated('read'),
	],
	[
		'is found although the run has an older list',
		[otherKey, seconds(1), made, shown],
		existed('list'),
	],
	[
		'is not looked for if the run has created it itself',
		[seconds(1), madeWithoutId, shown],
		repeatedWithoutId(),
	],
	[
		'is found after a loss although the run has an older list',
		[lost, otherKey, seconds(1), shown, foundAgain],
		existed('list'),
	],
]);

creations('the list', [
	[
		'is read again if it announces more than it gives',
		[incompleteOnce],
		created('list', 'list', 'send'),
	],
	['counts as incomplete if that is no better', [incomplete], isIncomplete('list', 'list')],
	['is not read again for that by the next item', [incomplete, sameItem], isIncomplete()],
	['that is incomplete still finds posts', [incomplete, shown], existed('list', 'list')],
	['that shows notes of others lets a post be created', [keyOfOther], created('list', 'send')],
	[
		'that shows no longer note than one without a key has that one read',
		[otherNote],
		created('list', 'read', 'send'),
	],
	['with empty notes does if a read shows them empty', [noNote], created('list', 'read', 'send')],
	[
		'that shows the notes of one draft is trusted for the others',
		[keyOfOther, bareDrafts],
		created('list', 'send'),
	],
	['without notes does if a read shows them', [noteInRead], created('list', 'read', 'send')],
	['without notes does if the post is gone', [bareAndGone], created('list', 'read', 'send')],
	[
		'with notes of another status is completed by reads',
		[scheduledWithNotes, bareDraftWithIt],
		existed('list', 'read'),
	],
	[
		'with notes of another status needs a read per post',
		[scheduledWithNotes, bareDrafts],
		created('list', 'read', 'read', 'read', 'send'),
	],
	[
		'proves nothing if notes are shown nowhere',
		[notesShownNowhere],
		notRecognisable('list', 'read'),
	],
	[
		'is read again by the next item if it failed',
		[listBroken, sameItem, listMended],
		created('list', 'send'),
	],
	[
		'proves nothing if reads, too, cut notes within the key',
		[cutInKey],
		notRecognisable('list', 'read', 'read'),
	],
	[
		'of summaries has the posts read until one is there',
		[summary],
		existed('list', 'read', 'read'),
	],
	[
		'proves nothing if only a proxy says that a post is gone',
		[summary, behindProxy],
		unchecked(PROXY, 'list', 'read'),
	],
	['gives its post to two items of a run, and counts it once', [shown, sameItem], repeated()],
	['may show several posts with the key', [shownTwice], existedTwice('list')],
]);

it('the pauses grow while the node looks for a post whose response was lost', async () => {
	const stage = new Stage();
	await outcomeOf(stage.make({ reply: LOST, maxWaitMs: 60_000 }));
	const pauses = [1_000, 2_000, 4_000, 8_000, ...Array<number>(4).fill(10_000), 5_000];
	expect(stage.takeAsked()).toEqual(['list', 'send', ...pauses.flatMap((ms) => [ms, 'list'])]);
});
