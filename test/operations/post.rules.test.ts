/** What the API document demands of a post, checked before anything is sent. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { ItemCall } from '../../nodes/LeadGenPublishing/operations/define';
import {
	checkBody,
	checkMedia,
	checkSchedule,
	hasImages,
	postBody,
	warnAboutMissingDocument,
} from '../../nodes/LeadGenPublishing/operations/post/body';
import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

const NOW = Date.parse('2030-01-28T09:00:00Z');
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(NOW + ms).toISOString();

/** A body of custom fields alone, which may be anything. */
const bodyOf = (customFields: JsonRecord, fields: JsonRecord = {}) =>
	postBody(
		[
			{
				values: new Values((name) => fields[name], 'Update Fields'),
				names: Object.keys(fields),
				emptyRemoves: true,
			},
		],
		{
			input: new Values((name) => ({ options: { customFields } })[name]),
			timeZone: 'UTC',
			notice: () => undefined,
		},
	);

describe('its text', () => {
	const check = (text: unknown) => () => checkBody(bodyOf({ text }));

	it('has 3000 characters at most, of whatever kind', () => {
		for (const sign of ['a', '😀', '𝒂']) expect(check(sign.repeat(3000))).not.toThrow();
		expect(check('😀'.repeat(3001))).toThrow('has 3001 characters, but at most 3000 are allowed');
		for (const [count, remedy] of [
			[3001, 'Shorten the text by 1 character.'],
			[3002, 'Shorten the text by 2 characters.'],
		] as const)
			expect(check('a'.repeat(count))).toThrow(expect.objectContaining({ remedy }) as Error);
	});

	it.each([7, ['a'], { a: 1 }, true])('is text, not %j', (text) => {
		expect(check(text)).toThrow('gives "text" a value that must be text');
	});
});

describe('images and a document', () => {
	it.each<[unknown, boolean]>([
		[['a.png'], true],
		['a.png', true],
		[[], false],
		[' ', false],
		[null, false],
		[undefined, false],
	])('images of %j are some: %p', (images, expected) => {
		expect(hasImages({ images })).toBe(expected);
	});

	it('exclude each other in what is sent', () => {
		expect(() => checkBody(bodyOf({ images: ['a'], document_url: 'b' }))).toThrow(
			'cannot be combined with a document',
		);
		expect(() => checkBody(bodyOf({ images: [], document_url: 'b' }))).not.toThrow();
		expect(() => checkBody(bodyOf({ images: ['a'], document_url: ' ' }))).not.toThrow();
	});

	it.each<[string, JsonRecord, JsonRecord, string | undefined]>([
		['images beside a document', { images: ['a'] }, { document_url: 'b' }, 'cannot be added'],
		['a document beside images', { document_url: 'b' }, { images: ['a'] }, 'cannot be set'],
		['images instead', { images: ['a'], document_url: '' }, { document_url: 'b' }, undefined],
		['a document instead', { images: [], document_url: 'b' }, { images: ['a'] }, undefined],
		['images where there are some', { images: ['a'] }, { images: ['b'] }, undefined],
		['other fields', { text: 'a' }, { images: ['a'], document_url: 'b' }, undefined],
	])('may be in an update: %s', (_, sent, current, problem) => {
		const check = () => checkMedia(bodyOf(sent), current);
		if (problem === undefined) expect(check).not.toThrow();
		else expect(check).toThrow(problem);
	});

	it.each<[JsonRecord, JsonRecord, number]>([
		[{ document_type: 'pdf' }, {}, 1],
		[{ document_type: 'pdf', document_url: '' }, { document_url: 'b' }, 1],
		[{ document_type: 'pdf', document_url: 'b' }, {}, 0],
		[{ document_type: 'pdf' }, { document_url: 'b' }, 0],
		[{ document_type: 'image' }, {}, 0],
		[{ document_type: ' ' }, {}, 0],
		[{ text: 'a' }, {}, 0],
	])('%j over %j gets %p words', (sent, current, count) => {
		const said: string[] = [];
		warnAboutMissingDocument(bodyOf(sent), { notice: (text) => said.push(text) }, current);
		expect(said).toHaveLength(count);
		for (const one of said)
			expect(one).toMatch(/^"Options > Custom Fields" names a type other than "image"/);
	});
});

describe('its time', () => {
	const check = (scheduled_at: unknown) => {
		const said: string[] = [];
		checkSchedule(bodyOf({ status: 'scheduled', scheduled_at }), {
			api: { now: () => NOW },
			functions: { getTimezone: () => 'UTC' },
			notice: (text: string) => said.push(text),
		} as unknown as ItemCall);
		return said;
	};

	it.each([iso(1), iso(-12 * HOUR + 60_000).slice(0, 19), iso(0).replace('.000Z', '-00:01')])(
		'may be %s',
		(at) => {
			expect(check(at)).toEqual([]);
		},
	);

	it.each([iso(0), iso(-1), iso(-12 * HOUR).slice(0, 19), iso(0).replace('.000Z', '+00:01')])(
		'may not be %s',
		(at) => {
			expect(() => check(at)).toThrow(/"scheduled_at" a value that is not in the future: 20/);
		},
	);

	it.each(['in three weeks', 7, { at: 1 }])('that is %j is sent with a word', (at) => {
		expect(check(at)).toEqual([expect.stringMatching(/a form that this node cannot read/)]);
	});
});

it('entries without a value are left out of its follow-ups', () => {
	const followups = '[null, " ", {"a": 1}, "b "]';
	expect(bodyOf({}, { followups }).body).toEqual({ followups: [{ a: 1 }, 'b'] });
	expect(bodyOf({}, { followups: '{"a": [null]}' }).body).toEqual({ followups: { a: [null] } });
});

describe('simplified, its capabilities', () => {
	const of = (capabilities: unknown, more: JsonRecord = {}) =>
		simplifyPost({ id: '1', ...more, published_mutation_capabilities: capabilities });

	it.each([[null], [undefined], [{}], [{ can_edit: false }]])('are none in %j', (capabilities) => {
		expect(of(capabilities)).toStrictEqual({
			...{ id: '1', can_edit: false, can_delete: false },
			...{ edit_etag: null, unavailable_reason: null },
		});
	});

	it('stand beside the fields of the post, which keep their values', () => {
		const capabilities = { can_edit: true, etag: 'v1', reason: 'pending' };
		expect(of(capabilities, { edit_etag: 'own', unavailable_reason: 'own' })).toMatchObject({
			...{ can_edit: true, edit_etag: 'own', unavailable_reason: 'own' },
		});
		expect(of(capabilities)).toMatchObject({ edit_etag: 'v1', unavailable_reason: 'pending' });
		expect(of('soon')).toMatchObject({ published_mutation_capabilities: 'soon' });
	});
});
