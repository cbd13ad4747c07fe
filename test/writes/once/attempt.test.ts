/** What a second attempt may send while the outcome of the first is unknown. */
import { OpenWriteError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { unsentBy } from '../../../nodes/LeadGenPublishing/api/failure';
import { requestOf, type EarlierAttempt } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { Attempt } from '../../../nodes/LeadGenPublishing/writes/once/attempt';
import type { NotDone, Unknown } from '../../../nodes/LeadGenPublishing/writes/once/itemState';
import { failure, ID, itemScene } from '../../operations/itemScene';

const OTHER = ID.replace('6', '7');
const update = (id: string, text = 'New') => ({ params: { id }, body: { text } });
const request = requestOf({ accountId: 'own' }, 'post.update', update(ID));
const unknown: Unknown = {
	kind: 'unknown',
	execution: '6',
	request,
	facts: failure(502).facts,
	next: 'sameRequest',
	parameters: 'then',
	refusals: 0,
};
const notDone: NotDone = { kind: 'notDone', execution: '6', request, refusals: 0 };

/** An attempt that follows another, and what it sends. */
function attemptAfter(before: NotDone | Unknown | undefined) {
	const record = { id: ID };
	const scene = itemScene(
		{},
		{ answers: { 'post.update': [record], 'post.get': [record], 'post.create': [record] } },
	);
	const attempt = new Attempt(scene.call.api, before);
	const { api, settled, earlier } = attempt.callFor(scene.call);
	return { send: api.call, settled, sent: scene.sent, attempt, earlier };
}

it('sends the same request again, and reads the record', async () => {
	const { send, sent } = attemptAfter(unknown);
	await send('post.get', { params: { id: ID } });
	await send('post.update', update(ID));
	expect(sent.map(({ name }) => name)).toEqual(['post.get', 'post.update']);
});

it.each<[string, Parameters<ReturnType<typeof attemptAfter>['send']>, RegExp]>([
	['another record', ['post.update', update(OTHER)], /sent for the record 6f1c.*a different one/],
	['a read of another', ['post.get', { params: { id: OTHER } }], /sent for the record 6f1c/],
	['another change', ['post.update', update(ID, 'Newer')], /would be different now/],
	['another kind of write', ['post.create', { body: { text: 'New' } }], /would be different now/],
])('sends no request for %s', async (_, next, words) => {
	const { send, sent } = attemptAfter(unknown);
	const error: unknown = await send(...next).catch((one: unknown) => one);
	expect(error).toBeInstanceOf(OpenWriteError);
	const { message, remedy } = error as OpenWriteError;
	expect(`${message}. ${remedy}`).toMatch(words);
	expect(sent).toEqual([]);
});

it.each<[string, Unknown['request']]>([
	['one that is found by its key', { ...request, recognisedBy: 'key' }],
	[
		'one that was created',
		requestOf({ accountId: 'own' }, 'post.create', { body: { text: 'New' } }),
	],
])('reads any record on the way to %s', async (_, before) => {
	const { send, sent } = attemptAfter({ ...unknown, request: before });
	await send('post.get', { params: { id: OTHER } });
	expect(sent).toHaveLength(1);
});

it.each<[string, NotDone | undefined]>([
	['nothing was sent before', undefined],
	['nothing was carried out before', notDone],
])('sends any request if %s', async (_, before) => {
	const { send, sent } = attemptAfter(before);
	await send('post.update', update(OTHER, 'Newer'));
	expect(sent).toHaveLength(1);
});

it('sends any request once reads have shown the outcome', async () => {
	const { send, settled, sent } = attemptAfter(unknown);
	settled();
	await send('post.update', update(OTHER, 'Newer'));
	expect(sent).toHaveLength(1);
});

describe('what is kept of the last write', () => {
	it('is the request, and when it ended', async () => {
		const { send, attempt } = attemptAfter(undefined);
		expect(attempt.sent).toBeUndefined();
		await send('post.get', { params: { id: ID } });
		expect(attempt.sent).toBeUndefined();
		await send('post.update', update(ID));
		expect(attempt.sent).toEqual({
			...request,
			recognisedBy: undefined,
			endedAt: expect.any(Number),
		});
	});

	it('is the previous write, if the last one was certainly never sent', async () => {
		const scene = itemScene(
			{},
			{ answers: { 'post.update': [failure(409), unsentBy(new Error('canceled')) as Error] } },
		);
		const attempt = new Attempt(scene.call.api, undefined);
		const { api } = attempt.callFor(scene.call);
		await api.call('post.update', update(ID)).catch(() => undefined);
		await api.call('post.update', update(ID, 'Newer')).catch(() => undefined);
		expect(attempt.sent?.fingerprint).toBe(request.fingerprint);
	});
});

it('keeps nothing of a write that only prepares another one, nor compares it with that', async () => {
	const { send, attempt, sent } = attemptAfter(unknown);
	await send('post.create', { body: { text: 'New' }, isSideStep: true });
	expect(sent).toHaveLength(1);
	expect(attempt.sent).toBeUndefined();
});

describe('tells the operation', () => {
	it.each<[string, NotDone | Unknown | undefined, EarlierAttempt | undefined]>([
		['nothing of a first attempt', undefined, undefined],
		['of a request that had no effect', notDone, { kind: 'notDone', request }],
		[
			'of a request that may have had one',
			unknown,
			{ kind: 'unknown', request, checkOnly: false, failure: failure(502) },
		],
		[
			'that the request must not be sent again',
			{ ...unknown, next: 'checkOnly' },
			{ kind: 'unknown', request, checkOnly: true, failure: failure(502) },
		],
	])('%s', (_, before, earlier) => {
		expect(attemptAfter(before).earlier).toEqual(earlier);
	});
});
