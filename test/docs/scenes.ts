/** What the world around an example does, where its stand-ins cannot know. */
import type { FakeService } from '../../fake-service/index';
import { FILES, type Answers } from './standIns';

interface Scene {
	/** Before the run. */
	prepare?(service: FakeService): void;
	answers?(service: FakeService): Answers;
}

/** A post that does not exist. */
const NOBODYS = '00000000-0000-4000-8000-000000000000';

const published = ({ world }: FakeService) => {
	const post = world.own.posts.toArray().find(({ status }) => status === 'published');
	if (post === undefined) throw new Error('nobody has published anything');
	return post;
};

const correction = (service: FakeService, text: string): Answers => ({
	Correction: () => [{ post_id: ` ${published(service).id} `, text }],
	Review: () => [{ decision: 'Publish the new text' }],
});

/** One row to be created, one that exists by then, and one that is refused. */
const calendarRows = () => {
	const time = new Date(Date.now() + 86_400_000).toISOString();
	return [
		{ id: '1', text: 'First line\nSecond <line>', scheduled_at: time },
		{ id: '1', text: 'The same row', scheduled_at: time },
		{ id: '', text: 'A row without an id', scheduled_at: time },
	];
};

const file = (mimeType: string, content: string) => ({
	image: { data: Buffer.from(content).toString('base64'), mimeType, fileName: 'picture.png' },
});

const newPost = (answered: object, files: Partial<ReturnType<typeof file>>): Answers => ({
	'New Post': () => [
		{ text: 'Look', submittedAt: '2026-03-02T09:00:00.000Z', ...answered, [FILES]: files },
	],
});

/** One run, or several where a single one cannot go every way. */
export const SCENES: Readonly<Record<string, readonly Scene[]>> = {
	'agent-asks-before-publishing': [
		{ answers: () => ({ Topic: () => [{ topic: 'What we learned' }] }) },
	],
	'approve-content-calendar': [
		{
			answers: () => ({
				'Read Rows': calendarRows,
				Review: () => [{ decision: 'Schedule the posts' }],
			}),
		},
	],
	'post-with-image': [
		{ answers: () => newPost({}, file('image/png', 'picture')) },
		{ answers: () => newPost({ text: 'x'.repeat(3001) }, file('image/png', 'picture')) },
		{ answers: () => newPost({}, file('text/plain', 'no picture')) },
	],
	'content-calendar': [
		{
			answers: ({ world }) => ({
				'Read Ready Rows': () =>
					[world.clientA.id, world.clientB.id, NOBODYS].map((client_id, at) => ({
						...{ row_number: at + 2, id: `r${at}`, client_id, time_zone: 'Europe/Berlin' },
						text: at === 1 ? '' : `Row ${at}`,
					})),
			}),
		},
	],
	'correct-published-post': [
		{ answers: (service) => correction(service, 'First line\r\nSecond <line>') },
		{ answers: () => ({ Correction: () => [{ post_id: NOBODYS, text: 'Lost' }] }) },
		{
			prepare: ({ faults }) => faults.reason('stale_provider_version', { method: 'PATCH' }),
			answers: (service) => correction(service, 'Another text'),
		},
	],
	'fast-response-on-new-post': [
		{
			prepare: ({ world }) => void world.addPost(world.own, { status: 'published' }),
			answers: (service) => ({
				// Two at once: the second one finds the time taken.
				'Just Published': () =>
					service.world.own.posts
						.toArray()
						.filter(({ status }) => status === 'published')
						.map(({ id, status }) => ({ id, status })),
				'An Hour Later': () => {
					service.world.own.boosts = [];
					return [{}];
				},
			}),
		},
	],
	'audit-and-watchdog': [
		{
			prepare: ({ world }) =>
				void world.addPost(world.clientA, {
					status: 'scheduled',
					scheduled_at: '2020-01-01T00:00:00.000Z',
				}),
		},
	],
	'is-everything-all-right': [
		{
			prepare: ({ faults }) =>
				faults.add(
					{ kind: 'error', status: 403, code: 'forbidden', reason: 'insufficient_scope' },
					{ path: '/posts', count: Infinity },
				),
		},
	],
	'is-it-live': [
		{
			answers: () => ({
				...newPost({ email: 'ada@example.com' }, {}),
				'Ask Again in 5 Minutes': () => [],
			}),
		},
	],
	'approval-by-each-client': [true, false].map((approved) => ({
		answers: ({ world }) => {
			const { id: client_id } = world.clientA;
			const row = { client_id, time_zone: 'Europe/Berlin' };
			const rows = [
				{ ...row, id: 'r1', text: 'What <we> learned' },
				{ ...row, id: 'r2', text: 'x'.repeat(3001) },
			];
			const client_email = 'ada@example.com';
			return {
				'Read Rows to Approve': () => rows.map((one) => ({ ...one, client_email })),
				'Rows of One Client': () => [{ client_id, client_email, rows }],
				'Ask the Client': () => [{ data: { approved } }],
			};
		},
	})),
	'new-leads-to-notion': [{ answers: () => ({ 'Find Page': () => [{ id: 'page' }] }) }],
	'weekly-report-of-clients': [
		{
			answers: ({ world }) => ({
				'Get the Week Before': () => [{ client_id: world.clientA.id, leads: 1 }],
			}),
		},
	],
	'new-leads-to-pipedrive': [{ answers: () => ({ 'Search Person': () => [{ id: 7 }] }) }],
};
