/** A credential that was given another key, of an account that the service does not name. */
import type { IDataObject } from 'n8n-workflow';

import { bareHost, leads, pageOf } from './bareHost';

const idsIn = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;

it.each([[['z']], [['z', 'y']]])(
	'whose records are not known (%j) does not deliver what that account has, but what follows',
	async (theirs) => {
		let ids = ['a', 'b'];
		const node = bareHost({
			answer: ({ path }) => (path === '/me' ? { body: { data: {} } } : pageOf(leads(...ids))),
		});
		await node.poll();
		node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
		ids = theirs;
		await expect(node.poll()).rejects.toThrow(/belongs to another account than before/);
		ids = ['new', ...theirs];
		expect(idsIn(await node.poll())).toEqual(['new']);
		expect(await node.poll()).toBeNull();
	},
);
