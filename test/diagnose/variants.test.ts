/** The documented service in its variants: what the document allows is not reported. */
import { always, changed, raw, setting, type Plant } from '../../fake-service/differences/plant';
import { startService, type FakeService } from '../../fake-service/index';
import { isObject } from '../../fake-service/fields';
import type { Match } from '../../fake-service/faults';
import type { JsonObject } from '../../fake-service/types';
import { setUpKit } from '../support/kit/index';
import { as, DIAGNOSE, EVIDENCE, reported, type Items } from './scene';

const kit = setUpKit({ sample: 'none' });

const each = (edit: (record: JsonObject) => void, match: Match): Plant =>
	changed(({ data, ...rest }) => {
		const records = structuredClone([data ?? null].flat().filter(isObject));
		records.forEach(edit);
		return { ...rest, data: Array.isArray(data) ? records : (records[0] ?? null) };
	}, match);
/** Another body, with the request ID that belongs to it. */
const instead = (body: JsonObject, match: Match): Plant =>
	changed(({ request_id }) => ({ ...body, request_id: request_id ?? null }), match);
const OWN_LISTS: Match = { path: /^\/(posts|leads|lead-magnets|activity)$/ };

/** The fake service itself refuses these requests. */
const emptyPage = (match: Match): Plant =>
	always(
		{
			kind: 'change',
			status: 200,
			change: ({ request_id }) => ({
				data: [],
				pagination: { limit: 100, offset: 0, has_more: false },
				request_id: request_id ?? null,
			}),
		},
		match,
	);
const EMPTY_CLIENTS = emptyPage({ path: '/clients' });
const CUT = emptyPage({ when: ({ query }) => query.limit === '101' });

interface Variant {
	readonly plant?: Plant;
	readonly whose?: 'own' | 'agency' | 'ownTest';
	readonly more?: (service: FakeService) => void;
	readonly sample?: 'none';
	readonly words?: { service: string; network: string };
}

const NESTED = (service: FakeService): JsonObject => ({
	owner: {
		user_id: service.world.own.id,
		full_name: 'Nora Lindqvist',
		business_name: 'Nora Ltd',
		account_status: 'active',
	},
	actor_type: 'direct_user',
	scopes: [
		'posts:read',
		'posts:write',
		'leads:read',
		'activity:read',
		'lead_magnets:read',
		'lead_magnets:write',
		'media:write',
		'analytics:read',
	],
	subject: { user_id: service.world.own.id },
});

const VARIANTS: Readonly<Record<string, Variant>> = {
	"a user's key": {},
	'a key for tests': { whose: 'ownTest' },
	"an agency's key": { whose: 'agency' },
	'other words for service and network': { words: { service: 'acme_io2', network: 'pronet' } },
	'an account without any record': { sample: 'none' },
	'/me with everything nested': {
		plant: (service) => instead({ data: NESTED(service as FakeService) }, { path: '/me' })(service),
	},
	'/me without any field': {
		plant: instead({ data: {} }, { path: '/me' }),
	},
	'a base without an envelope': {
		plant: always(raw({ name: 'API', version: 'v1' }, {}), { path: '' }),
	},
	"an agency's key whose own routes are not found": {
		whose: 'agency',
		plant: always({ kind: 'error', status: 404 }, OWN_LISTS),
	},
	"an agency's key whose own routes are refused": {
		whose: 'agency',
		plant: always({ kind: 'error', status: 403 }, OWN_LISTS),
	},
	"a user's key for which there are no clients": {
		plant: always({ kind: 'error', status: 404 }, { path: '/clients' }),
	},
	"a user's key with an empty list of clients": {
		plant: EMPTY_CLIENTS,
	},
	'responses from a cache of an hour ago': {
		plant: setting({ dateAheadMs: -3_600_000, age: 3_600 }),
	},
	'the oldest records first': {
		more: ({ orders }) =>
			Object.assign(orders, { leads: 'oldest', activity: 'oldest', posts: 'oldest' }),
	},
	'leads and activity without times': {
		plant: each(
			(record) => {
				delete record.created_at;
				delete record.updated_at;
			},
			{ path: /\/(leads|activity)$/ },
		),
	},
	'leads of which some have no times': {
		plant: each(
			(record) => {
				if (String(record.id) > '8') record.created_at = null;
			},
			{ path: /\/leads$/ },
		),
	},
	'more than a page of everything': {
		more: ({ world }) => {
			world.seedLeads(world.own, 240);
			world.seedActivity(world.own, 130);
			for (let posts = 0; posts < 120; posts += 1)
				world.addPost(world.own, { text: `Post ${posts}` });
		},
	},
	'ten clients': {
		whose: 'agency',
		more: ({ world }) => {
			for (let clients = 3; clients < 10; clients += 1)
				world.addClient(world.agency, `Client ${clients}`);
		},
	},
	'clients with more records than those that were read before': {
		whose: 'agency',
		more: ({ world }) => {
			for (const [more, client] of [world.clientA, world.clientB, world.clientC].entries())
				for (let leads = 0; leads < 2 + 2 * more; leads += 1) world.addLead(client);
		},
	},
	'the same in another order': {
		whose: 'agency',
		more: ({ world }) => {
			for (const [more, client] of [world.clientC, world.clientB, world.clientA].entries())
				for (let leads = 0; leads < 2 + 2 * more; leads += 1) world.addLead(client);
		},
	},
	'a limit above 100 that is cut': {
		plant: CUT,
	},
	'a 429 that names a second': {
		plant: always({ kind: 'error', status: 429, retryAfter: 1 }, { count: 1 }),
	},
	'a 503 that passes': {
		plant: always({ kind: 'error', status: 503 }, { path: '/leads', count: 1 }),
	},
	'a response that is damaged once': {
		plant: always(
			{ kind: 'raw', status: 200, body: 'no', headers: { 'Content-Encoding': 'gzip' } },
			{ path: '/leads', count: 1 },
		),
	},
	'deletions that are answered by 204': {
		plant: always({ kind: 'raw', status: 204, body: '', after: true }, { method: 'DELETE' }),
	},
	'deletions that are acknowledged without an envelope': {
		plant: always(
			{ kind: 'raw', status: 200, body: '{"ok":true}', after: true },
			{ method: 'DELETE' },
		),
	},
	'uploads without the variants of the response': {
		plant: each(
			(record) => {
				delete record.public_url;
				delete record.max_file_size;
				delete record.bucket;
			},
			{ path: '/media/upload-url' },
		),
	},
	'published posts that may only be read': {
		plant: each(
			(record) => {
				if (isObject(record.published_mutation_capabilities ?? null))
					record.published_mutation_capabilities = {
						can_edit: false,
						can_delete: false,
						edit_etag: null,
						reason: 'write_forbidden',
					};
			},
			{ path: /^\/posts\/[^/]+$/ },
		),
	},
	'clients without a grant': {
		whose: 'agency',
		plant: each((record) => delete record.grant, { path: /^\/clients(\/[^/]+)?$/ }),
	},
	'IDs in capital letters': {
		plant: each((record) => (record.id = String(record.id).toUpperCase()), {
			path: /^\/(leads|activity)$/,
		}),
	},
	'further fields in every record': {
		plant: each((record) => (record.further = { a: 1, b: ['c'] }), {
			method: 'GET',
			path: /^\/(posts|leads|activity|clients|lead-magnets)/,
		}),
	},
};

it('there are at least twenty', () => {
	expect(Object.keys(VARIANTS).length).toBeGreaterThanOrEqual(20);
});

it.each(Object.entries(VARIANTS))(
	'%s',
	async (_, { plant, whose = 'own', more, sample, words }) => {
		const service = await startService({ sample, words, isStrict: false });
		more?.(service);
		plant?.(service);
		const { keys } = service.world;
		const show = { alsoTryWrites: true, options: { maxWaitSeconds: 30 } };
		const items: Items = await kit.records({ ...DIAGNOSE, ...show }, as(service, keys[whose]));
		await service.close();
		expect(reported(items)).toEqual([]);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			check: 'Summary',
			result: 'ok',
			do_next: 'There is nothing to do.',
		});
	},
);

it('posts in a list without notes and times are told of by what unique keys lose', async () => {
	const service = await startService({ isStrict: false });
	each(
		(record) => {
			for (const name of ['notes', 'created_at', 'updated_at', 'theme_id', 'template_id'])
				delete record[name];
			record.theme = null;
			record.metrics = { impressions: 1 };
		},
		{ path: '/posts', method: 'GET' },
	)(service);
	const items = await kit.records(DIAGNOSE, as(service, service.world.keys.own));
	await service.close();
	expect(reported(items)).toEqual(['Unique keys: unusual']);
	expect(items[1]?.means).toContain('reads posts one by one');
});

it('are counted in docs/evidence.md', () => {
	const { length } = Object.keys(VARIANTS);
	expect(EVIDENCE).toContain(
		`| variants that the document allows, none of them reported | ${length} |`,
	);
});
