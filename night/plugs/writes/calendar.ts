// The workflows that are killed: rows come in by a webhook, and each becomes a scheduled post.

import type { Workflow } from '../../../scripts/n8n/n8nApi';
import { inARow, node, ours } from '../../../test/e2e/workflows';

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

/** A PNG by its first bytes; what follows makes each of them another file. */
const WITH_FILES = `const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d];
return $input.all().map(({ json }, item) => {
	if (json.image === null) return { json, pairedItem: item };
	const data = Buffer.concat([Buffer.from(signature), Buffer.from(json.image)]).toString('base64');
	const image = { data, mimeType: 'image/png', fileName: json.image };
	return { json, binary: { image }, pairedItem: item };
});`;

/** A content sheet in one node: text, time or next free slot, status and image of each row. */
export function sheetOfClients(credential: Credential, minimumGapMinutes: number): Workflow {
	const clientId = { __rl: true, mode: 'id', value: '={{ $json.client }}' };
	const file = { source: 'binary', binaryPropertyName: "={{ $json.image ? 'image' : '' }}" };
	return inARow('Content sheet of clients', [
		...eachRow,
		node('Files of the Rows', ['code', 2], { jsCode: WITH_FILES }),
		ours('Write the Post', credential, {
			...{ resource: 'post', operation: 'upsert', actAs: 'client', clientId },
			...{ uniqueKey: '={{ $json.row }}', text: '={{ $json.text }}' },
			status:
				"={{ $json.status === 'draft' ? 'draft' : $json.time ? 'scheduled' : 'nextFreeSlot' }}",
			scheduledAt: '={{ $json.time }}',
			...{ planBy: 'slots', timeZone: '={{ $json.zone }}', minimumGapMinutes },
			slots: 'Monday 09:00, Monday 14:30, Wednesday 09:00, Friday 11:15',
			...{ additionalFields: { attachments: { files: [file] } }, options: {} },
		}),
	]);
}
