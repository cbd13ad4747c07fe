/**
 * What was saved with an earlier version is offered by this one, and runs as it did then. As long as
 * no version is released, the present one plays the part of the earlier one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import manifest from '../../package.json';
import { FROZEN, frozenVersions, readVersion, writeVersion, type Frozen } from './frozen';
import { nodeOf, replay } from './replay';
import { presentSamples } from './samples';

/**
 * The parameters that n8n passes on. It silently drops those that the form does not have, and the
 * stored workflow then does something else.
 */
function knownParameters({ typeVersion, parameters, type }: INode): INodeParameters | null {
	const { description } = nodeOf({ type });
	const about = [false, false, { typeVersion }, description] as const;
	return NodeHelpers.getNodeParameters(description.properties, parameters, ...about);
}

async function expectUnchanged({ outcome, goingOn, ...saved }: Frozen): Promise<void> {
	expect(knownParameters(saved.node)).toEqual(saved.node.parameters);
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

describe('the present version', () => {
	const folder = join(mkdtempSync(join(tmpdir(), 'frozen-')), manifest.version);
	afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

	it('can be frozen: what was written is read, and every run is the same again', async () => {
		const frozen: Record<string, Frozen> = {};
		for (const [name, saved] of Object.entries(await presentSamples())) {
			const run = { ...saved, ...(await replay(saved)) };
			expect([name, run.outcome.items.length > 0]).toEqual([name, true]);
			frozen[name] = run;
		}
		writeVersion(folder, frozen);
		const read = readVersion(folder);
		expect(read.map(([name]) => name).sort()).toEqual(Object.keys(frozen).sort());
		for (const [, saved] of read) await expectUnchanged(saved);
		expect(() => writeVersion(folder, frozen)).toThrow('is never changed');
		// Part of a release, see CONTRIBUTING.md.
		if (process.env.FREEZE !== undefined) writeVersion(join(FROZEN, manifest.version), frozen);
	});

	it.each(['additionalFields', 'options'])(
		'notices a stored parameter in %s that the form does not have',
		async (collection) => {
			const { 'post.create': post } = await presentSamples();
			if (post === undefined) throw new Error('There is no sample of this operation');
			const { parameters } = post.node;
			expect(knownParameters(post.node)).toEqual(parameters);
			const withGone = { ...(parameters[collection] as object), gone: 'value' };
			const pasted = { ...post.node, parameters: { ...parameters, [collection]: withGone } };
			expect(knownParameters(pasted)).not.toEqual(pasted.parameters);
		},
	);
});

for (const version of frozenVersions())
	describe(`saved with version ${version}`, () => {
		it.each(readVersion(join(FROZEN, version)))(
			'%s',
			async (_, saved) => await expectUnchanged(saved),
		);
	});
