/** What an item looks like, what its key stands for, and which changes a fingerprint shows. */
import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { LEAD } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { POST } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { scopeOf, type WatchEvent } from '../../nodes/LeadGenPublishing/watch/events';
import { leadFingerprint, statusValue } from '../../nodes/LeadGenPublishing/watch/fingerprint';
import { isReadable } from '../../nodes/LeadGenPublishing/watch/hash';
import { dedupeKey, itemsOf } from '../../nodes/LeadGenPublishing/watch/items';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { nested, playedTrigger } from './playedTrigger';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CLIENT = '7d2f0a10-0000-4000-8000-00000000000a';
const lead = { name: 'Zed', id: ID, emails: { work: 'z@work.example' }, has_intent: true };
function item(
	record: JsonRecord,
	{
		event = 'newLead',
		simplify = true,
		account = 'own',
		previousValue,
	}: { event?: WatchEvent; simplify?: boolean; account?: string; previousValue?: string } = {},
): JsonRecord {
	const names = new Map([[CLIENT, { user_id: CLIENT, full_name: 'Ada', business_name: 'Ltd' }]]);
	const session = {
		settings: { event, simplify },
		simplifications: { lead: LEAD, activity: LEAD, post: POST },
		client: {},
		known: { names },
	} as unknown as PollSession;
	const [one] = itemsOf(session, [{ account, record, previousValue }], ['in_review']);
	return one?.json ?? {};
}

describe('an item', () => {
	it('begins with what somebody who builds a workflow looks for', () => {
		expect(Object.keys(item(lead, { account: CLIENT })).slice(0, 8)).toEqual([
			...['id', 'name', 'email', 'client_name', 'latest_keyword', 'has_intent'],
			...['qualification_status', 'email_work'],
		]);
		const raw = item({ ...lead, headline: 'x' }, { simplify: false });
		expect(Object.keys(raw)).toEqual([
			...['id', 'name', 'has_intent', 'emails', 'headline'],
			...['account', 'event', 'detected_at', 'dedupe_key'],
		]);
		const post = item({ status: 'draft', id: ID }, { event: 'postStatusChanged' });
		expect(Object.keys(post)[0]).toBe('id');
	});

	it('says whose it is, and when it was found', () => {
		expect(item(lead, { account: CLIENT })).toMatchObject({
			...{ client_id: CLIENT, client_name: 'Ada', account: 'client' },
		});
		expect(item(lead, { account: CLIENT, simplify: false })).toMatchObject({
			...{ client: { user_id: CLIENT, full_name: 'Ada' }, account: 'client' },
		});
		expect(item(lead, { account: ID })).toMatchObject({ client_id: ID });
		const own = item(lead, { account: 'own2' });
		expect(own).toMatchObject({ account: 'own', event: 'newLead' });
		expect(own.dedupe_key).toBe(item(lead).dedupe_key);
		expect(Date.parse(String(own.detected_at))).toBeGreaterThan(0);
	});

	it('never replaces a field of the record', () => {
		const record = { id: 'a', event: 'webinar', account: 'x', dedupe_key: 1, detected_at: null };
		const shown = item(record, { simplify: false });
		expect(shown).toMatchObject({ ...record, n8n_event: 'newLead', n8n_account: 'own' });
		expect(shown.n8n_dedupe_key).toMatch(/^[0-9a-f]{32}$/);
	});

	it.each([
		['scheduled', 'scheduled'],
		['in_review', 'in_review'],
		['a word that nobody remembers', null],
	])('of a post that was %p before says %p', (before, previous_status) => {
		const previousValue = statusValue(before);
		expect(
			item({ id: 'p', status: 'published' }, { event: 'postStatusChanged', previousValue }),
		).toMatchObject({ changed_fields: ['status'], previous_status });
	});
});

/** Another release must give the same, or what is in the user's CRM already comes in once more. */
describe('the dedupe key', () => {
	const post = { id: ID, status: 'published' };

	it.each<[WatchEvent, string, JsonRecord, string]>([
		['newLead', 'own', { id: ID, updated_at: '2030-01-01' }, '8f9bafcb5b9921434b2fd6416dbc5095'],
		['newLead', 'own2', { id: ID, name: 'Other' }, '8f9bafcb5b9921434b2fd6416dbc5095'],
		['newLead', CLIENT, { id: ID }, '36c496e43804798cf9b5dbea2afa059b'],
		['newLead', CLIENT.toUpperCase(), { id: ID }, '36c496e43804798cf9b5dbea2afa059b'],
		['newActivity', 'own', { id: 7 }, '40628686a1a080224f56e097d0670a2b'],
		['postStatusChanged', 'own', post, '08cb07c2f0a6f8408117753f3413970c'],
		['postStatusChanged', 'own', { ...post, text: 'x' }, '08cb07c2f0a6f8408117753f3413970c'],
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

	it.each([
		...[{ name: 'Ada' }, { has_intent: false }, { qualification_status: 'qualified' }],
		...[{ updated_at: '2030-01-01' }, { emails: null }, { profile_url: 'https://a.example' }],
	])('of a changed lead differs for another version: %j', (change) => {
		const key = (record: JsonRecord) => dedupeKey('leadChanged', { account: 'own', record });
		expect(key({ ...lead, ...change })).not.toBe(key(lead));
		expect(key({ ...lead, headline: 'x' })).toBe(key(lead));
	});
});

describe("a lead's fingerprint", () => {
	const FIELDS = [
		...['name', 'profile_url', 'emails', 'latest_keyword', 'qualification_status', 'has_intent'],
	];
	const valueOf = (name: string, at: number): unknown =>
		name === 'has_intent' ? [null, true, false][at % 3] : `${name} ${at}`;
	const leadAt = (at: number): JsonRecord =>
		Object.fromEntries(FIELDS.map((name) => [name, valueOf(name, at)]));

	it('takes eleven characters of the alphabet, and reveals nothing', () => {
		const value = leadFingerprint.of(lead);
		expect(leadFingerprint.width).toBe(11);
		expect(value).toMatch(/^[-0-9A-Z_a-z]{11}$/);
		expect(leadFingerprint.of({ ...lead, headline: 'x', updated_at: 'later' })).toBe(value);
		expect(leadFingerprint.of(Object.fromEntries(Object.entries(lead).reverse()))).toBe(value);
	});

	it.each(FIELDS)('names "%s" in all but one of 4,000 changes, and nothing else', (field) => {
		let unnamed = 0;
		const others = new Set<string>();
		for (let at = 0; at < 12_000; at++) {
			const before = leadFingerprint.of(leadAt(at));
			const now = leadFingerprint.of({ ...leadAt(at), [field]: valueOf(field, at + 1) });
			const changed = leadFingerprint.changed(before, now);
			if (changed.length === 0) unnamed++;
			for (const name of changed) if (name !== field) others.add(name);
		}
		expect([...others]).toEqual([]);
		// Three are to be expected.
		expect(unnamed).toBeLessThan(12);
	});

	it('overlooks less than one change in 20,000', () => {
		let overlooked = 0;
		for (let at = 0; at < 40_000; at++) {
			const changed = leadFingerprint.of({ ...leadAt(1), name: `another ${at}` });
			if (changed === leadFingerprint.of(leadAt(1))) overlooked++;
		}
		expect(overlooked).toBeLessThan(3);
	});

	it('names all fields that have changed, and none of a lead that was unknown', () => {
		const before = leadFingerprint.of(leadAt(1));
		expect(leadFingerprint.changed(before, leadFingerprint.of(leadAt(2)))).toEqual(FIELDS);
		expect(leadFingerprint.changed(undefined, before)).toEqual([]);
		for (const has_intent of ['yes', 7, {}])
			expect(
				leadFingerprint.changed(before, leadFingerprint.of({ ...leadAt(1), has_intent })),
			).toEqual(['has_intent']);
	});
});

describe('which records count', () => {
	const filters = { keyword: ' GUIDE', onlyWithIntent: true, qualificationStatus: 'Open' };
	const fitting = { latest_keyword: 'guide ', has_intent: true, qualification_status: 'open' };

	it.each(Object.keys(fitting))('no filter lets a lead through with another "%s"', async (name) => {
		const node = playedTrigger({ parameters: { event: 'newLead', watch: 'own', filters } });
		await node.outcomes(2);
		node.service.records.unshift({ id: 'b', ...fitting, [name]: 'other' });
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.records[0] = { id: 'b', ...fitting };
		expect(await node.outcomes(2)).toEqual([['b'], null]);
		node.service.records[0] = { id: 'b', ...fitting, [name]: 'other' };
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.records[0] = { id: 'b', ...fitting };
		expect(await node.outcomes(1)).toEqual([null]);
	});

	it('activity has its keyword in another field', async () => {
		const parameters = { event: 'newActivity', watch: 'own', filters: { keyword: 'guide' } };
		const node = playedTrigger({ parameters });
		await node.outcomes(2);
		node.service.records.unshift({ id: 'b', keyword: 'Guide' }, { id: 'c', keyword: 'other' });
		expect(await node.outcomes(2)).toEqual([['b'], null]);
	});

	it('of the posts that were unknown those that are no drafts, then every other status', async () => {
		const node = playedTrigger({ parameters: { event: 'postStatusChanged', watch: 'own' } });
		await node.outcomes(2);
		const post = (status: unknown, at: number) => ({ id: `${at}`, status }) as IDataObject;
		const posts = ['scheduled', ' Draft ', '', null, undefined].map(post);
		node.service.records.unshift(...posts);
		expect(await node.outcomes(2)).toEqual([['0'], null]);
		node.service.records[1] = post('failed', 1);
		expect(await node.outcomes(2)).toEqual([['1'], null]);
	});

	it('neither a record that is nested too deep, nor does it overflow the stack', () => {
		for (const depth of [502, 2_000, 100_000])
			expect(isReadable({ id: 'a', emails: nested(depth) })).toBe(false);
		expect(isReadable({ id: 'a', emails: nested(400) })).toBe(true);
	});

	it('is named by what decides it alone', () => {
		const name = scopeOf('newLead', {});
		for (const same of [{ keyword: '' }, { onlyWithIntent: false }, { source: 'comment' }])
			expect(scopeOf('newLead', same)).toBe(name);
		const names = [
			...[scopeOf('newLead', { hasEmail: false }), scopeOf('newLead', { hasEmail: true })],
			...[scopeOf('newLead', filters), scopeOf('leadChanged', {}), name],
		];
		expect(new Set(names).size).toBe(names.length);
	});
});
