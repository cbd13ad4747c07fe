/** What the forms offer and what workflows store, in full. */
import type { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import type { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import type { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import type { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { linesOf, readForm } from '../../scripts/generate/form';
import { loadAnew } from '../support/loadAnew';

interface Types {
	LeadGenPublishing: typeof LeadGenPublishing;
	LeadGenPublishingTrigger: typeof LeadGenPublishingTrigger;
	LeadGenPublishingApi: typeof LeadGenPublishingApi;
	RESOURCES: typeof RESOURCES;
}

// To change it on purpose, run `npm run docs`. The diff shows what stored workflows notice.
it('the form equals the recorded one, including defaults and conditions', () => {
	const lines = loadAnew((module) => {
		const typesIn = (file: string): Types => module<Types>(file);
		const node = 'nodes/LeadGenPublishing/';
		return linesOf({
			nodes: [
				new (typesIn(`${node}LeadGenPublishing.node`).LeadGenPublishing)(),
				new (typesIn(`${node}LeadGenPublishingTrigger.node`).LeadGenPublishingTrigger)(),
			],
			credential: new (typesIn(
				'credentials/LeadGenPublishingApi.credentials',
			).LeadGenPublishingApi)(),
			resources: typesIn(`${node}operations/index`).RESOURCES,
		});
	});
	const recorded = readForm();
	const [now, before] = [new Set(lines), new Set(recorded)];
	const isNew = lines.filter((line) => !before.has(line));
	const isGone = recorded.filter((line) => !now.has(line));
	// It shows only the lines that have changed, and how to record them.
	const file = 'test/contract/form.jsonl, written by `npm run docs`';
	expect({ file, isNew, isGone }).toEqual({ file, isNew: [], isGone: [] });
	expect(lines).toEqual(recorded);
});
