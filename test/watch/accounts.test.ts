/** Whose lists a poll watches, the names of their owners, and which account a key belongs to. */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { pageOf, refused } from '../support/replies';
import {
	ADA,
	ALL,
	advance,
	BOB,
	CAT,
	CHOSEN,
	clientOf,
	DAY,
	hangs,
	leads,
	MINUTE,
	numbered,
	playedTrigger,
	watching,
	type Answering,
	type Outcome,
} from './playedTrigger';

type Node = ReturnType<typeof playedTrigger>;
/** The clients whose lists were read since the last call, once for each request. */
const read = (node: Node) =>
	node
		.takeAsked()
		.flatMap(({ path }) => (path.endsWith('/leads') ? [String(path.split('/')[2])] : []));

describe('all clients', () => {
	it('are those with an active grant, with IDs in lower case, by one request in each poll', async () => {
		const clients = [clientOf(ADA.toUpperCase(), 'Ada'), clientOf(BOB, 'Bob', 'Revoked')];
		const node = await watching({ parameters: ALL, service: { clients } });
		for (const id of ['b', 'c']) {
			node.add(id);
			expect(await node.poll()).toMatchObject([{ id, client_id: ADA, client_name: 'Ada' }]);
			expect(node.takeAsked().map(({ path }) => path)).toEqual([
				...['/clients', `/clients/${ADA}/leads`],
			]);
		}
	});

	it('join with their records counting as known, and leave with a report once a day', async () => {
		const node = await watching({ parameters: ALL });
		node.service.clients.push(clientOf(CAT, 'Late Joiner'));
		expect(await node.outcomes(1)).toEqual([null]);
		node.service.lists[`/clients/${CAT}/leads`] = leads('b', 'a');
		expect(await node.poll()).toMatchObject([{ id: 'b', client_name: 'Late Joiner' }]);
		node.service.clients = [clientOf(ADA), clientOf(BOB, 'Bob', 'paused')];
		node.takeAsked();
		// A client that is listed as not active is checked at once, and a missing one in the second
		// poll, because a list may be incomplete.
		const ended = (name: string) =>
			expect.stringMatching(new RegExp(`^${name} \\(.*\\): The grant has ended, so`));
		expect(await node.outcomes(1)).toEqual([ended('Bob')]);
		expect(read(node).sort()).toEqual([ADA, CAT]);
		// One cause is one report an hour.
		expect(await node.outcomes(1)).toEqual([null]);
		expect(await node.outcomes(1)).toEqual([null]);
		node.takeAsked();
		expect(await node.outcomes(1)).toEqual([null]);
		expect(read(node)).toEqual([ADA]);
		expect(await node.outcomes(2, DAY / 2)).toEqual([
			ended('Late Joiner'),
			expect.stringContaining(''),
		]);
	});

	it('that are missing from a list are still watched if the service says that they are active', async () => {
		const node = await watching({ parameters: ALL });
		const clients = [...node.service.clients];
		node.service.instead = { '/clients': pageOf(clients.slice(0, 1)) };
		node.takeAsked();
		expect(await node.outcomes(4)).toEqual([null, null, null, null]);
		expect(read(node).filter((id) => id === BOB)).toHaveLength(4);
		node.add('b');
		expect(await node.outcomes(1)).toEqual([['b', 'b']]);
	});

	it('stay the previous ones if some may be missing, or the list hangs', async () => {
		const endless: Answering = ({ offset }) => pageOf([clientOf(ADA)], { offset, hasMore: true });
		for (const instead of [endless, hangs, refused(403, 'forbidden')]) {
			const node = await watching({ parameters: ALL });
			node.service.instead = { '/clients': instead };
			await node.outcomes(1);
			expect(read(node).sort()).toEqual([ADA, BOB]);
		}
		const node = playedTrigger({ parameters: ALL, service: { instead: { '/clients': hangs } } });
		expect(await node.outcomes(3, 5 * MINUTE)).toEqual([
			...[null, null, expect.stringMatching(/no response within the time of one poll/)],
		]);
	});

	it('are forgotten a month after they left, and then have nothing new', async () => {
		const clients = [ADA, BOB, CAT].map((id) => clientOf(id));
		const instead = { [`/clients/${CAT}/leads`]: refused(403, 'forbidden') };
		const node = await watching({ parameters: ALL, service: { clients, instead } });
		const kept = () => [ADA, BOB, CAT].map((id) => JSON.stringify(node.host.data).includes(id));
		node.service.clients = clients.slice(0, 1);
		await node.outcomes(1);
		expect(kept()).toEqual([true, true, true]);
		// The second list without them, and 30 days after it.
		await node.outcomes(1);
		await node.outcomes(5, 7 * DAY);
		expect(kept()).toEqual([true, false, false]);
		node.service.clients = clients.slice(0, 2);
		node.service.lists[`/clients/${BOB}/leads`] = leads('new', 'a');
		expect(await node.outcomes(2)).toEqual([null, null]);
	});

	it('are none: that is reported once, and again if it happens again', async () => {
		const node = await watching({ parameters: ALL });
		const { clients } = node.service;
		const told = expect.stringMatching(/^No client .* nothing is watched/) as string;
		for (let times = 0; times < 2; times++) {
			node.service.clients = [];
			// They are missing from two lists before they count as gone.
			expect(await node.outcomes(3)).toEqual([null, told, null]);
			node.service.clients = clients;
			expect(await node.outcomes(1)).toEqual([null]);
		}
		node.service.clients = [];
		node.host.mode = 'manual';
		expect(await node.outcome()).toMatch(/^No client (?!.*nothing is watched)/);
	});
});

describe('triggers that share an agency', () => {
	const clients = numbered(12, 10).map((end) => ADA.replace(/..$/, end));
	const shared = (share: string, given: IDataObject) =>
		playedTrigger({
			parameters: { ...given, options: { share } },
			service: { clients: clients.map((id) => clientOf(id)) },
		});

	it.each([[ALL], [{ ...CHOSEN, clientIds: clients }]])(
		'read each client once, and keep their part where the clients cannot be listed: %j',
		async (given) => {
			const parts: string[][] = [];
			for (const share of ['1 of 3', '2 of 3', '3 of 3']) {
				const node = shared(share, given);
				await node.outcomes(2);
				node.service.instead = { '/clients': refused(500, 'internal_error') };
				node.takeAsked();
				node.add('b');
				const [found] = await node.outcomes(1);
				const mine = read(node);
				expect(found).toHaveLength(mine.length);
				node.host.mode = 'manual';
				node.service.instead = {};
				await node.poll();
				expect(mine).toEqual(expect.arrayContaining(read(node)));
				parts.push(mine);
			}
			expect(parts.every((part) => part.length > 0)).toBe(true);
			expect(parts.flat().sort()).toEqual(clients);
		},
	);

	it.each([
		[ALL, 'No client with an active grant belongs to this share'],
		[{ ...CHOSEN, clientIds: [ADA] }, 'None of the chosen clients belongs to this share'],
	])('say where nobody falls into a share: %j', async (given, words) => {
		const node = shared('1 of 2', given);
		const other = shared('2 of 2', given);
		node.service.clients = other.service.clients = [clientOf(ADA)];
		await node.poll();
		const empty = read(node).length === 0 ? node : other;
		empty.host.mode = 'manual';
		await expect(empty.poll()).rejects.toMatchObject({
			message: `${words}.`,
			description: expect.stringMatching(/Share of Clients/) as string,
		});
		empty.host.mode = 'trigger';
		expect((await empty.outcomes(3)).filter((one) => one !== null)).toEqual([
			`${words}, so nothing is watched right now. With few clients, a share can be empty. Leave out "Share of Clients" to watch them all.`,
		]);
	});
});

describe('names', () => {
	it('are those of persons, or otherwise of their business', async () => {
		const clients = [clientOf(ADA, ' '), { ...clientOf(BOB, ' Bob '), business_name: 'Ltd' }];
		const node = await watching({ parameters: CHOSEN, service: { clients } });
		node.service.instead = { '/leads': refused(403, 'forbidden') };
		clients[0] = { ...clientOf(ADA, ' '), business_name: 'Ada Ltd' };
		advance(DAY);
		const told = await node.outcome();
		for (const name of ['2 accounts', `Ada Ltd (${ADA})`, `Bob (${BOB})`])
			expect(told).toContain(name);
	});

	it('are read again after a day, and stay the same if they cannot be read', async () => {
		const node = await watching({ parameters: { ...CHOSEN, clientIds: [ADA] } });
		const nameAfter = async (ms: number, name: string) => {
			node.service.clients = [clientOf(ADA, name)];
			advance(ms);
			node.add(`lead of ${name}`);
			const [item] = (await node.poll()) ?? [];
			return item?.client_name;
		};
		expect(await nameAfter(DAY - 4 * MINUTE, 'Early')).toBe('Ada');
		expect(await nameAfter(4 * MINUTE, 'Late')).toBe('Late');
		node.service.instead = { '/clients': refused(403, 'forbidden') };
		expect(await nameAfter(DAY, 'Refused')).toBe('Late');
	});

	it('are looked for with new records of clients, as long as one of these has no name', async () => {
		const clients = [clientOf(ADA)];
		const node = await watching({ parameters: CHOSEN, service: { clients } });
		let leadsSoFar = 0;
		const looksIn = async () => {
			node.takeAsked();
			leadsSoFar += 1;
			node.add(`lead ${leadsSoFar}`);
			await node.outcome();
			return node.takeAsked().filter(({ path }) => path === '/clients').length;
		};
		expect([await looksIn(), await looksIn()]).toEqual([1, 1]);
		clients.push(clientOf(BOB));
		expect([await looksIn(), await looksIn()]).toEqual([1, 0]);
	});
});

describe('the list of clients fails', () => {
	it('and the own account, which was watched before, is not read instead', async () => {
		const node = await watching({ parameters: OWN });
		node.host.parameters = node.host.stored = ALL;
		node.service.instead = { '/clients': refused(503, 'unavailable') };
		node.add('b');
		node.takeAsked();
		expect(await node.outcomes(2)).toEqual([null, null]);
		expect(node.takeAsked().filter(({ path }) => path !== '/clients')).toEqual([]);
	});

	it.each([
		['a redirect', { status: 302, body: {} }, /redirect.*not follow it/, /final URL.*Base URL/],
		['no API', { status: 404, body: {} }, /is not from this API/, /Base URL/],
		[
			'a page that lets nobody in',
			{ status: 403, body: '<html>' },
			/is not from this API/,
			/Base URL/,
		],
		['no such list', refused(404, 'not_found'), /found nothing at this URL/, /Base URL/],
		['no key', refused(401, 'unauthorized'), /The API key was not accepted/, /./],
		['no rights, by its code', refused(400, 'forbidden'), /does not list clients/, /"Own Account"/],
		['no rights, by its status', refused(403, 'scope_missing'), /does not list clients/, /Own/],
		[
			'no rights',
			refused(403, 'forbidden'),
			/^"Watch" is set to "All Clients", but .* No\./,
			/"Own Account"/,
		],
	])('with the whole reason: %s', async (_, reply, message, description) => {
		for (const mode of ['trigger', 'manual'] as const) {
			const node = playedTrigger({ parameters: ALL, mode, service: { instead: { s: reply } } });
			await expect(node.poll()).rejects.toMatchObject({
				message: expect.stringMatching(message) as string,
				description: expect.stringMatching(description) as string,
			});
			// It is not requested a second time for names.
			expect(node.asked.map(({ path }) => path)).toEqual(['/clients']);
		}
	});

	// n8n replaces a message that contains the name of one of its own errors with a general one.
	it.each([
		['newLead', 'leads'],
		['newActivity', 'activity'],
		['postStatusChanged', 'posts'],
	])('and the list of a client on %s, which is called the %s', async (event, records) => {
		const error = { code: 'forbidden', message: 'Upstream said ECONNREFUSED' };
		const node = playedTrigger({
			parameters: { ...CHOSEN, event, clientIds: [ADA] },
			answer: () => ({ status: 403, body: { error } }),
		});
		expect(await node.outcome()).toMatch(
			new RegExp(`^The ${records} of ${ADA} could not be read\\. .*Upstream said ECONNREFUSED`),
		);
	});
});

describe('another key', () => {
	const ANEW = expect.stringMatching(
		/belongs to a different account than before\. The existing records of this account count as known/,
	) as string;
	/** The output of the polls after the key was replaced. The account had `a` and `b`. */
	async function after(
		[then, now]: readonly [IDataObject, IDataObject | undefined],
		ids: string[],
		polls = 1,
		options: IDataObject = {},
	): Promise<Outcome[]> {
		const parameters = { ...OWN, options };
		const node = await watching({ parameters, ids: ['a', 'b'], service: { me: then } });
		node.useKey('x_live_other');
		node.service.records = leads(...ids);
		if (now === undefined) node.service.instead = { '/me': refused(404, 'not_found') };
		else node.service.me = now;
		return await node.outcomes(polls);
	}

	it.each<[string, IDataObject, IDataObject]>([
		['its user ID', { user_id: 'Me ' }, { user_id: 'me', email: 'new@example.com' }],
		['the same in another place', { subject: { user_id: 'me' } }, { owner: { user_id: 'me' } }],
		['a bare ID', { id: 7 }, { id: '7' }],
	])('of the same account goes on, by %s', async (_, then, now) => {
		// No known record is left, so the records could not decide.
		expect(await after([then, now], ['new'])).toEqual([['new']]);
		expect(JSON.stringify(await after([then, then], ['a']))).toBe('[null]');
	});

	it.each<[IDataObject, IDataObject]>([
		[{ user_id: 'me' }, { user_id: 'you' }],
		[{ id: 'me' }, { id: 'you' }],
	])('of another account starts over, whatever the records say: %j, %j', async (then, now) => {
		for (const emitExisting of [false, true])
			expect(await after([then, now], ['a', 'x'], 2, { emitExisting })).toEqual([ANEW, null]);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ user_id: 'me' }, { email: 'me@example.com' }],
		[{ ok: true }, { ok: true }],
	])('is judged by known records if nothing names its account: %j, %j', async (then, now) => {
		expect(await after([then, now], ['new', 'b'])).toEqual([['new']]);
		expect(await after([then, now], ['x', 'y'], 2)).toEqual([ANEW, null]);
		// A service that refuses to say it has given an answer, too.
		expect(await after([then, undefined], ['x', 'y'], 2)).toEqual([ANEW, null]);
	});

	it('stays undecided as long as the service does not answer, and is reported with a remedy', async () => {
		const node = await watching({ ids: ['a', 'b'], service: { me: { user_id: 'me' } } });
		node.useKey('x_live_other');
		node.service.instead = { '/me': refused(500) };
		node.service.records = leads('x');
		await expect(node.poll()).rejects.toMatchObject({
			message: expect.stringMatching(
				/^The API key was replaced, and the service did not say .+ The next poll asks again\.$/,
			) as string,
			description: expect.stringMatching(/enter the earlier key again\./) as string,
		});
		expect((await node.outcomes(30)).filter((one) => one !== null)).toEqual([]);
		node.service.instead = {};
		node.service.records = leads('new', 'b');
		expect((await node.outcomes(12)).flat()).toContain('new');
	});

	it('decides nothing while the list hides its records', async () => {
		const node = await watching({ service: { me: {} } });
		node.useKey('x_live_other');
		node.service.instead = { '/leads': pageOf([], { hasMore: true }) };
		expect(await node.outcomes(3)).toEqual([
			expect.stringMatching(
				/is empty, but says that there are more pages\. The next poll asks again\.$/,
			),
			...[null, null],
		]);
	});

	it('may belong to an earlier account, as the service or the records show', async () => {
		for (const mine of [{ user_id: 'me' }, {}]) {
			const node = await watching({ ids: ['a'], service: { me: mine } });
			const theirs = Object.keys(mine).length > 0 ? { user_id: 'you' } : {};
			for (const [key, me, ids, expected] of [
				['2', theirs, ['x'], [ANEW, null]],
				[
					'3',
					mine,
					['new', 'a'],
					[['new'], expect.stringMatching(/The trigger watched this account before/)],
				],
				[
					'4',
					theirs,
					['y', 'x'],
					[['y'], expect.stringMatching(/The trigger watched this account before/)],
				],
			] as const) {
				node.useKey(key);
				[node.service.me, node.service.records] = [me, leads(...ids)];
				expect(await node.outcomes(2)).toEqual(expected);
			}
		}
	});

	it('asks for the owner once for each key, and stores nothing that names the owner', async () => {
		const node = await watching({ service: { me: { email: 'me@example.com' } } });
		await node.outcomes(5);
		expect(node.takeAsked().map(({ path }) => path)).not.toContain('/me');
		const text = JSON.stringify(node.host.data);
		for (const secret of ['me@', 'x_live']) expect(text).not.toContain(secret);
	});

	it('keeps the list as long as its owner is uncertain', async () => {
		const node = await watching({});
		node.useKey('x_live_other');
		node.service.instead = {
			'/me': refused(404, 'internal_error'),
			'/leads': refused(404, 'internal_error'),
		};
		await node.outcomes(2, 31 * DAY);
		node.service.instead = {};
		node.add('b');
		expect(await node.outcomes(1)).toEqual([['b']]);
	});
});

it('a list that nobody watches is remembered for thirty days', async () => {
	const node = await watching({ parameters: ALL });
	const remembered = () => JSON.stringify(node.host.data).includes(BOB);
	node.service.clients.pop();
	expect(await node.outcomes(3)).toEqual([null, expect.stringContaining('has ended'), null]);
	node.add('b');
	expect(await node.outcomes(1, 29 * DAY)).toEqual([['b']]);
	expect(remembered()).toBe(true);
	node.add('c');
	// The ended grant is reported once a day. New records from that poll come with the next one.
	expect((await node.outcomes(2, 2 * DAY)).flat()).toContain('c');
	await node.outcomes(1);
	expect(remembered()).toBe(false);
});

it('requests for pages of a client name the client, with the filters that the service knows', async () => {
	const filters = { hasEmail: false, keyword: 'guide' };
	const node = await watching({ parameters: { ...CHOSEN, filters } });
	await node.outcomes(1);
	const asked = node.takeAsked();
	expect(asked.map(({ path }) => path).sort()).toEqual(
		[ADA, BOB].map((client) => `/clients/${client}/leads`),
	);
	for (const { query } of asked) expect(query).toEqual({ has_email: false });
});
