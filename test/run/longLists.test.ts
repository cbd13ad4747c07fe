/** A list of any length lets the rest of n8n go on while its records are shaped and counted. */
import { pageOf } from '../support/replies';
import { scriptedRun } from './scriptedRun';

const RECORDS = Array.from({ length: 5_000 }, (_, row) => ({
	id: `lead-${row}`,
	emails: { submitted: null, work: 'ada@example.com', personal: null },
}));

/** How often something else has had its turn since the list was read. */
async function turnsDuring(simplify: boolean): Promise<{ turns: number; count: number }> {
	let turns = 0;
	let isRunning = true;
	const other = (): void => {
		turns += 1;
		if (isRunning) setImmediate(other);
	};
	const { records } = await scriptedRun({
		parameters: { resource: 'lead', operation: 'getAll', actAs: 'own', returnAll: true, simplify },
		answer: async () => {
			setImmediate(other);
			return await Promise.resolve(pageOf(RECORDS));
		},
	});
	isRunning = false;
	return { turns, count: records.length };
}

it.each([true, false])('in slices of 1,000 (simplified: %p)', async (simplify) => {
	const { turns, count } = await turnsDuring(simplify);
	expect(count).toBe(5_000);
	// Four pauses while the records are counted, and four while they are shaped.
	expect(turns).toBeGreaterThanOrEqual(8);
});
