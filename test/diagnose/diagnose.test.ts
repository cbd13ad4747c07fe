/** Account > Diagnose on n8n's engine: its parameters, and what it puts out. */
import { setUpKit } from '../support/kit/index';
import { expectFittingCheck } from '../support/kit/fittingWords';
import { as, DIAGNOSE, diagnosed } from './scene';

const kit = setUpKit();

it.each(['agency', 'own'] as const)(
	'a healthy account gets one sentence, with the key of %s',
	async (whose) => {
		const items = await diagnosed(kit, {}, kit.service.world.keys[whose]);
		const clients = whose === 'agency' ? ' and 3 clients' : '';
		expect(items.map(({ means }) => means)).toEqual([
			`No check found a problem. These work: your own account${clients}, with posts, lead magnets, activity and leads.`,
		]);
		expect(kit.writes()).toEqual([]);
	},
);

it('shows all checks if they are wanted', async () => {
	const items = await diagnosed(kit, { show: 'all' }, kit.service.world.keys.agency);
	expect(items.map(({ check, result }) => `${String(check)}: ${String(result)}`)).toEqual([
		...['Summary: ok', 'URL and key: ok', 'Clock: ok', 'Scopes: ok', 'Clients: ok'],
		...['Separate accounts: ok', 'Reads: ok', 'Complete lists: ok', 'Filters: ok'],
		'Unique keys: ok',
	]);
	items.forEach(expectFittingCheck);
});

it('returns the shapes as one text if they are wanted', async () => {
	const items = await diagnosed(kit, { output: 'report' });
	expect(items).toEqual([
		{ report: expect.stringContaining('### GET /leads: HTTP 200') as string },
	]);
});

it('only reads, also if a stored node of an earlier version wants to write', async () => {
	await diagnosed(kit, { alsoTryWrites: true });
	expect(kit.service.requests.length).toBeGreaterThan(10);
	expect(kit.service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('diagnoses an account once, however many items come in', async () => {
	const items = [{ json: {} }, { json: {} }];
	const given = { ...as(kit.service, kit.service.world.keys.own), items };
	const found = await kit.records({ ...DIAGNOSE }, given);
	expect(found).toHaveLength(2);
	expect(kit.service.requests.filter(({ path }) => path === '/me')).toHaveLength(1);
});

it('sends two requests with a key that is revoked', async () => {
	const items = await diagnosed(kit, {}, kit.service.world.keys.revoked);
	expect(items.map(({ check }) => check)).toEqual(['Summary', 'URL and key']);
	expect(kit.service.requests).toHaveLength(2);
});

it('looks at one client in place of the first 40', async () => {
	const { clientB, keys } = kit.service.world;
	await diagnosed(kit, { options: { clientId: clientB.id } }, keys.agency);
	const clients = kit.service.requests.flatMap(({ clientId }) => clientId ?? []);
	expect([...new Set(clients)]).toEqual([clientB.id]);
});

it('one list that never responds takes nothing from the others', async () => {
	kit.service.faults.add({ kind: 'hang' }, { path: '/activity', count: Infinity });
	const items = await diagnosed(kit, { show: 'all', options: { maxWaitSeconds: 1 } });
	const needing = items.filter(({ result }) => result === 'needs_you');
	expect(needing.map(({ check }) => check)).toEqual(['Summary', 'Reads']);
	expect(items.find(({ check }) => check === 'Complete lists')?.means).toContain(
		'posts, lead magnets and leads',
	);
});

it('is rejected if the credential is wrong', async () => {
	const failure = await kit.failure(DIAGNOSE, as({ ...kit.service, baseUrl: 'nowhere' }, 'key'));
	expect(failure.error).toContain('is not a valid URL');
});
