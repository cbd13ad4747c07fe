/**
 * What people find when they search for the nodes in n8n's panel. Uses n8n's own search with the
 * keys of the panel.
 */
import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import actionCodex from '../../nodes/LeadGenPublishing/LeadGenPublishing.node.json';
import triggerCodex from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.json';
import { action, trigger } from './nodes';

const shown = [
	{ properties: { displayName: action.displayName, codex: { alias: actionCodex.alias } } },
	{ properties: { displayName: trigger.displayName, codex: { alias: triggerCodex.alias } } },
];
const found = (words: string): string[] =>
	sublimeSearch(words, shown).map(({ item }) => item.properties.displayName);

it.each([
	...['linkedin', 'social post', 'scheduler', 'lead magnet', 'lead gen', 'leads', 'agency'],
	...['comment', 'social media', 'post', 'publishing', 'crm', 'dm', 'Lead Magnet', 'LinkedIn'],
	...['posts', 'comments', 'clients', 'webhook', 'message'],
])('"%s" finds both nodes', (words) => {
	expect(found(words).sort()).toEqual([action.displayName, trigger.displayName].sort());
});

it('unrelated words find neither', () => {
	expect(found('kubernetes')).toEqual([]);
});

it('the trigger offers a new lead first', () => {
	const [first] = trigger.properties.find(({ name }) => name === 'event')?.options ?? [];
	expect(first).toMatchObject({ value: 'newLead', action: 'On new lead' });
});
