// The workflows that are killed: rows come in by a webhook, and each becomes a scheduled post.

import type { Workflow } from '../../../../scripts/n8n/n8nApi';
import { inARow, node, ours } from '../../workflows';

export const WEBHOOK = 'calendar-of-posts';
const HOUR_MS = 3_600_000;

export interface Row {
	row: string;
	text: string;
	/** When it is to be published, unless the workflow finds that out. */
	time?: string;
}

type Credential = Parameters<typeof ours>[1];

export const rowsOf = (count: number, now: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		row: `row-${index + 1}`,
		text: `Post ${index + 1} of the calendar`,
		time: new Date(now + (index + 24) * HOUR_MS).toISOString(),
	}));

/** What the service holds of a key, as the node documents it. */
export const markerOf = ({ row }: Pick<Row, 'row'>): string => `[unique-key: ${row}]`;

const parameters = { httpMethod: 'POST', path: WEBHOOK, responseMode: 'onReceived', options: {} };
const eachRow = [
	node('Rows', ['webhook', 2.1], parameters, { webhookId: WEBHOOK }),
	node('Each Row', ['splitOut', 1], { fieldToSplitOut: 'body.rows', options: {} }),
];
const post = { resource: 'post', operation: 'create', status: 'scheduled', additionalFields: {} };

export const calendar = (credential: Credential, withKeys: boolean): Workflow =>
	inARow('Calendar of posts', [
		...eachRow,
		ours('Create Post', credential, {
			...{ ...post, actAs: 'own', text: '={{ $json.text }}', scheduledAt: '={{ $json.time }}' },
			options: withKeys ? { uniqueKey: '={{ $json.row }}' } : {},
		}),
	]);

/** Each post at the next free time of its client. */
export function calendarOfClients(credential: Credential, minimumGapMinutes: number): Workflow {
	const clientId = { __rl: true, mode: 'id', value: '={{ $json.client }}' };
	return inARow('Calendar of clients', [
		...eachRow,
		ours('Find a Free Time', credential, {
			...{ resource: 'schedule', operation: 'nextFreeSlot', actAs: 'client', clientId },
			...{ planBy: 'slots', timeZone: '={{ $json.zone }}', minimumGapMinutes, options: {} },
			slots: 'Monday 09:00, Monday 14:30, Wednesday 09:00, Friday 11:15',
		}),
		ours('Create Post', credential, {
			...{ ...post, actAs: 'client', clientId, text: '={{ $json.text }}' },
			scheduledAt: '={{ $json.scheduled_at }}',
			options: { uniqueKey: '={{ $json.row }}', ifExists: 'return' },
		}),
	]);
}
