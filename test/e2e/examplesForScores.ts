// The example that gives each person one row with a score.

import type { Gallery } from '../../scripts/n8n/gallery';
import { activate, run, stored, until } from './exampleRuns';

export function describeScores(gallery: () => Gallery): void {
	describe('the example that scores leads', () => {
		it('has one row for each person, however the address is spelled', async () => {
			const { api, service } = gallery();
			const { world } = service;
			await run(gallery(), await stored(gallery(), 'create-crm-tables'), 'Run Once');
			const workflow = await stored(gallery(), 'score-leads');
			await activate(gallery(), workflow);
			const table = await api.tableId('Scored leads');
			const rowOf = async (person: string) =>
				(await api.rows(table)).filter((row) => row.person === person);
			const email = (work: string | null) => ({ work, submitted: null, personal: null });
			const person = 'https://network.example/in/Zora-Q';
			const cold = {
				latest_keyword: 'GUIDE',
				has_intent: false,
				qualification_status: 'pending',
				emails: email(null),
			};
			world.addLead(world.own, { ...cold, network_profile_url: `${person}/?from=post` });
			await until(async () => ((await rowOf(person)).length > 0 ? true : undefined));
			expect(await rowOf(person)).toMatchObject([{ score: 10, grade: 'cold' }]);

			const url = 'HTTPS://www.Network.example/in/Zora-Q#about';
			const hot = { latest_keyword: 'GUIDE', has_intent: true, qualification_status: 'qualified' };
			const lead = { ...hot, emails: email('z@work.example'), network_profile_url: url };
			const { id } = world.addLead(world.own, lead);
			const other = world.addLead(world.own, { ...cold, network_profile_url: '' });
			await until(async () => ((await rowOf(other.id)).length > 0 ? true : undefined));
			await api.deactivate(workflow);
			expect(await rowOf(person)).toMatchObject([
				{ score: 100, grade: 'hot', lead_id: id, profile_url: url },
			]);
			expect((await rowOf(person))[0]?.because).toContain('work email');
			const persons = (await api.rows(table)).map((row) => row.person);
			expect(new Set(persons).size).toBe(persons.length);
		});
	});
}
