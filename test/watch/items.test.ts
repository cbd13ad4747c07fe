/** The form of an item, the meaning of its key, and which records count. */
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import { itemsOf } from '../../nodes/LeadGenPublishing/watch/items';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import type { IDataObject } from 'n8n-workflow';

import {
	leadFingerprint,
	statusValue,
} from '../../nodes/LeadGenPublishing/feed/events/fingerprint';
import { OWN } from '../support/kit/index';
import { numbered, watching } from './playedTrigger';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CLIENT = '7d2f0a10-0000-4000-8000-00000000000a';
const OF_CLIENT = { watch: 'clients', clientIds: [CLIENT] };
const lead = { name: 'Zed', id: ID, emails: { work: 'z@work.example' }, has_intent: true };

/** The item of a record that is new. */
async function item(record: IDataObject, parameters: IDataObject = {}): Promise<IDataObject> {
	const clients = [{ user_id: CLIENT, full_name: 'Ada', business_name: 'Ltd' }];
	const service = { records: [] as IDataObject[], clients };
	const node = await watching({ parameters: { ...OWN, ...parameters }, service });
	node.service.records.push(record);
	return (await node.poll())?.[0] ?? {};
}

describe('an item', () => {
	it('begins with the fields that a workflow needs most', async () => {
		expect(Object.keys(await item(lead, OF_CLIENT)).slice(0, 8)).toEqual([
			...['id', 'name', 'email', 'client_name', 'latest_keyword', 'has_intent'],
			...['qualification_status', 'email_work'],
		]);
		expect(Object.keys(await item({ ...lead, headline: 'x' }, { simplify: false }))).toEqual([
			...['id', 'name', 'has_intent', 'emails', 'headline'],
			...['account', 'event', 'detected_at', 'dedupe_key'],
		]);
		const post = { status: 'published', id: ID };
		const ofPost = { ...OF_CLIENT, event: 'postStatusChanged', simplify: false };
		expect(Object.keys(await item(post, ofPost))).toEqual([
			...['id', 'status', 'client', 'account', 'event', 'detected_at', 'dedupe_key'],
			...['changed_fields', 'previous_status'],
		]);
		const [first, second] = Object.keys(await item(post, { ...ofPost, simplify: true }));
		expect([first, second]).toEqual(['id', 'status']);
	});

	it('says whose it is, and when it was found', async () => {
		expect(await item(lead, OF_CLIENT)).toMatchObject({
			...{ client_id: CLIENT, client_name: 'Ada', account: 'client' },
		});
		expect(await item(lead, { ...OF_CLIENT, simplify: false })).toMatchObject({
			...{ client: { user_id: CLIENT, full_name: 'Ada' }, account: 'client' },
		});
		const own = await item(lead);
		expect(own).toMatchObject({ account: 'own', event: 'newLead' });
		expect(Date.parse(String(own.detected_at))).toBeGreaterThan(0);
	});

	it('never replaces a field of the record', async () => {
		const record = { id: 'a', event: 'webinar', account: 'x', dedupe_key: 1, detected_at: null };
		const shown = await item(record, { simplify: false });
		expect(shown).toMatchObject({ ...record, n8n_event: 'newLead', n8n_account: 'own' });
		expect(shown.n8n_dedupe_key).toMatch(/^[0-9a-f]{32}$/);
	});

	it('of a post has its previous status, if that is one of thirty words of up to 40 characters', async () => {
		const before = async (statuses: unknown[]) => {
			const records = statuses.map((status, id) => ({ id, status })) as IDataObject[];
			const parameters = { event: 'postStatusChanged', watch: 'own' };
			const node = await watching({ parameters, service: { records } });
			node.service.records = records.map(({ id }) => ({ id, status: 'published' }));
			const items = (await node.poll()) ?? [];
			for (const { changed_fields } of items) expect(changed_fields).toEqual(['status']);
			return items.map(({ previous_status }) => previous_status);
		};
		const words = ['draft', 'scheduled', 'in_review', 'x'.repeat(40)];
		expect(await before([...words, 'y'.repeat(41), 7])).toEqual([...words, null, null]);
		const many = await before(numbered(40).map((at) => `status ${at}`));
		expect(many.filter((word) => word !== null)).toHaveLength(30);
	});
});

/** All releases must give the same key, or records that are already in a CRM are added again. */
describe('the dedupe key', () => {
	const post = { id: ID, status: 'published' };
	const POSTS = { event: 'postStatusChanged' };

	it.each<[IDataObject, IDataObject, string]>([
		[{}, { id: ID, updated_at: '2030-01-01' }, '8f9bafcb5b9921434b2fd6416dbc5095'],
		[{}, { id: ID, name: 'Other' }, '8f9bafcb5b9921434b2fd6416dbc5095'],
		[OF_CLIENT, { id: ID }, '36c496e43804798cf9b5dbea2afa059b'],
		[{ event: 'newActivity' }, { id: 7 }, '40628686a1a080224f56e097d0670a2b'],
		[POSTS, post, '2de319991ab2d1c27faf698e94ee8a8c'],
		[POSTS, { ...post, text: 'x' }, '2de319991ab2d1c27faf698e94ee8a8c'],
		[POSTS, { ...post, updated_at: '2030-01-01' }, '2de319991ab2d1c27faf698e94ee8a8c'],
		[POSTS, { ...post, updatedAt: '2030-01-01' }, '2de319991ab2d1c27faf698e94ee8a8c'],
	])('with %j of %j is %s', async (parameters, record, expected) => {
		expect((await item(record, parameters)).dedupe_key).toBe(expected);
	});

	it('of a changed lead is that of its version', async () => {
		const node = await watching({ parameters: { ...OWN, event: 'leadChanged' }, ids: [ID] });
		const keyOf = async (record: IDataObject) => {
			node.service.records = [record];
			const [found] = (await node.poll()) ?? [];
			return found?.dedupe_key;
		};
		const first = await keyOf(lead);
		const others = [
			...[{ name: 'Ada' }, { has_intent: false }, { qualification_status: 'qualified' }],
			...[{ emails: null }, { profile_url: 'https://a.example' }, { updated_at: '2030-01-01' }],
		];
		const keys = [first];
		for (const change of others) {
			await keyOf({ id: ID });
			keys.push(await keyOf({ ...lead, ...change } as IDataObject));
		}
		expect(new Set(keys).size).toBe(1 + others.length);
		// It looks as before, but it has changed again.
		await keyOf({ id: ID });
		expect(keys).not.toContain(await keyOf(lead));
	});

	it('of a changed lead depends on its fields and on when it was updated, and on nothing else', async () => {
		const keyOf = async (...records: IDataObject[]) => {
			const node = await watching({ parameters: { ...OWN, event: 'leadChanged' }, ids: [ID] });
			const keys: unknown[] = [];
			for (const record of records) {
				node.service.records = [record];
				keys.push(...((await node.poll()) ?? []).map(({ dedupe_key }) => dedupe_key));
			}
			return keys.at(-1);
		};
		const changed = { ...lead, updated_at: '2026-01-02T00:00:00Z' };
		const before = { id: ID, name: 'Ada', updated_at: '2026-01-01T00:00:00Z' };
		const first = await keyOf(changed);
		// Another trigger may have seen a different number of changes.
		expect(await keyOf(before, { ...changed, headline: 'x' })).toBe(first);
		expect(await keyOf({ ...changed, updated_at: '2026-01-03T00:00:00Z' })).not.toBe(first);
	});

	it.each<[string[], same: boolean]>([
		[['latest_keyword', 'qualification_status'], true],
		[['qualification_status'], false],
		[['latest_keyword'], false],
		[[], false],
	])('of a changed lead does not depend on fields that are left out: %j', (leftOut, same) => {
		const session = {
			settings: { event: 'leadChanged', simplify: false },
			known: emptyKnowledge(),
		} as unknown as PollSession;
		const [one, other] = ['a', 'b'].map((value) => {
			const record = { id: ID, latest_keyword: value, qualification_status: value };
			const delivery = { account: 'own', record, value: '', previousValue: undefined, leftOut };
			return itemsOf(session, [delivery])[0]?.json.dedupe_key;
		});
		expect(one).toMatch(/^[0-9a-f]{32}$/);
		expect(one === other).toBe(same);
	});
});

describe("a lead's fingerprint", () => {
	const FIELDS = [
		...['name', 'profile_url', 'emails', 'latest_keyword', 'qualification_status', 'has_intent'],
	];
	const valueOf = (name: string, at: number): unknown =>
		name === 'has_intent' ? [null, true, false][at % 3] : `${name} ${at}`;
	const leadAt = (at: number) =>
		Object.fromEntries(FIELDS.map((name) => [name, valueOf(name, at)])) as IDataObject;

	it.each(FIELDS)('names "%s" and nothing else, in all but one of 4,000 changes', (field) => {
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
		const before = leadFingerprint.of(leadAt(1));
		const overlooked = numbered(40_000).filter(
			(at) => leadFingerprint.of({ ...leadAt(1), name: `another ${at}` }) === before,
		);
		expect(overlooked.length).toBeLessThan(3);
	});

	it('names all fields that have changed, and none of a lead that was unknown', async () => {
		const service = { records: [{ id: 'a', ...leadAt(1) }] as IDataObject[] };
		const parameters = { ...OWN, event: 'leadChanged', filters: {} };
		const node = await watching({ parameters, service });
		const changed = async (record: IDataObject) => {
			node.service.records = [{ id: 'a', ...record }];
			return (await node.poll())?.map(({ changed_fields }) => changed_fields) ?? null;
		};
		// In another order, and with other fields, it counts as unchanged.
		expect(await changed({ headline: 'x', ...leadAt(1) })).toBeNull();
		expect(await changed(leadAt(2))).toEqual([FIELDS]);
		for (const has_intent of ['yes', 7, {}]) {
			await changed(leadAt(1));
			expect(await changed({ ...leadAt(1), has_intent })).toEqual([['has_intent']]);
		}
	});
});

describe('which records count', () => {
	const filters = { keyword: ' GUIDE', onlyWithIntent: true, qualificationStatus: 'Open' };
	const fitting = { latest_keyword: 'guide ', has_intent: true, qualification_status: 'open' };

	it.each(Object.keys(fitting))('no filter lets a lead through with another "%s"', async (name) => {
		const node = await watching({ parameters: { ...OWN, filters } });
		const other = { id: 'b', ...fitting, [name]: 'other' };
		node.service.records.unshift(other);
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.records[0] = { id: 'b', ...fitting };
		expect(await node.outcomes(2)).toEqual([['b'], null]);
		node.service.records[0] = other;
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.records[0] = { id: 'b', ...fitting };
		expect(await node.outcomes(1)).toEqual([null]);
	});

	it('a UUID in upper case is the same ID', async () => {
		const node = await watching({ ids: [ID, 'a', 'A'] });
		node.service.records[0] = { id: ` ${ID.toUpperCase()}` };
		expect(await node.outcomes(1)).toEqual([null]);
	});

	it('activity has its keyword in another field', async () => {
		const parameters = { event: 'newActivity', watch: 'own', filters: { keyword: 'guide' } };
		const node = await watching({ parameters });
		node.service.records.unshift({ id: 'b', keyword: 'Guide' }, { id: 'c', keyword: 'other' });
		expect(await node.outcomes(2)).toEqual([['b'], null]);
	});

	it('of unknown posts, only those that are not drafts, and later every new status', async () => {
		const node = await watching({ parameters: { event: 'postStatusChanged', watch: 'own' } });
		const post = (status: unknown, at: number) => ({ id: `${at}`, status }) as IDataObject;
		node.service.records.unshift(...['scheduled', ' Draft ', '', null, undefined].map(post));
		expect(await node.outcomes(2)).toEqual([['0'], null]);
		node.service.records[1] = post('failed', 1);
		expect(await node.outcomes(2)).toEqual([['1'], null]);
	});
});

it.each(['draft', 'scheduled', 'published', 'publishing', 'matched'])(
	'the previous status is named although no record has shown it since the start: %s',
	(status) => {
		const session = {
			settings: { event: 'activityChanged', simplify: false },
			known: emptyKnowledge(),
		} as unknown as PollSession;
		const delivery = {
			...{ account: 'own', record: { id: ID, status: 'other' }, value: '' },
			previousValue: `${statusValue(status)}-later-`,
		};
		expect(itemsOf(session, [delivery])).toMatchObject([{ json: { previous_status: status } }]);
	},
);
