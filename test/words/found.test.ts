/** What the node has found out about a failed write, in words to be read aloud. */
import type { Found } from '../../nodes/LeadGenPublishing/api/found';
import { foundInWords } from '../../nodes/LeadGenPublishing/words/foundWords';

type Kinds = { readonly [Kind in Found['kind']]: Extract<Found, { kind: Kind }> };

const FOUND: Kinds = {
	notRead: { kind: 'notRead' },
	notFound: { kind: 'notFound' },
	postGone: { kind: 'postGone' },
	perhapsThere: { kind: 'perhapsThere' },
	notBeingDeleted: { kind: 'notBeingDeleted' },
	notBeingUpdated: { kind: 'notBeingUpdated' },
	deletionNotSeen: { kind: 'deletionNotSeen', what: 'lead magnet', isThere: true },
	valuesNotShown: { kind: 'valuesNotShown', fields: ['text', 'notes'] },
	newText: { kind: 'newText', isShown: false },
	textNow: { kind: 'textNow', text: 'Hello', isCut: true },
	postNow: { kind: 'postNow', post: { status: 'published', reason: 'mutation_in_progress' } },
	stillChanging: { kind: 'stillChanging' },
	earlierHadOtherContent: { kind: 'earlierHadOtherContent' },
	earlierAttempt: { kind: 'earlierAttempt', ended: 'HTTP 502' },
	notRepeated: { kind: 'notRepeated', problem: 'The time is past' },
	doneButUnread: { kind: 'doneButUnread' },
	lookedFor: { kind: 'lookedFor', times: 2 },
	notLookedForAfterwards: {
		...{ kind: 'notLookedForAfterwards', what: 'post' },
		why: 'The list of posts is incomplete',
	},
	notLookedForBefore: { kind: 'notLookedForBefore', what: 'post' },
	statusAsStated: { kind: 'statusAsStated', status: 'draft' },
	serviceSays: { kind: 'serviceSays', details: ['from 09:30', 'status "scheduled"'] },
	fileAndLimit: { kind: 'fileAndLimit', size: 9, limit: 5, contentType: 'image/png' },
};

it('is said in one or two sentences each', () => {
	const said = Object.values(FOUND).map((found) => foundInWords([found]));
	expect(said.every((words) => /^[A-Z].*\.$/s.test(words))).toBe(true);
	expect(said.join('\n')).toMatchSnapshot();
});

it('is said in the order in which it was found out', () => {
	const { notFound, notRepeated } = FOUND;
	expect(foundInWords([notFound, notRepeated])).toBe(
		'A later read did not find the record. The request was not repeated: The time is past.',
	);
	expect(foundInWords()).toBe('');
});
