/**
 * What judges the runs in a real n8n: the rows of a table against the records of the service. If it
 * overlooked something, those runs would pass.
 */
import { leadAt } from '../../fake-service/sample';
import { agrees, compare, compareLeads, type Comparison } from '../../scripts/demo/ledger';

const ADA = { id: 'a', name: 'Ada' };
const BOB = { id: 'b', name: 'Bob' };

it.each<[string, object[], Partial<Comparison>]>([
	['each record once', [BOB, ADA], {}],
	['more columns than are compared', [{ ...ADA, at: 1 }, BOB], {}],
	['a record without a row', [ADA], { found: 1, missing: ['b'] }],
	['no row', [], { found: 0, missing: ['a', 'b'] }],
	['two rows of one record', [ADA, BOB, ADA], { found: 3, surplus: ['a'] }],
	['a row of no record', [ADA, BOB, { id: 'c' }], { found: 3, surplus: ['c'] }],
	['another value', [ADA, { ...BOB, name: 'Cleo' }], { different: ['b'] }],
	['a value that is not there', [{ id: 'a' }, BOB], { different: ['a'] }],
])('a table with %s', (_, rows, wrong) => {
	const expected = new Map([ADA, BOB].map((one) => [one.id, one]));
	const found = compare('leads', expected, rows as never, ({ id }) => [id]);
	const good = { what: 'leads', expected: 2, found: 2, missing: [], surplus: [], different: [] };
	expect(found).toEqual({ ...good, ...wrong });
	expect(agrees(found)).toBe(Object.keys(wrong).length === 0);
});

it('a lead counts as stored only if all its columns are', () => {
	const lead = leadAt(7, 1, '2030-01-01T00:00:00Z');
	const { network_profile_url: profile_url, id: lead_id, emails, name, ...others } = lead;
	const row = {
		...{ profile_url, lead_id, name, email: emails.work ?? emails.submitted ?? emails.personal },
		keyword: others.latest_keyword,
		has_intent: others.has_intent,
		qualification_status: others.qualification_status,
	};
	const stored = (change: object) => agrees(compareLeads('leads', [lead], [{ ...row, ...change }]));
	expect(stored({})).toBe(true);
	for (const column of Object.keys(row))
		expect([column, stored({ [column]: 'other' })]).toEqual([column, false]);
});
