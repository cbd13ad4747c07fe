// Every example against the nodes of a real n8n, and run in it: wholly where n8n and the fake
// service are all it needs, otherwise up to what it would have sent to others.

import { setTimeout as pause } from 'node:timers/promises';

import type { INodeTypeDescription } from 'n8n-workflow';

import { readExample } from '../../scripts/n8n/examples';
import { openGallery, type Gallery } from '../../scripts/n8n/gallery';
import { CREDENTIAL_TYPE, type JsonRecord } from '../../scripts/n8n/n8nApi';
import { isOurs, readExamples } from '../docs/example';
import { parameterProblems } from '../docs/parameters';
import { activate, run, stored, until } from './exampleRuns';
import { describeAgencies } from './examplesForAgencies';
import { describeAgents } from './examplesForAgents';
import { describeCrms } from './examplesForCrms';
import { describeForms } from './examplesForForms';
import { describeMcp } from './examplesForMcp';
import { describePosts } from './examplesForPosts';
import { describeScores } from './examplesForScores';
import { describeEditor } from './examplesInEditor';
import { closeBrowser } from './inBrowser';
import { isElsewhere, withStandIns } from './standIns';

const INSTALL_AND_START_MS = 900_000;

let opened: Gallery | undefined;
const gallery = (): Gallery => {
	if (opened === undefined) throw new Error('n8n has not started');
	return opened;
};

beforeAll(async () => {
	opened = await openGallery();
}, INSTALL_AND_START_MS);

afterAll(async () => {
	await closeBrowser();
	await opened?.close();
}, 60_000);

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** No field may be empty in all items. */
function expectFilled(items: readonly JsonRecord[]): void {
	expect(items.length).toBeGreaterThan(0);
	const names = new Set(items.flatMap((item) => Object.keys(item)));
	const empty = [...names].filter((name) => items.every((item) => isEmpty(item[name])));
	expect({ names: names.size > 0, empty }).toEqual({ names: true, empty: [] });
}

// First, so that what follows runs what the editor has made of the files.
describeEditor(gallery);

describe('the nodes of n8n', () => {
	it('have every parameter that the examples set, and no example uses an old version', async () => {
		const all = (await gallery().api.nodeDescriptions()) as unknown as INodeTypeDescription[];
		const problems = readExamples().flatMap(({ file, nodes }) =>
			nodes
				.filter((node) => !isOurs(node))
				.flatMap((node) => {
					const versions = all.filter(({ name }) => name === node.type);
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

describe('a credential', () => {
	it('is taken by itself where one has the name that the example gives', async () => {
		const { api, ids } = gallery();
		const example = readExample('read-leads');
		const ours = example.nodes.find(({ credentials }) => credentials?.[CREDENTIAL_TYPE]);
		const name = ours?.credentials?.[CREDENTIAL_TYPE]?.name ?? '';
		const { nodes } = await api.createWorkflow(example);
		const taken = nodes.find((node) => node.name === ours?.name)?.credentials;
		expect(taken).toEqual({ [CREDENTIAL_TYPE]: { id: ids.own, name } });
	});
});

describe('an example with a schedule', () => {
	it('reconciles all leads, without a double however often it runs', async () => {
		const { api, service } = gallery();
		await run(gallery(), await stored(gallery(), 'create-crm-tables'), 'Run Once');
		const workflow = await stored(gallery(), 'reconcile-leads');
		await run(gallery(), workflow, 'Every Night');
		await run(gallery(), workflow, 'Every Night');
		const rows = await api.rows(await api.tableId('Own leads'));
		const leads = service.world.own.leads.toArray();
		expect(rows.map(({ lead_id: id }) => id).sort()).toEqual(leads.map(({ id }) => id).sort());
	});

	it('reports on every lead magnet and published post', async () => {
		const { own } = gallery().service.world;
		const { output } = await run(
			gallery(),
			await stored(gallery(), 'weekly-report'),
			'Monday Morning',
		);
		expect(output('Name the Magnet')).toHaveLength(own.leadMagnets.size);
		const published = own.posts.toArray().filter(({ status }) => status === 'published');
		expect(output('Name the Post')).toHaveLength(published.length);
		const [mail, ...others] = output('Send the Report');
		expect(others).toEqual([]);
		expectFilled([mail ?? {}]);
		expect(String(mail?.html).match(/<table/g)).toHaveLength(2);
		expect(String(mail?.html)).not.toContain('There are none');
	});

	it('tells what a diagnosis finds once, and not again on the next morning', async () => {
		const { api, service } = gallery();
		const fault = { kind: 'error', status: 403, code: 'forbidden' } as const;
		service.faults.add(fault, { path: '/activity', count: Infinity });
		const everyFewSeconds = { rule: { interval: [{ field: 'seconds', secondsInterval: 3 }] } };
		const workflow = await stored(gallery(), 'is-everything-all-right', {
			'Every Morning': () => ({ parameters: everyFewSeconds }),
		});
		await activate(gallery(), workflow);
		const ended = await until(async () => {
			const all = await api.executions({ workflowId: workflow.id, status: ['success'] });
			return all.length >= 2 ? all : undefined;
		});
		await api.deactivate(workflow);
		service.faults.clear();
		const [first, second] = ended.slice(-2).reverse();
		const told = (await api.execution(first?.id ?? '')).output('Tell Me');
		expect(told).toMatchObject([
			{ text: expect.stringContaining('FAILED: Access: GET /activity') as string },
		]);
		const next = (await api.execution(second?.id ?? '')).output;
		expect(next('Diagnose').length).toBeGreaterThan(10);
		expect(next('Tell Me')).toEqual([]);
	});

	it('schedules the ready rows of a calendar of clients, each once, and notes what was refused', async () => {
		const { world } = gallery().service;
		const clients = [world.clientA, world.clientB];
		const texts = ['What we learned', 'x'.repeat(3001), 'What comes next', 'What comes last'];
		const rows = texts.map((text, at) => ({
			...{ row_number: at + 2, id: `week-${at}`, status: 'ready', time_zone: 'Europe/Berlin' },
			...{ text, client_id: at === 3 ? 'nobody' : clients[at % 2]?.id },
		}));
		const prepared = withStandIns(await gallery().prepared('content-calendar'));
		const pinData = { 'Read Ready Rows': rows.map((json) => ({ json })) };
		const workflow = await gallery().api.createWorkflow({ ...prepared, pinData });
		const made = () =>
			clients.flatMap(({ posts }) => posts.toArray().filter(({ text }) => texts.includes(text)));
		for (const already of [false, true]) {
			const { output } = await run(gallery(), workflow, 'Monday Morning');
			expect(output('Note the Post').map((row) => row['columns.value.row_number'])).toEqual([
				...['2', '4'],
			]);
			const problems = output('Note the Problem').map((row) => [
				row['columns.value.row_number'],
				row['columns.value.problem'],
			]);
			expect(problems.sort()).toEqual([
				['3', expect.stringContaining('3001 characters')],
				['5', expect.stringContaining('"Client" is not an ID')],
			]);
			expect(made().map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
			// Of one client, on two days.
			const times = made().map(({ scheduled_at: time }) => String(time).slice(0, 10));
			expect(new Set(times).size).toBe(2);
			expect(output('Create Post').some((post) => post.already_existed === true)).toBe(already);
		}
	});

	it('schedules of each client what that client approved, whoever else does not answer', async () => {
		const { world } = gallery().service;
		const clients = [world.clientA, world.clientB, world.clientC];
		const rows = clients.map(({ id: client_id }, at) => ({
			...{ id: `asked-${at}`, client_id, client_email: `${at}@example.com` },
			...{ text: `Asked ${at}`, time_zone: 'Europe/Berlin', status: 'to approve' },
		}));
		const prepared = withStandIns(await gallery().prepared('approval-by-each-client'), {
			// The first one approves, the second one refuses, the third one lets the time pass.
			'Ask the Client': () => ({
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				parameters: {
					jsCode: `const [at] = $json.client_email;
						if (at === '2') await new Promise((done) => setTimeout(done, 5000));
						return [{ json: at === '2' ? $json : { data: { approved: at === '0' } } }];`,
				},
			}),
		});
		const pinData = { 'Read Rows to Approve': rows.map((json) => ({ json })) };
		const workflow = await gallery().api.createWorkflow({ ...prepared, pinData });
		const { output } = await run(gallery(), workflow, 'Monday Morning');
		expect(output('Group by Client')).toHaveLength(3);
		const asked = () =>
			clients.map(({ posts }) => posts.toArray().filter(({ text }) => /^Asked/.test(text)).length);
		await until(async () => (asked()[0] === 1 ? true : undefined));
		expect(asked()).toEqual([1, 0, 0]);
		// By then the third one has ended, too.
		await pause(8_000);
		expect(asked()).toEqual([1, 0, 0]);
	});

	it('reports on every client beside the week before, one row for each week', async () => {
		const { api } = gallery();
		await run(gallery(), await stored(gallery(), 'create-crm-tables'), 'Run Once');
		const workflow = await stored(gallery(), 'weekly-report-of-clients');
		await run(gallery(), workflow, 'Monday Morning');
		const { output } = await run(gallery(), workflow, 'Monday Morning');
		const rows = await api.rows(await api.tableId('Client weeks'));
		expect(rows.length).toBeGreaterThan(1);
		expect(new Set(rows.map(({ client_id }) => client_id)).size).toBe(rows.length);
		expect(output('Send the Report')).toHaveLength(1);
	});
});

describe('an example for another service', () => {
	it.each([
		'keyword-comments-to-slack',
		'leads-of-each-client',
		'new-leads-to-airtable',
		'new-leads-to-google-sheets',
		'new-leads-to-highlevel',
		'new-leads-to-hubspot',
		'new-leads-to-notion',
		'new-leads-to-salesforce',
	] as const)('%s has something to send', async (name) => {
		const { own } = gallery().service.world;
		gallery().service.world.comment(own, 'GUIDE');
		const { nodes } = readExample(name);
		const [trigger, node] = [nodes.find(isOurs), nodes.find(isElsewhere)];
		const { output } = await run(gallery(), await stored(gallery(), name), trigger?.name ?? '');
		expectFilled(output(node?.name ?? ''));
	});
});

describeCrms(gallery);
describePosts(gallery);
describeForms(gallery);
describeAgents(gallery);
describeAgencies(gallery);
describeMcp(gallery);
describeScores(gallery);
