/** What is not a finding: a change during the run, and a single failure that says nothing about the rest. */
import { startService, type FakeService } from '../../fake-service/index';
import type { Account } from '../../fake-service/index';
import { diagnosisOf, giveClients } from './scene';

const RUNS = process.env.LONG === '1' ? 20 : 4;

/** Something that happens in an account while it is diagnosed. */
const HAPPENINGS: ReadonlyArray<(service: FakeService, account: Account, turn: number) => void> = [
	({ world }, account) => void world.addLead(account),
	({ world }, account, turn) => {
		const leads = account.leads.toArray();
		const lead = leads[(turn * 7) % Math.max(1, leads.length)];
		if (lead !== undefined) world.removeLead(account, lead.id);
	},
	({ world }, account, turn) => {
		const leads = account.leads.toArray();
		const lead = leads[(turn * 5) % Math.max(1, leads.length)];
		if (lead === undefined) return;
		const submitted = lead.emails.submitted === null ? 'someone@example.com' : null;
		world.patchLead(account, lead.id, { emails: { submitted, work: null, personal: null } });
	},
	({ world }, account) => void world.addActivity(account),
	({ world }, account, turn) => void world.addPost(account, { text: `Post ${turn}` }),
	(_, { posts }) => {
		const [oldest, ...others] = posts.toArray();
		if (oldest !== undefined && others.length > 1) posts.remove(oldest.id);
	},
];

/** Before each request, something happens in every account. */
function lively(service: FakeService, seed: number): () => void {
	const { agency } = service.world;
	let turn = seed;
	return () => {
		const clients = agency.grants.toArray().map(({ client }) => service.world.account(client));
		for (const account of [agency, ...clients]) {
			turn += 1;
			HAPPENINGS[turn % HAPPENINGS.length]?.(service, account, turn);
		}
	};
}

it.each([false, true])(
	'an agency with 40 clients has no finding while records come, change and go (likely shapes: %s)',
	async (likelyShapes) => {
		const found: string[] = [];
		for (let run = 0; run < RUNS; run += 1) {
			const service = await startService({ seed: run + 1, likelyShapes });
			giveClients(service, 40);
			const { summary, needing } = await diagnosisOf(service, service.world.keys.agency, {
				onRequest: lively(service, run),
			});
			await service.close();
			expect(summary.seen).toContain('40 clients read');
			found.push(...needing.map(({ check, means }) => `${check}: ${means}`));
		}
		expect(found).toEqual([]);
	},
);

describe('with one failure', () => {
	let service: FakeService;
	beforeEach(async () => (service = await startService({ isStrict: false })));
	afterEach(async () => await service.close());
	const diagnosed = async (whose: 'own' | 'agency' = 'agency') =>
		await diagnosisOf(service, service.world.keys[whose]);

	it('/me alone is reported, and everything else is read', async () => {
		service.faults.add({ kind: 'error', status: 500 }, { path: '/me', count: Infinity });
		const { needing, summary } = await diagnosed();
		expect(needing.map(({ check, means }) => `${check}: ${means}`)).toEqual([
			'Reads: GET /me: The service failed unexpectedly.',
		]);
		expect(summary.means).toContain('These work: your own account and 3 clients');
	});

	it.each([
		['a request to wait', { kind: 'error', status: 429, retryAfter: 60 } as const],
		['a rule about whole pages', { kind: 'error', status: 400 } as const],
		['an error', { kind: 'error', status: 500 } as const],
	])(
		'%s on a page that only a diagnosis reads does not mean that lists fail',
		async (_, effect) => {
			service.faults.add(effect, {
				when: ({ query }) => ['1', '2'].includes(String(query.limit)),
				count: Infinity,
			});
			const { needing } = await diagnosed('own');
			expect(needing).toEqual([]);
		},
	);

	it('a service that takes whole pages only has complete lists', async () => {
		service.faults.add(
			{ kind: 'error', status: 400 },
			{
				when: ({ query }) => Number(query.offset ?? 0) % Number(query.limit ?? 50) !== 0,
				count: Infinity,
			},
		);
		const { all, needing } = await diagnosed('own');
		expect(needing).toEqual([]);
		expect(all.find(({ check }) => check === 'Complete lists')?.means).toBe(
			'"Return All" reads these lists to the end: posts, lead magnets, activity and leads.',
		);
	});

	it("an agency's own account among its clients does not stop workflows", async () => {
		const { world } = service;
		world.grant(world.agency, world.agency);
		const { needing, summary } = await diagnosed();
		expect(summary.means).toContain('4 clients');
		expect(needing).toEqual([]);
	});

	it('two findings in one check are both in the summary', async () => {
		const { world, faults } = service;
		faults.add({ kind: 'error', status: 500 }, { route: 'activity.list', count: Infinity });
		faults.add(
			{ kind: 'error', status: 409, code: 'conflict', reason: 'account_paused' },
			{ clientId: world.clientB.id, count: Infinity },
		);
		const { needing, summary } = await diagnosed();
		expect(needing.map(({ check }) => check)).toEqual(['Reads', 'Reads']);
		expect(summary.means).toMatch(/^1 check needs your attention: Reads\. .*unexpectedly.*paused/s);
		for (const { do_next: next } of needing) expect(summary.do_next).toContain(next);
	});

	it.each([
		['account_paused', 'The account is paused'],
		['network_not_connected', 'No usable network account is connected'],
	])('409 %s has the words of any other error', async (reason, words) => {
		const { clientB } = service.world;
		const effect = { kind: 'error', status: 409, code: 'conflict', reason } as const;
		service.faults.add(effect, { clientId: clientB.id, count: Infinity });
		const { needing } = await diagnosed();
		expect(needing.map(({ means }) => means)).toEqual([
			expect.stringContaining(`${words}. Clients: Ben Castellano.`),
		]);
	});

	it('a post that is deleted after it was listed is not missed', async () => {
		service.faults.add(
			{ kind: 'error', status: 404 },
			{ route: 'posts.engagement', count: Infinity },
		);
		service.faults.add({ kind: 'error', status: 404 }, { route: 'posts.get', count: Infinity });
		expect((await diagnosed('own')).needing).toEqual([]);
	});

	it('a route that does not exist is missed, if its record does', async () => {
		service.faults.add(
			{ kind: 'error', status: 404 },
			{ route: 'posts.engagement', count: Infinity },
		);
		const { needing } = await diagnosed('own');
		expect(needing.map(({ means }) => means)).toEqual([
			'The service does not offer GET /posts/{id}/engagement to this key.',
		]);
	});
});

describe('a list that changes between two reads', () => {
	it.each([
		['a lead is deleted', 'limit', '2', 1],
		['a lead gains its email', 'has_email', 'false', 2],
	] as const)('is not wrong: %s', async (_, name, value, act) => {
		const service = await startService();
		const { own, keys } = service.world;
		let isDone = false;
		service.faults.add(
			{ kind: 'delay', ms: 0 },
			{
				when: ({ query, route }) => {
					if (isDone || route !== 'leads.list' || query[name] !== value) return false;
					const first = own.leads.toArray().at(-1);
					const without = own.leads
						.toArray()
						.find(({ emails }) => Object.values(emails).every((email) => email === null));
					if (act === 1 && first !== undefined) service.world.removeLead(own, first.id);
					if (act === 2 && without !== undefined)
						service.world.patchLead(own, without.id, {
							emails: { submitted: 'a@example.com', work: null, personal: null },
						});
					isDone = true;
					return false;
				},
				count: Infinity,
			},
		);
		const { needing, all } = await diagnosisOf(service, keys.own);
		await service.close();
		expect(isDone).toBe(true);
		expect(needing).toEqual([]);
		expect(all.map(({ means }) => means).join()).toContain('changed while');
	});
});
