/** What was saved with an earlier version runs with this one as it did then. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import {
	frozenVersions,
	readVersion,
	type FrozenVersion,
	type NodeRecord,
	type Outcome,
} from './frozen';
import { presentVersion } from './present';
import { isOurs, replay } from './replay';

const PRESENT = {
	action: new LeadGenPublishing(),
	trigger: new LeadGenPublishingTrigger(),
	credential: new LeadGenPublishingApi(),
};

/** All operations in one test: a busy machine may take its time. */
const ENOUGH_MS = 900_000;

/** Runs every node of these workflows again. */
async function expectUnchanged({ world, workflows, records }: FrozenVersion, name: string) {
	const nodes = workflows[name]?.nodes.filter(isOurs) ?? [];
	expect(nodes.map((node) => node.name)).toEqual(Object.keys(records[name] ?? {}));
	for (const node of nodes) {
		const { given, outcome, goingOn } = records[name]?.[node.name] as NodeRecord;
		const again = await replay({ node, given, world }, PRESENT);
		expectSame({ of: node.name, ...again.outcome }, { of: node.name, ...outcome });
		if (goingOn === undefined) continue;
		const { outcome: resumed } = await replay(
			{ node, given, world, state: goingOn.state },
			PRESENT,
		);
		expectItems({ of: node.name, items: resumed.items }, { of: node.name, items: goingOn.items });
	}
}

type Of<T> = T & { of: string };

function expectSame({ items, ...sent }: Of<Outcome>, { items: then, ...before }: Of<Outcome>) {
	expect(sent).toEqual(before);
	expectItems({ of: sent.of, items }, { of: sent.of, items: then });
}

/** An item may have gained a field, but none that it had is gone or another. */
function expectItems(now: Of<Pick<Outcome, 'items'>>, then: Of<Pick<Outcome, 'items'>>) {
	expect(now).toMatchObject(then);
	expect(now.items).toHaveLength(then.items.length);
}

describe('the present version', () => {
	it(
		'can be frozen: every run is the same again',
		async () => {
			const present = JSON.parse(JSON.stringify(await presentVersion(PRESENT))) as FrozenVersion;
			for (const name of Object.keys(present.workflows)) await expectUnchanged(present, name);
		},
		ENOUGH_MS,
	);
});

for (const version of frozenVersions()) {
	describe(`saved with version ${version}`, () => {
		const frozen = readVersion(version);
		it.each(Object.keys(frozen.workflows))('%s', async (name) => {
			await expectUnchanged(frozen, name);
		});
	});
}
