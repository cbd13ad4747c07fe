/** What one poll leaves to the next ones, also to those of another process. */
import { OWN } from '../support/kit/index';
import { accountWith, bareHost, idsIn, pageOf, refusalOf, standingClock } from './bareHost';

const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const DAY = 24 * 3_600_000;

let clock: ReturnType<typeof standingClock>;
let ids: string[];
beforeEach(() => {
	clock = standingClock();
	ids = ['a'];
});
afterEach(() => {
	jest.restoreAllMocks();
});

const answer = accountWith(() => ids);

it('a batch is not delivered again once that was switched off', async () => {
	const again = { ...OWN, options: { afterRestart: 'redeliverLast' } };
	for (const [parameters, expected] of [
		[again, ['b']],
		[OWN, null],
	] as const) {
		ids = ['a'];
		const node = bareHost({ answer, parameters: again });
		await node.poll();
		ids = ['b', 'a'];
		expect(idsIn(await node.poll())).toEqual(['b']);
		node.host.parameters = parameters;
		node.restart();
		expect(idsIn(await node.poll())).toEqual(expected);
	}
});

it('a list is not forgotten for as long as nobody can tell whose the key is', async () => {
	let isDown = false;
	const node = bareHost({
		answer: (asked) => (isDown ? refusalOf(404, 'not_found') : answer(asked)),
	});
	await node.poll();
	await node.poll();
	node.host.credentials = { ...node.host.credentials, apiKey: 'x_live_other' };
	isDown = true;
	for (let months = 0; months < 2; months += 1) {
		await expect(node.poll()).rejects.toThrow();
		clock.advance(31 * DAY);
	}
	isDown = false;
	ids = ['b', 'a'];
	expect(idsIn(await node.poll())).toEqual(['b']);
});

it('the third time in a row that the clients cannot be listed is told, whichever process meets it', async () => {
	let isDown = false;
	const node = bareHost({
		...{ parameters: { event: 'newLead', watch: 'allClients' }, budgetMs: 36_000 },
		answer: (asked) => {
			if (asked.path !== '/clients') return answer(asked);
			return isDown
				? { status: 520, body: {} }
				: pageOf([{ user_id: CLIENT, grant: { status: 'active' } }]);
		},
	});
	await node.poll();
	await node.poll();
	isDown = true;
	for (let times = 0; times < 2; times += 1) {
		expect(await node.poll()).toBeNull();
		node.restart();
	}
	await expect(node.poll()).rejects.toThrow(/^The list of clients could not be read\./);
});

it('nothing of a client is left that has been gone for a month, nor of one that could never be read', async () => {
	const other = (end: number) => CLIENT.replace(/..$/, String(end));
	let clients = [CLIENT, other(12), other(13)];
	const node = bareHost({
		parameters: { event: 'newLead', watch: 'allClients' },
		answer: (asked) => {
			if (asked.path === '/clients')
				return pageOf(clients.map((id) => ({ user_id: id, grant: { status: 'active' } })));
			return asked.path.includes(other(13)) ? refusalOf(403) : answer(asked);
		},
	});
	await node.poll().catch(() => undefined);
	clock.advance(60_000);
	await node.poll().catch(() => undefined);
	const kept = () =>
		[CLIENT, other(12), other(13)].map((id) => JSON.stringify(node.host.data).includes(id));
	expect(kept()).toEqual([true, true, true]);
	clients = [CLIENT];
	await node.poll();
	expect(kept()).toEqual([true, true, true]);
	for (let week = 0; week < 5; week++) {
		clock.advance(7 * DAY);
		await node.poll();
	}
	expect(kept()).toEqual([true, false, false]);
});
