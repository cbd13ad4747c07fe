// The examples that hand something over: failures to a person, leads to a client's own tool, entries of a
// feed and rows of a file to the service; and the one that deletes leads that are gone.

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { inTime } from '../../../scripts/n8n/waiting';
import { credentialOf, inARow, node, ours } from '../workflows';
import { describeInBrowser, fillIn, formOf, theEditor } from './pages';
import { activate, gallery, ownPosts, rowsOf, run, stored, whileActive, world } from './runs';
import { startMailServer, startReceiver } from './servers';

it('reports a workflow that fails once, with what to do next', async () => {
	const mail = await startMailServer();
	const alert = await stored('when-a-workflow-fails', { credentials: { smtp: mail.credential } });
	await activate(alert);
	const { api, ids, n8n } = gallery();
	const stranger = world().uuid();
	const failing = inARow(
		'A workflow that fails',
		[
			node('Webhook', ['webhook', 2.1], { path: 'fails' }, { webhookId: 'fails' }),
			ours('Get Leads', credentialOf(ids, 'agency'), {
				...{ resource: 'lead', operation: 'getAll', actAs: 'client' },
				clientId: { __rl: true, mode: 'id', value: stranger },
			}),
		],
		{ errorWorkflow: alert.id },
	);
	await whileActive(await api.createWorkflow(failing), async () => {
		for (let times = 0; times < 2; times += 1) await fetch(`${n8n.url}/webhook/fails`);
		await inTime('The alert', () => mail.mails.length > 0);
		await pause(3_000);
	});
	await api.deactivate(alert);
	await mail.close();
	const [text = '', ...others] = mail.mails;
	expect(others).toEqual([]);
	expect(text).toContain('No active grant for this client');
	expect(text).toContain(`Client: ${stranger}`);
	expect(text).toMatch(/What to do next: \w.+/);
	expect(text).toContain('Node: Get Leads');
	expect(text).not.toMatch(/undefined|\[object Object\]/);
});

it("sends a client's lead signed to the client's own tool, and again until the tool accepts it", async () => {
	const { api } = gallery();
	const { clientA, clientB } = world();
	await run('create-crm-tables', 'Run Once');
	const tool = await startReceiver();
	const secret = 'a secret of the client';
	await api.addRows(await api.tableId('Client webhooks'), [
		{ client_id: clientA.id, url: tool.url, secret },
	]);
	const workflow = await stored('leads-to-each-clients-tool');
	tool.status = 500;
	let id = '';
	await whileActive(workflow, async () => {
		// The first poll records what exists.
		await pause(12_000);
		world().comment(clientB, 'GUIDE');
		id = world().comment(clientA, 'GUIDE').lead.id;
		await inTime('The waiting lead', async () => (await rowsOf('Leads to send')).length > 0);
	});
	expect(await rowsOf('Leads to send')).toMatchObject([
		{ client_id: clientA.id, lead_id: id, problem: expect.stringContaining('500') as string },
	]);
	tool.status = 200;
	await run(workflow, 'Every Hour');
	expect(await rowsOf('Leads to send')).toEqual([]);
	await tool.close();
	const { body, headers } = tool.received.at(-1) ?? { body: '', headers: {} };
	expect(JSON.parse(body)).toMatchObject({ id, keyword: 'GUIDE' });
	expect(headers['x-signature-sha256']).toBe(
		createHmac('sha256', secret).update(body).digest('hex'),
	);
	expect(tool.received.every((one) => one.headers['x-lead-id'] === id)).toBe(true);
});

it('deletes the rows of leads that are gone, and none if the list may be wrong', async () => {
	const { own } = world();
	const { api, service } = gallery();
	await run('create-crm-tables', 'Run Once');
	await run('reconcile-leads', 'Every Night');
	const ids = async () => (await rowsOf('Own leads')).map(({ lead_id: id }) => id).sort();
	const before = await ids();
	const workflow = await stored('leads-that-are-gone');
	const gone = own.leads.at(0)?.id ?? '';
	world().removeLead(own, gone);
	const list = { route: 'leads.list', count: Infinity };
	for (const fault of [{ kind: 'neverEnding' }, { kind: 'error', status: 403 }] as const) {
		service.faults.add(fault, list);
		await expect(run(workflow, 'Every Night')).rejects.toThrow('ended with error');
		service.faults.clear();
		expect(await ids()).toEqual(before);
	}
	await run(workflow, 'Every Night');
	expect(await ids()).toEqual(before.filter((id) => id !== gone));

	const strangers = Array.from({ length: 40 }, (_, at) => ({ lead_id: `stranger-${at}` }));
	await api.addRows(await api.tableId('Own leads'), strangers);
	await expect(run(workflow, 'Every Night')).rejects.toThrow('Nothing was deleted');
	expect(await rowsOf('Own leads')).toHaveLength(before.length - 1 + strangers.length);
});

it('makes one draft for each client of an entry of a feed, however often it is read', async () => {
	const clients = [world().clientA, world().clientB, world().clientC];
	const entry = (guid: string) =>
		`<item><title>News ${guid}</title><link>https://example.com/${guid}</link><guid>${guid}</guid></item>`;
	const feed = await startReceiver();
	feed.reply = `<rss version="2.0"><channel><title>Feed</title>${entry('a1')}${entry('a2')}</channel></rss>`;
	const workflow = await stored('feed-to-drafts', {
		instead: {
			'Read the Feed': ({ parameters }) => ({ parameters: { ...parameters, url: feed.url } }),
		},
	});
	for (let times = 0; times < 2; times += 1) await run(workflow, 'Every Morning');
	await feed.close();
	for (const { posts } of clients) {
		const drafts = posts.toArray().filter(({ text }) => /^News a\d/.test(text));
		expect(drafts.map(({ text, status }) => [text, status]).sort()).toEqual([
			['News a1\n\nhttps://example.com/a1', 'draft'],
			['News a2\n\nhttps://example.com/a2', 'draft'],
		]);
	}
});

describeInBrowser('an example with a file', () => {
	it('makes posts of the rows, changes them, and says of each row what was done', async () => {
		const url = await formOf('posts-from-a-file', 'Upload a File');
		const results = async (...rows: string[]) => {
			const text = ['key,text,status,scheduled_at', ...rows].join('\n');
			const file = { name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
			const downloaded = theEditor().page.waitForEvent('download');
			await fillIn(url, [file]);
			const csv = readFileSync(await (await downloaded).path(), 'utf8');
			return csv.split('\n').map((line) => line.split(',').slice(0, 2).join(' '));
		};
		const rows = ['file-1,First,draft,', 'file-2,Second,scheduled,2040-01-31T09:30'];
		const first = await results(...rows, 'file-3,Third,scheduled,');
		expect(first).toEqual(expect.arrayContaining(['file-1 created', 'file-2 created']));
		expect(first).toContain('file-3 rejected');
		const second = await results('file-1,First again,draft,', ...rows.slice(1));
		expect(second).toEqual(expect.arrayContaining(['file-1 updated', 'file-2 unchanged']));
		const ofFile = ownPosts().filter(({ text }) => /^(First|Second)/.test(text));
		expect(ofFile.map(({ text }) => text).sort()).toEqual(['First again', 'Second']);
	});
});
