/**
 * The keys that workflows deduplicate by. Another release must give the same one, or a record that
 * is in the user's CRM already comes in once more.
 */
import { dedupeKey } from '../../../nodes/LeadGenPublishing/watch/n8n/dedupeKey';
import type { WatchEvent } from '../../../nodes/LeadGenPublishing/watch/list/events';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CLIENT = '7d2f0a10-0000-4000-8000-00000000000a';
const post = { id: ID, status: 'published' };

it.each<[WatchEvent, string, Record<string, unknown>, string]>([
	['newLead', 'own', { id: ID, updated_at: '2030-01-01' }, '8f9bafcb5b9921434b2fd6416dbc5095'],
	['newLead', CLIENT, { id: ID }, '36c496e43804798cf9b5dbea2afa059b'],
	['newLead', CLIENT.toUpperCase(), { id: ID }, '36c496e43804798cf9b5dbea2afa059b'],
	['newActivity', 'own', { id: 7 }, '40628686a1a080224f56e097d0670a2b'],
	['postStatusChanged', 'own', post, '08cb07c2f0a6f8408117753f3413970c'],
	[
		...(['postStatusChanged', 'own', { ...post, updated_at: '2030-01-01' }] as const),
		'7397b94733ed498464b6b242e9e51177',
	],
	[
		...(['postStatusChanged', 'own', { ...post, updatedAt: '2030-01-01' }] as const),
		'c893df4348739819e21a0e3ba4cef8e8',
	],
])('of %s for %s with %j', (event, account, record, expected) => {
	expect(dedupeKey(event, { account, record })).toBe(expected);
});
