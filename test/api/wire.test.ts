/** The vendor's own words: found in keys, leads and the credential, and used in every name. */
import { randomUUID } from 'node:crypto';
import { inWords } from '../support/inWords';

import { KNOWN_REASONS } from '../../nodes/LeadGenPublishing/api/policyTables';
import {
	isProfileUrlDoubtful,
	isWord,
	profileUrlField,
	profileUrlsOf,
	serviceWordIn,
	VendorWords,
} from '../../nodes/LeadGenPublishing/api/wire';
import { wordsOfReason } from '../../nodes/LeadGenPublishing/words/reasonWords';
import { writeDescriptionOf } from '../../nodes/LeadGenPublishing/words/writeDescriptions';

it('a word is what fits a header, a path and a field', () => {
	const words = ['a', 'Z9', 'a-b', 'a_b-c2', 'x'.repeat(64)];
	const others = [
		...['', ' ', 'a b', 'a.b', 'a:b', 'a/b', '-a', 'a-', '_a', 'a_', 'a--b', 'ä', 'a{b}'],
		...['a\r\nX-Other: 1', 'x'.repeat(65)],
	];
	expect([...words, ...others].filter(isWord)).toEqual(words);
});

it.each([
	['acme_live_0000', 'acme'],
	['ACME_test_0000', 'ACME'],
	['acme_io_live_0000', 'acme_io'],
	['my-svc2_live_0000', 'my-svc2'],
	['acme_live_test_0000', 'acme'],
	['acme_live_x_live_y', 'acme'],
	['live_live_0000', 'live'],
	...[
		'',
		'plain',
		'_live_0000',
		'a.b_live_0000',
		'a b_live_0000',
		'acme-live-0000',
		'acme_live',
	].map((key): [string, undefined] => [key, undefined]),
])('the key %p shows the word of the service %p', (key, word) => {
	expect(serviceWordIn(key)).toBe(word);
});

describe('the words of a credential', () => {
	const place = { baseUrl: 'https://words.example/v1', key: 'acme_live_0000' };

	it.each([
		['its own word before all', 'given', 'acme_live_0000', 'X-Given-Post-ETag'],
		['with blanks around it', ' given\n', 'acme_live_0000', 'X-Given-Post-ETag'],
		['a number that an expression gives', 42, 'acme_live_0000', 'X-42-Post-ETag'],
		['the prefix of its key', '', 'acme_live_0000', 'X-Acme-Post-ETag'],
		['nothing is nothing', undefined, 'acme_live_0000', 'X-Acme-Post-ETag'],
		['null is nothing', null, 'acme_live_0000', 'X-Acme-Post-ETag'],
		['blanks are nothing', '  ', 'acme_live_0000', 'X-Acme-Post-ETag'],
		['the word of the document in the end', '', 'a-key-without-prefix', 'X-Svc-Post-ETag'],
	])('for the service: %s', (_, serviceWord, key, header) => {
		const { inUse } = VendorWords.of({ serviceWord }, { ...place, key });
		expect(inUse.etagHeader).toBe(header);
	});

	it.each(['two words', {}, ['x'], true])('are words: %j is refused by its label', (word) => {
		for (const name of ['serviceWord', 'networkWord'])
			expect(inWords(() => VendorWords.of({ [name]: word }, place))).toThrow(
				/^"(Service|Network) Word" in the credential is not a single word/,
			);
	});

	it('for the network: its own, else what leads have shown, else none', () => {
		const here = { ...place, baseUrl: `https://${randomUUID()}.example/v1` };
		const given = VendorWords.of({ networkWord: 'ProNet' }, { ...here, key: 'acme_live_other' });
		expect(given.network).toBe('pronet');
		given.observeLeads([{ other_profile_url: 'x' }]);
		expect(given.network).toBe('pronet');
		const words = VendorWords.of({}, here);
		expect(words.network).toBeUndefined();
		expect(words.inUse.network).toBe('network');
		words.observeLeads([{ id: '1', pronet_profile_url: 'x' }]);
		expect(words.network).toBe('pronet');
		// The next connection of this process knows, and that of another credential does not.
		expect(VendorWords.of({}, here).network).toBe('pronet');
		expect(VendorWords.of({ networkWord: 'mine' }, here).network).toBe('mine');
		expect(VendorWords.of({}, { ...here, key: 'acme_live_0001' }).network).toBeUndefined();
		expect(VendorWords.of({}, { ...here, baseUrl: `${here.baseUrl}/v2` }).network).toBeUndefined();
	});

	it('for the etag: the one header of a response, unless the credential has a word', () => {
		const here = { ...place, baseUrl: `https://${randomUUID()}.example/v1` };
		const words = VendorWords.of({}, here);
		const own = VendorWords.of({ serviceWord: 'own' }, here);
		const two = { 'x-a-post-etag': '1', 'x-b-post-etag': '2' };
		for (const headers of [{}, { etag: 'W/1' }, two]) words.observeHeaders(headers);
		expect(words.inUse.etagHeader).toBe('X-Acme-Post-ETag');
		words.observeHeaders({ etag: 'W/1', 'x-inner-name-post-etag': 'v1' });
		words.observeHeaders(two);
		expect(words.inUse.etagHeader).toBe('x-inner-name-post-etag');
		expect(VendorWords.of({}, here).inUse.etagHeader).toBe('x-inner-name-post-etag');
		expect(own.inUse.etagHeader).toBe('X-Own-Post-ETag');
	});

	it('keep a known word while leads show it, and take another one when they do not', () => {
		const words = VendorWords.of({}, { ...place, key: 'keeps' });
		const other = { elsewhere_profile_url: 'x' };
		words.observeLeads([{ pronet_profile_url: 'x' }]);
		words.observeLeads([other, { pronet_profile_url: null }]);
		words.observeLeads([other, { ...other, pronet_profile_url: 'y' }]);
		for (const leads of [[], [{ id: '1' }]]) {
			words.observeLeads(leads);
			expect(words.network).toBe('pronet');
		}
		words.observeLeads([other]);
		expect(words.network).toBe('elsewhere');
	});
});

describe('the network in leads', () => {
	const PRO = { pronet_profile_url: 'x' };
	const OTHER = { other_profile_url: 'y' };

	it.each<[string, Array<Record<string, unknown>>, string | undefined]>([
		['one field', [{ id: '1', ...PRO }], 'pronet'],
		['an empty one', [{ pronet_profile_url: null }], 'pronet'],
		['a word of two parts', [{ pro_net_profile_url: 'x' }], 'pro_net'],
		['a field with a long name beside it', [{ most_recent_engagement_at: 'a', ...PRO }], 'pronet'],
		['the field of nobody', [{ profile_url: 'x' }], undefined],
		['something that only ends so', [{ xprofile_url: 'x', _profile_url: 'y' }], undefined],
		['two that may be it', [{ ...PRO, ...OTHER }], undefined],
		['the one that every lead has', [{ ...PRO, ...OTHER }, PRO], 'pronet'],
		['the one of all that have any', [{ id: '1' }, PRO, { ...PRO, ...OTHER }], 'pronet'],
		['contradicting leads', [PRO, OTHER], undefined],
		['no lead', [], undefined],
	])('%s', (_, leads, word) => {
		const words = VendorWords.of({}, { baseUrl: 'https://words.example/v1', key: randomUUID() });
		words.observeLeads(leads);
		expect(words.network).toBe(word);
	});

	const UNDERSCORED = { pro_net_profile_url: 'x' };
	const BOTH = { ...UNDERSCORED, 'pro-net_profile_url': 'y' };
	const INHERITED = Object.create(PRO) as Record<string, unknown>;

	it.each<[string, Record<string, unknown>, word: string | undefined, field: string | undefined]>([
		['the known word', { ...PRO, ...OTHER }, 'pronet', 'pronet_profile_url'],
		[
			'the documented one',
			{ network_profile_url: 'x', ...OTHER },
			undefined,
			'network_profile_url',
		],
		['a known one with a hyphen', { ...UNDERSCORED, ...OTHER }, 'pro-net', 'pro_net_profile_url'],
		['a known one as it is', BOTH, 'pro-net', 'pro-net_profile_url'],
		['another, if the known one is missing', OTHER, 'pronet', 'other_profile_url'],
		['the only one', OTHER, undefined, 'other_profile_url'],
		['none of several', { a_profile_url: 'x', b_profile_url: 'y' }, undefined, undefined],
		[
			'none where there is none',
			{ profile_url: 'y', 'a b_profile_url': 'z' },
			undefined,
			undefined,
		],
		['no inherited one', INHERITED, 'pronet', undefined],
	])('the field of a record is %s', (_, record, word, field) => {
		expect(profileUrlField(record, word)).toBe(field);
	});

	it('is in doubt only where several may be it', () => {
		expect(isProfileUrlDoubtful({ ...PRO, ...OTHER })).toBe(true);
		expect(isProfileUrlDoubtful({ ...PRO, ...OTHER }, 'pronet')).toBe(false);
		for (const record of [PRO, {}]) expect(isProfileUrlDoubtful(record)).toBe(false);
	});

	it('is compared by its values, so that a word becoming known is no change', () => {
		expect(profileUrlsOf({ other_profile_url: 'x' })).toEqual(['x']);
		expect(profileUrlsOf({ pronet_profile_url: null })).toEqual(profileUrlsOf({}));
		expect(profileUrlsOf({ profile_url: 'o', b_profile_url: 'y', a_profile_url: 'x' })).toEqual(
			profileUrlsOf({ a_profile_url: 'x', b_profile_url: 'y', profile_url: 'o' }),
		);
	});
});

describe('a reason', () => {
	const facts = { kind: 'answered', endpoint: 'post.create', agency: false, attempts: 1 } as const;
	const wordsOf = (reason: string) =>
		wordsOfReason({
			...{ ...facts, status: 409, uncertain: false, reason },
			write: writeDescriptionOf('post.create'),
		});

	it('of the network is known by what follows the word', () => {
		const ofTheNetwork = KNOWN_REASONS.filter((reason) => reason.startsWith('network_'));
		expect(ofTheNetwork).toHaveLength(7);
		for (const reason of ofTheNetwork) {
			expect(wordsOf(reason)).toBeDefined();
			for (const word of ['pronet', 'pro_net', 'PRONET2', 'x', 'a-b', 'x'.repeat(64)])
				expect(wordsOf(reason.replace('network', word))).toEqual(wordsOf(reason));
		}
	});

	it('keeps its name if it is another one', () => {
		const none = ['', '_', 'a b_', '-pronet_', 'pronet__', `${'x'.repeat(65)}_`].map(
			(before) => `${before}organization_stale`,
		);
		for (const reason of [...none, 'pronet_organization_stale_x', 'acme_rate_limited'])
			expect([reason, wordsOf(reason)]).toEqual([reason, undefined]);
	});
});
