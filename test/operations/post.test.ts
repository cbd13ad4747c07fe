/** The time of a post as n8n itself gives it to the node: by the workflow's zone, or as its own date. */
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

// The workflow counts in the time of New York.
it.each([
	['in the zone of the workflow, if it names none', '2090-07-01T12:00:00', '2090-07-01T16:00'],
	['a date of n8n', '={{ DateTime.fromISO("2090-01-02T10:00+09:00") }}', '2090-01-02T01:00'],
])('a new post has its time: %s', async (_, scheduledAt, scheduled_at) => {
	await kit.run({ operation: 'create', text: 'a', status: 'scheduled', scheduledAt });
	expect(kit.service.requests[0]?.json).toMatchObject({ scheduled_at: `${scheduled_at}:00.000Z` });
});
