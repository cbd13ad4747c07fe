import { simplifyPost } from '../../nodes/LeadGenPublishing/operations/post/simplify';

describe('a simplified post', () => {
	it('has its capabilities as flat fields and keeps the rest', () => {
		const capabilities = { can_edit: true, can_delete: null, edit_etag: 'v1', reason: null };
		expect(
			simplifyPost({ id: 'p', new_field: [1], published_mutation_capabilities: capabilities }),
		).toEqual({
			id: 'p',
			new_field: [1],
			can_edit: true,
			can_delete: false,
			edit_etag: 'v1',
			unavailable_reason: null,
		});
	});

	it('never looks like a failure', () => {
		expect(simplifyPost({ id: 'p', error: 'x' })).toMatchObject({ error_value: 'x' });
		expect(simplifyPost({ id: 'p', error: 'x' })).not.toHaveProperty('error');
	});
});
