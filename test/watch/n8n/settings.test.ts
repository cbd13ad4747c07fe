/** What the trigger's parameters mean, as they are stored and where they are left out. */
import type { IPollFunctions } from 'n8n-workflow';

import { paceFor } from '../../../nodes/LeadGenPublishing/watch/list/pace';
import { readSettings } from '../../../nodes/LeadGenPublishing/watch/n8n/settings';

const [ADA, BOB, CAT] = ['11', '12', '1a'].map(
	(end) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${end}`,
) as [string, string, string];

const settingsOf = (parameters: Record<string, unknown>) =>
	readSettings({
		getNodeParameter: (name: string) => parameters[name] ?? null,
		getNode: () => ({ parameters }),
	} as unknown as IPollFunctions);
const watchedWith = (parameters: Record<string, unknown>) =>
	settingsOf({ event: 'newLead', ...parameters }).watched;

it('nothing but what is watched need be given', () => {
	const { list, ...settings } = settingsOf({ event: 'newLead', watch: 'own' });
	expect(settings).toEqual({
		...{ event: 'newLead', watched: { kind: 'own' }, filters: {}, simplify: true },
		...{ scope: 'yElw3A-VF5V', formerScope: 'yElw3A-VF5V', redeliversLast: false },
	});
	expect(list).toMatchObject({
		...{ emitExisting: false, maxItems: 1_000, maxRequests: 5_000, pace: paceFor(undefined) },
		rules: { kind: 'new', width: 0 },
	});
});

it('each option means what it says', () => {
	const options = { emitExisting: true, maxItemsPerPoll: 2.9, completeCheckEvery: 0.5 };
	const given = { event: 'leadChanged', watch: 'own', simplify: false };
	const { simplify, redeliversLast, list } = settingsOf({
		...given,
		options: { ...options, afterRestart: 'redeliverLast' },
	});
	expect([simplify, redeliversLast]).toEqual([false, true]);
	expect(list).toMatchObject({ emitExisting: true, maxItems: 2, pace: paceFor(0.5) });
	expect(settingsOf({ ...given, options: { afterRestart: 'continue' } }).redeliversLast).toBe(
		false,
	);
	expect(settingsOf({ ...given, options: { completeCheckEvery: 0 } }).list.pace).toEqual(
		paceFor(0),
	);
	expect(settingsOf({ ...given, options: { maxItemsPerPoll: 1 } }).list.maxItems).toBe(1);
});

it('a filter counts if it holds something', () => {
	const filtersOf = (filters: object) =>
		settingsOf({ event: 'newLead', watch: 'own', filters }).filters;
	const whole = { hasEmail: false, keyword: ' GUIDE ', source: 'comment' };
	expect(filtersOf({ ...whole, onlyWithIntent: true, qualificationStatus: 'open' })).toEqual({
		...{ hasEmail: false, keyword: 'GUIDE', source: 'comment' },
		...{ onlyWithIntent: true, qualificationStatus: 'open' },
	});
	expect(filtersOf({ onlyWithIntent: false, keyword: '', qualificationStatus: ' ' })).toEqual({});
});

describe('who is watched', () => {
	it('is the own account, whatever clients were chosen before', () => {
		expect(watchedWith({ watch: 'own', clientIds: [ADA] })).toEqual({ kind: 'own' });
	});

	it('are all clients, or a share of them', () => {
		expect(watchedWith({ watch: 'allClients' })).toEqual({ kind: 'allClients' });
		expect(watchedWith({ watch: 'allClients', options: { share: '2 of 3' } })).toEqual({
			...{ kind: 'allClients', share: { part: 2, of: 3 } },
		});
	});

	it('are the chosen clients, each once and as it was written first', () => {
		const idsOf = (...clientIds: string[]) => {
			const watched = watchedWith({ watch: 'clients', clientIds });
			return watched.kind === 'clients' ? watched.ids : [];
		};
		expect(idsOf(BOB, ADA, CAT)).toEqual([BOB, ADA, CAT]);
		expect([...idsOf(BOB, ADA, BOB, CAT, CAT.toUpperCase())].sort()).toEqual([ADA, BOB, CAT]);
		expect(idsOf(CAT.toUpperCase(), CAT)).toEqual([CAT.toUpperCase()]);
	});

	it('are those of the chosen clients that fall into the share', () => {
		const clientIds = [ADA, BOB, CAT];
		const idsOf = (share: string) => {
			const watched = watchedWith({ watch: 'clients', clientIds, options: { share } });
			return watched.kind === 'clients' ? watched.ids : [];
		};
		const [first, second] = [idsOf('1 of 2'), idsOf('2 of 2')];
		expect([...first, ...second].sort()).toEqual([ADA, BOB, CAT]);
		expect(idsOf('1 of 1')).toEqual(clientIds);
	});
});
