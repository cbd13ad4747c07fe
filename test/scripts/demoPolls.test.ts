/** What the demo makes of the examples before it puts them into n8n. */
import { EXAMPLE_NAMES, prepareForDemo } from '../../scripts/n8n/examples';
import type { WorkflowNode } from '../../scripts/n8n/n8nApi';

const polledBy = ({ parameters }: WorkflowNode): unknown[] =>
	(parameters.pollTimes as { item: unknown[] } | undefined)?.item ?? [];
const explains = ({ type, parameters }: WorkflowNode): boolean =>
	type === 'n8n-nodes-base.stickyNote' && String(parameters.content).includes('poll times');

it.each(EXAMPLE_NAMES)(
	'%s has at most three poll times in the demo, and a note on them',
	(name) => {
		const { nodes } = prepareForDemo(name, { own: 'own', agency: 'agency' });
		const triggers = nodes.filter(({ type }) => type.endsWith('.leadGenPublishingTrigger'));
		for (const trigger of triggers) expect(polledBy(trigger)).toHaveLength(3);
		expect(nodes.filter(explains)).toHaveLength(triggers.length > 0 ? 1 : 0);
	},
);
