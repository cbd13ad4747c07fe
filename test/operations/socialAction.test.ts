import type { INodeExecutionData } from 'n8n-workflow';

import { HOUR, inMs, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const create = (parameters: Record<string, unknown> = {}) => ({
	resource: 'socialAction',
	operation: 'create',
	workspaceId: kit.service.world.own.workspaceId,
	body: '={{ $json }}',
	...parameters,
});
const items = (...bodies: Array<INodeExecutionData['json']>) => ({
	items: bodies.map((json) => ({ json })),
});
const at = (minutes: number) => inMs(HOUR + minutes * 60_000);

describe('several actions in one run', () => {
	it('are refused without any due time, with two ways out', async () => {
		const undated = items({ type: 'dm' }, { type: 'like' });
		const run = await kit.run(create(), { ...undated, onError: 'continueErrorOutput' });
		expect(run.outputs[1]?.[0]?.json.message).toMatch(/Schedule > Spread.*Due Time Field.*Loop/);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('do not get in the way of another workspace', async () => {
		const { own, stranger } = kit.service.world;
		const bodies = [own, stranger].map((to) => ({ to: to.workspaceId, scheduled_at: at(0) }));
		const more = { ...items(...bodies), onError: 'continueErrorOutput' } as const;
		await kit.run(create({ workspaceId: '={{ $json.to }}' }), more);
		expect(kit.answered()).toEqual(['POST 201', 'POST 403']);
	});

	it('are looked at by the field that the user names', async () => {
		const bodies = items({ slot: at(0) }, { slot: at(9) });
		const run = await kit.run(create({ options: { dueTimeField: 'slot' } }), bodies);
		expect(run.outputs[0]).toHaveLength(2);
	});
});
