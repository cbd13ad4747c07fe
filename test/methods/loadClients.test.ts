/** What the list of clients that the trigger offers holds. */
import { setUpKit } from '../support/kit/index';
import { loadClients } from './loadClients';

const kit = setUpKit({ listInactiveGrants: true });
const load = async (apiKey: string) => await loadClients({ baseUrl: kit.service.baseUrl, apiKey });

it('names the clients, those with an active grant first', async () => {
	const { keys, clientA } = kit.service.world;
	const clients = await load(keys.agency);
	expect(clients.map(({ value }) => value)).toContain(clientA.id);
	expect(clients.at(-1)?.name).toContain('not accessible: no active grant');
});

it('has them by name, and tells twins apart, as the picker of the action node', async () => {
	const { world } = kit.service;
	const same = { fullName: 'Abel', businessName: 'Abel Ltd' };
	for (const name of ['last', 'first']) world.addClient(world.agency, name, same);
	const clients = await load(world.keys.agency);
	const isOpen = ({ name }: { name: string }) => !name.includes('not accessible');
	const groups = [clients.filter(isOpen), clients.filter((one) => !isOpen(one))];
	expect(clients).toEqual(groups.flat());
	for (const group of groups) {
		const names = group.map(({ name }) => name);
		expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
	}
	const twins = clients.filter(({ name }) => name.startsWith('Abel'));
	expect(twins.map(({ value, description }) => description === `ID ${String(value)}`)).toEqual([
		...[true, true],
	]);
});

it('asks again for a page that came blank, and offers what there is if the list has no end', async () => {
	const { faults, world } = kit.service;
	const whole = await load(world.keys.agency);
	faults.add({ kind: 'emptyPage' });
	expect(await load(world.keys.agency)).toEqual(whole);
	faults.add({ kind: 'neverEnding' }, { count: Infinity });
	expect(await load(world.keys.agency)).toEqual(whole);
});

it('waits for no page past the end', async () => {
	const { keys, agency } = kit.service.world;
	for (let index = (await load(keys.agency)).length; index < 150; index += 1) {
		kit.service.world.addClient(agency, `Client ${index}`);
	}
	const at = (offset: string) => (request: { query: Record<string, string> }) =>
		request.query.offset === offset;
	// Until then the page behind it is under way.
	kit.service.faults.add({ kind: 'delay', ms: 50 }, { when: at('100') });
	kit.service.faults.add({ kind: 'hang' }, { when: at('200'), count: Infinity });
	expect(await load(keys.agency)).toHaveLength(150);
	expect(kit.service.requests.some(at('200'))).toBe(true);
});

it('says what to do when the key may not list them', async () => {
	await expect(load(kit.service.world.keys.own)).rejects.toThrow(
		/may not do this: Client routes need an agency key.*Only agency keys can list clients/,
	);
});
