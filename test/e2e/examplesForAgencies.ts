// The example that compares what the service says of every client with the tables of n8n.

import type { Gallery } from '../../scripts/n8n/gallery';
import { asRecord, type ExecutionResult, type JsonRecord } from '../../scripts/n8n/n8nApi';
import type { Account } from '../../fake-service';
import { startMailServer, type MailServer } from './chatModel';
import { activate, credentialFor, run, stored, until } from './exampleRuns';

const FROM = 'Every Hour';

export function describeAgencies(gallery: () => Gallery): void {
	describe('the audit of all clients', () => {
		let mail: MailServer;
		let clients: Account[];
		beforeAll(async () => {
			mail = await startMailServer();
			await run(gallery(), await stored(gallery(), 'create-crm-tables'), 'Run Once');
			const { world } = gallery().service;
			clients = [world.clientA, world.clientB, world.clientC];
			for (const client of clients) world.seedLeads(client, 130);
		});
		afterEach(() => gallery().service.faults.clear());
		afterAll(async () => await mail.close());

		const audit = async ({ silentHours = 3 } = {}): Promise<ExecutionResult> => {
			const prepared = await gallery().prepared('audit-and-watchdog');
			const smtp = await credentialFor(gallery(), 'smtp', mail.credential);
			for (const { name, parameters, credentials } of prepared.nodes) {
				if (credentials?.smtp) credentials.smtp = smtp;
				if (name === 'Settings')
					for (const one of asRecord(parameters.assignments).assignments as JsonRecord[])
						if (one.name === 'silent_hours') one.value = silentHours;
			}
			return await run(gallery(), await gallery().api.createWorkflow(prepared), FROM);
		};
		const table = async (name: string) => {
			const { api } = gallery();
			return await api.rows(await api.tableId(name));
		};
		const rowsOf = async ({ id }: Account) =>
			(await table('Client leads')).filter(({ client_id }) => client_id === id);
		const rowOf = async (client: Account, lead: string) =>
			(await rowsOf(client)).find(({ lead_id }) => lead_id === lead);
		const shown = async ({ id }: Account) =>
			(await table('Client dashboard')).find(({ client_id }) => client_id === id);
		const firstLeadOf = ({ leads }: Account): string => leads.toArray()[0]?.id ?? '';
		const idsIn = (rows: JsonRecord[]) => rows.map(({ lead_id }) => lead_id).sort();

		it('brings in every lead of every client, and then writes nothing until something changes', async () => {
			const { world } = gallery().service;
			await audit();
			for (const client of clients) {
				const leads = client.leads.toArray();
				expect(idsIn(await rowsOf(client))).toEqual(leads.map(({ id }) => id).sort());
				expect(await shown(client)).toMatchObject({
					...{ client_name: client.fullName, leads: leads.length, brought_in: leads.length },
					...{ updated: 0, missing: 0, gone: 0, last_delivery_at: null },
				});
			}
			expect((await audit()).output('Changes')).toEqual([]);
			const [client] = clients as [Account];
			const id = firstLeadOf(client);
			world.patchLead(client, id, { name: 'Renamed', has_intent: true });
			const changes = (await audit()).output('Changes');
			expect(changes).toMatchObject([{ lead_id: id, name: 'Renamed' }]);
			expect(await rowOf(client, id)).toMatchObject({ name: 'Renamed', has_intent: true });
			expect(await shown(client)).toMatchObject({ brought_in: 0, updated: 1 });
		});

		it('marks what is gone, once two whole readings have not shown it, and takes it back', async () => {
			const [, client] = clients as [Account, Account];
			const { world } = gallery().service;
			const lead = client.leads.toArray()[3];
			world.removeLead(client, lead?.id ?? '');
			const states: unknown[] = [];
			for (let times = 0; times < 3; times += 1) {
				await audit();
				states.push((await rowOf(client, lead?.id ?? ''))?.state);
			}
			expect(states).toEqual(['missing', 'gone', 'gone']);
			expect(await shown(client)).toMatchObject({ missing: 0, gone: 1, alert: null });
			world.addLead(client, lead);
			await audit();
			expect(await rowOf(client, lead?.id ?? '')).toMatchObject({ state: 'active' });
			expect(await shown(client)).toMatchObject({ gone: 0 });
		});

		it('marks nothing of a list that was not read to its end, and goes on with the others', async () => {
			const [cut, endless, whole] = clients as [Account, Account, Account];
			const { faults, world } = gallery().service;
			for (const client of clients) world.removeLead(client, firstLeadOf(client));
			const later = {
				when: ({ query }: { query: Record<string, string> }) => query.offset !== '0',
			};
			const leads = { route: 'leads.list', count: Infinity };
			faults.add({ kind: 'error', status: 403 }, { ...leads, ...later, clientId: cut.id });
			faults.add({ kind: 'neverEnding' }, { ...leads, clientId: endless.id });
			for (let times = 0; times < 2; times += 1) await audit();
			const marked = async (client: Account) =>
				(await rowsOf(client)).flatMap(({ state }) => (state === 'active' ? [] : [state]));
			expect(await marked(cut)).toEqual([]);
			expect(await marked(endless)).toEqual([]);
			expect(await marked(whole)).toEqual(['gone']);
			expect(await shown(cut)).toMatchObject({
				alert: 'The leads could not be read: 403 forbidden.',
				missing: 0,
			});
			expect(await shown(endless)).toMatchObject({
				alert: 'The leads could not be read: incomplete_list.',
			});
			expect(await shown(whole)).toMatchObject({ alert: null, leads: whole.leads.size });
			faults.clear();
			await audit();
			expect(await marked(cut)).toEqual(['missing']);
			expect(await shown(cut)).toMatchObject({ alert: null, missing: 1 });
		});

		it('tells of a post that is late, once', async () => {
			const [client] = clients as [Account];
			const { world } = gallery().service;
			const past = new Date(Date.now() - 3_600_000).toISOString();
			const { id } = world.addPost(client, { status: 'scheduled', scheduled_at: past });
			const before = mail.mails.length;
			for (let times = 0; times < 2; times += 1) await audit();
			expect(mail.mails.slice(before)).toHaveLength(1);
			expect(mail.mails.at(-1)).toContain(client.fullName);
			expect(mail.mails.at(-1)).toContain(id);
			expect(await shown(client)).toMatchObject({ late_posts: 1 });
			world.patchPost(client, id, { status: 'published' });
			await audit();
			expect(await shown(client)).toMatchObject({ late_posts: 0, alert: null, told: null });
		});

		it('tells of a trigger that brings nothing although there is something new', async () => {
			const [, client] = clients as [Account, Account];
			const { api, service } = gallery();
			await audit({ silentHours: 0 });
			expect(await shown(client)).toMatchObject({ alert: null });
			const { id } = service.world.addLead(client);
			await audit({ silentHours: 0 });
			expect(await rowOf(client, id)).toMatchObject({ delivered_at: null });
			await audit({ silentHours: 3 });
			expect(await shown(client)).toMatchObject({ alert: null });
			await audit({ silentHours: 0 });
			expect((await shown(client))?.alert).toContain('The trigger has brought nothing');

			const trigger = await stored(gallery(), 'all-clients-new-leads');
			await activate(gallery(), trigger);
			await until(async () => ((await rowOf(client, id))?.delivered_at ? true : undefined));
			await api.deactivate(trigger);
			await audit({ silentHours: 0 });
			expect(await shown(client)).toMatchObject({
				alert: null,
				last_delivery_at: expect.stringContaining('T') as string,
			});
		});
	});
}
