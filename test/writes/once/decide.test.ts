/** What is done with an item, by its state: each row of the table in `decide.ts`. */
import type { FailureFacts } from '../../../nodes/LeadGenPublishing/api/failure';
import { decide, type Attempting } from '../../../nodes/LeadGenPublishing/writes/once/decide';
import type { ItemState, Unknown } from '../../../nodes/LeadGenPublishing/writes/once/itemState';

const facts: FailureFacts = {
	kind: 'answered',
	endpoint: 'post.create',
	agency: false,
	status: 500,
	attempts: 1,
	uncertain: true,
};
const request = { name: 'post.create', fingerprint: 'f' } as const;
const unknown: Unknown = {
	kind: 'unknown',
	execution: '7',
	request,
	facts,
	next: 'sameRequest',
	parameters: 'then',
	refusals: 0,
};
const keyed = { ...request, key: 'k' };
const HERE: Attempting = { execution: '7', clientId: undefined, canCheck: false };
const THERE = { ...HERE, execution: '8' };
const CHECKING = { ...HERE, canCheck: true };
const done: ItemState = {
	kind: 'done',
	parameters: 'p',
	result: { kind: 'id', said: {}, id: 'a' },
};
const refused: ItemState = { kind: 'refused', execution: '7', facts, refusals: 1 };
const notDone: ItemState = { kind: 'notDone', execution: '7', request, refusals: 0 };

it.each<[string, ItemState, Attempting, object]>([
	['untouched', { kind: 'untouched' }, HERE, { kind: 'run' }],
	['done', done, THERE, { kind: 'show', done }],
	['refused, in this execution', refused, HERE, { kind: 'repeatError', facts }],
	['refused, in another one', refused, THERE, { kind: 'run' }],
	['not done, in this execution', notDone, HERE, { kind: 'runAgain', before: notDone }],
	['not done, in another one', notDone, THERE, { kind: 'run' }],
	[
		'unknown, and finally refused since, in this execution',
		{ ...unknown, next: 'never' },
		CHECKING,
		{ kind: 'repeatError', facts },
	],
	[
		'unknown, and finally refused since, in another one',
		{ ...unknown, next: 'never', request: keyed },
		THERE,
		{ kind: 'runAgain' },
	],
	[
		'unknown, for another account',
		{ ...unknown, clientId: 'c' },
		CHECKING,
		{ kind: 'hold', isOtherAccount: true },
	],
	[
		'unknown, without a key, can be checked',
		{ ...unknown, next: 'checkOnly' },
		CHECKING,
		{ kind: 'check' },
	],
	['unknown, without a key', unknown, HERE, { kind: 'hold', isOtherAccount: false }],
	['unknown, without a key, elsewhere', unknown, THERE, { kind: 'hold', isOtherAccount: false }],
	[
		'unknown, with a key, only to be checked, and cannot be',
		{ ...unknown, request: keyed, next: 'checkOnly' },
		HERE,
		{ kind: 'hold', isOtherAccount: false },
	],
	[
		'the same by a person in another execution',
		{ ...unknown, request: keyed, next: 'checkOnly' },
		THERE,
		{ kind: 'runAgain' },
	],
	[
		'the same where it can be checked',
		{ ...unknown, request: keyed, next: 'checkOnly' },
		CHECKING,
		{ kind: 'runAgain' },
	],
	['unknown, with a key', { ...unknown, request: keyed }, HERE, { kind: 'runAgain' }],
])('%s', (_, state, attempting, expected) => {
	const decision = decide(state, attempting);
	expect(decision).toMatchObject(expected);
	if ('before' in decision) expect(decision.before).toBe(state);
});
