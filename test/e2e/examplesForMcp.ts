// The example that other programs reach by the Model Context Protocol, called by its own client.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { Gallery } from '../../scripts/n8n/gallery';
import { asRecord } from '../../scripts/n8n/n8nApi';
import { activate, credentialFor, until } from './exampleRuns';

const TOKEN = 'a token for this test alone';

export function describeMcp(gallery: () => Gallery): void {
	describe('the example for MCP clients', () => {
		let address: URL;
		let client: Client;
		beforeAll(async () => {
			const { api, n8n } = gallery();
			const prepared = await gallery().prepared('mcp-server');
			const server = prepared.nodes.find(({ credentials }) => credentials?.httpBearerAuth);
			if (!server?.credentials) throw new Error('the server asks for no token');
			const data = { token: TOKEN };
			server.credentials.httpBearerAuth = await credentialFor(gallery(), 'httpBearerAuth', data);
			await activate(gallery(), await api.createWorkflow(prepared));
			address = new URL(`${n8n.url}/mcp/${String(server.parameters.path)}`);
			client = await until(() => connected(TOKEN).catch(() => undefined));
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
		const posts = () => gallery().service.world.own.posts.toArray();

		it('lets nobody in without the token', async () => {
			await expect(connected('another one')).rejects.toThrow();
		});

		it('says what it can do, and what a program has to give', async () => {
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual([
				...['Create_Draft', 'Get_Engagement', 'Get_Leads', 'Get_Posts'],
			]);
			const draft = tools.find(({ name }) => name === 'Create_Draft');
			expect(Object.keys(draft?.inputSchema.properties ?? {}).sort()).toEqual([
				'draft_key',
				'text',
			]);
			expect(client.getInstructions()).toContain('personal data');
		});

		it('gives leads as the service has them, and no more than were asked for', async () => {
			const text = await call('Get_Leads', { limit: 2 });
			const known = gallery().service.world.own.leads.toArray();
			expect(known.filter(({ id }) => text.includes(id))).toHaveLength(2);
			expect(text).toContain('profile_key');
		});

		it('stores a draft once, however often it is asked for with one key', async () => {
			const text = 'Written by a program';
			for (let times = 0; times < 2; times += 1)
				await call('Create_Draft', { text, draft_key: 'program-1' });
			const made = posts().filter((post) => post.text === text);
			expect(made.map(({ status }) => status)).toEqual(['draft']);
			expect(await call('Get_Posts', { limit: 50 })).toContain(made[0]?.id);
		});

		it('cannot be talked into publishing', async () => {
			const before = posts().filter(({ status }) => status === 'published').length;
			await call('Create_Draft', { text: 'Now', draft_key: 'program-2', status: 'published' });
			expect(posts().filter(({ status }) => status === 'published')).toHaveLength(before);
		});

		it('gives the words of the service where it refuses', async () => {
			const nobodys = '00000000-0000-4000-8000-000000000000';
			expect(await call('Get_Engagement', { post_id: nobodys })).toMatch(/not found/i);
		});
	});
}
