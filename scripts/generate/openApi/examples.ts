/**
 * A page of each list. It is the last one, so that a client which reads a list from a mock server comes
 * to its end.
 */
import { ENDPOINTS, type EndpointName } from '../../../nodes/LeadGenPublishing/api/endpoints';
import { DOCUMENTED_WORDS, PROFILE_URL } from '../../../nodes/LeadGenPublishing/api/wire';
import type { Schema } from './schemas';

const POST = 'd41c2f6e-9a3b-4a0c-8e57-1b2c3d4e5f60';
const INSTANT = '2030-01-31T09:30:00Z';

const RECORDS: Readonly<Partial<Record<EndpointName, Schema>>> = {
	'client.getAll': {
		user_id: '7c1f4e0a-5b1d-4d3e-8a64-2f9b8e3c1d50',
		full_name: 'Leilani Moreau',
		business_name: 'Kestrel',
		account_status: 'active',
		grant: {
			id: '2b7f5c1e-0d9a-4c6b-8f3e-5a4d3c2b1a09',
			label: 'Agency',
			status: 'active',
			permissions: ['posts:read', 'posts:write'],
			created_at: INSTANT,
			updated_at: INSTANT,
		},
	},
	'post.getAll': {
		id: POST,
		text: 'Three things I learned. Comment GUIDE for the notes.',
		status: 'scheduled',
		scheduled_at: INSTANT,
		theme_id: null,
		template_id: null,
		images: [],
		document_url: null,
		notes: null,
		followups: null,
		published_mutation_capabilities: null,
	},
	'leadMagnet.getAll': {
		id: '9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b',
		delivery_mode: 'external_link',
		keyword: 'GUIDE',
		resource_name: 'The guide',
		resource_link: 'https://example.com/guide',
		linked_posts: [],
	},
	'lead.getAll': {
		id: '75ddac8d-e532-49e7-b0ea-92e2d135d931',
		[`${DOCUMENTED_WORDS.network}_${PROFILE_URL}`]: 'https://network.example/in/leilani-moreau',
		name: 'Leilani Moreau',
		emails: { submitted: null, work: 'leilani@kestrel.example', personal: null },
		latest_keyword: 'GUIDE',
		has_intent: true,
		qualification_status: 'qualified',
	},
	'activity.getAll': {
		id: '0b6f1a52-2c47-4f0e-9b57-6a3d8c94e7f1',
		source: 'comment',
		author_name: 'Leilani Moreau',
		content: 'GUIDE please!',
		keyword: 'GUIDE',
		status: 'matched',
		metadata: { post_id: POST },
	},
};

/** Undefined for a response that is no list. */
export function exampleOf(name: EndpointName): Schema | undefined {
	if (ENDPOINTS[name].answer !== 'list') return undefined;
	const record = RECORDS[name];
	if (record === undefined)
		throw new Error(
			`RECORDS of scripts/generate/openApi/examples.ts lacks a record of the list ${name}`,
		);
	return {
		data: [record],
		pagination: { limit: 50, offset: 0, has_more: false },
		request_id: 'req_2f8c',
	};
}
