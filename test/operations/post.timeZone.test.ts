/** Post > Create: "Time Zone" applies to "Scheduled At" where both are shown. */
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { ID, itemOf } from './itemScene';

const creating = (given: object, status = '={{ $json.status }}') => {
	const parameters = {
		...{ text: 'A', status: 'scheduled', scheduledAt: '2091-07-31 09:30', options: {} },
		...given,
	};
	return itemOf(createPost, parameters, {
		stored: { ...parameters, status },
		answers: { 'post.create': [{ id: ID }] },
		functions: { getTimezone: () => 'America/New_York' },
	});
};
const sentTime = async (...given: Parameters<typeof creating>) => {
	const item = creating(...given);
	await item.run();
	return item.sent[0]?.body?.scheduled_at;
};

it.each([
	['in the zone', { timeZone: 'Europe/London' }, '2091-07-31T08:30:00.000Z'],
	['in the zone of the workflow, if it is empty', { timeZone: '' }, '2091-07-31T13:30:00.000Z'],
	[
		'at its own offset',
		{ timeZone: 'Europe/London', scheduledAt: '2091-07-31T09:30:00+05:00' },
		'2091-07-31T04:30:00.000Z',
	],
])('a status that is an expression schedules %s', async (_, given, time) => {
	expect(await sentTime(given)).toBe(time);
});

it('a zone that the panel hides does not count', async () => {
	expect(await sentTime({ timeZone: 'Europe/London' }, 'scheduled')).toBe(
		'2091-07-31T13:30:00.000Z',
	);
});

it('what is not a zone is an error, but only for a post that is scheduled', async () => {
	const zone = { timeZone: 'London time' };
	await expect(creating(zone).run()).rejects.toThrow('"Time Zone" is not a time zone');
	await creating({ ...zone, status: 'draft' }).run();
});

it.each([
	['a.png', true],
	['not a url', true],
	['https://files.example.com/a.png', false],
	['6f1c2f0e/7d4b4a53.png', false],
	['https://files.example.com/a.png https://files.example.com/b.png', true],
	['https://files.example.com/a.png; https://files.example.com/b.png', true],
])('a hint about the image %j: %p', async (image, isSaid) => {
	const item = creating({ status: 'draft', additionalFields: { images: [image] } });
	await item.run();
	const hint =
		'"Additional Fields > Images" has an entry that is not a URL such as https://files.example.com/a.png. The node sends it unchanged.';
	expect(item.said).toEqual(isSaid ? [hint] : []);
});

it('a hint about a document that is no file', async () => {
	const item = creating({ status: 'draft', additionalFields: { documentUrl: 'none' } });
	await item.run();
	expect(item.said).toEqual([
		expect.stringMatching(/^"Additional Fields > Document URL" has an entry that is not a URL/),
	]);
});
