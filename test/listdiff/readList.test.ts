/** The loop that fetches: what ends a reading early. */
import { readList } from '../../nodes/LeadGenPublishing/listdiff/readList';
import { knownList, newRecords, numbered, pageOf, settingsAt } from './lists';

const KNOWN = numbered(250);

it('a fault of our own ends the reading of this list alone, and is told', async () => {
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
	expect([...reading.met]).toEqual([]);
	// The next poll begins with the head.
	expect(reading.turn.hasFailed).toBe(true);
});
