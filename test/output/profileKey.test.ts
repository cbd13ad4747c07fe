/** One key for all the ways in which the address of one profile is written, and for nothing else. */
import fc from 'fast-check';

import { simplifyLead } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { profileKeyOf } from '../../nodes/LeadGenPublishing/output/profileUrl';

const KEY = 'https://network.example/in/Ada-M';

/** Addresses in their one way: scheme, host, port, path. */
const label = fc.stringMatching(/^[a-z][a-z\d-]{0,8}[a-z\d]$/).filter((text) => text !== 'www');
const host = fc
	.array(label, { minLength: 2, maxLength: 4 })
	.map((labels) => labels.join('.'))
	.filter((text) => URL.canParse(`https://${text}`) && URL.canParse(`https://www.${text}`));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
const segment = fc.stringMatching(/^(?:[\w.~!$&'()*+,;=:@éß-]|%[\dA-Fa-f]{2}){1,10}$/);
const address = fc.record({
	scheme: fc.constantFrom('https', 'http'),
	host,
	port,
	path: fc.array(segment, { maxLength: 4 }),
});

const inAnyCase = (text: string, upper: readonly boolean[]): string =>
	[...text].map((sign, at) => (upper[at % upper.length] ? sign.toUpperCase() : sign)).join('');

/** What may differ between two spellings of one address. */
const spelling = fc.record({
	upper: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
	www: fc.constantFrom('', 'www.', 'WWW.', 'wWw.'),
	slashes: fc.constantFrom('', '/', '//'),
	query: fc.option(fc.stringMatching(/^[\w/?=&%.-]{0,12}$/), { nil: undefined }),
	fragment: fc.option(fc.stringMatching(/^[\w/?#=&.-]{0,12}$/), { nil: undefined }),
	around: fc.constantFrom('', ' ', '\n'),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;
type Address = typeof address extends fc.Arbitrary<infer T> ? T : never;

const keyOf = ({ scheme, host: at, port: on, path }: Address): string =>
	`${scheme}://${at}${on === undefined ? '' : `:${on}`}${path.map((one) => `/${one}`).join('')}`;

function spelled({ scheme, host: at, port: on, path }: Address, how: Spelling): string {
	const { upper, www, slashes, query, fragment, around } = how;
	const address = [
		inAnyCase(`${scheme}://`, upper),
		www + inAnyCase(at, upper),
		on === undefined ? '' : `:${on}`,
		path.map((one) => `/${one}`).join(''),
		slashes,
		query === undefined ? '' : `?${query}`,
		fragment === undefined ? '' : `#${fragment}`,
	].join('');
	return around + address + around;
}

describe('the key', () => {
	it('is the same for every spelling of an address, and is that address in its one way', () => {
		fc.assert(
			fc.property(address, spelling, (one, how) => {
				expect(profileKeyOf(spelled(one, how))).toBe(keyOf(one));
			}),
		);
	});

	it('is another one for another scheme, host, port or path', () => {
		fc.assert(
			fc.property(address, address, spelling, (one, other, how) => {
				fc.pre(keyOf(one) !== keyOf(other));
				expect(profileKeyOf(spelled(one, how))).not.toBe(profileKeyOf(spelled(other, how)));
			}),
		);
	});

	it('leaves all the rest as it is', () => {
		const hosts =
			'network.example http://network.example/in/ada network.example:8443/in/ada ' +
			'network.example:443/in/ada network.example./in/ada m.network.example/in/ada ' +
			'wwww.network.example/in/ada www2.network.example/in/ada Ada:Pass@network.example/in/ada ' +
			'www. www.:8443/in/ada www..network.example/in/ada network-app://profile/in/Ada';
		const paths =
			'www.network.example in/ADA in/Zo%C3%AB in/zoë in//ada a/../in/./ada in/ada;v=1&x@y:z';
		for (const url of [
			...hosts.split(' ').map((at) => (at.includes('://') ? at : `https://${at}`)),
			...paths.split(' ').map((path) => `https://network.example/${path}`),
		])
			expect(profileKeyOf(url)).toBe(url);
	});

	it('changes the host alone, whatever stands around it', () => {
		expect(profileKeyOf('https://WWW.x:Y@WWW.Network.example:80/WWW.x/')).toBe(
			'https://WWW.x:Y@network.example:80/WWW.x',
		);
		expect(profileKeyOf('https://www.WWW.network.example')).toBe('https://network.example');
		expect(profileKeyOf('https://Network.example/?a')).toBe('https://network.example');
	});

	it.each([
		...['', '  ', 'ada', 'Ada Marlowe', 'network.example/in/ada', '//network.example/in/ada'],
		...['/in/ada', 'https:', 'https://', 'https:///in/ada', 'https:network.example/in/ada'],
		...['mailto:ada@work.example', 'https://network.example/in/ada marlowe', 'https://a b/in'],
		...['see https://network.example/in/ada', 'https://network.example:port/in/ada'],
		...['https://network.example/in/a\nhttps://network.example/in/b', 'https://[x]/in/ada'],
		...['https://network.example\\in\\ada', 'https://network.example/in/ada?a b'],
		...['https://?in/ada', 'https://#in', '1https://x.y/in'],
		...[null, undefined, 7, true, {}, ['https://network.example/in/ada']],
	])('there is none for %j, which is no URL', (url) => {
		expect(profileKeyOf(url)).toBeNull();
	});
});

describe('a simplified lead', () => {
	const url = 'https://www.network.example/in/Ada-M/?x=1';

	it.each([{}, { network_profile_url: null }, { network_profile_url: 'n/a' }])(
		'has an empty key where there is no address: %j',
		(fields) => {
			expect(simplifyLead({ id: '1', ...fields })).toMatchObject({ profile_key: null });
		},
	);

	it('has the key of the address that it shows, whatever the network is called', () => {
		const own = { profile_url: url, pronet_profile_url: 'https://p.example/x' };
		expect(simplifyLead(own, 'pronet').profile_key).toBe(KEY);
		const two = { a_profile_url: 'https://a.example', b_profile_url: url };
		expect(simplifyLead(two).profile_key).toBeNull();
		expect(simplifyLead(two, 'b').profile_key).toBe(KEY);
	});

	it.each([
		['another one', 'K-17'],
		['nothing', null],
		['an empty text', ''],
		['no text', 7],
	])('keeps a key of its own that is %s, and has ours beside it', (_, profile_key) => {
		const record = { id: '1', network_profile_url: url, profile_key };
		expect(simplifyLead(record)).toMatchObject({ profile_key, n8n_profile_key: KEY });
	});

	it('does not say a key twice', () => {
		const record = { network_profile_url: url, profile_key: KEY };
		expect(simplifyLead(record)).not.toHaveProperty('n8n_profile_key');
	});

	it('does not take a value out of an object for the key', () => {
		const lead = simplifyLead({ network_profile_url: url, profile: { key: 'inner' } });
		expect(lead).toMatchObject({ profile_key: KEY, profile: { key: 'inner' } });
	});
});
