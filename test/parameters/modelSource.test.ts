/** Whether a person or an AI model has filled in a parameter, as far as the stored workflow shows it. */
import { modelSourceOf } from '../../nodes/LeadGenPublishing/parameters/modelSource';

describe('who has filled in a parameter', () => {
	const asked = (stored: unknown, more: { type?: string; isTool?: boolean } = {}) =>
		modelSourceOf(
			{
				getNode: () => ({ parameters: stored, type: more.type ?? 'x.leadGenPublishing' }) as never,
				...(more.isTool === undefined ? {} : { isToolExecution: () => more.isTool ?? false }),
			},
			['group', 'name'],
		);

	it.each([
		['a fixed value', { group: { name: true } }],
		['a text', { group: { name: 'published' } }],
		['a text that is no expression', { group: { name: "$fromAI('x')" } }],
		['nothing', {}],
		['an expression outside of a tool', { group: { name: '={{ $json.x }}' } }],
		['a neighbour', { group: { other: "={{ $fromAI('x') }}" } }],
	])('a person: %s', (_, stored) => {
		expect(asked(stored)).toBeUndefined();
		expect(asked(stored, { isTool: false })).toBeUndefined();
	});

	it.each([
		['the call itself', { group: { name: "={{ $fromAI('x') }}" } }],
		['in the middle of others', { group: { name: "={{ 1 }} {{ a ? $FROMAI ('x') : 2 }}" } }],
		['for all of the group', { group: "={{ $fromAI('all') }}" }],
		['deeper', { group: { name: { a: ['x', "={{ $fromAi('x') }}"] } } }],
	])('a model: %s', (_, stored) => {
		expect(asked(stored)).toContain('$fromAI');
	});

	it('perhaps a model: every expression in a tool, however n8n tells that it is one', () => {
		const stored = { group: { name: '={{ $json.x }}' } };
		expect(asked(stored, { type: 'x.leadGenPublishingTool' })).toContain('in a tool');
		expect(asked(stored, { isTool: true })).toContain('in a tool');
		expect(asked({ group: { name: true } }, { isTool: true })).toBeUndefined();
	});
});
