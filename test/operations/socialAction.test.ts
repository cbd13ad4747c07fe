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
	it('are sent with a hint if the user does not name their field', async () => {
		const alike = items({ type: 'dm', scheduled_at: at(0) }, { type: 'like', scheduled_at: at(0) });
		const run = await kit.run(create(), alike);
		expect(run.outputs[0]).toHaveLength(2);
		expect(run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The node did not check whether social actions .*"Due Time Field"/),
		]);
	});

	it.each<[string, object, object]>([
		['at the same time', { slot: at(0) }, { slot: at(0) }],
		['without the named field', { type: 'dm' }, { type: 'like' }],
	])('are refused %s, and nothing is sent', async (_, ...bodies) => {
		const given = {
			...items(...(bodies as INodeExecutionData['json'][])),
			onError: 'continueErrorOutput',
		} as const;
		const run = await kit.run(create({ options: { dueTimeField: 'slot' } }), given);
		expect(run.outputs[1]).toHaveLength(2);
		expect(run.outputs[1]?.[0]?.json.message).toMatch(/Schedule > Spread/);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('do not get in the way of another workspace', async () => {
		const { own, stranger } = kit.service.world;
		const bodies = [own, stranger].map((to) => ({ to: to.workspaceId, scheduled_at: at(0) }));
		const more = { ...items(...bodies), onError: 'continueErrorOutput' } as const;
		const options = { dueTimeField: 'scheduled_at' };
		await kit.run(create({ workspaceId: '={{ $json.to }}', options }), more);
		expect(kit.answered()).toEqual(['POST 201', 'POST 403']);
	});

	it('are looked at by the field that the user names', async () => {
		const bodies = items({ slot: at(0) }, { slot: at(9) });
		const run = await kit.run(create({ options: { dueTimeField: 'slot' } }), bodies);
		expect(run.outputs[0]).toHaveLength(2);
	});
});
