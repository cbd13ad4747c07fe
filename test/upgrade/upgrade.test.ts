/** What was saved with an earlier version is offered by this one, and runs as it did then. */
import { NodeHelpers } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { frozenVersions, readVersion, type Frozen } from './frozen';
import { replay } from './replay';
import { samplesOf } from './samples';

const PRESENT = {
	action: new LeadGenPublishing(),
	trigger: new LeadGenPublishingTrigger(),
	credential: new LeadGenPublishingApi(),
};

async function expectUnchanged({ outcome, goingOn, ...saved }: Frozen): Promise<void> {
	const { type, typeVersion, parameters } = saved.node;
	const { description } = type.endsWith('Trigger') ? PRESENT.trigger : PRESENT.action;
	// Without what no form knows any more.
	const about = [false, false, { typeVersion }, description] as const;
	expect(NodeHelpers.getNodeParameters(description.properties, parameters, ...about)).toEqual(
		parameters,
	);
	const { outcome: again } = await replay(saved, PRESENT);
	const { length } = outcome.items;
	expect({ ...again, items: again.items.length }).toEqual({ ...outcome, items: length });
	// An item may have gained a field, but none that it had is gone or another.
	expect(again.items).toMatchObject(outcome.items);
	if (goingOn === undefined) return;
	const resumed = await replay(saved, PRESENT, goingOn.state);
	expect(resumed.outcome.items).toHaveLength(goingOn.items.length);
	expect(resumed.outcome.items).toMatchObject(goingOn.items);
}

it('the present version can be frozen: every run is the same again', async () => {
	for (const [name, saved] of Object.entries(await samplesOf(PRESENT))) {
		const frozen = JSON.parse(
			JSON.stringify({ ...saved, ...(await replay(saved, PRESENT)) }),
		) as Frozen;
		expect([name, frozen.outcome.items.length > 0]).toEqual([name, true]);
		await expectUnchanged(frozen);
	}
});

for (const version of frozenVersions()) {
	const frozen = Object.entries(readVersion(version));
	it.each(frozen)(`saved with version ${version}: %s`, async (_, saved) => {
		await expectUnchanged(saved);
	});
}
