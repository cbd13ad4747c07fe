/** What the code in two examples does. It runs unchanged. */
import fc from 'fast-check';

import { readExample } from './example';

type Json = Record<string, unknown>;

const codeOf = (file: string, name: string, ...given: string[]) => {
	const node = readExample(file).nodes.find((one) => one.name === name);
	return new Function(...given, String(node?.parameters.jsCode)) as (
		...values: unknown[]
	) => Array<{ json: Json }>;
};
const itemsOf = (records: readonly Json[] = []) => records.map((json) => ({ json }));

interface Scene {
	clients: Json[];
	leads: Json[];
	posts?: Json[];
	rows?: Json[];
	dashboard?: Json[];
}
const runAudit = codeOf('audit-and-watchdog', 'Audit', '$');

function audit({ clients, leads, posts, rows, dashboard }: Scene) {
	const put: Readonly<Record<string, Json[] | undefined>> = {
		Settings: [{ silent_hours: 3, late_minutes: 15 }],
		...{ 'Get Clients': clients, 'Get Leads': leads, 'Get Posts': posts },
		...{ 'Get CRM Rows': rows, 'Get Dashboard': dashboard },
	};
	const all = runAudit((node: string) => ({
		all: () => itemsOf(put[node]),
		first: () => itemsOf(put[node])[0],
	}));
	expect(all).toHaveLength(1);
	return all[0]?.json as { changes: Json[]; dashboard: Json[] };
}

const client = (user_id: string) => ({ user_id, full_name: `Name of ${user_id}` });
const lead = (client_id: string, id: string) => ({ id, name: id, client_id });
const failed = (client_id: string) => ({
	...{ error: 'Refused', message: 'Refused.' },
	details: { http_status: 403, code: 'forbidden', reason: null, client_id },
});
const row = (client_id: string, lead_id: string, more: Json = {}): Json => ({
	...{ client_id, lead_id, client_name: `Name of ${client_id}`, name: lead_id, state: 'active' },
	...more,
});
const keyOf = ({ client_id, id, lead_id = id }: Json) => `${client_id} ${lead_id}`;
type Table = Map<string, Json>;
/** The table after these changes. */
const applied = (table: Table, changes: readonly Json[]): Table => {
	const after = new Map(table);
	for (const one of changes) {
		const key = keyOf(one);
		after.set(key, { ...after.get(key), ...one });
	}
	return after;
};

const CLIENTS = ['a', 'b', 'c'];
const ofClients = fc.constantFrom(...CLIENTS);
const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'));
const state = fc.constantFrom('active', 'missing', 'gone', null);
const scenes = fc.record({
	shown: fc.tuple(ids, ids, ids),
	rows: fc.array(fc.tuple(ofClients, fc.constantFrom('1', '2', '3', '6'), state)),
	failing: fc.uniqueArray(ofClients),
});

it('the audit marks a lead as gone after two complete readings without it, and ignores partial lists', () => {
	const property = fc.property(scenes, ({ shown, rows, failing }) => {
		const isFailing = (id: unknown) => failing.includes(String(id));
		const there = CLIENTS.flatMap((of, at) => (shown[at] ?? []).map((id) => lead(of, id)));
		// Half of a list may have been read before it failed.
		const half = there.filter(({ client_id, id }) => !isFailing(client_id) || id < '3');
		const given = { clients: CLIENTS.map(client), leads: [...half, ...failing.map(failed)] };
		let table = applied(
			new Map(),
			rows.map(([of, id, was]) => row(of, id, { state: was })),
		);
		for (const reading of [1, 2, 3]) {
			const { changes, dashboard } = audit({ ...given, rows: [...table.values()] });
			const after = applied(table, changes);
			const whole = there.filter(({ client_id }) => !isFailing(client_id)).map(keyOf);
			const expected = [...new Set([...table.keys(), ...whole])].map((key) => {
				const was = String(table.get(key)?.state ?? 'active');
				const is = whole.includes(key) ? 'active' : was === 'active' ? 'missing' : 'gone';
				return [key, isFailing(key[0]) ? was : is];
			});
			const found = [...after].map(([key, one]) => [key, one.state ?? 'active']);
			expect(found.sort()).toEqual(expected.sort());
			if (reading === 3) expect(changes).toEqual([]);
			for (const { client_id, alert, read_at } of dashboard)
				expect([alert, read_at].map((one) => one === null)).toEqual([
					...[!isFailing(client_id), isFailing(client_id)],
				]);
			table = after;
		}
	});
	fc.assert(property);
});

const A = [client('a')];
const changesOf = (given: Partial<Scene>) => audit({ clients: A, leads: [{}], ...given }).changes;
const shownOf = (given: Partial<Scene>) =>
	audit({ clients: A, leads: [{}], ...given }).dashboard[0];

it.each([
	['a record of the client, as n8n passes it on from a node that threw', client('a')],
	['a failure of nobody', { error: 'x', message: 'x', details: {} }],
])('the audit does not trust any list next to %s', (_, stray) => {
	const clients = [client('a'), client('b')];
	const rows = [row('a', '1'), row('b', '2')];
	const { changes, dashboard } = audit({ clients, leads: [stray, lead('b', '1')], rows });
	expect(changes).toEqual([]);
	const alert = 'The leads could not be read: no usable answer.';
	expect(dashboard).toMatchObject([{ alert }, { alert }]);
});

it('the audit accepts a list without leads, which is one empty item', () => {
	const [missing] = changesOf({ rows: [row('a', '1')] });
	expect(missing).toMatchObject({ lead_id: '1', state: 'missing' });
	expect(shownOf({})).toMatchObject({ leads: 0, alert: null, told: null });
});

it('the audit stores values that a table can hold, with our client ID even if a lead has its own', () => {
	const odd = { id: 7, name: { first: 'Ada' }, email: '', has_intent: 'yes', client_id: 'theirs' };
	const leads = [{ ...odd, n8n_client_id: 'a' }];
	const rows = changesOf({ leads });
	const kept = { client_id: 'a', lead_id: '7', name: '{"first":"Ada"}', email: null };
	expect(rows).toMatchObject([{ ...kept, has_intent: null }]);
	expect(changesOf({ leads, rows })).toEqual([]);
});

it('the audit keeps the figures of the last complete reading, and says why there is no new one', () => {
	const past = { client_id: 'a', read_at: 'then', leads: 5, late_posts: 2, told: 'before' };
	const unread = { leads: [failed('a')], posts: [failed('a')], dashboard: [past] };
	const shown = shownOf({ ...unread, rows: [row('a', '1', { state: 'gone' })] });
	expect(shown).toMatchObject({ read_at: 'then', leads: 5, late_posts: 2, gone: 1, brought_in: 0 });
	expect(shown?.alert).toBe(
		'The leads could not be read: 403 forbidden. The posts could not be read: 403 forbidden.',
	);
	expect(shown).not.toHaveProperty('told');
});

it('the audit reports a client that is no longer listed', () => {
	const unlisted = { clients: [{}], leads: [{}], dashboard: [{ client_id: 'x' }, {}] };
	const alert = expect.stringContaining('No longer') as unknown;
	expect(audit(unlisted).dashboard).toMatchObject([{ client_id: 'x', alert }]);
});

it('the audit does not report leads of the first reading as new', () => {
	const foundAt = (...dashboard: Json[]) =>
		changesOf({ leads: [lead('a', '1')], dashboard })[0]?.found_at;
	const seen = { client_id: 'a', read_at: 'then' };
	const found = [foundAt(), foundAt({ ...seen, read_at: null }), foundAt(seen)];
	expect(found).toEqual([null, null, expect.any(String)]);
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

it.each([
	['scheduled', 20, 'Overdue posts that are not published: p.'],
	['publishing', 20, 'Overdue posts that are not published: p.'],
	['draft', 20, 'Overdue posts that are not published: p.'],
	['published', 20, null],
	['scheduled', 10, null],
	['scheduled', -60, null],
])('the watchdog of a post that is %s, %d minutes after its time: %p', (status, minutes, alert) => {
	const post = { id: 'p', client_id: 'a', status, scheduled_at: ago(minutes) };
	expect(shownOf({ posts: [post] })).toMatchObject({ alert });
});

it.each<[what: string, rows: Array<{ found?: number; brought?: number }>, tells: boolean]>([
	['a lead that was found long ago and never brought', [{ found: 240 }], true],
	['one that was found just now', [{ found: 60 }], false],
	['one that was brought', [{ found: 240, brought: 200 }], false],
	['one after which another was brought', [{ found: 240 }, { brought: 230 }], false],
	['one before which another was brought', [{ found: 240 }, { brought: 250 }], true],
	['the older one of two', [{ found: 240 }, { found: 10 }], true],
	['none', [{}], false],
])('the watchdog of %s tells so, unless it is gone by now: %p', (_, times, tells) => {
	const timeOf = (minutes?: number) => (minutes === undefined ? null : ago(minutes));
	const tellsOf = (state: string) => {
		const rows = times.map(({ found, brought }, at) =>
			row('a', `${at}`, { found_at: timeOf(found), delivered_at: timeOf(brought), state }),
		);
		const leads = state === 'gone' ? [{}] : times.map((__, at) => lead('a', `${at}`));
		return String(shownOf({ rows, leads })?.alert).includes('The trigger');
	};
	expect([tellsOf('active'), tellsOf('gone')]).toEqual([tells, false]);
});

const compare = codeOf('is-everything-all-right', 'What Has Changed', '$', '$input');

it.each([
	['every check, when it is seen for the first time', 'Key ok, Clock ok → Key ok, Clock ok'],
	['nothing while nothing changes', 'Key ok → Key ok', 'Key ok', 'Key ok'],
	[
		'a finding, and that it is fine again',
		'Clock ok → Clock ok',
		'Clock needs_you → Clock needs_you: Act.',
		'Clock needs_you',
		'Clock ok → Clock ok',
	],
	[
		'the findings of a check, and not what is fine there',
		'Clock ok, Clock needs_you a, Clock needs_you b → Clock needs_you: Act. For Name of a, Name of b',
	],
	[
		'that one more client is concerned, whatever their order',
		'Clients needs_you b a → Clients needs_you: Act. For Name of a, Name of b',
		'Clients needs_you a b',
		'Clients needs_you c, Clients needs_you a b → Clients needs_you: Act. For Name of a, Name of b, Name of c',
	],
	[
		'nothing of what could not be seen, which is neither better nor worse',
		...['Clock needs_you → Clock needs_you: Act.', 'Clock not_checked', 'Clock needs_you'],
	],
	['nothing of the summary', 'Summary needs_you'],
])('the diagnosis of every morning writes %s', (_, ...mornings) => {
	const table = new Map<unknown, Json>();
	for (const morning of mornings) {
		const [found = '', expected = ''] = morning.split(' → ');
		const checks = found.split(', ').map((words) => {
			const [check, result = '', ...ids] = words.split(' ');
			const clients = ids.map((id) => ({ client_id: id, client_name: `Name of ${id}` }));
			const do_next = result === 'ok' ? '' : 'Act.';
			return { check, clients, result, means: 'It matters.', do_next };
		});
		// A table without rows gives one empty item.
		const rows = table.size === 0 ? [{}] : [...table.values()];
		const written = compare(() => ({ all: () => itemsOf(checks) }), { all: () => itemsOf(rows) });
		const inWords = written.map(({ json: { check, result, do_next: next, clients } }) =>
			[
				`${String(check)} ${String(result)}`,
				next && `: ${String(next)}`,
				clients && ` For ${String(clients)}`,
			]
				.filter(Boolean)
				.join(''),
		);
		expect(inWords.join(', ')).toBe(expected);
		for (const { json } of written) {
			expect(Date.parse(String(json.since))).not.toBeNaN();
			table.set(json.check, { id: 1, ...json });
		}
	}
});
