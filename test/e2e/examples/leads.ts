// The examples that bring leads somewhere: whole where n8n's tables and PostgreSQL are all they need,
// otherwise up to what they would have sent.

import { existsSync } from 'node:fs';

import { agrees, compareLeads } from '../../../scripts/demo/ledger';
import { EXAMPLE_NAMES, readExample } from '../../../scripts/n8n/examples';
import { asRecord } from '../../../scripts/n8n/n8nApi';
import { inTime, until } from '../../../scripts/n8n/waiting';
import { isOurs } from '../../docs/example';
import { createCrm, crmRows, startPostgres } from '../databaseServers';
import { expectFilled } from './filled';
import { rowsOf, run, stored, whileActive, world } from './runs';
import { startPersons } from './servers';
import { asking, emitting, isElsewhere } from './standIns';

const emailOf = ({
	emails,
}: {
	emails: Record<'work' | 'submitted' | 'personal', string | null>;
}) => emails.work ?? emails.submitted ?? emails.personal;

it('the example that reconciles all leads stores none twice, however often it runs', async () => {
	await run('create-crm-tables', 'Run Once');
	const workflow = await stored('reconcile-leads');
	for (let times = 0; times < 2; times += 1) await run(workflow, 'Every Night');
	const rows = await rowsOf('Own leads');
	const ids = world()
		.own.leads.toArray()
		.map(({ id }) => id);
	const all = rows.map(({ lead_id: id }) => String(id));
	// Another example leaves these rows.
	const own = all.filter((id) => !id.startsWith('stranger-'));
	expect(own.sort()).toEqual(ids.sort());
});

it.each([
	...['keyword-comments-to-slack', 'new-leads-to-airtable'],
	...['new-leads-to-google-sheets', 'new-leads-to-highlevel', 'new-leads-to-hubspot'],
	...['new-leads-to-notion', 'new-leads-to-salesforce'],
])('%s has something to send', async (file) => {
	const name = EXAMPLE_NAMES.find((one) => one === file) ?? 'read-leads';
	world().comment(world().own, 'GUIDE');
	const { nodes } = readExample(name);
	const { output } = await run(name, nodes.find(isOurs)?.name ?? '');
	expectFilled(output(nodes.find(isElsewhere)?.name ?? ''));
});

it('the example for Pipedrive creates a person once, however many leads share an address', async () => {
	const { own } = world();
	const emails = { work: 'shared@work.example', submitted: null, personal: null };
	for (let times = 0; times < 3; times++) world().addLead(own, { emails });
	const { port, persons, close } = await startPersons();
	const workflow = await stored('new-leads-to-pipedrive', {
		instead: {
			'New Lead With Email': emitting,
			'Search Person': ({ parameters: { term } }) => asking('GET', port, { email: term }),
			'Create Person': ({ parameters: { name, additionalFields } }) => {
				const { emailProperties } = asRecord(asRecord(additionalFields).emails);
				const { 0: first } = asRecord(emailProperties);
				return asking('POST', port, { name, email: asRecord(first).value });
			},
		},
	});
	const wanted = [...new Set(own.leads.toArray().map(emailOf))].filter((one) => one !== null);
	await whileActive(workflow, () => inTime('All persons', () => persons.length >= wanted.length));
	await close();
	expect(persons.map(({ email }) => email).sort()).toEqual(wanted.sort());
});

// Where it is not installed, this is left out: to install it is up to the person.
const withPostgres = existsSync('/usr/lib/postgresql') ? it : it.skip;

withPostgres(
	'the example for PostgreSQL fills the table of its note, a row for each lead',
	async () => {
		const postgres = await startPostgres();
		try {
			const workflow = await stored('new-leads-to-postgres', {
				instead: { 'New Lead': emitting },
				credentials: { postgres: await createCrm(postgres) },
			});
			const leads = world().own.leads.toArray();
			const rows = await whileActive(workflow, () =>
				until(() => crmRows(postgres), { isEnough: ({ length }) => length >= leads.length }),
			);
			const compared = compareLeads('PostgreSQL', leads, rows);
			expect([compared, agrees(compared)]).toEqual([compared, true]);
		} finally {
			await postgres.stop();
		}
	},
);

it('the example that scores leads has a row for each person, however the address is spelled', async () => {
	const { own } = world();
	await run('create-crm-tables', 'Run Once');
	const rowsFor = async (person: string) =>
		(await rowsOf('Scored leads')).filter((row) => row.person === person);
	const arrived = async (person: string) =>
		await inTime(`The row of ${person}`, async () => (await rowsFor(person)).length > 0);
	const emails = { work: null, submitted: null, personal: null };
	const person = 'https://network.example/in/Zora-Q';
	const keyword = { latest_keyword: 'GUIDE' };
	const cold = { ...keyword, has_intent: false, qualification_status: 'pending', emails };
	const url = 'HTTPS://www.Network.example/in/Zora-Q#about';
	await whileActive(await stored('score-leads'), async () => {
		world().addLead(own, { ...cold, network_profile_url: `${person}/?from=post` });
		await arrived(person);
		expect(await rowsFor(person)).toMatchObject([{ score: 10, grade: 'cold' }]);
		const { id } = world().addLead(own, {
			...{ ...keyword, has_intent: true, qualification_status: 'qualified' },
			...{ emails: { ...emails, work: 'z@work.example' }, network_profile_url: url },
		});
		await arrived(world().addLead(own, { ...cold, network_profile_url: '' }).id);
		expect(await rowsFor(person)).toMatchObject([
			{ score: 100, grade: 'hot', lead_id: id, profile_url: url },
		]);
	});
	expect((await rowsFor(person))[0]?.because).toContain('work email');
	const persons = (await rowsOf('Scored leads')).map((row) => row.person);
	expect(new Set(persons).size).toBe(persons.length);
});
