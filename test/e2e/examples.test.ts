// Every example against the nodes of a real n8n, and run in it: wholly where n8n and the played
// service are all it needs, otherwise up to what it would have sent to others.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { INodeTypeDescription } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { isOurs, readExamples } from '../docs/example';
import { parameterProblems } from '../docs/parameters';
import { newVersion, type Post } from '../service';
import { openBrowser, provideChromium } from './chromium';
import { Editor } from './editor';
import { readExample, type ExampleName } from './examples';
import { HOST } from './folders';
import { openGallery, type Gallery } from './gallery';
import { asRecord, type JsonRecord, type StoredWorkflow } from './n8nApi';
import { review } from './review';
import { startPostgres } from './servers';
import { logIn } from './session';
import { findRows, insertRow, isElsewhere, tableMaker, withStandIns } from './standIns';

const INSTALL_AND_START_MS = 900_000;
const PATIENCE_MS = 60_000;
const NODES = join(HOST, 'node_modules', 'n8n-nodes-base', 'dist', 'types', 'nodes.json');

let gallery: Gallery;

beforeAll(async () => {
	gallery = await openGallery();
}, INSTALL_AND_START_MS);

afterAll(async () => {
	await gallery?.close();
}, 60_000);

type StandIns = Parameters<typeof withStandIns>[1];

async function stored(name: ExampleName, standIns?: StandIns): Promise<StoredWorkflow> {
	const prepared = await gallery.prepared(name);
	return await gallery.api.createWorkflow(withStandIns(prepared, standIns));
}

/** From its first node to its end, and what each node put out. */
async function run(workflow: StoredWorkflow, from: string) {
	const id = await gallery.api.run(workflow, from);
	return await until(async () => {
		const execution = await gallery.api.execution(id);
		if (['new', 'running', 'waiting'].includes(execution.status)) return undefined;
		expect({ status: execution.status, problem: execution.problem }).toEqual({
			status: 'success',
			problem: '',
		});
		return execution;
	});
}

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const found = await find();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error('it did not come in time');
		await pause(250);
	}
}

async function activate(workflow: StoredWorkflow): Promise<void> {
	await gallery.api.activate(workflow);
	await until(async () => ((await gallery.api.isPublished(workflow)) ? true : undefined));
}

/** Debian's, which is what `startPostgres` looks for first. */
function hasPostgres(): boolean {
	return existsSync('/usr/lib/postgresql');
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** No field may be empty in all items. */
function expectFilled(items: readonly JsonRecord[]): void {
	expect(items.length).toBeGreaterThan(0);
	const names = new Set(items.flatMap((item) => Object.keys(item)));
	const empty = [...names].filter((name) => items.every((item) => isEmpty(item[name])));
	expect({ names: names.size > 0, empty }).toEqual({ names: true, empty: [] });
}

describe('the nodes of n8n', () => {
	it('have every parameter that the examples set, and no example uses an old version', () => {
		const all = JSON.parse(readFileSync(NODES, 'utf8')) as INodeTypeDescription[];
		const problems = readExamples().flatMap(({ file, nodes }) =>
			nodes
				.filter((node) => !isOurs(node))
				.flatMap((node) => {
					const versions = all.filter(({ name }) => `n8n-nodes-base.${name}` === node.type);
					const numbers = versions.flatMap(({ version }) => version);
					const description = versions.find(({ version }) =>
						[version].flat().includes(node.typeVersion),
					);
					const found =
						description === undefined
							? ['is of no known version']
							: parameterProblems(node, description);
					const newest = Math.max(...numbers);
					const old = newest === node.typeVersion ? [] : [`is older than ${newest}`];
					const known = (description?.credentials ?? []).map(({ name }) => name);
					const strange = Object.keys(node.credentials ?? {})
						.filter((name) => !known.includes(name))
						.map((name) => `takes no credential ${name}`);
					return [...found, ...old, ...strange].map((one) => `${file}: "${node.name}" ${one}`);
				}),
		);
		expect(problems).toEqual([]);
	});
});

describe('an example with a schedule', () => {
	it('reconciles all leads, without a double however often it runs', async () => {
		const { api, service } = gallery;
		await run(await stored('create-crm-tables'), 'Run Once');
		const workflow = await stored('reconcile-leads');
		await run(workflow, 'Every Night');
		await run(workflow, 'Every Night');
		const rows = await api.rows(await api.tableId('Own leads'));
		const leads = service.world.own.leads.toArray();
		expect(rows.map(({ lead_id: id }) => id).sort()).toEqual(leads.map(({ id }) => id).sort());
	});

	it('reports on every lead magnet and published post', async () => {
		const { own } = gallery.service.world;
		const { output } = await run(await stored('weekly-report'), 'Monday Morning');
		expect(output('Name the Magnet')).toHaveLength(own.leadMagnets.size);
		const published = own.posts.toArray().filter(({ status }) => status === 'published');
		expect(output('Name the Post')).toHaveLength(published.length);
		const [mail, ...others] = output('Send the Report');
		expect(others).toEqual([]);
		expectFilled([mail ?? {}]);
		expect(String(mail?.html).match(/<table/g)).toHaveLength(2);
		expect(String(mail?.html)).not.toContain('There are none');
	});

	it('schedules the ready rows of a calendar, and notes what was refused', async () => {
		const rows = [
			{ row_number: 2, status: 'ready', text: 'What we learned', scheduled_at: '', post_id: '' },
			{ row_number: 3, status: 'ready', text: 'x'.repeat(3001), scheduled_at: '', post_id: '' },
			{ row_number: 4, status: 'ready', text: 'What comes next', scheduled_at: '', post_id: '' },
		];
		const prepared = withStandIns(await gallery.prepared('content-calendar'));
		const pinData = { 'Read Ready Rows': rows.map((json) => ({ json })) };
		const workflow = await gallery.api.createWorkflow({ ...prepared, pinData });
		const { output } = await run(workflow, 'Monday Morning');
		const times = output('Spread Over the Week').map((row) => Date.parse(String(row.scheduled_at)));
		// One post a day.
		expect(new Set(times.map((time) => new Date(time).getUTCDate())).size).toBe(rows.length);
		expect(output('Take the Rows')).toHaveLength(rows.length);
		expect(output('Note the Post').map((row) => row['columns.value.row_number'])).toEqual([
			'2',
			'4',
		]);
		const [problem, ...others] = output('Note the Problem');
		expect(others).toEqual([]);
		expect(problem?.['columns.value.row_number']).toBe('3');
		expect(problem?.['columns.value.problem']).toContain('3001 characters');
		const { own } = gallery.service.world;
		const made = own.posts.toArray().filter(({ text }) => rows.some((row) => row.text === text));
		expect(made.map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
	});
});

describe('an example for another service', () => {
	const [hubspot, sheets, slack] = [
		'new-leads-to-hubspot',
		'new-leads-to-google-sheets',
		'keyword-comments-to-slack',
	] as const;

	it.each([hubspot, sheets, slack])('%s has something to send', async (name) => {
		const { own } = gallery.service.world;
		gallery.service.world.comment(own, 'GUIDE');
		const { nodes } = readExample(name);
		const [trigger, node] = [nodes.find(isOurs), nodes.find(isElsewhere)];
		const { output } = await run(await stored(name), trigger?.name ?? '');
		expectFilled(output(node?.name ?? ''));
	});

	it('creates a person in Pipedrive once, however many leads share an address', async () => {
		const { api, service } = gallery;
		const { world } = service;
		const PERSONS = 'Persons';
		await run(await api.createWorkflow(tableMaker(PERSONS, ['name', 'email'])), 'Start');
		const emails = { work: 'shared@work.example', submitted: null, personal: null };
		for (let times = 0; times < 3; times++) world.addLead(world.own, { emails });
		const workflow = await stored('new-leads-to-pipedrive', {
			'New Lead With Email': ({ parameters }) => ({
				parameters: { ...parameters, options: { emitExisting: true } },
			}),
			'Search Person': ({ parameters }) =>
				findRows({ table: PERSONS, column: 'email', value: String(parameters.term) }),
			'Create Person': ({ parameters }) => {
				const { emails: list } = asRecord(parameters.additionalFields);
				const [first] = asRecord(list).emailProperties as JsonRecord[];
				return insertRow(PERSONS, { name: parameters.name, email: first?.value });
			},
		});
		await activate(workflow);
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
		const { api, n8n, service } = gallery;
		const postgres = await startPostgres();
		try {
			const { port, user, password } = postgres;
			await postgres.ask('postgres', 'create database crm');
			const prepared = await gallery.prepared('new-leads-to-postgres');
			const notes = prepared.nodes.map(({ parameters }) => String(parameters.content ?? ''));
			const statement = /```sql\n([\s\S]+?)```/.exec(notes.join('\n'))?.[1] ?? '';
			await postgres.ask('crm', statement);
			const session = await logIn(n8n.url);
			const address = { host: '127.0.0.1', port, database: 'crm', ssl: 'disable' };
			const data = { ...address, user, password };
			const id = await session.createCredential('CRM', 'postgres', data);
			const workflow = await api.createWorkflow(
				withStandIns(prepared, {
					'New Lead': ({ parameters }) => ({
						parameters: { ...parameters, options: { emitExisting: true } },
					}),
					'Upsert Lead': () => ({ credentials: { postgres: { id, name: 'CRM' } } }),
				}),
			);
			await activate(workflow);
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
			const wanted = leads.map((lead) => {
				const { work, submitted, personal } = lead.emails;
				return JSON.stringify({
					lead_id: lead.id,
					name: lead.name,
					email: work ?? submitted ?? personal,
					keyword: lead.latest_keyword,
					has_intent: lead.has_intent,
					qualification_status: lead.qualification_status,
				});
			});
			const found = rows.map((row) => JSON.stringify(JSON.parse(row)));
			expect(found.sort()).toEqual(wanted.sort());
		} finally {
			await postgres.stop();
			rmSync(postgres.folder, { recursive: true, force: true });
		}
	});
});

describe('an example for posts', () => {
	it('starts Fast Response when a post is published', async () => {
		const { world } = gallery.service;
		const workflow = await stored('fast-response-on-new-post');
		await activate(workflow);
		const post = world.own.posts.toArray().find(({ status }) => status === 'draft');
		world.patchPost(world.own, post?.id ?? '', { status: 'published' });
		await until(async () => (world.own.boosts.length > 0 ? true : undefined));
		await gallery.api.deactivate(workflow);
		expect(world.own.boosts).toMatchObject([{ post: post?.id, interval: 5, duration: 60 }]);
	});

	describe('corrects a published one', () => {
		let browser: Browser;
		let editor: Editor;
		let url: string;
		beforeAll(async () => {
			await provideChromium();
			browser = await openBrowser();
			editor = await Editor.open(browser, gallery.n8n.url);
			const workflow = await stored('correct-published-post');
			await activate(workflow);
			const form = workflow.nodes.find(({ name }) => name === 'Correction');
			url = `${gallery.n8n.url}/form/${String(form?.webhookId)}`;
		}, 180_000);
		afterAll(async () => await browser?.close());

		const correct = async (given: { decision: string; meanwhile?: (post: Post) => void }) => {
			const { world } = gallery.service;
			const stale = world.addPost(world.own, { status: 'published', text: 'Costs <5 $' });
			const { id } = stale;
			const text = 'Now costs\n<4 $& more';
			const { decision } = given;
			const meanwhile = () => given.meanwhile?.(stale);
			const seen = await review(editor.page, { url, post: ` ${id}`, text, decision, meanwhile });
			expect(seen.compared).toContain('Costs <5 $');
			expect(seen.compared).toContain('<4 $& more');
			return { end: seen.end, text, post: world.own.posts.get(id)?.text };
		};

		it('after a look at both texts', async () => {
			const { end, text, post } = await correct({ decision: 'Publish the new text' });
			expect(end).toContain('Corrected');
			expect(post).toBe(text);
		});

		it('unless it is to stay', async () => {
			const { end, post } = await correct({ decision: 'Leave the post as it is' });
			expect(end).toContain('Nothing was sent');
			expect(post).toBe('Costs <5 $');
		});

		it('unless somebody else has changed it meanwhile', async () => {
			const { end, post } = await correct({
				decision: 'Publish the new text',
				meanwhile: (changed) =>
					newVersion(gallery.service.world, changed, 'Changed by somebody else'),
			});
			expect(end).toContain('Not corrected');
			expect(post).toBe('Changed by somebody else');
		});
	});
});
