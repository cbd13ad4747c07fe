/** The dump of shapes: names of fields, and nothing that somebody has written. */
import { startService, type Account } from '../../fake-service/index';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { dumpOf, namesIn, typeOf } from '../../nodes/LeadGenPublishing/diagnose/shapes';
import { reportOf } from '../../nodes/LeadGenPublishing/diagnose/report';
import { diagnosisOf } from './scene';

const asked = (name: Asked['name'], ...bodies: readonly unknown[]): Asked => ({
	...{ name, at: 0, outcome: { kind: 'answered', body: bodies.at(-1) } },
	attempts: bodies.map((json) => ({
		...{ ms: 1, status: 200, json },
		headers: { date: 'x', 'x-acme-post-etag': 'y' },
	})),
});

describe('a name', () => {
	it.each<[string, string, unknown[], boolean]>([
		['that the document has', 'keyword', [{ keyword: 'x' }], true],
		['that two records show', 'mood', [{ data: [{ mood: 1 }, { mood: 2 }] }], true],
		['that one record shows', 'GUIDE', [{ data: { GUIDE: 3 } }], false],
		[
			'that two records show, but no field has',
			'Ada M.',
			[[{ 'Ada M.': 1 }, { 'Ada M.': 2 }]],
			false,
		],
		['of a profile', 'acme_profile_url', [{ acme_profile_url: 'x' }], true],
	])('%s', (_, name, bodies, isOne) => {
		expect(namesIn(bodies)(name)).toBe(isOne);
	});

	// A keyword such as POST, or a client of this name, once hid whole shapes.
	it('of a field stays one, whatever people call their keywords and firms', () => {
		const client = { user_id: 'x', full_name: 'Lead Business Consulting', business_name: 'Status' };
		const magnet = { id: 'x', keyword: 'POST', status: 'active', figures: { POST: 1 } };
		const dump = dumpOf([
			asked('client.getAll', { data: [client] }),
			asked('leadMagnet.getAll', { data: [magnet, { ...magnet, figures: { OTHER: 1 } }] }),
		]);
		expect(dump).toContain('- business_name: text');
		expect(dump).toContain('- keyword: text');
		expect(dump).toContain('- figures: object\n    - (2 other names)');
		expect(dump).not.toMatch(/Consulting|POST|OTHER/);
	});
});

it('shows types, shares, headers and counts', () => {
	const id = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
	const records = [
		{ id, status: 'a', created_at: '2026-01-05T09:00:00Z', acme_profile_url: 'https://x' },
		{ id: 7, status: null, has_intent: true, grant: { status: 'active' } },
	];
	expect(dumpOf([asked('lead.getAll', { data: records, pagination: {} }, { data: [] })])).toBe(
		[
			'### GET /leads: HTTP 200, 2 times',
			'',
			'Headers: date, x-svc-post-etag',
			'',
			'- data: list, 2 objects',
			'  - id: number or uuid',
			'  - status: null or text',
			'  - created_at: time (1 of 2)',
			'  - network_profile_url: text (1 of 2)',
			'  - has_intent: flag (1 of 2)',
			'  - grant: object (1 of 2)',
			'    - status: text',
			'- pagination: object (1 of 2)',
			'',
		].join('\n'),
	);
});

it.each([
	[null, 'null'],
	[[], 'list'],
	[{}, 'object'],
	[true, 'flag'],
	[7, 'number'],
	['Ada', 'text'],
	['2026-01-05', 'text'],
	['2026-01-05T09:00:00+01:00', 'time'],
	['6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', 'uuid'],
])('%j is a %s', (value, type) => {
	expect(typeOf(value)).toBe(type);
});

it.each(['agency', 'own'] as const)(
	'the report has no value, with the key of %s',
	async (whose) => {
		const service = await startService();
		const { world, baseUrl } = service;
		// Then the item of the clients has names.
		service.faults.add(
			{ kind: 'error', status: 403 },
			{ clientId: world.clientB.id, count: Infinity },
		);
		const { facts, all } = await diagnosisOf(service, world.keys[whose]);
		await service.close();
		const report = reportOf(all, facts);
		expect(report).toContain('### GET /leads/'.slice(0, -1));
		const held = [world.own, world.agency, world.clientA, world.clientB].flatMap(
			(account: Account) => [
				...[account.id, account.fullName],
				...account.leads
					.toArray()
					.flatMap((lead) => [lead.id, lead.name, lead.network_profile_url]),
				...account.posts.toArray().flatMap(({ id, text }) => [id, text]),
				...account.activity.toArray().flatMap(({ id, content }) => [id, content]),
				...account.leadMagnets.toArray().flatMap(({ keyword }) => keyword),
			],
		);
		const secrets = [world.keys[whose], baseUrl, 'req_', ...held];
		expect(secrets.filter((text) => report.includes(String(text)))).toEqual([]);
	},
);
