/** Shapes of `/me`, none of which the document shows: what is said of the key. `readSubject.test.ts` has more. */
import type { JsonObject } from '../../fake-service/types';
import { setUpKit } from '../support/kit/index';
import { as, DIAGNOSE, reported } from './scene';

// Every one of these subjects is one that the document does not show.
const kit = setUpKit({ isStrict: false });

const ID = '5d0f22ff-1f59-4087-81e7-cf9ebbbc5e34';
const ALL = [
	'clients:read',
	'posts:read',
	'posts:write',
	'lead_magnets:read',
	'lead_magnets:write',
	'media:write',
	'analytics:read',
	'leads:read',
	'activity:read',
];
const USER = ALL.filter((scope) => scope !== 'clients:read');

interface Shape {
	readonly data: JsonObject;
	readonly whose?: 'own' | 'agency';
	/** What the row "Key" shows. */
	readonly key: string;
	readonly reported?: readonly string[];
}

const SHAPES: Readonly<Record<string, Shape>> = {
	'owner, actor_type, scopes and subject': {
		data: {
			owner: {
				user_id: ID,
				full_name: 'Nora',
				business_name: 'Nora Ltd',
				account_status: 'active',
			},
			actor_type: 'direct_user',
			scopes: USER,
			subject: { user_id: ID },
		},
		key: `a user's key with posts:read, posts:write, analytics:read, lead_magnets:read, lead_magnets:write, media:write, leads:read, activity:read`,
	},
	'an agency with every scope as a star': {
		data: { owner: { user_id: ID }, actor_type: 'agency', scopes: ['*'], subject: { user_id: ID } },
		whose: 'agency',
		key: "an agency's key with every scope (*)",
	},
	'scopes as an object of flags': {
		data: {
			account: { id: ID },
			permissions: Object.fromEntries(ALL.map((scope) => [scope, scope !== 'media:write'])),
		},
		key: 'a key with clients:read, posts:read, posts:write, analytics:read, lead_magnets:read, lead_magnets:write, leads:read, activity:read',
		reported: ['Clients: unusual'],
	},
	'an account alone': {
		data: { user_id: ID, full_name: 'Nora' },
		key: 'a key; /me shows no scopes',
	},
	'an empty list of scopes': {
		data: { id: ID, scopes: [] },
		key: 'a key with no scope',
		reported: ['Scopes: unusual'],
	},
	'an account that is paused': {
		data: { owner: { user_id: ID, account_status: 'paused' }, scopes: USER },
		key: 'a key with posts:read, posts:write, analytics:read, lead_magnets:read, lead_magnets:write, media:write, leads:read, activity:read',
		reported: ['Account: needs_you'],
	},
};

it.each(Object.entries(SHAPES))(
	'%s',
	async (_, { data, whose = 'own', key, reported: expected = [] }) => {
		const { faults, world } = kit.service;
		const change = ({ request_id }: JsonObject): JsonObject => ({
			data,
			request_id: request_id ?? null,
		});
		faults.add({ kind: 'change', change }, { path: '/me', count: Infinity });
		const show = { ...DIAGNOSE, show: 'all' };
		const items = await kit.records(show, as(kit.service, world.keys[whose]));
		expect(items.find(({ check }) => check === 'Key')).toMatchObject({ result: 'ok', seen: key });
		expect(reported(items)).toEqual(expected);
	},
);

it('a key without a single scope for what is read hears which are missing, once', async () => {
	const { world } = kit.service;
	const apiKey = world.keys.single['webhooks:write'];
	const items = await kit.records(DIAGNOSE, as(kit.service, apiKey));
	expect(reported(items)).toEqual(['Scopes: needs_you']);
	expect(items[1]?.do_next).toContain(
		'posts:read, lead_magnets:read, leads:read and activity:read',
	);
});

it('a key with one scope hears what it lacks', async () => {
	const { world } = kit.service;
	const items = await kit.records(DIAGNOSE, as(kit.service, world.keys.single['leads:read']));
	expect(reported(items)).toEqual(['Scopes: needs_you']);
	expect(items[1]?.means).toBe('The key lacks posts:read, lead_magnets:read and activity:read.');
});
