// The examples that work for all clients; the rules of the audit's code are held by `npm test`.

import { setTimeout as pause } from 'node:timers/promises';

import type { Account } from '../../../fake-service';
import { inTime } from '../../../scripts/n8n/waiting';
import { gallery, rowsOf, run, stored, world } from './runs';
import { startMailServer, type MailServer } from './servers';
import { code } from './standIns';

let clients: [Account, Account, Account];
beforeAll(() => {
	const { clientA, clientB, clientC } = world();
	clients = [clientA, clientB, clientC];
});

describe('the audit of all clients', () => {
	let mail: MailServer;
	beforeAll(async () => {
		mail = await startMailServer();
		await run('create-crm-tables', 'Run Once');
		for (const client of clients) world().seedLeads(client, 130);
	});
	afterEach(() => gallery().service.faults.clear());
	afterAll(async () => await mail.close());

	const audit = async () =>
		await run(
			await stored('audit-and-watchdog', { credentials: { smtp: mail.credential } }),
			'Every Hour',
		);
	const leadsOf = async ({ id }: Account) =>
		(await rowsOf('Client leads')).filter(({ client_id }) => client_id === id);
	const shown = async ({ id }: Account) =>
		(await rowsOf('Client dashboard')).find(({ client_id }) => client_id === id);

	it('brings in every lead of every client, and then writes only what has changed', async () => {
		await audit();
		for (const client of clients) {
			const ids = client.leads.toArray().map(({ id }) => id);
			const rows = await leadsOf(client);
			expect(rows.map(({ lead_id }) => lead_id).sort()).toEqual(ids.sort());
			expect(await shown(client)).toMatchObject({
				...{ client_name: client.fullName, leads: ids.length, brought_in: ids.length },
				...{ updated: 0, missing: 0, gone: 0, last_delivery_at: null, alert: null },
			});
		}
		expect((await audit()).output('Changes')).toEqual([]);
		const [client] = clients;
		const [lead] = client.leads.toArray();
		world().patchLead(client, lead?.id ?? '', { name: 'Renamed', has_intent: true });
		expect((await audit()).output('Changes')).toMatchObject([{ name: 'Renamed' }]);
		expect(await leadsOf(client)).toContainEqual(
			expect.objectContaining({ lead_id: lead?.id, name: 'Renamed', has_intent: true }),
		);
	});

	it('marks what two whole readings have not shown, and tells once of what it cannot read', async () => {
		const [cut, endless, whole] = clients;
		const { faults } = gallery().service;
		for (const client of clients) world().removeLead(client, client.leads.at(0)?.id ?? '');
		const late = world().addPost(whole, {
			...{ status: 'scheduled', scheduled_at: new Date(Date.now() - 3_600_000).toISOString() },
		});
		const leads = { route: 'leads.list', count: Infinity };
		const later = ({ query }: { query: Record<string, string> }) => query.offset !== '0';
		faults.add({ kind: 'error', status: 403 }, { ...leads, when: later, clientId: cut.id });
		faults.add({ kind: 'neverEnding' }, { ...leads, clientId: endless.id });
		const before = mail.mails.length;
		for (let times = 0; times < 2; times += 1) await audit();
		const marked = async (client: Account) =>
			(await leadsOf(client)).flatMap(({ state }) => (state === 'active' ? [] : [state]));
		expect(await Promise.all(clients.map(marked))).toEqual([[], [], ['gone']]);
		expect((await shown(cut))?.alert).toBe('The leads could not be read: 403 forbidden.');
		expect((await shown(endless))?.alert).toBe('The leads could not be read: incomplete_list.');
		expect(await shown(whole)).toMatchObject({ leads: whole.leads.size, late_posts: 1 });
		const told = mail.mails.slice(before).join('\n');
		for (const client of clients) expect(told.split(client.fullName)).toHaveLength(2);
		expect(told).toContain(late.id);
		faults.clear();
		world().patchPost(whole, late.id, { status: 'published' });
		await audit();
		expect(await marked(cut)).toEqual(['missing']);
		expect(await shown(whole)).toMatchObject({ late_posts: 0, alert: null, told: null });
	});
});

describe('an example for clients', () => {
	it('schedules the ready rows of a calendar, each once, and changes the post of an edited row', async () => {
		const { api } = gallery();
		await run('create-crm-tables', 'Run Once');
		const table = await api.tableId('Content calendar');
		const texts = [
			'What we learned',
			'x'.repeat(3001),
			'What comes next',
			'What comes last',
			'Idea',
		];
		const names = texts.map((_, at) => `week-${at}`);
		await api.addRows(
			table,
			texts.map((text, at) => ({
				...{ text, post: names[at], time_zone: 'Europe/Berlin' },
				status: at === 4 ? 'idea' : 'ready',
				client_name: at === 3 ? 'Nobody' : (clients[at % 2]?.fullName ?? ''),
			})),
		);
		const calendar = async () => {
			await run(workflow, 'Every Hour');
			return new Map((await api.rows(table)).map((row) => [row.post, row]));
		};
		const workflow = await stored('content-calendar');
		const made = () =>
			clients.flatMap(({ posts }) =>
				posts.toArray().filter(({ notes }) => /week-\d/.test(String(notes))),
			);

		const first = await calendar();
		const results = (rows: Awaited<ReturnType<typeof calendar>>) =>
			names.map((name) => rows.get(name)?.result ?? null);
		expect(results(first)).toEqual(['created', 'refused', 'created', 'refused', null]);
		expect(first.get('week-1')?.problem).toContain('3001 characters');
		expect(first.get('week-3')?.problem).toContain('"Client" is not the name of a client');
		expect(made().map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
		// Of one client, on two days.
		const days = made().map(({ scheduled_at: time }) => String(time).slice(0, 10));
		expect(new Set(days).size).toBe(2);

		const data = { text: 'What we really learned' };
		await api.editRows(table, { column: 'post', value: 'week-0', data });
		await api.editRows(table, { column: 'post', value: 'week-4', data: { status: 'ready' } });
		const before = new Map(made().map(({ id, scheduled_at: time }) => [id, time]));
		const second = await calendar();
		expect(results(second)).toEqual(['updated', 'refused', 'unchanged', 'refused', 'created']);
		expect(made()).toHaveLength(3);
		const [changed] = made().filter(({ text }) => text === data.text);
		expect(changed?.id).toBe(first.get('week-0')?.post_id);
		// The edited text does not move the post.
		expect(changed?.scheduled_at).toBe(before.get(changed?.id ?? ''));

		const later = new Date(Date.now() + 40 * 24 * 3_600_000);
		later.setUTCSeconds(0, 0);
		await api.editRows(table, {
			...{ column: 'post', value: 'week-2', data: { scheduled_at: later.toISOString() } },
		});
		expect(results(await calendar())[2]).toBe('updated');
		const moved = made().find(({ id }) => id === first.get('week-2')?.post_id);
		expect(Date.parse(String(moved?.scheduled_at))).toBe(later.getTime());
	});

	it('schedules of each client what that client approved, whoever else does not answer', async () => {
		const rows = clients.map(({ id: client_id }, at) => ({
			...{ id: `asked-${at}`, client_id, client_email: `${at}@example.com` },
			...{ text: `Asked ${at}`, time_zone: 'Europe/Berlin', status: 'to approve' },
		}));
		const workflow = await stored('approval-by-each-client', {
			pinned: { 'Read Rows to Approve': rows },
			// The first one approves, the second one rewrites, the third one lets the time pass.
			instead: {
				'Ask the Client': () =>
					code(`const [at] = $json.client_email;
						if (at === '2') await new Promise((done) => setTimeout(done, 5000));
						const data = { '1. Your answer': at === '0' ? 'Publish' : 'Please change' };
						if (at === '1') data['1. New text'] = 'In our own words';
						return [{ json: at === '2' ? $json : { data } }];`),
			},
		});
		const { output } = await run(workflow, 'Monday Morning');
		expect(output('Group by Client')).toHaveLength(3);
		const asked = () =>
			clients.map(({ posts }) => posts.toArray().filter(({ text }) => /^Asked/.test(text)).length);
		await inTime('The approved post', () => asked()[0] === 1);
		// By then the third one has ended, too.
		await pause(8_000);
		expect(asked()).toEqual([1, 0, 0]);
	});

	it('shows a client a form with each post, and reads the answers from it', async () => {
		const mail = await startMailServer();
		const [client] = clients;
		const rows = ['Our first <post> for $& 5', 'Our second post'].map((text, at) => ({
			...{ id: `form-${at}`, client_id: client.id, client_email: 'a@example.com', text },
			...{ time_zone: 'Europe/Berlin', status: 'to approve' },
		}));
		const workflow = await stored('approval-by-each-client', {
			...{ pinned: { 'Read Rows to Approve': rows }, credentials: { smtp: mail.credential } },
		});
		await run(workflow, 'Monday Morning');
		const link = await inTime(
			'The form',
			() => /href="(http[^"]+)"/.exec(mail.mails.join(''))?.[1],
		);
		const page = await (await fetch(link.replaceAll('&amp;', '&'))).text();
		for (const shown of ['Our first &lt;post&gt; for', '2. Your answer', 'Do not publish'])
			expect(page).toContain(shown);
		const form = new FormData();
		const given = ['Do not publish', '', '', 'Publish', '', ''];
		given.forEach((value, at) => form.set(`field-${at < 3 ? at + 1 : at + 2}`, value));
		await fetch(link.replaceAll('&amp;', '&'), { method: 'POST', body: form });
		await inTime('The approved post', () =>
			client.posts.toArray().some(({ text }) => text === 'Our second post'),
		);
		expect(client.posts.toArray().some(({ text }) => text.startsWith('Our first'))).toBe(false);
		await mail.close();
	});

	it('reports on every client compared with the week before, one row for each week', async () => {
		await run('create-crm-tables', 'Run Once');
		const workflow = await stored('weekly-report-of-clients');
		await run(workflow, 'Monday Morning');
		const { output } = await run(workflow, 'Monday Morning');
		const ids = (await rowsOf('Client weeks')).map(({ client_id }) => client_id);
		expect(ids.length).toBeGreaterThan(1);
		expect(new Set(ids).size).toBe(ids.length);
		expect(output('Send the Report')).toHaveLength(1);
	});
});
