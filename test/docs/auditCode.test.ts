/** The rules of the code in `audit-and-watchdog.json`, which n8n runs as it stands. */
import fc from 'fast-check';

import { readExample } from './example';

type Json = Record<string, unknown>;
interface Written {
	changes: Json[];
	dashboard: Json[];
}
interface Scene {
	clients: Json[];
	leads: Json[];
	posts?: Json[];
	rows?: Json[];
	dashboard?: Json[];
}

const { nodes } = readExample('audit-and-watchdog');
const { jsCode } = nodes.find(({ type }) => type === 'n8n-nodes-base.code')?.parameters ?? {};
const code = new Function('$', String(jsCode)) as (
	$: (node: string) => { all(): Array<{ json: Json }>; first(): { json: Json } },
) => Array<{ json: Written }>;

function audit({ clients, leads, posts = [], rows = [], dashboard = [] }: Scene): Written {
	const put: Readonly<Record<string, Json[]>> = {
		Settings: [{ silent_hours: 3, late_minutes: 15 }],
		'Get Clients': clients,
		'Get Leads': leads,
		'Get Posts': posts,
		'Get CRM Rows': rows,
		'Get Dashboard': dashboard,
	};
	const items = (node: string) => (put[node] ?? []).map((json) => ({ json }));
	const [{ json } = { json: { changes: [], dashboard: [] } }, ...others] = code((node) => ({
		all: () => items(node),
		first: () => items(node)[0] ?? { json: {} },
	}));
	expect(others).toEqual([]);
	return json;
}

const client = (user_id: string) => ({ user_id, full_name: `Name of ${user_id}` });
const lead = (client_id: string, id: string, name = id) => ({ id, name, client_id });
const failed = (client_id: string) => ({
	error: 'Refused',
	message: 'Refused.',
	details: { http_status: 403, code: 'forbidden', reason: null, client_id },
});
const row = (client_id: string, lead_id: string, more: Json = {}): Json => ({
	client_id,
	lead_id,
	client_name: `Name of ${client_id}`,
	name: lead_id,
	state: 'active',
	...more,
});

/** The table after these changes. */
function applied(rows: Json[], changes: Json[]): Json[] {
	const after = new Map(rows.map((one) => [`${one.client_id} ${one.lead_id}`, one]));
	for (const one of changes) {
		const key = `${one.client_id} ${one.lead_id}`;
		after.set(key, { ...after.get(key), ...one });
	}
	return [...after.values()];
}

const CLIENTS = ['a', 'b', 'c'];
const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'));
const state = fc.constantFrom('active', 'missing', 'gone', null);
const scene = fc.record({
	leads: fc.record({ a: ids, b: ids, c: ids }),
	rows: fc.array(fc.tuple(fc.constantFrom(...CLIENTS), fc.constantFrom('1', '2', '3', '6'), state)),
	failing: fc.uniqueArray(fc.constantFrom(...CLIENTS)),
});

const ofScene = (given: typeof scene extends fc.Arbitrary<infer T> ? T : never) => {
	const rows = applied(
		[],
		given.rows.map(([of, id, was]) => row(of, id, { state: was })),
	);
	const leads = CLIENTS.flatMap((of) => {
		const own = given.leads[of as 'a'].map((id) => lead(of, id));
		// Half of a list may have come before it failed.
		return given.failing.includes(of) ? [...own.slice(0, 1), failed(of)] : own;
	});
	return { clients: CLIENTS.map(client), rows, leads };
};

describe('the audit', () => {
	it('changes nothing of a client whose list did not come whole', () => {
		fc.assert(
			fc.property(scene, (given) => {
				const { changes, dashboard } = audit(ofScene(given));
				expect(
					changes.filter(({ client_id }) => given.failing.includes(String(client_id))),
				).toEqual([]);
				for (const { client_id, alert, read_at } of dashboard) {
					const isFailing = given.failing.includes(String(client_id));
					expect([alert !== null, read_at === null]).toEqual([isFailing, isFailing]);
				}
			}),
		);
	});

	it('does to the others what it would do without the failing ones', () => {
		fc.assert(
			fc.property(scene, (given) => {
				const whole = ({ client_id }: Json) => !given.failing.includes(String(client_id));
				const untimed = ({ client_id, lead_id, state: to }: Json) => [client_id, lead_id, to];
				const without = audit(ofScene({ ...given, failing: [] })).changes.filter(whole);
				expect(audit(ofScene(given)).changes.map(untimed)).toEqual(without.map(untimed));
			}),
		);
	});

	it('ends with the service’s leads as active, and all others as gone after two whole readings', () => {
		fc.assert(
			fc.property(scene, (given) => {
				const world = ofScene({ ...given, failing: [] });
				const once = audit(world);
				const after = applied(world.rows, once.changes);
				const twice = applied(after, audit({ ...world, rows: after }).changes);
				for (const { client_id, lead_id, state: is } of twice) {
					const isThere = given.leads[client_id as 'a'].includes(String(lead_id) as '1');
					expect([client_id, lead_id, is ?? 'active']).toEqual([
						client_id,
						lead_id,
						isThere ? 'active' : 'gone',
					]);
				}
				expect(audit({ ...world, rows: twice }).changes).toEqual([]);
				const seen = new Set(world.rows.map((one) => `${one.client_id} ${one.lead_id}`));
				for (const one of once.changes.filter(({ state: to }) => to === 'gone'))
					expect(seen).toContain(`${one.client_id} ${one.lead_id}`);
			}),
		);
	});

	it.each([
		['the client’s own record, as n8n passes it on when a node has thrown', client('a')],
		['a failure of nobody', { error: 'x', message: 'x', details: {} }],
	])('believes no list beside %s', (_, stray) => {
		const { changes, dashboard } = audit({
			clients: [client('a'), client('b')],
			leads: [stray, lead('b', '1')],
			rows: [row('a', '1'), row('b', '2')],
		});
		expect(changes).toEqual([]);
		expect(dashboard.map(({ alert }) => alert)).toEqual([
			'The leads could not be read: no usable answer.',
			'The leads could not be read: no usable answer.',
		]);
	});

	it('believes a list without leads, which comes as one empty item', () => {
		const { changes } = audit({ clients: [client('a')], leads: [{}], rows: [row('a', '1')] });
		expect(changes).toMatchObject([{ lead_id: '1', state: 'missing' }]);
	});

	it('goes by our client ID where a lead has one of its own', () => {
		const own = { id: '1', client_id: 'theirs', n8n_client_id: 'a' };
		const { changes } = audit({ clients: [client('a')], leads: [own] });
		expect(changes).toMatchObject([{ client_id: 'a', lead_id: '1' }]);
	});

	it('keeps what a table can hold', () => {
		const odd = { ...lead('a', '1'), name: { first: 'Ada' }, email: '', has_intent: 'yes', id: 7 };
		const { changes } = audit({ clients: [client('a')], leads: [odd] });
		expect(changes).toMatchObject([
			{ lead_id: '7', name: '{"first":"Ada"}', email: null, has_intent: null },
		]);
		const again = audit({ clients: [client('a')], leads: [odd], rows: changes });
		expect(again.changes).toEqual([]);
	});

	it('keeps the figures of the last whole reading, and says why there is none', () => {
		const past = { client_id: 'a', read_at: 'then', leads: 5, late_posts: 2, told: 'before' };
		const { dashboard } = audit({
			clients: [client('a')],
			leads: [failed('a')],
			posts: [failed('a')],
			rows: [row('a', '1', { state: 'gone' })],
			dashboard: [past],
		});
		expect(dashboard).toMatchObject([
			{ read_at: 'then', leads: 5, late_posts: 2, gone: 1, brought_in: 0 },
		]);
		expect(dashboard[0]?.alert).toBe(
			'The leads could not be read: 403 forbidden. The posts could not be read: 403 forbidden.',
		);
		expect(dashboard[0]).not.toHaveProperty('told');
	});

	it('tells of a client that is not listed any more', () => {
		const { dashboard } = audit({
			clients: [{}],
			leads: [{}],
			dashboard: [{ client_id: 'x' }, {}],
		});
		expect(dashboard).toMatchObject([
			{ client_id: 'x', alert: expect.stringContaining('No longer') },
		]);
	});
});

describe('the watchdog', () => {
	const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
	const seen = { client_id: 'a', read_at: ago(60) };
	const alertOf = (given: Partial<Scene>) =>
		audit({ clients: [client('a')], leads: [lead('a', '1')], rows: [row('a', '1')], ...given })
			.dashboard[0]?.alert;

	it.each([
		['scheduled', 20, true],
		['publishing', 20, true],
		['draft', 20, true],
		['published', 20, false],
		['scheduled', 10, false],
		['scheduled', -60, false],
	])('of a post that is %s, %d minutes after its time: tells %p', (status, minutes, tells) => {
		const post = { id: 'p', client_id: 'a', status, scheduled_at: ago(minutes) };
		const alert = tells ? 'Not published although the time has passed: p.' : null;
		expect(alertOf({ posts: [post] })).toBe(alert);
	});

	it.each([
		['a lead that was found long ago and never brought', [{ found_at: 240 }], true],
		['one that was found just now', [{ found_at: 60 }], false],
		['one that was brought', [{ found_at: 240, delivered_at: 200 }], false],
		['one after which another was brought', [{ found_at: 240 }, { delivered_at: 230 }], false],
		['one before which another was brought', [{ found_at: 240 }, { delivered_at: 250 }], true],
		['the older one of two', [{ found_at: 240 }, { found_at: 10 }], true],
		['one that is gone by now', [{ found_at: 240, state: 'gone' }], false],
		['none', [{}], false],
	])('of %s: tells', (_, given: Array<{ found_at?: number; delivered_at?: number }>, tells) => {
		const rows = given.map((one, index) => {
			const times = Object.entries(one).map(([name, value]) => [
				name,
				typeof value === 'number' ? ago(value) : value,
			]);
			return row('a', String(index), Object.fromEntries(times) as Json);
		});
		const leads = given.map((_one, index) => lead('a', String(index)));
		const isGone = rows.some(({ state: is }) => is === 'gone');
		const alert = alertOf({ rows, leads: isGone ? [{}] : leads });
		expect(typeof alert === 'string' && alert.includes('The trigger')).toBe(tells);
	});

	it('counts no lead as news that came with the first reading', () => {
		const one = { clients: [client('a')], leads: [lead('a', '1')] };
		expect(audit(one).changes).toMatchObject([{ found_at: null }]);
		const next = audit({ ...one, dashboard: [seen] }).changes;
		expect(next).toMatchObject([{ found_at: expect.any(String) }]);
		const unread = audit({ ...one, dashboard: [{ client_id: 'a', read_at: null }] }).changes;
		expect(unread).toMatchObject([{ found_at: null }]);
	});
});
