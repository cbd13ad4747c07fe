/** A credential that was given another key, of an account that the service does not name clearly. */
import type { IDataObject } from 'n8n-workflow';

import { accountWith, bareHost, idsIn, leads, pageOf } from './bareHost';

it.each([[['z']], [['z', 'y']]])(
	'whose records are not known (%j) does not deliver what that account has, but what follows',
	async (theirs) => {
		let ids = ['a', 'b'];
		const node = bareHost({ answer: accountWith(() => ids, {}) });
		await node.poll();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		ids = theirs;
		await expect(node.poll()).rejects.toThrow(/belongs to another account than before/);
		ids = ['new', ...theirs];
		expect(idsIn(await node.poll())).toEqual(['new']);
		expect(await node.poll()).toBeNull();
	},
);

describe('where the service names an organization beside a person', () => {
	let ids: string[] = [];
	let account: IDataObject = {};
	const organization = { id: 'o' };
	const watched = async () => {
		[ids, account] = [['a', 'b'], { organization, profile: { id: 'p' } }];
		const node = bareHost({
			answer: ({ path }) => (path === '/me' ? { body: { data: account } } : pageOf(leads(...ids))),
		});
		await node.poll();
		return node;
	};

	it('a key of the same account goes on, in whatever order they are named', async () => {
		const node = await watched();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_rotated' };
		account = { profile: { id: 'p' }, organization };
		// Nothing is left that was known, so the records could not decide.
		ids = ['new'];
		expect(idsIn(await node.poll())).toEqual(['new']);
	});

	it('a key of another person of the organization does not deliver what that one has', async () => {
		const node = await watched();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		account = { organization, profile: { id: 'q' } };
		ids = ['x', 'y'];
		await expect(node.poll()).rejects.toThrow(/belongs to another account than before/);
		ids = ['new', 'x', 'y'];
		expect(idsIn(await node.poll())).toEqual(['new']);
	});

	it('nor does one of the same person whose records are known begin anew', async () => {
		const node = await watched();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		account = { organization: { id: 'o2' }, profile: { id: 'p' } };
		ids = ['new', 'a', 'b'];
		expect(idsIn(await node.poll())).toEqual(['new']);
	});
});
