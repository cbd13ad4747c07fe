/** Each row of the table of Create or Update: what is done with a record, and what is over then. */
import {
	decideWrite,
	type WriteDecision,
} from '../../../nodes/LeadGenPublishing/writes/keys/decideWrite';
import type { Existing } from '../../../nodes/LeadGenPublishing/writes/keys/keyedRecord';

const same: Existing = { record: { id: 'x' }, others: 0, differences: [] };
const other: Existing = { ...same, differences: ['text'] };
const creation = {};
const update = { recordId: 'x' };
const keyed = { ...update, key: 'k' };

it.each<[string, Existing | undefined, Parameters<typeof decideWrite>[1], WriteDecision]>([
	['nothing sent, none exists', undefined, undefined, { kind: 'create' }],
	[
		'nothing sent, the same',
		same,
		undefined,
		{ kind: 'leave', existing: same, action: 'unchanged' },
	],
	['nothing sent, another', other, undefined, { kind: 'change', existing: other, isSettled: true }],
	['a creation sent, none exists', undefined, creation, { kind: 'create' }],
	[
		'a creation sent, the same',
		same,
		creation,
		{ kind: 'leave', existing: same, action: 'created' },
	],
	[
		'a creation sent, another',
		other,
		creation,
		{ kind: 'change', existing: other, isSettled: true },
	],
	['an update sent, the same', same, update, { kind: 'leave', existing: same, action: 'updated' }],
	['an update sent, another', other, update, { kind: 'change', existing: other, isSettled: true }],
	[
		'a keyed update sent, the same',
		same,
		keyed,
		{ kind: 'leave', existing: same, action: 'updated' },
	],
	[
		'a keyed update sent, another',
		other,
		keyed,
		{ kind: 'change', existing: other, isSettled: false },
	],
])('%s', (_, existing, open, decision) => {
	expect(decideWrite(existing, open)).toEqual(decision);
});
