/** A sample item of each event of the trigger, made by the trigger's own code. `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { without, type JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { ACTIVITY } from '../../nodes/LeadGenPublishing/operations/activity/simplify';
import { CLIENT as SIMPLE_CLIENT } from '../../nodes/LeadGenPublishing/operations/client/simplify';
import { LEAD } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { POST } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import {
	EVENTS,
	rulesFor,
	type WatchEvent,
} from '../../nodes/LeadGenPublishing/feed/events/events';
import { listedClient } from '../../nodes/LeadGenPublishing/watch/clientRows';
import { itemsOf } from '../../nodes/LeadGenPublishing/watch/items';
import { replaceMarked } from './replaceMarked';

const PAGE = join(__dirname, '..', '..', 'docs', 'items.md');
const CLIENT = '7c1f4e0a-5b1d-4d3e-8a64-2f9b8e3c1d50';

const LEAD_RECORD: JsonRecord = {
	id: '75ddac8d-e532-49e7-b0ea-92e2d135d931',
	network_profile_url: 'https://network.example/in/leilani-moreau',
	name: 'Leilani Moreau',
	emails: { submitted: 'leilani@mail.example', work: 'leilani@kestrel.example', personal: null },
	latest_keyword: 'GUIDE',
	has_intent: true,
	qualification_status: 'qualified',
	headline: 'VP Sales at Kestrel',
	sources: ['comment'],
	created_at: '2030-01-31T09:30:00.000Z',
	updated_at: '2030-01-31T09:30:00.000Z',
};
const ACTIVITY_RECORD: JsonRecord = {
	id: '0b6f1a52-2c47-4f0e-9b57-6a3d8c94e7f1',
	source: 'comment',
	author_name: 'Leilani Moreau',
	author_profile_url: 'https://network.example/in/leilani-moreau',
	content: 'GUIDE please!',
	keyword: 'GUIDE',
	status: 'matched',
	metadata: { post_id: 'd41c2f6e-9a3b-4a0c-8e57-1b2c3d4e5f60' },
	created_at: '2030-01-31T09:30:00.000Z',
};
const POST_RECORD: JsonRecord = {
	id: 'd41c2f6e-9a3b-4a0c-8e57-1b2c3d4e5f60',
	text: "Three things I learned. Comment GUIDE and I'll send you the notes.",
	status: 'published',
	scheduled_at: '2030-01-31T08:00:00.000Z',
	images: [],
	document_url: null,
	notes: 'Approved by marketing',
	published_mutation_capabilities: {
		can_edit: true,
		can_delete: false,
		edit_etag: 'v7',
		reason: null,
	},
};

const CLIENT_RECORD = listedClient(CLIENT, {
	user_id: CLIENT,
	full_name: 'Ada Marlowe',
	business_name: 'Marlowe Ltd',
	account_status: 'active',
	grant: {
		id: 'c9d3a7b2-4f1e-4c68-9a05-3e7b1d2f6a84',
		label: 'Agency',
		status: 'active',
		permissions: ['leads:read', 'posts:write'],
		created_at: '2030-01-31T09:30:00.000Z',
		updated_at: '2030-01-31T09:30:00.000Z',
	},
});

interface Sample {
	readonly record: JsonRecord;
	/** The same record when it was last met. */
	readonly before?: JsonRecord;
	readonly account?: string;
	/** Fields that the first sample shows as well. */
	readonly without?: readonly string[];
}

const SHOWN_ONCE = ['detected_at', 'dedupe_key'];

const SAMPLES: Readonly<Record<WatchEvent, Sample>> = {
	newLead: { record: LEAD_RECORD },
	leadChanged: {
		record: LEAD_RECORD,
		before: { ...LEAD_RECORD, qualification_status: 'pending' },
		account: CLIENT,
		without: [
			...['email', 'email_work', 'email_submitted', 'email_personal', 'profile_url', 'profile_key'],
			...['latest_keyword', 'has_intent', 'headline', 'sources', 'created_at', 'updated_at'],
			...SHOWN_ONCE,
		],
	},
	newActivity: { record: ACTIVITY_RECORD, without: SHOWN_ONCE },
	activityChanged: {
		record: ACTIVITY_RECORD,
		before: { ...ACTIVITY_RECORD, status: 'pending' },
		without: ['author_name', 'profile_url', 'content', 'created_at', ...SHOWN_ONCE],
	},
	clientChanged: { record: CLIENT_RECORD, account: CLIENT, without: SHOWN_ONCE },
	postStatusChanged: {
		record: POST_RECORD,
		before: { ...POST_RECORD, status: 'scheduled' },
		without: SHOWN_ONCE,
	},
};
const OWNER = { user_id: CLIENT, full_name: 'Ada Marlowe', business_name: 'Marlowe Ltd' };
const SIMPLIFICATIONS = { lead: LEAD, activity: ACTIVITY, post: POST, client: SIMPLE_CLIENT };

function sampleOf(event: WatchEvent): JsonRecord {
	const { record, before, account = 'own', without: hidden = [] } = SAMPLES[event];
	const { compares } = EVENTS[event];
	const previousValue = before === undefined ? undefined : compares?.of(before);
	const session = {
		client: { networkWord: 'network' },
		settings: { event, simplify: true },
		simplifications: SIMPLIFICATIONS,
		known: { names: new Map([[CLIENT, OWNER]]) },
	} as unknown as Parameters<typeof itemsOf>[0];
	const { value } = rulesFor(event, {}).compare(record, undefined);
	const delivery = { account, record, value, previousValue };
	const [item] = itemsOf(session, [delivery], ['scheduled', 'pending']);
	const shown: JsonRecord = { ...item?.json, detected_at: '2030-01-31T09:30:42.000Z' };
	return without(shown, ...hidden);
}

export const readItemsPage = (): string => readFileSync(PAGE, 'utf8');

export const withSamples = (page: string): string =>
	(Object.keys(SAMPLES) as WatchEvent[]).reduce((text, event) => {
		const json = JSON.stringify(sampleOf(event), null, 2);
		return replaceMarked(text, event, `\`\`\`json\n${json}\n\`\`\``);
	}, page);

export const writeSamples = (): void => writeFileSync(PAGE, withSamples(readItemsPage()));
