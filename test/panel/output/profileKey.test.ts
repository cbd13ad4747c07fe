/** One key for all the ways in which the address of one profile is written, and for nothing else. */
import { simplifyLead } from '../../../nodes/LeadGenPublishing/operations/lead/simplify';
import { profileKeyOf } from '../../../nodes/LeadGenPublishing/panel/output/profileUrl';

const KEY = 'https://network.example/in/Ada-M';

describe('the key', () => {
	/** Each address in its one way, and others of its spellings. */
	it.each([
		[KEY, ' https://network.example/in/Ada-M\n|https://network.example/in/Ada-M//'],
		[KEY, 'HTTPS://Network.EXAMPLE/in/Ada-M?a=/x|https://WWW.network.example/in/Ada-M?#'],
		[KEY, 'https://www.Network.example/in/Ada-M/?x=1#y/?z|https://network.example/in/Ada-M#'],
		['http://a.b.network.example:8443/é', 'HTTP://wWw.a.b.network.example:8443/é/#top'],
		[
			'https://network.example',
			'https://network.example/?a|https://network.example//|https://www.network.example#',
		],
		['https://network.example/in//a%C3%A9', 'https://www.network.example/in//a%C3%A9/?'],
	])('is %s for all the ways in which that is written', (key, spellings) => {
		for (const url of [key, ...spellings.split('|')])
			expect([url, profileKeyOf(url)]).toEqual([url, key]);
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
});
