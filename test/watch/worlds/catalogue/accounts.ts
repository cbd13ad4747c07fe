/** Promise 11: whose key it is, in whatever shape the service says so. */
import type { Play } from '../play';
import type { Fields } from '../records';
import type { World } from '../world';

const SHAPES: ReadonlyArray<readonly [string, (id: string) => Fields]> = [
	['user_id', (id) => ({ user_id: id })],
	['id', (id) => ({ id })],
	['subject.user_id', (id) => ({ subject: { user_id: id } })],
	['owner.user_id', (id) => ({ owner: { user_id: id, full_name: 'Owner' } })],
	[
		'owner and subject, as in public examples',
		(id) => ({
			owner: { user_id: id, full_name: 'Owner', business_name: 'Ltd', account_status: 'active' },
			actor_type: 'direct_user',
			scopes: ['leads:read'],
			subject: { user_id: id },
		}),
	],
	['nothing at all', () => ({})],
];

async function begin(play: Play, me: Fields): Promise<void> {
	play.service.me = me;
	play.existing(150);
	await play.baseline(10);
	play.add(1);
	await play.polls(6);
}

/** Nothing but `/me` can tell that it is the same account. */
const replaced = ([name, of]: (typeof SHAPES)[number]): World => ({
	name: `/me shows ${name}: a new key, all records replaced`,
	about: 'Promise 11: another key of the same account changes nothing.',
	seeds: 1,
	story: async (play) => {
		await begin(play, of('account-1'));
		for (const row of [...play.list().rows]) play.remove(row);
		play.add(120, { within: 10 });
		play.node.key = 'x_live_second';
		await play.polls(70);
		play.add(1);
		await play.polls(6);
	},
});

const sameAndOther = ([name, of]: (typeof SHAPES)[number]): World => ({
	name: `/me shows ${name}: keys of two accounts`,
	about: 'Promise 11: a key of another account delivers nothing old, and is reported once.',
	modes: ['L', 'D+'],
	seeds: 1,
	story: async (play) => {
		await begin(play, of('account-1'));
		play.node.key = 'x_live_second';
		await play.polls(5);
		play.add(2);
		await play.polls(8);
		const other = play.list('another account');
		play.existing(90, { list: other });
		play.service.me = of('account-2');
		play.node.key = 'x_live_third';
		play.service.ownerOf.set('x_live_third', 'another account');
		await play.polls(30);
		play.add(2, { list: other, within: 10 });
		await play.polls(30);
		play.service.me = of('account-1');
		play.node.key = 'x_live_second';
		play.add(3, { within: 60 });
		await play.polls(65);
	},
	errors: [{ says: /a different account/i, atLeast: 1, atMost: 2 }],
	// The other account had these before its key was set, so they exist, and nobody misses them.
	bounds: { heldSilently: 90 },
});

export const ACCOUNTS: readonly World[] = [
	...SHAPES.filter(([name]) => name !== 'nothing at all').map(replaced),
	...SHAPES.map(sameAndOther),
];
