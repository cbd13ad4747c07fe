/** The control page, the trouble that it makes, and the program that runs the service by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Effect, Match } from '../../fake-service/effect';
import type { Happening } from '../../fake-service/happenings';
import { conformance } from './conformance';

const kit = conformance({ control: true });
const { ask } = kit;
interface State {
	happenings: Happening[];
	differences: { name: string; on: boolean }[];
	accounts: { name: string; leads: number; asked_at: number | null }[];
}

async function pull<T = unknown>(lever: string, body?: object): Promise<T> {
	const [method, path = ''] = lever.split(' ');
	const answer = await fetch(`${kit.service.controlUrl}${path}`, {
		...{ method, body: body && JSON.stringify(body) },
	});
	return (await answer.json()) as T;
}

test('it is a page for people', async () => {
	const page = await fetch(String(kit.service.controlUrl));
	expect(page.headers.get('content-type')).toContain('text/html');
	expect(await page.text()).toContain('Someone comments your keyword');
	for (const file of ['style.css', 'page.js'])
		expect((await fetch(`${kit.service.controlUrl}/${file}`)).status).toBe(200);
});

test('somebody comments, and the API shows the lead and the activity', async () => {
	const { own, clientA } = kit.service.world;
	const before = own.leads.size;
	await pull('POST /comment', { keyword: 'AUDIT' });
	expect(own.leads.size).toBe(before + 1);
	expect((await ask('GET /leads')).rows[0]).toMatchObject({ latest_keyword: 'AUDIT' });
	const [activity] = (await ask('GET /activity')).rows;
	expect(activity).toMatchObject({ source: 'comment', keyword: 'AUDIT', status: 'matched' });
	await pull('POST /leads', { count: 250, account: 'clientA' });
	expect(await pull(`GET /leads?account=${clientA.id}`)).toHaveLength(clientA.leads.size);
	const { accounts } = await pull<State>('GET /state');
	expect(accounts[0]).toMatchObject({ name: 'own', leads: own.leads.size });
	expect(accounts[0]?.asked_at).toEqual(expect.any(Number));
	expect(await pull('POST /comment', { account: 'nobody' })).toHaveProperty('error');
	expect((await fetch(`${kit.service.controlUrl}/api/v1/me`)).status).toBe(404);
});

test('it shows the newest records of each account, newest first', async () => {
	const { clientA } = kit.service.world;
	await pull('POST /comment', { account: clientA.id, keyword: 'PLAIN' });
	kit.service.world.addPost(clientA, { text: 'On the page', status: 'draft', images: ['a', 'b'] });
	const lead = clientA.leads.at(-1);
	expect(await pull(`GET /records?account=${clientA.id}`)).toMatchObject({
		full_name: clientA.fullName,
		leads: { 0: { Name: lead?.name, Keyword: 'PLAIN' } },
		activity: { 0: { From: lead?.name, Kind: 'comment' } },
		posts: { 0: { Text: 'On the page', Status: 'draft', Due: null, Media: '2 images' } },
	});
	expect(await pull('GET /records?account=nobody')).toHaveProperty('error');
});

test('it tells what happened, when it was asked for, and where it has come to', async () => {
	const { own, clientA, keys } = kit.service.world;
	const latest = async () => (await pull<State>('GET /state')).happenings[0];
	await pull('POST /comment', {});
	const lead = own.leads.at(-1);
	const underWay = () => kit.service.happenings.underWay().includes(lead?.id ?? '');
	expect(await latest()).toMatchObject({
		what: `${lead?.name} commented GUIDE and became a lead`,
		...{ account: own.id, askedAfter: { leads: null, activity: null } },
	});
	// Neither another list, nor the same list of another account, nor in vain.
	await ask('GET /posts');
	await ask(`GET /clients/${clientA.id}/leads`, { key: keys.agency });
	kit.service.faults.status(503);
	await ask('GET /leads');
	expect(await latest()).toMatchObject({
		...{ kind: 'trouble', what: 'Someone asked to list the leads: answered with 503' },
	});
	expect(underWay()).toBe(false);
	await ask('GET /leads', { headers: { 'x-request-id': 'n8n:poll:1' } });
	const [, comment] = kit.service.happenings.latest(2);
	expect(comment?.askedAfter).toEqual({ leads: expect.any(Number), activity: null });
	expect(underWay()).toBe(true);
	kit.service.happenings.landed(String(lead?.id), 'a table');
	expect([underWay(), comment?.landed?.where]).toEqual([false, 'a table']);
	await ask('POST /posts', { json: { text: 'Hi', status: 'draft' } });
	expect((await latest())?.what).toBe('Someone asked to create a post: answered with 201');
});

test('a lead changes, a post is published, somebody writes a word without a keyword', async () => {
	const { own } = kit.service.world;
	const qualified = () => own.leads.at(-1)?.qualification_status;
	const published = () => own.posts.toArray().filter(({ status }) => status === 'published').length;
	const [status, posts, activity] = [qualified(), published(), own.activity.size];
	await pull('POST /change-lead', {});
	expect(qualified()).not.toBe(status);
	// One of them was scheduled; the next one is made.
	for (let times = 0; times < 2; times += 1) await pull('POST /publish-post', {});
	expect(published()).toBe(posts + 2);
	await pull('POST /activity', {});
	expect(own.activity.size).toBe(activity + 1);
});

test('trouble and differences go on, show, and go', async () => {
	const isOn = async () =>
		(await pull<State>('GET /state')).differences.filter(({ on }) => on).map(({ name }) => name);
	const activity = async () => (await ask('GET /activity')).status;
	const effect = { kind: 'error', status: 503 };
	await pull('POST /faults', { effect, match: { path: '/me', count: null } });
	expect([(await ask('GET /me')).status, (await ask('GET /me')).status]).toEqual([503, 503]);
	expect(await activity()).toBe(200);
	await pull('POST /differences', { name: 'activityFails' });
	expect([await isOn(), await activity()]).toEqual([['activityFails'], 500]);
	await pull('POST /differences', { name: 'activityFails' });
	expect(await isOn()).toEqual([]);
	await pull('POST /differences', { name: 'activityFails' });
	await pull('DELETE /faults');
	expect([await isOn(), (await ask('GET /me')).status]).toEqual([[], 200]);
	expect(await activity()).toBe(200);
});

test.each<[Effect, Match, string]>([
	[{ kind: 'error', status: 429, retryAfter: 5 }, {}, 'is answered with 429 and a wait of 5 s'],
	[{ kind: 'reset', after: true }, {}, 'is done, but the response is lost'],
	[{ kind: 'hang' }, {}, 'gets no response'],
])('trouble %j is told in words', async (effect, match, words) => {
	const { faults } = kit.service;
	const told = (more: Match) => {
		faults.clear();
		faults.add(effect, { ...match, ...more });
		const [one] = faults.list();
		faults.clear();
		return one?.words;
	};
	expect(told({})).toBe(`The next request ${words}`);
	expect(told({ count: 3, path: '/me' })).toMatch(/^The next 3 requests to \/me (are|get) /);
	expect(told({ count: Infinity })).toBe(`Every request ${words}`);
});

test('it runs on its own, prints where and with which keys, and closes on SIGTERM', async () => {
	// Not by tsx's own command, which waits 30 ms for whoever answers to a signal.
	const main = join(__dirname, '../../fake-service/main.ts');
	const ports = '--port 0 --control-port 0'.split(' ');
	const child = spawn(process.execPath, ['--import', 'tsx', main, ...ports, '--leads', '500']);
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
