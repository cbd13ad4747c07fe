/** What ends the loop of requests early. */
import { readList } from '../../../nodes/LeadGenPublishing/feed/list/readList';
import { knownList, newRecords, numbered, pageOf, settingsAt } from './lists';

const KNOWN = numbered(250);

it('an error in our own code ends the reading of this list only, and is reported', async () => {
	const fault = new TypeError('Cannot read properties of undefined');
	const compare = () => {
		throw fault;
	};
	const reading = await readList(
		knownList(KNOWN),
		settingsAt(undefined, { rules: { ...newRecords, compare } }),
		{
			fetch: async (request) =>
				await Promise.resolve({ kind: 'page', page: pageOf(KNOWN, request) }),
			isSpent: () => false,
		},
	);
	expect(reading.failure).toEqual({ error: fault });
	expect([...reading.recordsRead]).toEqual([]);
	// The next poll begins with the head.
	expect(reading.progress.hasFailed).toBe(true);
});
