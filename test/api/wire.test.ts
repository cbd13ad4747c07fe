import { randomUUID } from 'node:crypto';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import {
	VendorWords,
	documentedReason,
	isProfileUrlDoubtful,
	isWord,
	networkWordOf,
	profileUrlField,
	profileUrlsOf,
	serviceWordIn,
	wireNames,
} from '../../nodes/LeadGenPublishing/api/wire';
import { KNOWN_REASONS, wordsOfReason } from '../../nodes/LeadGenPublishing/api/reasons';
import { writeDescriptionOf } from '../../nodes/LeadGenPublishing/api/writeDescriptions';

describe('the names made from two words', () => {
	it.each([
		['svc', 'X-Svc-Post-ETag'],
		['acme', 'X-Acme-Post-ETag'],
		['ACME', 'X-ACME-Post-ETag'],
		['my-svc', 'X-My-Svc-Post-ETag'],
		['my_svc', 'X-My-Svc-Post-ETag'],
		['acme2_io', 'X-Acme2-Io-Post-ETag'],
		['2go', 'X-2go-Post-ETag'],
	])('the service %s takes the etag in %s', (service, header) => {
		expect(wireNames({ service, network: 'n' }).postEtagHeader).toBe(header);
	});

	it('the network stands in the path', () => {
		expect(wireNames({ service: 's', network: 'pronet' }).pathParams).toEqual({
			networkWord: 'pronet',
		});
	});

	it.each(['a', 'Z9', 'a-b', 'a_b-c2', 'x'.repeat(64)])('%p is a word', (text) => {
		expect(isWord(text)).toBe(true);
	});

	it.each([
		'',
		' ',
		'a b',
		'a.b',
		'a:b',
		'a/b',
		'-a',
		'a-',
		'_a',
		'a_',
		'a--b',
		'a\r\nX-Other: 1',
		'ä',
		'a{b}',
		'x'.repeat(65),
	])('%p is none', (text) => {
		expect(isWord(text)).toBe(false);
	});
});

describe("the service's word in a key", () => {
	it.each([
		['acme_live_0000', 'acme'],
		['ACME_test_0000', 'ACME'],
		['acme_io_live_0000', 'acme_io'],
		['my-svc2_live_0000', 'my-svc2'],
		['acme_live_test_0000', 'acme'],
		['acme_live_x_live_y', 'acme'],
		['live_live_0000', 'live'],
	])('%s shows %s', (key, word) => {
		expect(serviceWordIn(key)).toBe(word);
	});

	it.each([
		'',
		'plain',
		'_live_0000',
		'a.b_live_0000',
		'a b_live_0000',
		'acme-live-0000',
		'acme_live',
	])('%p shows none', (key) => {
		expect(serviceWordIn(key)).toBeUndefined();
	});
});

describe('the words of a credential', () => {
	const place = { baseUrl: 'https://words.example/v1', key: 'acme_live_0000' };
	const etagHeaderOf = (serviceWord: unknown, key = place.key): string =>
		VendorWords.of({ serviceWord }, { ...place, key }).names.postEtagHeader;

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
		expect(etagHeaderOf(serviceWord, key)).toBe(header);
	});

	it.each(['serviceWord', 'networkWord'])(
		'a %s that is no word is refused by its label',
		(name) => {
			const label = name === 'serviceWord' ? 'Service Word' : 'Network Word';
			for (const value of ['a b', 'X-Acme-Post-ETag:', 'a\r\nX: 1', 'ü', {}, [], true]) {
				const make = () => VendorWords.of({ [name]: value }, place);
				expect(make).toThrow(InputError);
				expect(make).toThrow(`"${label}" in the credential`);
			}
		},
	);

	it('for the network: its own, else what leads have shown, else none', () => {
		const here = { ...place, baseUrl: `https://${randomUUID()}.example/v1` };
		const given = VendorWords.of({ networkWord: 'ProNet' }, here);
		expect(given.network).toBe('pronet');
		given.observe([{ other_profile_url: 'x' }]);
		expect(given.network).toBe('pronet');
		const words = VendorWords.of({}, here);
		expect(words.network).toBeUndefined();
		expect(words.names.pathParams).toEqual({ networkWord: 'network' });
		words.observe([{ id: '1', pronet_profile_url: 'x' }]);
		expect(words.network).toBe('pronet');
		// The next connection of this process knows, and that of another credential does not.
		expect(VendorWords.of({}, here).network).toBe('pronet');
		expect(VendorWords.of({}, { ...here, key: 'acme_live_0001' }).network).toBeUndefined();
		expect(VendorWords.of({}, { ...here, baseUrl: `${here.baseUrl}/v2` }).network).toBeUndefined();
	});

	it('keep a known word while leads show it, and take another one when they do not', () => {
		const words = VendorWords.of({}, { ...place, key: 'keeps' });
		words.observe([{ pronet_profile_url: 'x' }]);
		words.observe([{ elsewhere_profile_url: 'x' }, { pronet_profile_url: null }]);
		const both = { elsewhere_profile_url: 'x', pronet_profile_url: 'y' };
		words.observe([{ elsewhere_profile_url: 'x' }, both]);
		expect(words.network).toBe('pronet');
		words.observe([]);
		words.observe([{ id: '1' }]);
		expect(words.network).toBe('pronet');
		words.observe([{ elsewhere_profile_url: 'x' }]);
		expect(words.network).toBe('elsewhere');
	});
});

describe('the network in leads', () => {
	it.each<[string, object[], string | undefined]>([
		['one field', [{ id: '1', pronet_profile_url: 'x' }], 'pronet'],
		['an empty one', [{ pronet_profile_url: null }], 'pronet'],
		['a word of two parts', [{ pro_net_profile_url: 'x' }], 'pro_net'],
		['other people beside it', [{ author_profile_url: 'a', pronet_profile_url: 'x' }], 'pronet'],
		['a company beside it', [{ pronet_profile_url: 'x', company_profile_url: 'c' }], 'pronet'],
		['a company there', [{ pronet_profile_url: 'x', pronet_company_profile_url: 'c' }], 'pronet'],
		[
			'a further profile there',
			[{ sales_pronet_profile_url: 's', pronet_profile_url: 'x' }],
			'pronet',
		],
		[
			'a further profile behind it',
			[{ pronet_sales_profile_url: 's', pronet_profile_url: 'x' }],
			'pronet',
		],
		['only other people', [{ author_profile_url: 'a' }], undefined],
		['the field of nobody', [{ profile_url: 'x' }], undefined],
		['something that only ends so', [{ xprofile_url: 'x', _profile_url: 'y' }], undefined],
		['two that may be it', [{ pronet_profile_url: 'x', other_profile_url: 'y' }], undefined],
		["the document's among two", [{ network_profile_url: 'x', other_profile_url: 'y' }], 'network'],
		[
			'the one that every lead has',
			[{ pronet_profile_url: 'x', other_profile_url: 'y' }, { pronet_profile_url: 'x' }],
			'pronet',
		],
		[
			'the one that every lead has that has any',
			[
				{ id: '1' },
				{ pronet_profile_url: 'x' },
				{ pronet_profile_url: 'x', other_profile_url: 'y' },
			],
			'pronet',
		],
		['contradicting leads', [{ pronet_profile_url: 'x' }, { other_profile_url: 'y' }], undefined],
		['no lead', [], undefined],
	])('%s', (_, leads, word) => {
		expect(networkWordOf(leads as Array<Record<string, unknown>>)).toBe(word);
	});

	it.each<[string, object, string | undefined, string | undefined]>([
		[
			'the known word',
			{ pronet_profile_url: 'x', other_profile_url: 'y' },
			'pronet',
			'pronet_profile_url',
		],
		[
			'a known one that looks like a role',
			{ page_profile_url: 'x', a_profile_url: 'y' },
			'page',
			'page_profile_url',
		],
		[
			'a known one with a hyphen',
			{ pro_net_profile_url: 'x', a_profile_url: 'y' },
			'pro-net',
			'pro_net_profile_url',
		],
		[
			'another, if the known one is missing',
			{ other_profile_url: 'y' },
			'pronet',
			'other_profile_url',
		],
		['the only one', { other_profile_url: 'y' }, undefined, 'other_profile_url'],
		['none of several', { a_profile_url: 'x', b_profile_url: 'y' }, undefined, undefined],
		["nobody else's", { company_profile_url: 'y' }, undefined, undefined],
		['no inherited one', Object.create({ pronet_profile_url: 'x' }) as object, 'pronet', undefined],
	])('the field of a record is %s', (_, record, word, field) => {
		expect(profileUrlField(record as Record<string, unknown>, word)).toBe(field);
	});

	it('is in doubt only where several may be it', () => {
		const two = { a_profile_url: 'x', b_profile_url: 'y' };
		expect(isProfileUrlDoubtful(two)).toBe(true);
		expect(isProfileUrlDoubtful(two, 'a')).toBe(false);
		expect(isProfileUrlDoubtful({ a_profile_url: 'x' })).toBe(false);
		expect(isProfileUrlDoubtful({})).toBe(false);
	});

	it('is compared by its values, so that a word becoming known is no change', () => {
		expect(profileUrlsOf({ pronet_profile_url: 'x', company_profile_url: 'c' })).toEqual(['x']);
		expect(profileUrlsOf({ other_profile_url: 'x' })).toEqual(['x']);
		expect(profileUrlsOf({ pronet_profile_url: null })).toEqual(profileUrlsOf({}));
		expect(profileUrlsOf({ profile_url: 'o', b_profile_url: 'y', a_profile_url: 'x' })).toEqual(
			profileUrlsOf({ a_profile_url: 'x', b_profile_url: 'y', profile_url: 'o' }),
		);
	});
});

describe('reasons', () => {
	const wordsOf = (reason: string) =>
		wordsOfReason(
			{
				...{ kind: 'answered', endpoint: 'post.create', agency: false, attempts: 1 },
				...{ retryable: false, uncertain: false, reason },
			},
			writeDescriptionOf('post.create'),
		);
	const ofTheNetwork = KNOWN_REASONS.filter((reason) => reason.startsWith('network_'));

	it('of the network are seven', () => {
		expect(ofTheNetwork).toHaveLength(7);
	});

	it.each(ofTheNetwork)('%s is known by what follows the word', (reason) => {
		for (const word of ['pronet', 'pro_net', 'PRONET2']) {
			const real = reason.replace('network', word);
			expect(documentedReason(real)).toBe(reason);
			expect(wordsOf(real)).toEqual(wordsOf(reason));
		}
		expect(wordsOf(reason)).toBeDefined();
	});

	it.each([
		'organization_stale',
		'_organization_stale',
		'a b_organization_stale',
		'pronet_organization_stale_x',
	])('%s is another one', (reason) => {
		expect(documentedReason(reason)).toBe(reason);
		expect(wordsOf(reason)).toBeUndefined();
	});

	it('of others keep their names', () => {
		for (const reason of KNOWN_REASONS) expect(documentedReason(reason)).toBe(reason);
		expect(wordsOf('acme_rate_limited')).toBeUndefined();
	});
});

describe('what no error shows', () => {
	it.each(['acme', 'acme_io', 'my-svc', 'my_svc2_x', 'ACME'])('keys that begin with %s', (word) => {
		for (const kind of ['live', 'test']) {
			const clean = scrubText(`the key "${word}_${kind}_s3cretPart-of.it" is unknown`);
			expect(clean).toBe('the key "[key hidden]" is unknown');
		}
	});

	it('keys of long prefixes', () => {
		expect(scrubText(`${'a-'.repeat(100)}b_live_s3cret`)).not.toContain('s3cret');
		expect(scrubText(`${'a_'.repeat(100)}b_live_s3cret`)).not.toContain('s3cret');
	});

	it.each(['pronet_profile_url', 'author_profile_url', 'profile_url'])('the field %s', (name) => {
		expect(scrubDetails({ [name]: 'https://pronet.example/in/ada', kept: 1 })).toEqual({ kept: 1 });
	});
});

describe('the word in front of a reason', () => {
	it.each(['x', 'a-b', 'x'.repeat(64)])('may be %s', (word) => {
		expect(documentedReason(`${word}_organization_stale`)).toBe('network_organization_stale');
	});

	it.each(['-pronet', 'pronet_', 'x'.repeat(65)])('is not %s', (word) => {
		const reason = `${word}_organization_stale`;
		expect(documentedReason(reason)).toBe(reason);
	});
});

describe("the network's word in a lead", () => {
	it.each([
		['a field with a long name', 'most_recent_engagement_at'],
		['the author of a post', 'post_author_profile_url'],
		['a person in two roles', 'previous_company_contact_profile_url'],
	])('is not taken from %s', (_, name) => {
		expect(networkWordOf([{ [name]: 'x', pronet_profile_url: 'y' }])).toBe('pronet');
		expect(networkWordOf([{ [name]: 'x' }])).toBeUndefined();
	});

	it('with a hyphen is looked for as it is, and only then with an underscore', () => {
		const underscored = { pro_net_profile_url: 'x' };
		expect(profileUrlField(underscored, 'pro-net')).toBe('pro_net_profile_url');
		const both = { ...underscored, 'pro-net_profile_url': 'y' };
		expect(profileUrlField(both, 'pro-net')).toBe('pro-net_profile_url');
	});
});
