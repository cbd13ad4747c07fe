/** What the trigger's panel shows. `settings.ts` reads what the user has entered. */
import type { INodeProperties } from 'n8n-workflow';

import { numberParameter, parameter, textParameter } from '../panel/fields/parameter';
import { subtitle } from '../panel/fields/subtitle';
import { WATCH_EVENTS, type WatchEvent } from '../feed/events/events';

const keyword = textParameter('keyword', {
	placeholder: 'e.g. guide',
	description: 'The word people comment to request the resource, ignoring case',
});
const onlyWithIntent = parameter('onlyWithIntent', {
	type: 'boolean',
	default: true,
	description: 'Whether to watch only leads that show intent',
});
const qualificationStatus = textParameter('qualificationStatus', {
	placeholder: 'e.g. qualified',
	description: 'Only watch leads with this status',
});
const source = textParameter('source', {
	placeholder: 'e.g. comment',
	description: 'Only watch activity from this source',
});

const FILTERS: Readonly<Record<WatchEvent, INodeProperties[]>> = {
	newLead: [
		parameter('hasEmail', {
			type: 'boolean',
			default: true,
			description:
				'Whether to watch only leads with an email address, or only leads without one. A lead that gets an email address later counts as new at that point.',
		}),
		keyword,
		onlyWithIntent,
		qualificationStatus,
	],
	leadChanged: [
		parameter('changedFields', {
			type: 'multiOptions',
			options: [
				{ name: 'Email', value: 'email' },
				{ name: 'Intent', value: 'intent' },
				{ name: 'Keyword', value: 'keyword' },
				{ name: 'Name or Profile URL', value: 'profile' },
				{ name: 'Qualification', value: 'qualification' },
			],
			default: [],
			description:
				'Start the workflow only when one of these fields has changed. If none is chosen, any of them counts.',
		}),
		parameter('hasEmail', {
			type: 'boolean',
			default: true,
			description:
				'Whether to watch only leads with an email address, or only leads without one. A lead that gains or loses its email address always counts.',
		}),
		keyword,
		onlyWithIntent,
		qualificationStatus,
	],
	newActivity: [keyword, source],
	activityChanged: [
		keyword,
		textParameter('newStatuses', {
			placeholder: 'e.g. matched, sent',
			description:
				'Start the workflow only when the status has become one of these. With this filter, activity that is first seen with one of these statuses counts, too. Separate several with commas.',
		}),
		source,
	],
	clientChanged: [
		textParameter('newStatuses', {
			placeholder: 'e.g. active, gone',
			description:
				'Start the workflow only when the status of the grant has become one of these. The status "gone" stands for a client that is no longer listed. Separate several with commas.',
		}),
	],
	postStatusChanged: [
		parameter('newStatuses', {
			type: 'multiOptions',
			options: [
				{ name: 'Draft', value: 'draft' },
				{ name: 'Published', value: 'published' },
				{ name: 'Publishing', value: 'publishing' },
				{ name: 'Scheduled', value: 'scheduled' },
			],
			default: [],
			description:
				'Start the workflow only when the status has become one of these. If none is chosen, any status counts.',
		}),
	],
};

/** n8n lists them in this order: what most workflows start with comes first. */
const EVENTS: ReadonlyArray<{
	name: string;
	value: WatchEvent;
	action: string;
	description: string;
}> = [
	{ name: 'New Lead', value: 'newLead', action: 'On new lead', description: 'A lead appeared' },
	{
		name: 'New Activity',
		value: 'newActivity',
		action: 'On new activity',
		description: 'Someone commented or sent a message',
	},
	{
		name: 'Lead Changed',
		value: 'leadChanged',
		action: 'On changed lead',
		description:
			'The name, profile, email, keyword, intent or qualification of a known lead has changed',
	},
	{
		name: 'Activity Changed',
		value: 'activityChanged',
		action: 'On changed activity',
		description: 'The status of a comment or message has changed, for example to "matched"',
	},
	{
		name: 'Client Changed',
		value: 'clientChanged',
		action: 'On changed client',
		description: 'A client of your agency joined or left, or its grant changed',
	},
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
		description:
			'Every client of your agency with an active grant. New clients are added automatically.',
	},
	{ name: 'Chosen Clients', value: 'clients', description: 'Some clients of your agency' },
	{ name: 'Own Account', value: 'own', description: 'The account that the API key belongs to' },
];

const filtersFor = (event: WatchEvent): INodeProperties =>
	parameter('filters', {
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { event: [event] } },
		options: FILTERS[event],
	});

/** The events that are about all clients of an agency, whatever is stored in "Watch". */
const OF_ALL_CLIENTS: WatchEvent[] = ['clientChanged'];

const namesOf = (shown: ReadonlyArray<{ name: string; value: string }>) =>
	Object.fromEntries(shown.map(({ name, value }) => [value, name]));

/** Such as "New Lead: All Clients". */
export const TRIGGER_SUBTITLE = subtitle(
	{ labels: namesOf(EVENTS), of: ['event'] },
	{ labels: namesOf(WATCHED), of: ['watch'], unless: { event: OF_ALL_CLIENTS } },
);

const OPTIONS: INodeProperties[] = [
	parameter('afterRestart', {
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description:
					'Continue where the stored state ends. If n8n is killed after it stored the state and before it started the workflow, the items of that poll are lost.',
			},
			{
				name: 'Deliver the Last Batch Again',
				value: 'redeliverLast',
				description:
					'Deliver the last batch once more after a restart, so that a crash does not lose it. A batch is lost only if n8n crashes three times in a row. Use it only if repeats do no harm, for example because the next node is an upsert. Repeats have the same dedupe_key.',
			},
		],
		default: 'continue',
		description: 'What to do after n8n was restarted or killed',
	}),
	parameter('completeCheckEvery', {
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 168, numberPrecision: 2 },
		default: 1,
		description:
			'How often, in hours, the trigger reads the whole list to find changes in the middle of it. Without this option, it reads lists of up to 5,000 records once an hour at one poll a minute, and one page per minute of longer lists. If set to 0, each poll reads one page. A smaller number finds changes sooner and costs more requests.',
		displayOptions: { hide: { '/event': OF_ALL_CLIENTS } },
	}),
	parameter('emitExisting', {
		type: 'boolean',
		default: false,
		description:
			'Whether to deliver existing records that were never delivered. This happens once for each list: when you turn the option on, or when the list is watched for the first time. It never applies to Lead Changed. It applies to Activity Changed only if New Statuses is set.',
	}),
	numberParameter('maxItemsPerPoll', {
		min: 1,
		standard: 1000,
		description: 'The maximum number of items per poll. The rest follows in the next polls.',
	}),
	textParameter('share', {
		placeholder: 'e.g. 1 of 3',
		displayOptions: {
			show: { '/watch': ['allClients', 'clients'] },
			hide: { '/event': OF_ALL_CLIENTS },
		},
		description:
			'Which share of your clients this trigger watches. To divide thousands of clients among three triggers, enter "1 of 3", "2 of 3" and "3 of 3". Each client belongs to exactly one share.',
		builderHint: { propertyHint: 'Leave it out for fewer than a thousand clients.' },
	}),
	parameter('startFrom', {
		type: 'dateTime',
		default: '',
		description:
			'Deliver existing records that were created after this time and never delivered. This happens once for each list: when you set or change the time, or when the list is watched for the first time. It requires records with a creation time. It replaces Emit Existing if both are set. It never applies to Lead Changed. It applies to Activity Changed only if New Statuses is set.',
	}),
];

export const TRIGGER_PROPERTIES: INodeProperties[] = [
	parameter('event', {
		type: 'options',
		noDataExpression: true,
		options: [...EVENTS],
		default: 'newLead',
	}),
	{
		displayName:
			'Most changes are found within five polls. In a long list, it can take until the next complete check: up to an hour for 5,000 records at one poll a minute, up to six hours for 30,000.',
		name: 'delayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: ['activityChanged', 'leadChanged', 'postStatusChanged'] } },
	},
	parameter('watch', {
		type: 'options',
		options: WATCHED,
		default: 'own',
		displayOptions: { hide: { event: OF_ALL_CLIENTS } },
		description: 'Whose account to watch',
	}),
	parameter('clientIds', {
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getClients' },
		default: [],
		required: true,
		displayOptions: { show: { watch: ['clients'] }, hide: { event: OF_ALL_CLIENTS } },
		description:
			'The clients to watch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	...WATCH_EVENTS.map(filtersFor),
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
