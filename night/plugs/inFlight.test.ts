/** What a kill may have cost, by when leads came and executions were stored. */
import type { Lead } from '../../fake-service';
import { inFlight } from './inFlight';

const leads = Object.entries({ a: 1_000, b: 6_000, c: 11_000, d: 16_000 }).map(
	([id, came]) => ({ id, created_at: new Date(came).toISOString() }) as Lead,
);
const [A, B, C] = [[5_100, 'a'] as const, [10_040, 'b'] as const, [15_100, 'c'] as const];

it.each<[what: string, at: number, stored: ReadonlyArray<readonly [number, string]>, open: string]>(
	[
		['what had come since the last execution, if none has it', 10_050, [A, C], 'ab'],
		['what the last execution carries, if that was stored', 10_050, [A, B, [15_100, 'bc']], 'b'],
		['nothing that got lost without a kill', 20_050, [A, C], 'cd'],
		['nothing that was repeated without a kill', 15_150, [A, B, [15_100, 'bc']], 'c'],
		['more and more while no execution is stored', 15_050, [A], 'abc'],
		['everything, while there is no execution at all', 10_050, [], 'ab'],
	],
)('the batch in flight at a kill is %s', (_, at, stored, open) => {
	const deliveries = stored.map(([storedAt, ids]) => ({
		...{ execution: String(storedAt), storedAt },
		leads: [...ids],
	}));
	expect([...inFlight(at, { leads, deliveries })].join('')).toBe(open);
});
