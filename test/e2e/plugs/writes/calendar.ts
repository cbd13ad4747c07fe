// The workflow that is killed: rows come in by a webhook, and each becomes a scheduled post.

import type { JsonRecord, Workflow } from '../../../../scripts/n8n/n8nApi';
import { CREDENTIAL_TYPE } from '../../../../scripts/n8n/n8nApi';

export const WEBHOOK = 'calendar-of-posts';
const HOUR_MS = 3_600_000;

export interface Row {
	row: string;
	text: string;
	time: string;
}

export const rowsOf = (count: number, now: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		row: `row-${index + 1}`,
		text: `Post ${index + 1} of the calendar`,
		time: new Date(now + (index + 24) * HOUR_MS).toISOString(),
	}));

/** What the service holds of a key, as the node documents it. */
export const markerOf = ({ row }: Pick<Row, 'row'>): string => `[unique-key: ${row}]`;

export function calendar(credential: { id: string; name: string }, withKeys: boolean): Workflow {
	const node = (name: string, place: number, rest: JsonRecord) => ({
		id: `5b0f7a3e-1f0d-4a36-9d3b-0d8d0c6d5a0${place}`,
		name,
		type: '',
		position: [place * 240, 0],
		parameters: {},
		...rest,
	});
	return {
		name: 'Calendar of posts',
		nodes: [
			node('Rows', 0, {
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2.1,
				webhookId: WEBHOOK,
				parameters: {
					httpMethod: 'POST',
					path: WEBHOOK,
					responseMode: 'onReceived',
					options: {},
				},
			}),
			node('Each Row', 1, {
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'body.rows', options: {} },
			}),
			node('Create Post', 2, {
				type: 'n8n-nodes-leadgen-publishing.leadGenPublishing',
				typeVersion: 1,
				parameters: {
					resource: 'post',
					operation: 'create',
					actAs: 'own',
					text: '={{ $json.text }}',
					status: 'scheduled',
					scheduledAt: '={{ $json.time }}',
					additionalFields: {},
					options: withKeys ? { uniqueKey: '={{ $json.row }}' } : {},
				},
				credentials: { [CREDENTIAL_TYPE]: credential },
			}),
		],
		connections: { Rows: to('Each Row'), 'Each Row': to('Create Post') },
		settings: { executionOrder: 'v1' },
	};
}

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
