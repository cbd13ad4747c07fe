/** What the trigger's panel shows. `settings.ts` reads what the user has entered. */
import type { INodeProperties } from 'n8n-workflow';

import { numberParameter, parameter, textParameter } from '../fields/parameter';
import { subtitle } from '../fields/subtitle';

const keyword = textParameter('keyword', {
	placeholder: 'e.g. guide',
	description: 'The word that people write to ask for the resource, in upper or lower case',
});
const LEAD_FILTERS: INodeProperties[] = [
	parameter('hasEmail', {
		type: 'boolean',
		default: true,
		description:
			'Whether to watch only leads with an email address, or only those without one. A lead that gains its address later counts as new then.',
	}),
	keyword,
	parameter('onlyWithIntent', {
		type: 'boolean',
		default: true,
		description: 'Whether to watch only leads that show intent',
	}),
	textParameter('qualificationStatus', {
		placeholder: 'e.g. qualified',
		description: 'The status a lead must have',
	}),
];
const ACTIVITY_FILTERS: INodeProperties[] = [
	keyword,
	textParameter('source', {
		placeholder: 'e.g. comment',
		description: 'Where the activity must come from',
	}),
];

const EVENTS = [
	{
		name: 'Lead Changed',
		value: 'leadChanged',
		action: 'On changed lead',
		description:
			'The name, profile, email, keyword, intent or qualification of a known lead has changed',
	},
	{
		name: 'New Activity',
		value: 'newActivity',
		action: 'On new activity',
		description: 'Someone commented or sent a message',
	},
	{ name: 'New Lead', value: 'newLead', action: 'On new lead', description: 'A lead appeared' },
	{
		name: 'Post Status Changed',
		value: 'postStatusChanged',
		action: 'On changed post status',
		description: 'A post was scheduled, published or otherwise changed its status',
	},
];

const WATCHED = [
	{
		name: 'All Clients',
		value: 'allClients',
		description: 'Every client of your agency with an active grant; new clients join by themselves',
	},
	{ name: 'Chosen Clients', value: 'clients', description: 'Some clients of your agency' },
	{ name: 'Own Account', value: 'own', description: 'The account that the API key belongs to' },
];

const filtersFor = (events: string[], options: INodeProperties[]): INodeProperties =>
	parameter('filters', {
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { event: events } },
		options,
	});

const namesOf = (shown: ReadonlyArray<{ name: string; value: string }>) =>
	Object.fromEntries(shown.map(({ name, value }) => [value, name]));

/** Such as "New Lead: All Clients". */
export const TRIGGER_SUBTITLE = subtitle(
	{ labels: namesOf(EVENTS), of: ['event'] },
	{ labels: namesOf(WATCHED), of: ['watch'] },
);

const OPTIONS: INodeProperties[] = [
	parameter('afterRestart', {
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description:
					'Continue where the stored state ends. If n8n is killed between storing the state and starting the workflow, that batch is lost.',
			},
			{
				name: 'Deliver the Last Batch Again',
				value: 'redeliverLast',
				description:
					'Start the workflow with the last batch once more, so that none is lost. Use it where repeats do no harm, as with an upsert; they have the same dedupe_key.',
			},
		],
		default: 'continue',
		description: 'What to do after n8n was restarted or killed',
	}),
	parameter('completeCheckEvery', {
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 168, numberPrecision: 2 },
		default: 6,
		description:
			'Within how many hours the whole list is looked through once, for what does not appear where new records usually do. With 0, each poll looks at one further page.',
	}),
	parameter('emitExisting', {
		type: 'boolean',
		default: false,
		description: 'Whether the first run also delivers the records that are already there',
	}),
	numberParameter('maxItemsPerPoll', {
		...{ min: 1, standard: 1000 },
		description: 'How many items one poll delivers at most; the rest follows in the next polls',
	}),
	textParameter('share', {
		placeholder: 'e.g. 1 of 3',
		displayOptions: { show: { '/watch': ['allClients', 'clients'] } },
		description:
			'Which part of thousands of clients this trigger watches: give "1 of 3", "2 of 3" and "3 of 3" to three triggers, and each client is watched by exactly one',
		builderHint: { propertyHint: 'Leave it out below a thousand clients.' },
	}),
];

export const TRIGGER_PROPERTIES: INodeProperties[] = [
	parameter('event', {
		type: 'options',
		noDataExpression: true,
		options: EVENTS,
		default: 'newLead',
	}),
	{
		displayName:
			'A change of an older record can take until the next complete check to be noticed, which the option Complete Check Every (Hours) sets.',
		name: 'delayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: ['leadChanged', 'postStatusChanged'] } },
	},
	parameter('watch', {
		type: 'options',
		options: WATCHED,
		default: 'own',
		description: 'Whose account to watch',
	}),
	parameter('clientIds', {
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getClients' },
		default: [],
		required: true,
		displayOptions: { show: { watch: ['clients'] } },
		description:
			'The clients to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	filtersFor(['newLead', 'leadChanged'], LEAD_FILTERS),
	filtersFor(['newActivity'], ACTIVITY_FILTERS),
	parameter('simplify', {
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
	parameter('options', {
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: OPTIONS,
	}),
];
