/** What a post shows about changing it, under whatever name the service shows it. */
import {
	capabilitiesOf,
	etagOf,
	isBeingChanged,
	postStatusOf,
} from '../../nodes/LeadGenPublishing/records/capabilities';

const post = (capabilities: unknown, more: object = {}) => ({
	id: '1',
	published_mutation_capabilities: capabilities,
	...more,
});

it.each<[what: string, post: Record<string, unknown>, etag: string | undefined]>([
	['none', { id: '1' }, undefined],
	['its own', post({ edit_etag: 'pv_1' }), 'pv_1'],
	['that of the edit, wherever it stands', post({ etag: 'a', editETag: 'b' }), 'b'],
	['another one, if there is none of the edit', post({ version_etag: 'a', etag: 'b' }), 'a'],
	['never that of the deletion', post({ delete_etag: 'a', deletionEtag: 'b' }), undefined],
	['a number', post({ edit_etag: 7 }), '7'],
	['0, too', post({ edit_etag: 0 }), '0'],
	['no other value', post({ edit_etag: true, etag: null, x_etag: {}, y_etag: '' }), undefined],
	['that of the capabilities before that of the post', post({ etag: 'a' }, { etag: 'b' }), 'a'],
	['that of the post without them', post(null, { edit_etag: 'b' }), 'b'],
	['that of the post where they show none', post({ can_edit: true }, { etag: 'b' }), 'b'],
])('the etag is %s', (_, shown, etag) => {
	expect(etagOf(shown)).toBe(etag);
});

it.each([
	[post({}, { status: 'publishing' }), true],
	[post({}, { status: 'published' }), false],
	...['mutation_in_progress', 'provider_ambiguous', 'Pending', 'reconciling', 'PROCESSING'].map(
		(reason): [Record<string, unknown>, boolean] => [post({ reason }), true],
	),
	...['too_old', '', null, 7, ['pending']].map((reason): [Record<string, unknown>, boolean] => [
		post({ reason }),
		false,
	]),
	[post('pending'), false],
	[{ id: '1', reason: 'pending' }, false],
])('%j is being changed: %p', (shown, expected) => {
	expect(isBeingChanged(shown)).toBe(expected);
});

it('a post that can be edited is published, unless it shows another status', () => {
	expect(postStatusOf(post({ can_edit: true }))).toBe('published');
	expect(postStatusOf(post({ can_edit: true }, { status: 'publishing' }))).toBe('publishing');
	for (const canEdit of [false, 'true', undefined])
		expect(postStatusOf(post({ can_edit: canEdit }))).toBeUndefined();
	expect(postStatusOf(post(undefined, { status: 'draft' }))).toBe('draft');
});

it.each([undefined, null, 'x', 7, ['a']])('%p are no capabilities', (capabilities) => {
	expect(capabilitiesOf(post(capabilities))).toEqual({});
});
