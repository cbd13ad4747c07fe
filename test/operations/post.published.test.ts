import {
	ApiFailure,
	InputError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import {
	changePublishedText,
	showingRefreshedText,
	type TextChange,
} from '../../nodes/LeadGenPublishing/operations/post/published/changeText';
import { deletePublished } from '../../nodes/LeadGenPublishing/operations/post/published/deletion';
import {
	editEtagOf,
	etagOf,
	requireCapability,
} from '../../nodes/LeadGenPublishing/operations/post/published/state';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';

const post = (text: string, etag = 'v1', more: JsonRecord = {}): JsonRecord => ({
	id: 'p',
	status: 'published',
	text,
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: etag, ...more },
});
const busy = (text: string, reason: string) =>
	post(text, 'v1', { can_edit: false, can_delete: false, edit_etag: null, reason });

const failure = (facts: Partial<FailureFacts>) =>
	new ApiFailure({
		kind: 'answered',
		endpoint: 'post.update',
		agency: false,
		retryable: false,
		attempts: 1,
		uncertain: false,
		keyed: true,
		...facts,
	});
const conflict = (reason: string) => failure({ status: 409, code: 'conflict', reason });
const notFound = failure({ status: 404, code: 'not_found', endpoint: 'post.get' });
const badGateway = (reason?: string) =>
	failure({ status: 502, code: 'upstream_error', reason, uncertain: true, retryable: true });

type Scripted = JsonRecord | Error;

/** A service that answers in turn, the last one again and again. */
function answeringInTurn({ reads = [], writes = [] }: { reads?: Scripted[]; writes?: Scripted[] }) {
	const log: string[] = [];
	let now = 0;
	const take = (script: Scripted[]): JsonRecord => {
		const next = script.length > 1 ? script.shift() : script[0];
		if (next === undefined) throw new Error('Nothing was to be asked here');
		if (next instanceof Error) throw next;
		return next;
	};
	return {
		log,
		count: (what: string) => log.filter((entry) => entry.startsWith(what)).length,
		elapsed: () => now,
		now: () => now,
		wait: async (ms: number) => {
			now += ms;
		},
		read: async () => {
			log.push('read');
			return take(reads);
		},
		send: async (etag: string) => {
			log.push(`send ${etag}`);
			return take(writes);
		},
		remove: async () => {
			log.push('remove');
			return take(writes);
		},
	};
}

const change = (more: Partial<TextChange> = {}): TextChange => ({
	wanted: 'new',
	onStaleVersion: 'fail',
	deadline: 60_000,
	...more,
});

async function failing(work: Promise<unknown>): Promise<ApiFailure> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof ApiFailure))
		throw new Error(`Expected an ApiFailure, got ${String(error)}`);
	return error;
}

describe('consent of the service', () => {
	it.each([
		['missing', { status: 'published' }],
		['null', { published_mutation_capabilities: null }],
		['false', post('old', 'v1', { can_edit: false })],
		['null inside', post('old', 'v1', { can_edit: null })],
		['the text "true"', post('old', 'v1', { can_edit: 'true' })],
	])('is not there when the capability is %s, and nothing is sent', async (_name, current) => {
		const port = answeringInTurn({});
		await expect(changePublishedText(port, change({ current }))).rejects.toThrow(
			/cannot be edited at the moment/,
		);
		expect(port.log).toEqual([]);
	});

	it('explains read-only access', () => {
		const forbidden = post('old', 'v1', { can_edit: false, reason: 'write_forbidden' });
		expect(() => requireCapability(forbidden, 'can_edit')).toThrow(
			/may only read it \(write_forbidden\)/,
		);
	});

	it('tells any other reason, and when there is none', () => {
		expect(() => requireCapability(busy('old', 'odd_reason'), 'can_delete')).toThrow(/odd_reason/);
		expect(() => requireCapability({}, 'can_delete')).toThrow(
			/does not report "can_delete" as true/,
		);
	});

	it.each(['edit_etag', 'etag', 'eTag', 'post_etag'])('finds the etag in "%s"', (name) => {
		expect(etagOf({ published_mutation_capabilities: { can_edit: true, [name]: 'v7' } })).toBe(
			'v7',
		);
		expect(etagOf({ [name]: 'v8', published_mutation_capabilities: { can_edit: true } })).toBe(
			'v8',
		);
	});

	it.each<[string, JsonRecord, JsonRecord, string | undefined]>([
		['that of the capabilities before that of the post', { etag: 'a' }, { edit_etag: 'b' }, 'a'],
		['one for editing before others', { etag: 'a', edit_etag: 'b' }, {}, 'b'],
		['one for editing, wherever it stands', { editEtag: 'b', etag: 'a' }, {}, 'b'],
		['the first of several others', { etag: 'a', post_etag: 'b' }, {}, 'a'],
		['never one for deleting', { delete_etag: 'a', deletion_etag: 'c' }, { etag: 'b' }, 'b'],
		['not even one for deleting alone', { edit_delete_etag: 'a' }, { deleteETag: 'b' }, undefined],
		['one of the post where the capabilities have an empty one', { etag: '' }, { etag: 'b' }, 'b'],
		['a number as its digits', { edit_etag: 17 }, { etag: 'b' }, '17'],
		['nothing that is no etag', { etag: null, edit_etag: ['x'] }, { etag: true }, undefined],
		['nothing whose name is another one', { version: 'a', tag: 'b' }, { edit: 'c' }, undefined],
	])('of several etags takes %s', (_, capabilities, about, expected) => {
		expect(etagOf({ ...about, published_mutation_capabilities: capabilities })).toBe(expected);
	});

	it('does not send without an etag', () => {
		const without = post('old', 'v1', { edit_etag: null });
		expect(() => editEtagOf(without)).toThrow(InputError);
		expect(() => editEtagOf(without)).toThrow(/gives no etag/);
	});
});

describe('a change of the text', () => {
	it('goes out once with the etag just read', async () => {
		const port = answeringInTurn({ writes: [post('new', 'v2')] });
		const outcome = await changePublishedText(port, change({ current: post('old') }));
		expect(outcome).toEqual({ record: post('new', 'v2') });
		expect(port.log).toEqual(['send v1']);
	});

	it('reads the post first when nobody has', async () => {
		const port = answeringInTurn({ reads: [post('old', 'v5')], writes: [post('new')] });
		await changePublishedText(port, change());
		expect(port.log).toEqual(['read', 'send v5']);
	});

	it('takes the etag that was reviewed, without a read', async () => {
		const port = answeringInTurn({ writes: [post('new')] });
		await changePublishedText(port, change({ etag: 'reviewed' }));
		expect(port.log).toEqual(['send reviewed']);
	});
});

describe('provider_state_refreshed', () => {
	it('reads the post, shows its text and stops, whatever the option says', async () => {
		const port = answeringInTurn({
			reads: [post('theirs', 'v2')],
			writes: [conflict('provider_state_refreshed')],
		});
		const error = await failing(
			changePublishedText(
				port,
				change({ current: post('old'), onStaleVersion: 'retryWithFreshEtag' }),
			),
		);
		expect(error.facts.serviceDetails).toEqual({ refreshed_text: 'theirs' });
		expect(error.facts.found).toBe('Its text is now: "theirs".');
		expect(port.log).toEqual(['send v1', 'read']);
	});

	it('still fails with the reason when the post cannot be read', async () => {
		const port = answeringInTurn({
			reads: [notFound],
			writes: [conflict('provider_state_refreshed')],
		});
		const error = await failing(changePublishedText(port, change({ current: post('old') })));
		expect(error.facts.reason).toBe('provider_state_refreshed');
		expect(error.facts.found).toMatch(/could not be read/);
	});
});

describe('stale_provider_version', () => {
	const stale = conflict('stale_provider_version');

	it('stops, and never sends the stale etag again', async () => {
		const port = answeringInTurn({ reads: [post('theirs', 'v2')], writes: [stale] });
		const error = await failing(changePublishedText(port, change({ current: post('old') })));
		expect(error.facts.found).toContain('theirs');
		expect(port.log).toEqual(['send v1', 'read']);
	});

	it('sends once more with the new etag if told to', async () => {
		const port = answeringInTurn({
			reads: [post('theirs', 'v2')],
			writes: [stale, post('new', 'v3')],
		});
		const wish = change({ current: post('old'), onStaleVersion: 'retryWithFreshEtag' });
		expect((await changePublishedText(port, wish)).record).toEqual(post('new', 'v3'));
		expect(port.log).toEqual(['send v1', 'read', 'send v2']);
	});

	it('sends only once more', async () => {
		const port = answeringInTurn({ reads: [post('a', 'v2'), post('b', 'v3')], writes: [stale] });
		const wish = change({ current: post('old'), onStaleVersion: 'retryWithFreshEtag' });
		await failing(changePublishedText(port, wish));
		expect(port.log).toEqual(['send v1', 'read', 'send v2', 'read']);
	});

	it('sends nothing more when the post cannot be edited any more', async () => {
		const port = answeringInTurn({ reads: [busy('theirs', 'write_forbidden')], writes: [stale] });
		const wish = change({ current: post('old'), onStaleVersion: 'retryWithFreshEtag' });
		await expect(changePublishedText(port, wish)).rejects.toThrow(InputError);
		expect(port.count('send')).toBe(1);
	});

	it('is a success when the newer version has the wanted text', async () => {
		const port = answeringInTurn({ reads: [post('new', 'v2')], writes: [stale] });
		const { record, note } = await changePublishedText(port, change({ current: post('old') }));
		expect(record.text).toBe('new');
		expect(note).toMatch(/not sent again/);
	});
});

describe.each(['mutation_in_progress', 'provider_ambiguous'])('%s', (reason) => {
	it('reads until the post has settled, sends nothing more, and reports the new text', async () => {
		const port = answeringInTurn({
			reads: [busy('old', reason), busy('old', reason), post('new', 'v2')],
			writes: [conflict(reason)],
		});
		const { record, note } = await changePublishedText(port, change({ current: post('old') }));
		expect(record.text).toBe('new');
		expect(note).toMatch(/has the new text now/);
		expect(port.log).toEqual(['send v1', 'read', 'read', 'read']);
	});

	it('fails as certainly not applied when the post has settled with the old text', async () => {
		const port = answeringInTurn({
			reads: [busy('old', reason), post('old')],
			writes: [conflict(reason)],
		});
		const error = await failing(changePublishedText(port, change({ current: post('old') })));
		expect(error.facts).toMatchObject({ uncertain: false, reason });
		expect(error.facts.found).toMatch(
			/does not show the new text, and shows no sign of a change in progress.*old/,
		);
		expect(port.count('send')).toBe(1);
	});

	it('fails as unknown when the time is up, and says what is to be seen', async () => {
		const port = answeringInTurn({ reads: [busy('old', reason)], writes: [conflict(reason)] });
		const error = await failing(
			changePublishedText(port, change({ current: post('old'), deadline: 5_000 })),
		);
		expect(error.facts).toMatchObject({ uncertain: true, keyed: true });
		expect(error.facts.serviceDetails).toMatchObject({
			post_status: 'published',
			current_text: 'old',
			unavailable_reason: reason,
		});
		expect(error.facts.found).toMatch(/does not show the new text.*not settled/);
		expect(port.elapsed()).toBe(5_000);
		expect(port.count('send')).toBe(1);
	});

	it('does not take the text for the outcome while the post is being published', async () => {
		const reads = [{ ...post('new'), status: 'publishing' }];
		const port = answeringInTurn({ reads, writes: [conflict(reason)] });
		const wish = change({ current: post('old'), deadline: 2_000 });
		expect((await failing(changePublishedText(port, wish))).facts.uncertain).toBe(true);
	});

	it('looks once even when no time may be waited', async () => {
		const port = answeringInTurn({ reads: [post('new')], writes: [conflict(reason)] });
		await changePublishedText(port, change({ current: post('old'), deadline: 0 }));
		expect(port.log).toEqual(['send v1', 'read']);
		expect(port.elapsed()).toBe(0);
	});

	it('survives a read that fails, and ends when the post is gone', async () => {
		const port = answeringInTurn({ reads: [badGateway(), notFound], writes: [conflict(reason)] });
		const error = await failing(changePublishedText(port, change({ current: post('old') })));
		expect(error.facts.found).toMatch(/does not exist any more/);
		expect(error.facts.reason).toBe(reason);
	});
});

it('provider_ambiguous: believes the old text only when it is seen twice', async () => {
	const port = answeringInTurn({
		reads: [post('old'), post('new', 'v2')],
		writes: [conflict('provider_ambiguous')],
	});
	const { record } = await changePublishedText(port, change({ current: post('old') }));
	expect(record.text).toBe('new');
});

it.each([
	['idempotency_conflict', conflict('idempotency_conflict')],
	['team_boost_spacing_conflict', conflict('team_boost_spacing_conflict')],
	[
		'provider_attachment_identity_unavailable',
		failure({
			status: 422,
			code: 'bad_request',
			reason: 'provider_attachment_identity_unavailable',
		}),
	],
	['any other refusal', conflict('something_new')],
])('%s: stops after one request', async (_name, refusal) => {
	const port = answeringInTurn({ writes: [refusal] });
	expect(await failing(changePublishedText(port, change({ current: post('old') })))).toBe(refusal);
	expect(port.log).toEqual(['send v1']);
});

it.each(['provider_attachment_mismatch', undefined])(
	'502 (%s) that stays: says what a read shows, and stays unknown',
	async (reason) => {
		const port = answeringInTurn({ reads: [post('new', 'v2')], writes: [badGateway(reason)] });
		const error = await failing(changePublishedText(port, change({ current: post('old') })));
		expect(error.facts).toMatchObject({ uncertain: true, keyed: true, status: 502 });
		expect(error.facts.found).toMatch(/shows the new text/);
		expect(port.log).toEqual(['send v1', 'read']);
	},
);

it('never sends an etag again that the service has called stale', async () => {
	const port = answeringInTurn({
		reads: [post('old', 'v1')],
		writes: [conflict('stale_provider_version'), post('new', 'v2')],
	});
	const error = await failing(
		changePublishedText(port, {
			wanted: 'new',
			etag: 'v1',
			onStaleVersion: 'retryWithFreshEtag',
			deadline: 60_000,
		}),
	);
	expect(error.facts.reason).toBe('stale_provider_version');
	expect(port.count('send')).toBe(1);
});

it('a final refusal is the answer, also where an answer before it was lost', async () => {
	const refusal = failure({ status: 409, reason: 'idempotency_conflict', uncertain: true });
	const port = answeringInTurn({ writes: [refusal] });
	expect(await failing(changePublishedText(port, change({ current: post('old') })))).toBe(refusal);
	expect(port.log).toEqual(['send v1']);
});

describe('after an attempt that may have succeeded', () => {
	const earlier = badGateway();

	it('sends nothing if that may only be checked', async () => {
		const port = answeringInTurn({ reads: [post('old'), post('new', 'v2')] });
		const wish = change({ etag: 'v1', earlier, checkOnly: true });
		expect((await changePublishedText(port, wish)).note).toMatch(/has the new text now/);
		expect(port.log).toEqual(['read', 'read']);
	});

	it('sends the request with the same etag otherwise', async () => {
		const port = answeringInTurn({ writes: [post('new', 'v2')] });
		await changePublishedText(port, change({ etag: 'v1', earlier }));
		expect(port.log).toEqual(['send v1']);
	});

	it('sends nothing with a fresh etag, as the stale one may be its own doing', async () => {
		const port = answeringInTurn({
			reads: [post('theirs', 'v2')],
			writes: [conflict('stale_provider_version')],
		});
		const wish = change({ etag: 'v1', earlier, onStaleVersion: 'retryWithFreshEtag' });
		await failing(changePublishedText(port, wish));
		expect(port.log).toEqual(['send v1', 'read']);
	});

	it.each<[string, Scripted, ApiFailure | undefined, boolean]>([
		['is its success where the post has the new text', post('new', 'v2'), earlier, true],
		['is a refusal where it has another', post('theirs', 'v2'), earlier, false],
		['is a refusal where it cannot be read', badGateway(), earlier, false],
		['is a refusal without such an attempt', post('new', 'v2'), undefined, false],
	])('provider_state_refreshed %s', async (_, read, before, isSuccess) => {
		const port = answeringInTurn({
			reads: [read],
			writes: [conflict('provider_state_refreshed')],
		});
		const work = changePublishedText(port, change({ etag: 'v1', earlier: before }));
		if (isSuccess)
			expect(await work).toEqual({ record: read, note: expect.stringContaining('new text now') });
		else expect((await failing(work)).facts.reason).toBe('provider_state_refreshed');
	});
});

describe('another change of a published post', () => {
	const refreshed = conflict('provider_state_refreshed');

	it('shows the refreshed text where it has to be reviewed', async () => {
		const port = answeringInTurn({ reads: [post('theirs')] });
		const error = await failing(showingRefreshedText(Promise.reject(refreshed), port));
		expect(error.facts).toMatchObject({
			found: 'Its text is now: "theirs".',
			serviceDetails: { refreshed_text: 'theirs' },
		});
	});

	it.each([
		['a review that shows it already', failure({ ...refreshed.facts, found: 'Its text.' })],
		['another refusal', conflict('stale_provider_version')],
		['any other error', new Error('odd')],
	])('leaves %s as it is, without a read', async (_, error) => {
		const port = answeringInTurn({});
		await expect(showingRefreshedText(Promise.reject(error), port)).rejects.toBe(error);
		expect(port.log).toEqual([]);
	});

	it('leaves a success as it is', async () => {
		expect(await showingRefreshedText(Promise.resolve('done'), answeringInTurn({}))).toBe('done');
	});
});

describe('a deletion', () => {
	it('is one request', async () => {
		const port = answeringInTurn({ writes: [{}] });
		expect(await deletePublished(port, { deadline: 60_000 })).toEqual({});
		expect(port.log).toEqual(['remove']);
	});

	it.each(['mutation_in_progress', 'provider_ambiguous'])(
		'%s: reads until it is gone',
		async (reason) => {
			const port = answeringInTurn({
				reads: [busy('old', reason), notFound],
				writes: [conflict(reason)],
			});
			expect((await deletePublished(port, { deadline: 60_000 })).note).toMatch(/gone now/);
			expect(port.log).toEqual(['remove', 'read', 'read']);
		},
	);

	it('fails as certainly not carried out when the post has settled', async () => {
		const reads = [busy('old', 'provider_ambiguous'), post('old')];
		const port = answeringInTurn({ reads, writes: [conflict('provider_ambiguous')] });
		const error = await failing(deletePublished(port, { deadline: 60_000 }));
		expect(error.facts).toMatchObject({ uncertain: false });
		expect(error.facts.found).toMatch(/still there, and no sign of a change/);
		expect(port.count('remove')).toBe(1);
	});

	it('fails as unknown when the post looks as before all the time', async () => {
		const port = answeringInTurn({
			reads: [post('old')],
			writes: [conflict('provider_ambiguous')],
		});
		const error = await failing(deletePublished(port, { deadline: 60_000 }));
		expect(error.facts).toMatchObject({ uncertain: true });
		expect(port.elapsed()).toBe(60_000);
	});

	it('fails as unknown when the time is up', async () => {
		const reads = [busy('old', 'provider_ambiguous')];
		const port = answeringInTurn({ reads, writes: [conflict('provider_ambiguous')] });
		const error = await failing(deletePublished(port, { deadline: 3_000 }));
		expect(error.facts).toMatchObject({ uncertain: true, notCarriedOut: false });
		expect(error.facts.found).toBe(
			'The post is published, provider_ambiguous. It had not settled when the waiting ended.',
		);
		expect(port.elapsed()).toBe(3_000);
	});

	it('whose answer was lost counts when the post is gone, and stays unknown when it is not', async () => {
		const gone = answeringInTurn({ reads: [notFound], writes: [badGateway()] });
		expect((await deletePublished(gone, { deadline: 0 })).note).toMatch(/gone now/);
		const there = answeringInTurn({ reads: [post('old')], writes: [badGateway()] });
		expect((await failing(deletePublished(there, { deadline: 0 }))).facts.uncertain).toBe(true);
	});

	it('keeps the details of the service beside what was seen afterwards', async () => {
		const reads = [busy('old', 'provider_ambiguous'), post('old')];
		const serviceDetails = { told: 'by the service' };
		const refusal = failure({ status: 409, reason: 'provider_ambiguous', serviceDetails });
		const port = answeringInTurn({ reads, writes: [refusal] });
		const error = await failing(deletePublished(port, { deadline: 60_000 }));
		expect(error.facts.serviceDetails).toMatchObject({
			...serviceDetails,
			post_status: 'published',
		});
	});

	it('that fails by an error of the program fails with it, and reads nothing', async () => {
		const odd = new Error('odd');
		const port = answeringInTurn({ writes: [odd] });
		await expect(deletePublished(port, { deadline: 60_000 })).rejects.toBe(odd);
		expect(port.log).toEqual(['remove']);
	});

	it('that may only be checked is not sent', async () => {
		const port = answeringInTurn({ reads: [post('old'), notFound] });
		const told = { deadline: 60_000, checkOnly: badGateway() };
		expect((await deletePublished(port, told)).note).toMatch(/gone now/);
		expect(port.log).toEqual(['read', 'read']);
	});

	it('that was sent twice stays unknown, even when the post has settled', async () => {
		const reads = [busy('old', 'provider_ambiguous'), post('old')];
		const twice = failure({ status: 409, reason: 'provider_ambiguous', attempts: 2 });
		const port = answeringInTurn({ reads, writes: [twice] });
		const error = await failing(deletePublished(port, { deadline: 60_000 }));
		expect(error.facts).toMatchObject({ uncertain: true, notCarriedOut: false });
	});

	it('stops at a refusal', async () => {
		const port = answeringInTurn({ writes: [conflict('stale_provider_version')] });
		await failing(deletePublished(port, { deadline: 60_000 }));
		expect(port.log).toEqual(['remove']);
	});
});
