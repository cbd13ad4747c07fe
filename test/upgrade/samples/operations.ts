/** How the operations are used that need more than an ID; `derived.ts` has the others. */
import { etagOf } from '../../../fake-service/postRecord';
import type { FrozenAccount } from '../frozen';
import { byId, one, postOf, type Sample } from './sample';

const DAY_AFTER = '2027-03-02T10:17:00.000Z';
const THEME = '5f0c6c0e-31f7-4a9f-8d5e-0a54cf0e9a01';
const TEMPLATE = '5f0c6c0e-31f7-4a9f-8d5e-0a54cf0e9a02';
const FILE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
const BOOST_MS = 1_800_000;

const post = (status: string) => (account: FrozenAccount) => ({
	postId: byId(postOf(account, status).id),
});
const magnet = ({ leadMagnets }: FrozenAccount) => ({ leadMagnetId: byId(one(leadMagnets).id) });

export const OPERATIONS: Readonly<Record<string, readonly Sample[]>> = {
	'account.diagnose': [
		{ name: 'Diagnose' },
		{
			name: 'Report About a Client',
			whose: 'client',
			values: ({ id }) => ({
				clientId: id,
				output: 'report',
				alsoTryWrites: false,
				maxWaitSeconds: 30,
			}),
		},
	],
	'leadMagnet.create': [
		{
			name: 'Create an External Link',
			values: () => ({
				keyword: 'AUDIT',
				resourceName: 'The audit',
				resourceLink: 'https://example.com/audit',
			}),
		},
		{
			name: 'Create a Gated Resource',
			values: () => ({
				deliveryMode: 'gated_external',
				keyword: 'AUDIT',
				resourceName: 'The audit',
				resourceLink: 'https://example.com/audit',
				hostedPage: '{"title":"The audit","content":"# What to look at"}',
				ctaLabel: 'Book a call',
				ctaUrl: 'https://example.com/call',
				description: 'Ten questions',
				textTemplate: 'Here it is: [[resource_link]]',
				ifExists: 'fail',
				simplify: false,
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Check a Hosted Page',
			values: ({ posts }) => ({
				deliveryMode: 'hosted_content',
				keyword: 'PAGE',
				resourceName: 'The page',
				hostedPage: '{"title":"The page","content":"# Day one"}',
				linkedPosts: [one(posts).id],
				customFields: '{"description":"From a custom field"}',
				dryRun: true,
			}),
		},
	],
	'leadMagnet.update': [
		{
			name: 'Update Lead Magnet',
			values: (account) => ({ ...magnet(account), description: 'New words' }),
		},
		{
			name: 'Update Everything',
			values: (account) => ({
				...magnet(account),
				deliveryMode: 'gated_external',
				keyword: 'BETTER',
				resourceName: 'A better guide',
				resourceLink: 'https://example.com/better',
				hostedPage: '{"title":"Better","content":"# Better"}',
				ctaLabel: 'Book a call',
				ctaUrl: 'https://example.com/call',
				textTemplate: 'Here it is: [[resource_link]]',
				simplify: false,
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Check an Update',
			values: (account) => ({
				...magnet(account),
				linkedPosts: [one(account.posts).id],
				customFields: '{"description":null}',
				dryRun: true,
			}),
		},
	],
	'media.createUploadUrl': [
		{ name: 'Create Upload URL', values: () => ({ fileName: 'a.png', fileSize: 16 }) },
		{
			name: 'Check an Upload URL',
			values: () => ({
				fileName: 'guide.pdf',
				contentType: 'application/pdf',
				fileSize: 1_000,
				customFields: '{"file_size":2000}',
				dryRun: true,
				maxWaitSeconds: 30,
			}),
		},
	],
	'media.delete': [
		{ name: 'Delete File', values: ({ media }) => ({ path: one(media) }) },
		{
			name: 'Check a Deletion',
			values: ({ media }) => ({
				path: one(media),
				customFields: '{}',
				dryRun: true,
				maxWaitSeconds: 30,
			}),
		},
	],
	'media.upload': [
		{ name: 'Upload File', input: [{ json: {}, file: FILE }] },
		{
			name: 'Upload Under Another Name',
			input: [{ json: {}, file: FILE }],
			values: () => ({
				binaryPropertyName: 'data',
				contentType: 'image/jpeg',
				fileName: 'portrait.jpg',
				customFields: '{}',
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Upload From an Address',
			input: [{ json: { storage: '<storage>' } }],
			values: ({ media }) => ({
				source: 'url',
				fileUrl: `={{ $json.storage }}/storage/v1/object/public/content-images/${one(media)}`,
			}),
		},
		{
			name: 'Check an Upload',
			input: [{ json: {}, file: FILE }],
			values: () => ({ dryRun: true }),
		},
	],
	'networkOrganization.refresh': [
		{ name: 'Refresh Organizations' },
		{
			name: 'Check a Refresh',
			values: () => ({
				body: '{"force":true}',
				dryRun: true,
				maxWaitSeconds: 30,
			}),
		},
	],
	'post.create': [
		{ name: 'Create a Draft', values: () => ({ text: 'A new draft' }) },
		{
			name: 'Schedule With Images',
			values: () => ({
				text: 'With images',
				status: 'scheduled',
				scheduledAt: DAY_AFTER,
				images: ['https://files.example.com/a.png', 'https://files.example.com/b.png'],
				documentType: 'image',
				notes: 'From the calendar',
				themeId: THEME,
				templateId: TEMPLATE,
				onTeamBoostConflict: 'reschedule',
				ifSimilarExists: 'fail',
				similarDays: 14,
				similarMinutes: 20,
				uniqueKey: 'row-7',
				ifExists: 'fail',
				simplify: false,
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Publish a Document',
			values: () => ({
				text: 'With a document',
				status: 'published',
				documentUrl: 'https://files.example.com/guide.pdf',
				customFields: '{"team_boost":false}',
			}),
		},
		{
			name: 'Check Follow-Ups',
			values: () => ({
				text: 'With a follow-up',
				followups: '[{"text":"Thank you all"}]',
				dryRun: true,
			}),
		},
	],
	'post.delete': [
		{ name: 'Delete a Draft', values: post('draft') },
		{
			name: 'Delete a Published Post',
			values: (account) => ({
				...post('published')(account),
				confirmPublished: true,
				idempotencyKey: 'delete-2027-03-01',
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Check a Deletion',
			values: (account) => ({ ...post('scheduled')(account), dryRun: true }),
		},
	],
	'post.startFastResponse': [
		{ name: 'Start Fast Response', values: post('published') },
		{
			name: 'Start for Half an Hour',
			values: (account) => ({
				...post('published')(account),
				interval: 5,
				duration: 30,
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Start Once per Row',
			values: (account) => ({ ...post('published')(account), uniqueKey: 'row-7' }),
		},
		{
			name: 'Check a Start',
			values: (account) => ({
				...post('scheduled')(account),
				customFields: '{}',
				dryRun: true,
			}),
		},
	],
	'post.stopFastResponse': [
		{ name: 'Stop Fast Response', values: post('published'), also: withBoost },
		{
			name: 'Check a Stop',
			values: (account) => ({
				...post('published')(account),
				customFields: '{}',
				dryRun: true,
				maxWaitSeconds: 30,
			}),
		},
	],
	'post.update': [
		{
			name: 'Update a Draft',
			values: (account) => ({ ...post('draft')(account), notes: 'Looked at', text: 'Better' }),
		},
		{
			name: 'Schedule a Draft',
			values: (account) => ({
				...post('draft')(account),
				status: 'scheduled',
				scheduledAt: DAY_AFTER,
				images: ['https://files.example.com/a.png'],
				documentType: 'image',
				themeId: THEME,
				templateId: TEMPLATE,
				currentStatus: 'draft',
				onTeamBoostConflict: 'reschedule',
				simplify: false,
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Correct a Published Post',
			values: (account) => ({
				...post('published')(account),
				text: 'Corrected',
				etag: etagOf(postOf(account, 'published')),
				idempotencyKey: 'correct-2027-03-01',
				onStaleVersion: 'retryWithFreshEtag',
			}),
		},
		{
			name: 'Check an Update',
			values: (account) => ({
				...post('draft')(account),
				documentUrl: 'https://files.example.com/guide.pdf',
				followups: '[{"text":"Thank you all"}]',
				customFields: '{"notes":"From a custom field"}',
				dryRun: true,
			}),
		},
	],
	'schedule.nextFreeSlot': [
		{
			name: 'Find Next Free Slot',
			input: [{ json: { row: 1 } }],
			values: () => ({
				slots: 'Monday 09:00, Thursday 14:30',
				timeZone: 'Europe/Berlin',
				seed: 'a',
			}),
		},
		{
			name: 'Find a Time in Working Hours',
			input: [{ json: { row: 1 } }],
			values: () => ({
				planBy: 'hours',
				start: '2027-03-02T08:00:00.000Z',
				workingDays: ['tuesday', 'thursday'],
				fromTime: '08:30',
				toTime: '12:00',
				timeZone: 'Europe/Berlin',
				minimumGapMinutes: 90,
				randomMinutes: 1,
				maxWaitSeconds: 30,
				seed: 'week-9',
				outputField: 'due_at',
			}),
		},
	],
	'schedule.spread': [
		{
			name: 'Spread Over the Week',
			input: [{ json: { row: 1 } }, { json: { row: 2 } }, { json: { row: 3 } }],
			values: () => ({
				start: '2027-03-02T08:00:00.000Z',
				workingDays: ['tuesday', 'thursday'],
				fromTime: '08:30',
				toTime: '12:00',
				timeZone: 'Europe/Berlin',
				minimumGapMinutes: 10,
				outputField: 'due_at',
				seed: 'week-9',
			}),
		},
	],
	'socialAction.create': [
		{
			name: 'Create Social Action',
			values: ({ workspaceId }) => ({ workspaceId, body: '{"kind":"comment"}' }),
		},
		{
			name: 'Create for a Time',
			values: ({ workspaceId }) => ({
				workspaceId,
				body: '{"kind":"comment","at":"2027-03-02T10:17:00Z"}',
				dueTimeField: 'at',
				maxWaitSeconds: 30,
			}),
		},
		{
			name: 'Create Once per Row',
			values: ({ workspaceId }) => ({
				workspaceId,
				body: '{"kind":"repost"}',
				uniqueKey: 'row-7',
			}),
		},
		{
			name: 'Check an Action',
			values: ({ workspaceId }) => ({
				workspaceId,
				body: '{"kind":"message"}',
				dryRun: true,
			}),
		},
	],
};

function withBoost(account: FrozenAccount) {
	const from = Date.parse('2027-03-01T08:50:00.000Z');
	const { id } = postOf(account, 'published');
	return { boosts: [{ post: id, interval: 10, duration: 30, from, until: from + BOOST_MS }] };
}
