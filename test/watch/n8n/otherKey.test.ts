/** A credential that was given another key, of an account that the service does not name. */
import { accountWith, bareHost, idsIn } from './bareHost';

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
