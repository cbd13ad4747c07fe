/** For each event of the trigger: how it is used, and what happens between two polls. */
import { activityAt, leadAt } from '../../../fake-service/sample';
import type { FrozenAccount, Holdings } from '../frozen';
import { one, postOf, way, type Sample } from './sample';

const LATER = '2027-03-01T09:00:30.000Z';
const SEED = 4711;

const newLead = (): Holdings => ({ leads: [{ ...leadAt(SEED, 1, LATER), has_intent: true }] });
const newActivity = (): Holdings => ({
	activity: [{ ...activityAt(SEED, 1, LATER), source: 'comment', keyword: 'GUIDE' }],
});
const changedLead = ({ leads }: FrozenAccount): Holdings => ({
	leads: [
		{
			...one(leads),
			latest_keyword: 'CHANGED',
			has_intent: true,
			qualification_status: 'qualified',
			updated_at: LATER,
		},
	],
});
const publishedPost = (account: FrozenAccount): Holdings => ({
	posts: [{ ...postOf(account, 'scheduled'), status: 'published', updated_at: LATER }],
});

type Later = (account: FrozenAccount) => Holdings;

const ways = (later: Later, set: Record<string, unknown>): Sample[] => [
	way('Own Account', {}, { later }),
	way('Chosen Clients', ({ id }) => ({ watch: 'clients', clientIds: [id] }), {
		...{ whose: 'client', later },
	}),
	way('All Clients', { watch: 'allClients', share: '1 of 1' }, { whose: 'client', later }),
	way(
		'Everything Set',
		{
			...{ simplify: false, maxItemsPerPoll: 5, completeCheckEvery: 2 },
			...{ afterRestart: 'redeliverLast', ...set },
		},
		{ later },
	),
	way('With What Is There', { emitExisting: true }, { later }),
];

const ofLeads = { hasEmail: true, keyword: 'guide' };
const pending = { ...ofLeads, qualificationStatus: 'pending' };

export const EVENTS: Readonly<Record<string, readonly Sample[]>> = {
	leadChanged: [
		...ways(changedLead, { onlyWithIntent: true, qualificationStatus: 'qualified' }),
		way('Filtered', ofLeads, { later: changedLead }),
	],
	newActivity: ways(newActivity, { source: 'comment', keyword: 'guide' }),
	newLead: [
		...ways(newLead, { onlyWithIntent: true }),
		way('Filtered', pending, { later: newLead }),
	],
	postStatusChanged: ways(publishedPost, {}),
};
