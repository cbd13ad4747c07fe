/** How the operations are used that need more than an ID; `derived.ts` has the others. */
import { etagOf } from '../../../fake-service/postRecord';
import type { FrozenAccount } from '../frozen';
import { byId, one, postOf, way, type Sample } from './sample';

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
		way('Diagnose'),
		way(
			'Report About a Client',
			({ id }) => ({ clientId: id, output: 'report', alsoTryWrites: false, maxWaitSeconds: 30 }),
			{ whose: 'client' },
		),
	],
	'leadMagnet.create': [
		way('Create an External Link', {
			keyword: 'AUDIT',
			resourceName: 'The audit',
			resourceLink: 'https://example.com/audit',
		}),
		way('Create a Gated Resource', {
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
		way('Check a Hosted Page', ({ posts }) => ({
			deliveryMode: 'hosted_content',
			keyword: 'PAGE',
			resourceName: 'The page',
			hostedPage: '{"title":"The page","content":"# Day one"}',
			linkedPosts: [one(posts).id],
			customFields: '{"description":"From a custom field"}',
			dryRun: true,
		})),
	],
	'leadMagnet.update': [
		way('Update Lead Magnet', (account) => ({ ...magnet(account), description: 'New words' })),
		way('Update Everything', (account) => ({
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
		})),
		way('Check an Update', (account) => ({
			...magnet(account),
			linkedPosts: [one(account.posts).id],
			customFields: '{"description":null}',
			dryRun: true,
		})),
	],
	'media.createUploadUrl': [
		way('Create Upload URL', { fileName: 'a.png', fileSize: 16 }),
		way('Check an Upload URL', {
			fileName: 'guide.pdf',
			contentType: 'application/pdf',
			fileSize: 1_000,
			customFields: '{"file_size":2000}',
			dryRun: true,
			maxWaitSeconds: 30,
		}),
	],
	'media.delete': [
		way('Delete File', ({ media }) => ({ path: one(media) })),
		way('Check a Deletion', ({ media }) => ({
			path: one(media),
			customFields: '{}',
			dryRun: true,
			maxWaitSeconds: 30,
		})),
	],
	'media.upload': [
		way('Upload File', {}, { input: [{ json: {}, file: FILE }] }),
		way(
			'Upload Under Another Name',
			{
				binaryPropertyName: 'data',
				contentType: 'image/jpeg',
				fileName: 'portrait.jpg',
				customFields: '{}',
				maxWaitSeconds: 30,
			},
			{ input: [{ json: {}, file: FILE }] },
		),
		way(
			'Upload From an Address',
			({ media }) => ({
				source: 'url',
				fileUrl: `={{ $json.storage }}/storage/v1/object/public/content-images/${one(media)}`,
			}),
			{ input: [{ json: { storage: '<storage>' } }] },
		),
		way('Check an Upload', { dryRun: true }, { input: [{ json: {}, file: FILE }] }),
	],
	'networkOrganization.refresh': [
		way('Refresh Organizations'),
		way('Check a Refresh', { body: '{"force":true}', dryRun: true, maxWaitSeconds: 30 }),
	],
	'post.create': [
		way('Create a Draft', { text: 'A new draft' }),
		way('Schedule With Images', {
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
		way('Publish a Document', {
			text: 'With a document',
			status: 'published',
			documentUrl: 'https://files.example.com/guide.pdf',
			customFields: '{"team_boost":false}',
		}),
		way('Check Follow-Ups', {
			text: 'With a follow-up',
			followups: '[{"text":"Thank you all"}]',
			dryRun: true,
		}),
	],
	'post.delete': [
		way('Delete a Draft', post('draft')),
		way('Delete a Published Post', (account) => ({
			...post('published')(account),
			confirmPublished: true,
			idempotencyKey: 'delete-2027-03-01',
			maxWaitSeconds: 30,
		})),
		way('Check a Deletion', (account) => ({ ...post('scheduled')(account), dryRun: true })),
	],
	'post.startFastResponse': [
		way('Start Fast Response', post('published')),
		way('Start for Half an Hour', (account) => ({
			...post('published')(account),
			interval: 5,
			duration: 30,
			maxWaitSeconds: 30,
		})),
		way('Start Once per Row', (account) => ({ ...post('published')(account), uniqueKey: 'row-7' })),
		way('Check a Start', (account) => ({
			...post('scheduled')(account),
			customFields: '{}',
			dryRun: true,
		})),
	],
	'post.stopFastResponse': [
		way('Stop Fast Response', post('published'), { also: withBoost }),
		way('Check a Stop', (account) => ({
			...post('published')(account),
			customFields: '{}',
			dryRun: true,
			maxWaitSeconds: 30,
		})),
	],
	'post.update': [
		way('Update a Draft', (account) => ({
			...post('draft')(account),
			notes: 'Looked at',
			text: 'Better',
		})),
		way('Schedule a Draft', (account) => ({
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
		})),
		way('Correct a Published Post', (account) => ({
			...post('published')(account),
			text: 'Corrected',
			etag: etagOf(postOf(account, 'published')),
			idempotencyKey: 'correct-2027-03-01',
			onStaleVersion: 'retryWithFreshEtag',
		})),
		way('Check an Update', (account) => ({
			...post('draft')(account),
			documentUrl: 'https://files.example.com/guide.pdf',
			followups: '[{"text":"Thank you all"}]',
			customFields: '{"notes":"From a custom field"}',
			dryRun: true,
		})),
	],
	'schedule.nextFreeSlot': [
		way(
			'Find Next Free Slot',
			{ slots: 'Monday 09:00, Thursday 14:30', timeZone: 'Europe/Berlin', seed: 'a' },
			{ input: [{ json: { row: 1 } }] },
		),
		way(
			'Find a Time in Working Hours',
			{
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
			},
			{ input: [{ json: { row: 1 } }] },
		),
	],
	'schedule.spread': [
		way(
			'Spread Over the Week',
			{
				start: '2027-03-02T08:00:00.000Z',
				workingDays: ['tuesday', 'thursday'],
				fromTime: '08:30',
				toTime: '12:00',
				timeZone: 'Europe/Berlin',
				minimumGapMinutes: 10,
				outputField: 'due_at',
				seed: 'week-9',
			},
			{ input: [{ json: { row: 1 } }, { json: { row: 2 } }, { json: { row: 3 } }] },
		),
	],
	'socialAction.create': [
		way('Create Social Action', ({ workspaceId }) => ({ workspaceId, body: '{"kind":"comment"}' })),
		way('Create for a Time', ({ workspaceId }) => ({
			workspaceId,
			body: '{"kind":"comment","at":"2027-03-02T10:17:00Z"}',
			dueTimeField: 'at',
			maxWaitSeconds: 30,
		})),
		way('Create Once per Row', ({ workspaceId }) => ({
			workspaceId,
			body: '{"kind":"repost"}',
			uniqueKey: 'row-7',
		})),
		way('Check an Action', ({ workspaceId }) => ({
			workspaceId,
			body: '{"kind":"message"}',
			dryRun: true,
		})),
	],
};

function withBoost(account: FrozenAccount) {
	const from = Date.parse('2027-03-01T08:50:00.000Z');
	const { id } = postOf(account, 'published');
	return { boosts: [{ post: id, interval: 10, duration: 30, from, until: from + BOOST_MS }] };
}
