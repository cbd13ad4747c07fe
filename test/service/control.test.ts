import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ask } from './asking';
import { startService, type FakeService } from './index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ control: true });
});
afterAll(() => service.close());

async function pull(method: string, path: string, body?: object): Promise<unknown> {
	const answer = await fetch(`${service.controlUrl}${path}`, {
		method,
		body: body && JSON.stringify(body),
	});
	return answer.json();
}

test('control: a page for people', async () => {
	const page = await fetch(String(service.controlUrl));
	expect(page.headers.get('content-type')).toContain('text/html');
	expect(await page.text()).toContain('Someone comments your keyword');
});

test('control: somebody comments, and the API shows the lead and the activity', async () => {
	const { own } = service.world;
	const before = own.leads.size;
	await pull('POST', '/comment', { keyword: 'AUDIT' });
	expect(own.leads.size).toBe(before + 1);
	expect((await ask(service, '/leads')).rows[0]).toMatchObject({ latest_keyword: 'AUDIT' });
	const activity = (await ask(service, '/activity')).rows[0];
	expect(activity).toMatchObject({ source: 'comment', keyword: 'AUDIT', status: 'matched' });
	await pull('POST', '/leads', { count: 250, account: 'clientA' });
	const leads = await pull('GET', `/leads?account=${service.world.clientA.id}`);
	expect(leads).toHaveLength(service.world.clientA.leads.size);
	expect(await pull('GET', '/state')).toMatchObject({ base_url: service.baseUrl });
	expect(await pull('POST', '/comment', { account: 'nobody' })).toHaveProperty('error');
});

test('control: trouble on and off', async () => {
	await pull('POST', '/faults', {
		effect: { kind: 'error', status: 503 },
		match: { path: '/me', count: null },
	});
	expect((await ask(service, '/me')).status).toBe(503);
	expect((await ask(service, '/me')).status).toBe(503);
	await pull('DELETE', '/faults');
	expect((await ask(service, '/me')).status).toBe(200);
});

test('main: runs on its own, prints where and with which keys, closes on SIGTERM', async () => {
	const tsx = require.resolve('tsx/cli');
	const args = [tsx, join(__dirname, 'main.ts'), '--port', '0', '--storage-port', '0'];
	const child = spawn(process.execPath, [...args, '--control-port', '0', '--leads', '500']);
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	while (!output.includes('leads:read')) await once(child.stdout, 'data');
	const base = /http:\S+\/api\/v1/.exec(output)?.[0] ?? '';
	const key = /svc_live_\S+/.exec(output)?.[0] ?? '';
	const headers = { authorization: `Bearer ${key}` };
	const reply = await fetch(`${base}/leads?offset=500&limit=5`, { headers });
	expect(await reply.json()).toMatchObject({ data: [{}, {}, {}, {}, {}] });
	child.kill('SIGTERM');
	expect(await once(child, 'exit')).toEqual([0, null]);
});
