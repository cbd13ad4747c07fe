/** Paths: how one is made for an account, and which record a pasted one names. */
import { idInAddress, isAddress } from '../../nodes/LeadGenPublishing/panel/parameters/idInAddress';
import { RouteError, routeOf } from '../../nodes/LeadGenPublishing/api/endpoints';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const CLIENT = '0b0e7a4c-56d1-4a3e-8f7e-1f2d3c4b5a69';

describe('the path of a request', () => {
	const pathOf = (id: string) => routeOf('post.get', { params: { id } }).path;

	it('has each part filled in and encoded, IDs in small letters', () => {
		expect(routeOf('post.getEngagement', { params: { id: ID } })).toEqual({
			...{ method: 'GET', path: `/posts/${ID}/engagement` },
		});
		for (const [id, part] of [
			['a/b?c#d e', 'a%2Fb%3Fc%23d%20e'],
			[` ${CLIENT.toUpperCase()} `, CLIENT],
			['AbC', 'AbC'],
			['.a', '.a'],
			['a.', 'a.'],
			[' a ', 'a'],
		] as const)
			expect(pathOf(id)).toBe(`/posts/${part}`);
	});

	it('is below the client, in small letters, and no parameter takes its place', () => {
		const upper = { kind: 'client', clientId: CLIENT.toUpperCase() } as const;
		const params = { id: ID, clientId: 'other' };
		expect(() => routeOf('account.getSubject', { account: upper })).toThrow(RouteError);
		expect(routeOf('post.get', { account: upper, params }).path).toBe(
			`/clients/${CLIENT}/posts/${ID}`,
		);
	});

	it.each(['', '   ', '.', '..', '...', '..;', '.;a=b', '%2e%2e', '..\0', 'x/../y', 'x\\..'])(
		'has no part like %p',
		(clientId) => {
			const list = () => routeOf('post.getAll', { account: { kind: 'client', clientId } });
			for (const refused of [() => pathOf(clientId), list]) expect(refused).toThrow(RouteError);
		},
	);

	it('lacks no part', () => {
		expect(() => routeOf('post.get')).toThrow('needs "id"');
		const long = `../${'x'.repeat(99)}`;
		expect(() => pathOf(long)).toThrow(`"${long.slice(0, 60)}" cannot be used as "id"`);
	});
});

const BASE = 'https://api.example.com/api/v1';

it.each([
	['postId', `${BASE}/posts/${ID}`, ID],
	['postId', `${BASE}/posts/${ID.toUpperCase()}/engagement?x=1`, ID.toUpperCase()],
	['postId', `${BASE}/clients/${CLIENT}/posts/${ID}`, ID],
	['clientId', `${BASE}/clients/${CLIENT}/posts/${ID}`, CLIENT],
	['leadMagnetId', `${BASE}/lead-magnets/${ID}#top`, ID],
	['postId', `https://app.example.com/editor/${ID}`, ID],
	['postId', `https://app.example.com/?post=${ID}`, ID],
	// IDs of other records, or several of which none is named.
	['leadMagnetId', `${BASE}/posts/${ID}`, undefined],
	['postId', `${BASE}/clients/${CLIENT}`, undefined],
	['postId', `https://app.example.com/${CLIENT}/${ID}`, undefined],
	['postId', `${BASE}/posts/${ID}/posts/${CLIENT}`, undefined],
	['postId', `${BASE}/posts/${ID}0`, undefined],
	['postId', `${BASE}/posts`, undefined],
	['workspaceId', `${BASE}/posts/${ID}`, undefined],
])('the %s in the address %s is %s, and never that of another record', (name, address, id) => {
	expect(idInAddress(address, name)).toBe(id);
});

it('an address begins with its scheme', () => {
	const texts = ['https://x.example', 'HTTP://x.example', ID, `see https://x.example/${ID}`];
	expect(texts.map(isAddress)).toEqual([true, true, false, false]);
});
