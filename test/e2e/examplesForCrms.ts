// The examples whose targets can be imitated whole: Pipedrive by a table of n8n, PostgreSQL by itself.

import { existsSync } from 'node:fs';

import type { Gallery } from '../../scripts/n8n/gallery';
import { asRecord, type JsonRecord } from '../../scripts/n8n/n8nApi';
import { activate, credentialFor, run, stored, until } from './exampleRuns';
import { startPostgres } from './queue/servers';
import { findRows, insertRow, tableMaker, withStandIns } from './standIns';

/** Debian's, which is what `startPostgres` looks for first. */
function hasPostgres(): boolean {
	return existsSync('/usr/lib/postgresql');
}

export function describeCrms(gallery: () => Gallery): void {
	describe('the example for Pipedrive', () => {
		it('creates a person in Pipedrive once, however many leads share an address', async () => {
			const { api, service } = gallery();
			const { world } = service;
			const PERSONS = 'Persons';
			await run(
				gallery(),
				await api.createWorkflow(tableMaker(PERSONS, ['name', 'email'])),
				'Start',
			);
			const emails = { work: 'shared@work.example', submitted: null, personal: null };
			for (let times = 0; times < 3; times++) world.addLead(world.own, { emails });
			const workflow = await stored(gallery(), 'new-leads-to-pipedrive', {
				'New Lead With Email': ({ parameters }) => ({
					parameters: { ...parameters, options: { emitExisting: true } },
				}),
				'Search Person': ({ parameters }) => findRows(PERSONS, 'email', String(parameters.term)),
				'Create Person': ({ parameters }) => {
					const { emails: list } = asRecord(parameters.additionalFields);
					const [first] = asRecord(list).emailProperties as JsonRecord[];
					return insertRow(PERSONS, { name: parameters.name, email: first?.value });
				},
			});
			await activate(gallery(), workflow);
			const leads = world.own.leads.toArray();
			const addresses = leads.flatMap(({ emails: { work, submitted, personal } }) => {
				const email = work ?? submitted ?? personal;
				return email === null ? [] : [email];
			});
			const wanted = [...new Set(addresses)].sort();
			const id = await api.tableId(PERSONS);
			await until(async () => ((await api.countRows(id)) >= wanted.length ? true : undefined));
			await api.deactivate(workflow);
			expect((await api.rows(id)).map(({ email }) => email).sort()).toEqual(wanted);
		});
	});

	describe('the example for PostgreSQL', () => {
		// Where it is not installed, this is left out: to install it is up to the person.
		const where = hasPostgres() ? it : it.skip;

		where('fills the table of its note, with one row for each lead', async () => {
			const { api, service } = gallery();
			const postgres = await startPostgres();
			try {
				const { port, user, password } = postgres;
				await postgres.ask('postgres', 'create database crm');
				const prepared = await gallery().prepared('new-leads-to-postgres');
				const notes = prepared.nodes.map(({ parameters }) => String(parameters.content ?? ''));
				const statement = /```sql\n([\s\S]+?)```/.exec(notes.join('\n'))?.[1] ?? '';
				await postgres.ask('crm', statement);
				const address = { host: '127.0.0.1', port, database: 'crm', ssl: 'disable' };
				const crm = await credentialFor(gallery(), 'postgres', { ...address, user, password });
				const workflow = await api.createWorkflow(
					withStandIns(prepared, {
						'New Lead': ({ parameters }) => ({
							parameters: { ...parameters, options: { emitExisting: true } },
						}),
						'Upsert Lead': () => ({ credentials: { postgres: crm } }),
					}),
				);
				await activate(gallery(), workflow);
				const leads = service.world.own.leads.toArray();
				const columns = 'lead_id, name, email, keyword, has_intent, qualification_status';
				const rows = await until(async () => {
					const lines = await postgres.ask(
						'crm',
						`select row_to_json(r) from (select ${columns} from leads) r`,
					);
					return lines.length >= leads.length ? lines : undefined;
				});
				await api.deactivate(workflow);
				const wanted = leads.map(({ id, name, latest_keyword: keyword, ...lead }) => {
					const { emails, has_intent, qualification_status } = lead;
					const email = emails.work ?? emails.submitted ?? emails.personal;
					return JSON.stringify({
						...{ lead_id: id, name, email, keyword, has_intent, qualification_status },
					});
				});
				const found = rows.map((row) => JSON.stringify(JSON.parse(row)));
				expect(found.sort()).toEqual(wanted.sort());
			} finally {
				await postgres.stop();
			}
		});
	});
}
