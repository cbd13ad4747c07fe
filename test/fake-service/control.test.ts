import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { post } from '../../fake-service/asking';
import type { Effect, Match } from '../../fake-service/faults';
import type { Happening } from '../../fake-service/happenings';
import { undescribed } from '../support/followOpenApi';
import { conformance } from './conformance';

const kit = conformance({ control: true });
const { ask, status } = kit;

async function pull(method: string, path: string, body?: object): Promise<unknown> {
	const answer = await fetch(`${kit.service.controlUrl}${path}`, {
		method,
		body: body && JSON.stringify(body),
	});
	return answer.json();
}

test('control: a page for people', async () => {
	const page = await fetch(String(kit.service.controlUrl));
	expect(page.headers.get('content-type')).toContain('text/html');
	expect(await page.text()).toContain('Someone comments your keyword');
});

test('control: somebody comments, and the API shows the lead and the activity', async () => {
	const { own } = kit.service.world;
	const before = own.leads.size;
	await pull('POST', '/comment', { keyword: 'AUDIT' });
	expect(own.leads.size).toBe(before + 1);
	expect((await ask('/leads')).rows[0]).toMatchObject({ latest_keyword: 'AUDIT' });
	const activity = (await ask('/activity')).rows[0];
	expect(activity).toMatchObject({ source: 'comment', keyword: 'AUDIT', status: 'matched' });
	await pull('POST', '/leads', { count: 250, account: 'clientA' });
	const leads = await pull('GET', `/leads?account=${kit.service.world.clientA.id}`);
	expect(leads).toHaveLength(kit.service.world.clientA.leads.size);
	expect(await pull('GET', '/state')).toMatchObject({ base_url: kit.service.baseUrl });
	expect(await pull('POST', '/comment', { account: 'nobody' })).toHaveProperty('error');
});

test('control: trouble on and off', async () => {
	await pull('POST', '/faults', {
		effect: { kind: 'error', status: 503 },
		match: { path: '/me', count: null },
	});
	expect(await status('/me')).toBe(503);
	expect(await status('/me')).toBe(503);
	await pull('DELETE', '/faults');
	expect(await status('/me')).toBe(200);
});

test('control: what happened, and when it was asked for', async () => {
	const { own, clientA, keys } = kit.service.world;
	const latest = async () =>
		((await pull('GET', '/state')) as { happenings: Happening[] }).happenings[0];
	await pull('POST', '/comment', {});
	const lead = own.leads.at(-1);
	expect(await latest()).toMatchObject({
		what: `${lead?.name} commented GUIDE and became a lead`,
		account: own.id,
		askedAfter: { leads: null, activity: null },
	});
	// Neither another list, nor the same list of another account.
	await ask('/posts');
	await ask(`/clients/${clientA.id}/leads`, { key: keys.agency });
	kit.service.faults.status(503);
	await ask('/leads');
	expect(await latest()).toMatchObject({ kind: 'trouble' });
	expect((await latest())?.what).toBe('Someone asked to list the leads: answered with 503');
	expect(kit.service.happenings.underWay()).not.toContain(lead?.id);
	await ask('/leads', { headers: { 'x-request-id': 'n8n:poll:1' } });
	const [, comment] = kit.service.happenings.latest(2);
	expect(comment?.askedAfter).toEqual({ leads: expect.any(Number), activity: null });
	expect(kit.service.happenings.underWay()).toContain(lead?.id);
	kit.service.happenings.landed(String(lead?.id), 'a table');
	expect(kit.service.happenings.underWay()).not.toContain(lead?.id);
	expect(comment?.landed).toMatchObject({ where: 'a table' });
	await ask('/posts', post({ text: 'Hi', status: 'draft' }));
	expect((await latest())?.what).toBe('Someone asked to create a post: answered with 201');
});

test('control: a lead that changes, a post that is published, a word without a keyword', async () => {
	const { own } = kit.service.world;
	const lead = own.leads.at(-1);
	const before = lead?.qualification_status;
	await pull('POST', '/change-lead', {});
	expect(own.leads.at(-1)?.qualification_status).not.toBe(before);
	const published = () => own.posts.toArray().filter(({ status }) => status === 'published').length;
	const posts = published();
	// One of them was scheduled; the next one is made.
	await pull('POST', '/publish-post', {});
	await pull('POST', '/publish-post', {});
	expect(published()).toBe(posts + 2);
	const activity = own.activity.size;
	await pull('POST', '/activity', {});
	expect(own.activity.size).toBe(activity + 1);
});

test('control: a difference from the document goes on, shows, and goes with the trouble', async () => {
	const isOn = async () => {
		const { differences } = (await (await fetch(`${kit.service.controlUrl}/state`)).json()) as {
			differences: { name: string; on: boolean }[];
		};
		return differences.filter(({ on }) => on).map(({ name }) => name);
	};
	const keyword = async () => (await ask('/lead-magnets')).rows[0]?.keyword;
	expect(await keyword()).toBeDefined();
	await pull('POST', '/differences', { name: 'noKeyword' });
	expect(await isOn()).toEqual(['noKeyword']);
	expect(await keyword()).toBeUndefined();
	await pull('POST', '/differences', { name: 'noKeyword' });
	expect(await isOn()).toEqual([]);
	await pull('POST', '/differences', { name: 'noKeyword' });
	await fetch(`${kit.service.controlUrl}/faults`, { method: 'DELETE' });
	expect(await isOn()).toEqual([]);
	expect(await keyword()).toBeDefined();
	undescribed();
});

test.each<[Effect, Match, string]>([
	[{ kind: 'error', status: 429, retryAfter: 5 }, {}, 'is answered with 429, asked to wait 5 s'],
	[{ kind: 'reset', after: true }, {}, 'is carried out, but the answer is lost'],
	[{ kind: 'hang' }, {}, 'gets no answer'],
])('control: trouble %j in words', async (effect, match, words) => {
	kit.service.faults.clear();
	kit.service.faults.add(effect, match);
	expect(kit.service.faults.list()).toMatchObject([
		{ words: `The next request ${words}`, over: false },
	]);
	kit.service.faults.clear();
	kit.service.faults.add(effect, { count: 3, path: '/me' });
	expect(kit.service.faults.list()[0]?.words).toMatch(/^The next 3 requests to \/me (are|get) /);
	kit.service.faults.clear();
	kit.service.faults.add(effect, { count: Infinity });
	expect(kit.service.faults.list()[0]?.words).toBe(`Every request ${words}`);
	kit.service.faults.clear();
});

test('main: runs on its own, prints where and with which keys, closes on SIGTERM', async () => {
	const tsx = require.resolve('tsx/cli');
	const main = join(__dirname, '../../fake-service/main.ts');
	const ports = '--port 0 --storage-port 0 --control-port 0'.split(' ');
	const child = spawn(process.execPath, [tsx, main, ...ports, '--leads', '500']);
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
	while (!output.includes('leads:read')) await once(child.stdout, 'data');
	const base = /http:\S+\/api\/v1/.exec(output)?.[0] ?? '';
	const key = /svc_live_\S+/.exec(output)?.[0] ?? '';
	const headers = { authorization: `Bearer ${key}` };
	const reply = await fetch(`${base}/leads?offset=500&limit=5`, { headers });
	expect(await reply.json()).toMatchObject({ data: [{}, {}, {}, {}, {}] });
	child.kill('SIGTERM');
	// Windows knows no signal that a program could answer to.
	const closed = process.platform === 'win32' ? [null, 'SIGTERM'] : [0, null];
	expect(await once(child, 'exit')).toEqual(closed);
});
