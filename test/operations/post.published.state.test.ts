/** What a read of a published post tells: how it may be changed, and whether a change has ended. */
import { ApiFailure, InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	settledCheck,
	watch,
} from '../../nodes/LeadGenPublishing/operations/post/published/settling';
import {
	compareText,
	describeState,
	describeText,
	etagOf,
	isBeingChanged,
	isEditable,
	requireCapability,
	stateOf,
} from '../../nodes/LeadGenPublishing/operations/post/published/state';

const post = (capabilities: JsonRecord, more: JsonRecord = {}): JsonRecord => ({
	status: 'published',
	text: 'old',
	published_mutation_capabilities: capabilities,
	...more,
});
const failure = (status: number, serviceDetails?: JsonRecord) =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.get', agency: false, status },
		...{ retryable: false, attempts: 1, uncertain: false, serviceDetails },
	});

describe('a post can be edited', () => {
	it.each<[string, JsonRecord, boolean]>([
		['if the service says so', post({ can_edit: true }), true],
		['not if it says no', post({ can_edit: false }), false],
		['not if it says anything else', post({ can_edit: 'true' }), false],
		['not while it is published', post({ can_edit: true }, { status: 'publishing' }), false],
		['not while it is changed', post({ can_edit: true, reason: 'mutation_in_progress' }), false],
	])('%s', (_, record, expected) => {
		expect(isEditable(record)).toBe(expected);
	});

	it('with the first of two etags for it', () => {
		expect(etagOf(post({ edit_etag: 'a', text_edit_etag: 'b' }))).toBe('a');
	});

	it.each<['can_edit' | 'can_delete', string]>([
		['can_edit', 'edited'],
		['can_delete', 'deleted'],
	])('or not: without %s it cannot be %s, and a reason that is no text is none', (name, what) => {
		const check = () => requireCapability(post({ [name]: false, reason: 7 }), name);
		expect(check).toThrow(InputError);
		expect(check).toThrow(
			`The published post cannot be ${what} at the moment: the service does not report "${name}" as true. Nothing was changed`,
		);
	});
});

it.each<[unknown, boolean]>([
	['mutation_in_progress', true],
	['provider_ambiguous', true],
	['write_forbidden', false],
	[null, false],
	[['in_progress'], false],
])('the reason %p means that a change is going on: %p', (reason, expected) => {
	expect(isBeingChanged(post({ can_edit: true, reason }))).toBe(expected);
});

describe('errors say of the post', () => {
	it('what it is', () => {
		expect(describeState(undefined)).toBe('could not be read');
		expect(describeState(post({}))).toBe('is published');
		expect(describeState(post({ reason: 'odd' }))).toBe('is published, odd');
		expect(describeState(post({ reason: 7 }, { status: 8 }))).toBe('is in an unknown state');
	});

	it('its text, of which 200 characters are enough', () => {
		const told = (text: unknown) => describeText(post({}, { text }));
		const faces = '😀'.repeat(200);
		expect(told(faces)).toBe(`Its text is now: "${faces}".`);
		expect(told(`${faces}x`)).toBe(`Its text is now: "${faces}…".`);
		expect(told(null)).toBe('The post shows no text.');
		expect(describeText(undefined)).toBe('The post could not be read afterwards.');
	});

	it('whether it has the new text', () => {
		expect(compareText(undefined, 'new')).toBe('The post could not be read afterwards.');
		expect(compareText(post({}), 'new')).toBe(
			'A read afterwards does not show the new text; the post is published.',
		);
		expect(compareText(post({}), 'old')).toBe(
			'A read afterwards shows the new text; the post is published.',
		);
	});

	it('in their details what it is, and null for what is not known', () => {
		expect(stateOf(undefined)).toEqual({ post_status: null });
		expect(stateOf({})).toEqual({
			...{ post_status: null, current_text: null },
			...{ can_edit: null, can_delete: null, unavailable_reason: null },
		});
		expect(stateOf(post({ can_edit: true, can_delete: false, reason: 'odd' }))).toEqual({
			...{ post_status: 'published', current_text: 'old' },
			...{ can_edit: true, can_delete: false, unavailable_reason: 'odd' },
		});
	});
});

describe('a post at rest shows the outcome', () => {
	it.each<[string, JsonRecord | undefined, boolean]>([
		['if it was busy at the failure', { post_status: 'published', can_edit: false }, true],
		['if that was not known then', { post_status: 'published', can_edit: null }, true],
		['not if it was at rest then too', { post_status: 'published', can_edit: true }, false],
		['not if nothing was seen of it', { can_edit: false }, false],
		['not if only its status was seen', { post_status: 'published' }, false],
		['not without details', undefined, false],
	])('%s', (_, details, expected) => {
		const hasSettled = settledCheck('can_edit', { failure: failure(409, details) });
		expect(hasSettled(post({ can_edit: true }))).toBe(expected);
	});

	it.each<[string, JsonRecord]>([
		['being published', post({ can_edit: true }, { status: 'publishing' })],
		['not editable', post({ can_edit: false })],
	])('if it was %s before', (_, before) => {
		const hasSettled = settledCheck('can_edit', { sent: 'v1' });
		const atRest = post({ can_edit: true, etag: 'v1' });
		expect([hasSettled(atRest), hasSettled(before), hasSettled(atRest)]).toEqual([
			...[false, false, true],
		]);
	});

	it('if it has another etag than the one sent, but not if it shows none', () => {
		const settled = (etag: unknown, sent?: string) =>
			settledCheck('can_edit', { sent })(post({ can_edit: true, etag }));
		expect(settled('v2', 'v1')).toBe(true);
		expect(settled('v1', 'v1')).toBe(false);
		expect(settled(null, 'v1')).toBe(false);
		expect(settled('v2')).toBe(false);
	});
});

describe('waiting for a post', () => {
	async function waitsFor(
		read: () => Promise<JsonRecord>,
		{ deadline, from = 0 }: { deadline: number; from?: number },
	) {
		const waits: number[] = [];
		let now = from;
		const wait = async (ms: number) => {
			waits.push(ms);
			now += ms;
			await Promise.resolve();
		};
		const isSettled = (record: JsonRecord) => record.text === 'new';
		const seen = await watch({ read, wait, now: () => now }, { deadline, isSettled });
		return { seen, waits };
	}
	const old = async () => await Promise.resolve(post({}));

	it('reads it with growing pauses, of which the last ends with the time', async () => {
		const { seen, waits } = await waitsFor(old, { deadline: 60_000 });
		expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, ...Array(4).fill(10_000), 4_500]);
		expect(seen).toEqual({ settled: false, gone: false, seen: post({}) });
	});

	it.each([
		['a moment', { deadline: 1 }, [1]],
		['no time', { deadline: 0 }, []],
		['less than no time', { deadline: 0, from: 5 }, []],
	])('waits no longer than %s that is left', async (_, time, expected) => {
		expect((await waitsFor(old, time)).waits).toEqual(expected);
	});

	it('ends when it is gone, rather than when a read fails', async () => {
		const answers = [failure(503), failure(404)];
		const { seen, waits } = await waitsFor(
			async () => await Promise.reject(answers.shift() ?? new Error('Read once more')),
			{ deadline: 60_000 },
		);
		expect(seen).toEqual({ settled: true, gone: true });
		expect(waits).toEqual([500, 1_000]);
	});
});
