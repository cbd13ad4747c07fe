import { MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const getAll = (parameters: Record<string, unknown> = {}) => ({
	resource: 'activity',
	operation: 'getAll',
	...parameters,
});

describe.each(MODES)('as %s', (mode) => {
	it('sends the source only when it is chosen', async () => {
		kit.service.world.comment(kit.account(mode));
		const run = await kit.run(kit.as(mode, getAll({ filters: { source: ' comment ' }, limit: 3 })));
		expect(kit.service.requests[0]?.query).toMatchObject({ source: 'comment' });
		expect(run.outputs[0]?.every(({ json }) => json.source === 'comment')).toBe(true);
		await kit.run(kit.as(mode, getAll({ filters: { source: '' }, limit: 3 })));
		expect(kit.service.requests.at(-1)?.query).not.toHaveProperty('source');
	});

	it('flattens the metadata when simplifying', async () => {
		const { activity } = kit.service.world.comment(kit.account(mode));
		const run = await kit.run(kit.as(mode, getAll({ simplify: true, returnAll: true })));
		const item = run.outputs[0]?.find(({ json }) => json.id === activity.id);
		expect(item?.json).toMatchObject({
			content: activity.content,
			metadata_post_id: activity.metadata.post_id,
			metadata_comment_id: activity.metadata.comment_id,
		});
		expect(item?.json).not.toHaveProperty('metadata');
	});
});
