/** The recipes in the error of a date turn what a spreadsheet writes into the time that it shows. */
import { setUpKit } from '../../support/kit/index';

const kit = setUpKit({ sample: 'none' });
const scheduled = (scheduledAt: string) => ({
	...{ resource: 'post', operation: 'create', text: 'Hello', status: 'scheduled', scheduledAt },
});
/** 31 July 2091, 9:30 in New York, the zone of the workflow. No number shows this time exactly. */
const DAY_NUMBER = Date.UTC(2091, 6, 31, 9, 30) / 86_400_000 + 25_569;

it.each([
	['a day number', DAY_NUMBER],
	['a formatted date', '31/07/2091 09:30'],
])('%s', async (_, date) => {
	const items = [{ json: { date } }];
	const { error } = await kit.run(scheduled('={{ $json.date }}'), { items });
	const recipe = /\{\{ .*\$json\.date.* \}\}/.exec(String(error?.description))?.[0] ?? '';
	await kit.run(scheduled(`=${recipe}`), { items });
	expect(kit.writes().map(({ json }) => json)).toEqual([
		expect.objectContaining({ scheduled_at: '2091-07-31T13:30:00.000Z' }),
	]);
});
