/** What was saved with an earlier version is offered by this one, and runs as it did then. */
import { NodeHelpers } from 'n8n-workflow';

import manifest from '../../package.json';
import { frozenVersions, readVersion, writeVersion, type Frozen } from './frozen';
import { nodeOf, replay } from './replay';
import { presentSamples } from './samples';

async function expectUnchanged({ outcome, goingOn, ...saved }: Frozen): Promise<void> {
	const { typeVersion, parameters } = saved.node;
	const { description } = nodeOf(saved.node);
	// Without what no form knows any more.
	const about = [false, false, { typeVersion }, description] as const;
	expect(NodeHelpers.getNodeParameters(description.properties, parameters, ...about)).toEqual(
		parameters,
	);
	const { outcome: again } = await replay(saved);
	const { length } = outcome.items;
	expect({ ...again, items: again.items.length }).toEqual({ ...outcome, items: length });
	// An item may have gained a field, but none that it had is gone or another.
	expect(again.items).toMatchObject(outcome.items);
	if (goingOn === undefined) return;
	const resumed = await replay(saved, goingOn.state);
	expect(resumed.outcome.items).toHaveLength(goingOn.items.length);
	expect(resumed.outcome.items).toMatchObject(goingOn.items);
}

it('the present version can be frozen: every run is the same again', async () => {
	const frozen: Record<string, Frozen> = {};
	for (const [name, saved] of Object.entries(await presentSamples())) {
		const one = JSON.parse(JSON.stringify({ ...saved, ...(await replay(saved)) })) as Frozen;
		expect([name, one.outcome.items.length > 0]).toEqual([name, true]);
		await expectUnchanged(one);
		frozen[name] = one;
	}
	// Part of a release, see CONTRIBUTING.md.
	if (process.env.FREEZE !== undefined) writeVersion(manifest.version, frozen);
});

for (const version of frozenVersions())
	describe(`saved with version ${version}`, () => {
		it.each(readVersion(version))('%s', async (_, saved) => await expectUnchanged(saved));
	});
