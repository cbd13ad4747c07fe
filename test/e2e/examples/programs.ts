// The examples that a program uses: a model that writes while a person decides, and MCP clients.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { asRecord } from '../../../scripts/n8n/n8nApi';
import { inTime } from '../../../scripts/n8n/waiting';
import { activate, gallery, ownPosts, run, stored, world } from './runs';
import { startChatModel, startMailServer, type ChatModel, type MailServer } from './servers';

describe('an example with an agent, begun with a form', () => {
	const TEXT = 'Written by the model, "quotes" & all';
	/** A link that only a program follows is taken for a preview of the mail. */
	const BROWSER = {
		'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
	};
	let model: ChatModel;
	let mail: MailServer;
	beforeAll(async () => {
		model = await startChatModel({ text: TEXT });
		mail = await startMailServer();
	});
	afterAll(async () => {
		await model.close();
		await mail.close();
	});

	const written = () => ownPosts().filter(({ text }) => text === TEXT);
	/** Gives the mail that asked. */
	const decide = async (approved: boolean, submittedAt: string): Promise<string> => {
		const workflow = await stored('agent-asks-before-publishing', {
			pinned: { Topic: [{ topic: 'Anything', submittedAt }] },
			credentials: {
				openAiApi: { apiKey: 'none', url: `http://127.0.0.1:${model.port}/v1` },
				smtp: mail.credential,
			},
		});
		const { length } = mail.mails;
		const ended = run(workflow, 'Topic');
		ended.catch(() => undefined);
		const asked = await inTime('The mail', () => mail.mails[length]);
		expect(written()).toEqual([]);
		const links = [...asked.matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
			link.replace(/&amp;/g, '&'),
		);
		const link = links.find((one) => one.includes(`approved=${approved}`)) ?? '';
		// The mail is sent a moment before n8n waits for the answer.
		await inTime('The answer', async () => (await fetch(link, { headers: BROWSER })).ok);
		await ended;
		return asked;
	};

	it('publishes nothing that a person has refused', async () => {
		expect(await decide(false, '2026-03-02T09:00:00.000Z')).toContain('Written by the model');
		expect(written()).toEqual([]);
		expect(model.heard.at(-1)).toContain('rejected');
	});

	it('publishes exactly what a person has approved', async () => {
		await decide(true, '2026-03-02T10:00:00.000Z');
		expect(written().map(({ status }) => status)).toEqual(['published']);
		expect(model.heard.at(-1)).toContain(written()[0]?.id);
	});
});

describe('the example for MCP clients', () => {
	const TOKEN = 'a token for this test alone';
	let address: URL;
	let client: Client;
	beforeAll(async () => {
		const credentials = { httpBearerAuth: { token: TOKEN } };
		const workflow = await stored('mcp-server', { credentials });
		await activate(workflow);
		const server = workflow.nodes.find(({ credentials }) => credentials?.httpBearerAuth);
		address = new URL(`${gallery().n8n.url}/mcp/${String(server?.parameters.path)}`);
		client = await inTime('MCP', () => connected(TOKEN).catch(() => undefined));
	});
	afterAll(async () => await client.close());

	const connected = async (token: string): Promise<Client> => {
		const made = new Client({ name: 'test', version: '1.0.0' });
		const headers = { Authorization: `Bearer ${token}` };
		await made.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
		return made;
	};
	const call = async (name: string, given: Record<string, unknown>): Promise<string> => {
		const { content } = await client.callTool({ name, arguments: given });
		return (content as unknown[]).map((part) => String(asRecord(part).text)).join('\n');
	};

	it('lets nobody in without the token, and says what it can do and has to be given', async () => {
		await expect(connected('another one')).rejects.toThrow();
		const { tools } = await client.listTools();
		expect(tools.map(({ name }) => name).sort()).toEqual([
			...['Create_Draft', 'Get_Engagement', 'Get_Leads', 'Get_Posts'],
		]);
		const draft = tools.find(({ name }) => name === 'Create_Draft')?.inputSchema.properties;
		expect(Object.keys(draft ?? {}).sort()).toEqual(['draft_key', 'text']);
		expect(client.getInstructions()).toContain('personal data');
	});

	it('gives four fields of the leads that were asked for, and its refusals', async () => {
		const all = world().own.leads.toArray();
		const keyword = all.find(({ latest_keyword: word }) => word !== null)?.latest_keyword;
		const wanted = all.filter(({ latest_keyword: word }) => word === keyword);
		const leads = async (given: JsonRecord) =>
			JSON.parse(await call('Get_Leads', given)) as JsonRecord[];
		expect(await leads({ limit: 2 })).toHaveLength(2);
		const found = await leads({ keyword, limit: 50 });
		expect(found.map(({ name }) => name).sort()).toEqual(wanted.map(({ name }) => name).sort());
		const fields = ['name', 'email', 'latest_keyword', 'has_intent'];
		for (const lead of found) expect(Object.keys(lead)).toEqual(fields);
		const nobodys = '00000000-0000-4000-8000-000000000000';
		expect(await call('Get_Engagement', { post_id: nobodys })).toContain('found nothing');
	});

	it('stores a draft once, however often it is asked for, and cannot be talked into more', async () => {
		const published = () => ownPosts().filter(({ status }) => status === 'published').length;
		const before = published();
		const draft = { text: 'Written by a program', draft_key: 'program-1' };
		for (let times = 0; times < 2; times += 1) await call('Create_Draft', draft);
		const made = ownPosts().filter(({ text }) => text === draft.text);
		expect(made.map(({ status }) => status)).toEqual(['draft']);
		expect(await call('Get_Posts', { limit: 50 })).toContain(made[0]?.id);
		await call('Create_Draft', { text: 'Now', draft_key: 'program-2', status: 'published' });
		expect(published()).toBe(before);
	});
});
