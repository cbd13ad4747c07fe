/** Each row of the two tables of Create or Update: how a post compares, and what is done then. */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { markerFor, writeMarker } from '../../../nodes/LeadGenPublishing/records/keyMarker';
import {
	comparePost,
	isEnoughOf,
	type WantedPost,
} from '../../../nodes/LeadGenPublishing/writes/posts/comparePost';
import { decideChange } from '../../../nodes/LeadGenPublishing/writes/posts/decideChange';
import {
	lastSentIn,
	markedWith,
	wasSent,
} from '../../../nodes/LeadGenPublishing/writes/posts/lastSent';

const KEY = 'row-1';
const AT = '2030-01-31T09:00:00.000Z';
const LATER = '2030-01-31T10:00:00.000Z';

const wanted = (body: JsonRecord, mayBeLater = false): WantedPost => ({
	body,
	key: KEY,
	attached: undefined,
	mayBeLater,
});
/** A post of this status, as it was sent, with what has become of it since. */
const post = (status: unknown, sent: JsonRecord, now: JsonRecord = {}): JsonRecord => ({
	...sent,
	id: 'p',
	status,
	notes: writeMarker(markedWith(markerFor(KEY), sent, { mayBeLater: true })),
	...now,
});
const PLAN = { text: 'T', status: 'scheduled', scheduled_at: AT };
const DRAFT = { text: 'T', status: 'draft' };
const WITH_FILES = `[unique-key: ${KEY} sent=- files=1.20.k3J9xQ0aZb1LmN2p]`;

describe('a post compares with its row', () => {
	it.each<[string, JsonRecord, JsonRecord, string[], boolean?]>([
		['as the same', PLAN, post('scheduled', PLAN), []],
		[
			'publishing as planned, at any time',
			{ ...PLAN, scheduled_at: LATER },
			post('publishing', PLAN),
			[],
		],
		[
			'published as planned, without its time',
			PLAN,
			post('published', PLAN, { scheduled_at: null }),
			[],
		],
		['published by hand', DRAFT, post('published', DRAFT), []],
		['scheduled, where the row says Draft', DRAFT, post('scheduled', PLAN), []],
		['in its status', PLAN, post('draft', PLAN), ['status']],
		[
			'in its status, published at once',
			{ ...DRAFT, status: 'published' },
			post('scheduled', PLAN),
			['status'],
		],
		['in its text, once published', { ...PLAN, text: 'U' }, post('published', PLAN), ['text']],
		['in its time', { ...PLAN, scheduled_at: LATER }, post('scheduled', PLAN), ['scheduled_at']],
		[
			'in its time, moved by a person',
			PLAN,
			post('scheduled', PLAN, { scheduled_at: LATER }),
			['scheduled_at'],
		],
		['moved by Team Boost', PLAN, post('scheduled', PLAN, { scheduled_at: LATER }), [], true],
		[
			'moved by Team Boost, if the marker does not show the time',
			PLAN,
			{ ...PLAN, id: 'p', status: 'scheduled', scheduled_at: LATER, notes: `[unique-key: ${KEY}]` },
			[],
			true,
		],
		[
			'moved to an earlier time by a person, if the marker does not show the time',
			{ ...PLAN, scheduled_at: LATER },
			{ ...PLAN, id: 'p', status: 'scheduled', scheduled_at: AT, notes: `[unique-key: ${KEY}]` },
			['scheduled_at'],
			true,
		],
		[
			'moved to a later time by a person, without Team Boost',
			PLAN,
			{ ...PLAN, id: 'p', status: 'scheduled', scheduled_at: LATER, notes: `[unique-key: ${KEY}]` },
			['scheduled_at'],
			false,
		],
		[
			'moved by Team Boost, and planned again',
			{ ...PLAN, scheduled_at: AT.replace('09', '08') },
			post('scheduled', PLAN, { scheduled_at: LATER }),
			['scheduled_at'],
			true,
		],
		[
			'in a field that is not shown',
			{ ...DRAFT, theme_id: 'b' },
			post('draft', { ...DRAFT, theme_id: 'a' }, { theme_id: undefined }),
			['theme_id'],
		],
		[
			'by what was sent of a field that is not shown',
			{ ...DRAFT, theme_id: 'a' },
			post('draft', { ...DRAFT, theme_id: 'a' }, { theme_id: undefined }),
			[],
		],
		[
			'in a field that is shown',
			{ ...DRAFT, theme_id: 'b' },
			post('draft', { ...DRAFT, theme_id: 'a' }),
			['theme_id'],
		],
		[
			'in media',
			{ ...DRAFT, images: ['b'] },
			post('draft', { ...DRAFT, images: ['a'] }),
			['images'],
		],
		[
			'in media that a person has removed',
			{ ...DRAFT, images: ['a'] },
			post('draft', { ...DRAFT, images: ['a'] }, { images: [] }),
			['images'],
		],
		[
			'in media to be removed',
			{ ...DRAFT, images: [], document_url: null },
			post('draft', { ...DRAFT, images: ['a'] }),
			['images'],
		],
		['without media to be removed', { ...DRAFT, images: [] }, post('draft', DRAFT), []],
		[
			'without media to be removed, because a person has done that',
			{ ...DRAFT, images: [] },
			post('draft', { ...DRAFT, images: ['a'] }, { images: [] }),
			[],
		],
		[
			'in files to be removed that are not shown',
			{ ...DRAFT, images: [], document_url: null },
			post('draft', DRAFT, { notes: WITH_FILES, document_url: '' }),
			['images'],
		],
		[
			'in media, once published',
			{ ...PLAN, images: ['b'] },
			post('published', { ...PLAN, images: ['a'] }),
			['images'],
		],
		[
			'with its media elsewhere, once published',
			{ ...PLAN, images: ['a'] },
			post('published', { ...PLAN, images: ['a'] }, { images: ['cdn'] }),
			[],
		],
		[
			'with follow-ups that nobody can see, once published',
			{ ...PLAN, followups: ['f'] },
			post('published', PLAN, { notes: '' }),
			[],
		],
		['in its notes', { ...DRAFT, notes: 'b' }, post('draft', { ...DRAFT, notes: 'a' }), ['notes']],
		[
			'beside what a person has written',
			{ ...DRAFT, notes: 'a' },
			post('draft', { ...DRAFT, notes: 'a' }),
			[],
		],
		[
			'in notes that were never sent',
			{ ...DRAFT, notes: 'a' },
			post('draft', {}, { ...DRAFT, notes: `b\n[unique-key: ${KEY}]` }),
			['notes'],
		],
	])('%s', (...[, body, record, expected, mayBeLater]) => {
		const { differences } = comparePost(wanted(body, mayBeLater), record);
		expect(differences).toEqual(expected);
	});

	it('keeps the status that a draft would take back', () => {
		expect(comparePost(wanted(DRAFT), post('scheduled', PLAN)).keptStatus).toBe('scheduled');
		expect(comparePost(wanted(DRAFT), post('draft', DRAFT)).keptStatus).toBeUndefined();
		// A status that the document does not name may be one on the way to publication.
		expect(comparePost(wanted(DRAFT), post('queued', PLAN))).toMatchObject({
			...{ keptStatus: 'queued', differences: [] },
		});
	});
});

describe('what a list shows is enough', () => {
	it.each<[title: string, JsonRecord, JsonRecord, boolean]>([
		['if it is the same', PLAN, post('scheduled', PLAN), true],
		['not if it differs', { ...DRAFT, text: 'Other' }, post('draft', DRAFT), false],
		[
			'not if a field is not shown',
			{ ...DRAFT, images: ['a'] },
			{ ...post('draft', {}), ...DRAFT, notes: `[unique-key: ${KEY}]` },
			false,
		],
		[
			'not if it shows no media, although some were sent last',
			{ ...DRAFT, images: [] },
			post('draft', { ...DRAFT, images: ['a'] }, { images: null }),
			false,
		],
		[
			'not if it shows no media, although files were attached',
			{ ...DRAFT, images: [], document_url: null },
			post('draft', DRAFT, { notes: WITH_FILES, images: [], document_url: null }),
			false,
		],
		[
			'if it shows no media, and none were sent',
			{ ...DRAFT, images: [], document_url: null },
			post('draft', DRAFT, { images: null, document_url: null }),
			true,
		],
		[
			'not if the text is not shown, although the same was sent last',
			DRAFT,
			post('draft', DRAFT, { text: undefined }),
			false,
		],
	])('%s', (...[, body, record, expected]) => {
		expect(isEnoughOf(wanted(body), record)).toBe(expected);
	});
});

describe('a post that differs', () => {
	const body = { ...PLAN, images: ['a'], followups: ['f'] };
	it.each<[string, Parameters<typeof decideChange>[1], object]>([
		[
			'is left while it is publishing',
			differing('publishing', 'text'),
			{ kind: 'refusePublishing' },
		],
		[
			'is left whole if published media differ',
			differing('published', 'text', 'images', 'followups'),
			{ kind: 'refuseFixed', fields: ['images', 'followups'] },
		],
		[
			'gets its text once published',
			differing('published', 'text'),
			{ kind: 'send', fields: ['text'], marks: false },
		],
		[
			'gets what differs',
			differing('open', 'text', 'images'),
			{ kind: 'send', fields: ['text', 'images'], marks: true },
		],
		[
			'is scheduled with its time',
			differing('open', 'status'),
			{ kind: 'send', fields: ['status', 'scheduled_at'], marks: false },
		],
	])('%s', (_, compared, decision) => {
		expect(decideChange({ body, mayBeLater: false }, compared)).toEqual(decision);
	});

	it('is marked with its time only where the service may move it', () => {
		const moved = differing('open', 'scheduled_at');
		for (const mayBeLater of [true, false])
			expect(decideChange({ body, mayBeLater }, moved)).toMatchObject({ marks: mayBeLater });
	});
});

function differing(stage: 'open' | 'publishing' | 'published', ...fields: string[]) {
	return { stage, differences: fields };
}

const STAYS = { mayBeLater: false };

describe('the digests in a marker', () => {
	it('do not grow with fields that every read shows, but tell that the row has sent no others', () => {
		const marker = markedWith(
			markerFor('k'),
			{ text: 'T', status: 'draft', scheduled_at: 'x' },
			STAYS,
		);
		expect(writeMarker(marker)).toBe('[unique-key: k sent=-]');
		expect(wasSent(lastSentIn(marker), 'images', [])).toBe(true);
		expect(wasSent(lastSentIn(markerFor('k')), 'images', [])).toBeUndefined();
		const moved = markedWith(markerFor('k'), { scheduled_at: 'x' }, { mayBeLater: true });
		expect(wasSent(lastSentIn(moved), 'scheduled_at', 'x')).toBe(true);
	});

	it('say what was sent, under any name, and of nothing nothing', () => {
		const sent = {
			theme_id: 'T',
			'a name ~ with : signs]': 1,
			images: [],
			constructor: 'c',
			['__proto__']: 1,
		};
		const marker = markedWith(markerFor('k'), { text: 'T', status: 'draft', ...sent }, STAYS);
		expect(writeMarker(marker)).toMatch(/^\[unique-key: k sent=[\w:~+-]+\]$/);
		const last = lastSentIn(marker);
		for (const [field, value] of Object.entries(sent))
			expect(wasSent(last, field, value)).toBe(true);
		expect(wasSent(last, 'theme_id', 'U')).toBe(false);
		expect(wasSent(last, 'theme_id', '')).toBe(false);
		expect(wasSent(last, 'text', 'T')).toBeUndefined();
		expect(wasSent(last, 'images', ['a'])).toBeUndefined();
		expect(wasSent(last, 'template_id', 't')).toBeUndefined();
	});

	it('stay for what is not sent again, and go with what is removed', () => {
		const first = markedWith(markerFor('k'), { theme_id: 'T', images: ['a'] }, STAYS);
		const second = lastSentIn(markedWith(first, { images: [] }, STAYS));
		expect([wasSent(second, 'theme_id', 'T'), wasSent(second, 'images', ['a'])]).toEqual([
			true,
			undefined,
		]);
	});

	it.each(['', '~', ':', 'a', 'a:b:c', '~:~'])('read "%s" without harm', (sent) => {
		expect(() => lastSentIn({ values: { sent } })).not.toThrow();
	});
});
