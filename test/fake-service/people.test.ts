/** The people of the fake service look like people: their addresses fit their names. */
import { startService } from '../../fake-service/index';
import { leadAt } from '../../fake-service/sample';

const leads = Array.from({ length: 600 }, (_, index) => leadAt(7, index, '2030-01-01T00:00:00Z'));

it('nobody loses a letter in an address', () => {
	for (const { name, network_profile_url: url, emails } of leads) {
		const letters = [...name].filter((one) => /\p{L}/u.test(one)).length;
		const addresses = [url.replace(/.*\//, ''), ...Object.values(emails)].filter(
			(one) => one !== null,
		);
		for (const address of addresses) {
			const [own = ''] = address.split('@');
			expect([name, own.replace(/[^a-z]/g, '').length]).toEqual([name, letters]);
		}
	}
	const soren = leads.find(({ name }) => name.startsWith('Søren'));
	expect(soren?.network_profile_url).toMatch(/\/soren-/);
});

it('nobody asks for prices without intent, nor after it was changed', async () => {
	for (const { has_intent: intent, intent_signals: signals } of leads)
		expect(signals).toHaveLength(intent ? 1 : 0);
	const service = await startService();
	const { world } = service;
	const { id } = world.addLead(world.own, { has_intent: true });
	expect(world.own.leads.get(id)?.intent_signals).toEqual(['asked_for_pricing']);
	world.patchLead(world.own, id, { has_intent: false });
	expect(world.own.leads.get(id)?.intent_signals).toEqual([]);
	await service.close();
});
