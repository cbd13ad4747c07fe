/**
 * What is stored by one release is read by the next: numbers and names that a state is made of stay
 * what they are. Another value here would take every known record for a new one, or the other way.
 */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { scopeOf } from '../../../nodes/LeadGenPublishing/watch/list/events';
import { isInShare } from '../../../nodes/LeadGenPublishing/watch/n8n/share';
import { readExtras } from '../../../nodes/LeadGenPublishing/watch/store/extras';
import {
	leadFingerprint,
	statusHash,
} from '../../../nodes/LeadGenPublishing/watch/store/fingerprint';
import { canonical, hash53 } from '../../../nodes/LeadGenPublishing/watch/store/hash';
import { identityOf } from '../../../nodes/LeadGenPublishing/watch/store/identity';
import { openList } from '../../../nodes/LeadGenPublishing/watch/store/listState';
import { openWatch } from '../../../nodes/LeadGenPublishing/watch/store/state';
import { uuids } from '../pollHelpers';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';

it.each<[string, number, number]>([
	['', 0, 4143599148329532],
	['a', 0, 3276778169764428],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', 0, 7202786196716404],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', 1, 1837706242696599],
	['é€😀', 7, 8412996174282589],
])('the hash of "%s" with the seed %i is %i', (text, seed, expected) => {
	expect(hash53(text, seed)).toBe(expected);
});

it('of values, the same text', () => {
	expect(canonical({ b: [1, null, { z: undefined, a: 'x' }], a: true })).toBe(
		'{"a":true,"b":[1,null,{"a":"x","z":null}]}',
	);
});

it('of a lead and of a status, the same number', () => {
	const lead: JsonRecord = {
		...{ id: ID, name: 'Ada', network_profile_url: 'https://network.example/in/ada' },
		emails: { submitted: null, work: 'a@x.co', personal: null },
		...{ latest_keyword: 'GUIDE', has_intent: true, qualification_status: 'qualified' },
	};
	expect(leadFingerprint.of(lead)).toBe(545630976259409);
	expect(['draft', 'scheduled', 'published', 'publishing', null].map(statusHash)).toEqual([
		16756081, 53206812, 11769199, 202692674, 258435919,
	]);
});

it('of the settings, the same name', () => {
	expect([
		scopeOf('newLead', {}),
		scopeOf('newLead', { hasEmail: true, keyword: 'GUIDE' }),
		scopeOf('leadChanged', { onlyWithIntent: true }),
		scopeOf('newActivity', { source: 'comment' }),
		scopeOf('postStatusChanged', {}),
	]).toEqual(['yElw3A-VF5V', 'SULhV4-A3s1', 'NLxQgAefmHl', '1SydEs7pq3y', '0wvo04V3tMG']);
});

it('of an account, the same digest, and the same share', () => {
	expect(identityOf({ user_id: ID })?.digest).toBe('qd6djQFldyph');
	expect(identityOf({ email: 'Ada@x.co' })?.digest).toBe('onJyY-CkHs86');
	const shareOf = (id: string) => [1, 2, 3].find((part) => isInShare(id, { part, of: 3 }));
	expect([1, 2, 3, 4, 5].map((count) => shareOf(uuids(count, 4).at(-1) ?? ''))).toEqual([
		2, 2, 1, 3, 2,
	]);
});

/** As it is stored since 0.1.0. */
const STORED: JsonRecord = {
	line: 'line',
	turn: 7,
	lists: {
		'scope.own': {
			v: 2,
			n: 6,
			w: 0,
			set: 'KRYAACfYSrzQIFMWK6ITGpa8/7PPwzhKfgX4i0H9adElimD+q6o5OgUI',
			setSum: 'eluuPpkAcqKL',
			progress: {
				end: 6,
				limit: 100,
				first: 7424495850711549,
				last: 880505814439975,
				grows: 'head',
				check: {
					next: 100,
					anchors: [1, 2],
					restarts: 1,
					kind: 'gap',
					since: 1800000000000,
					pages: 1,
				},
			},
			sum: 'BZjCI1sSkIXD',
		},
		'scope.6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11': {
			v: 2,
			n: 6,
			w: 28,
			m: 2,
			set: 'KRYAACfYSrzQIFMWK6ITGpa8/7PPwzhKfgX4i0H9adElimD+q6o5OgVoAAAABQAAIAAAAAQAABAAAAADAAAAAA',
			setSum: 'RB7WUdHpcnyC',
			progress: {
				end: 6,
				limit: 100,
				check: {
					next: 100,
					anchors: [1, 2],
					restarts: 1,
					kind: 'gap',
					since: 1800000000000,
					pages: 1,
				},
			},
			sum: '2QdAZUEwNg7x',
		},
	},
	served: {
		'scope.own': 6,
	},
	pauses: {
		'scope.own': {
			failures: 2,
			since: 1800000000000,
			ms: 60000,
			first: 1799999940000,
		},
	},
	owed: [
		{
			account: 'own',
			kind: 'server',
			message: 'm',
		},
	],
	extras: {
		own: {
			credential: 'c',
			list: 'own',
			owners: {
				own: null,
			},
			sum: 'Cc9YIfnvByJ6',
		},
		departures: {
			away: {},
			forgotten: [],
		},
		statuses: ['draft'],
		news: [],
	},
	v: 2,
	sum: 'mnWPhs2I917V',
};

it('such a state is read whole', () => {
	const opened = openWatch(STORED);
	if (opened.kind !== 'ok') throw new Error(opened.kind);
	const { value } = opened;
	expect(value).toEqual(STORED);
	expect(readExtras(value).own).toEqual({ credential: 'c', list: 'own', owners: { own: null } });
	const plain = openList(value.lists['scope.own'], 0);
	const marked = openList(value.lists[`scope.${ID}`], 28);
	if (plain.kind !== 'ok' || marked.kind !== 'ok') throw new Error('damaged');
	const hashes = uuids(6, 3).map((id) => hash53(id));
	expect(hashes.map((hash) => plain.value.seen.get(hash))).toEqual(Array(6).fill(0));
	expect(hashes.map((hash) => marked.value.seen.get(hash))).toEqual([1, 2, 3, 4, 5, 6]);
	expect([plain.value.seen.marked, marked.value.seen.marked]).toEqual([false, true]);
	expect(plain.value.progress.check).toMatchObject({ kind: 'gap', next: 100, anchors: [1, 2] });
});
