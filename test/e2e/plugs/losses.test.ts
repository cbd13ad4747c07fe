import type { Lead, LoggedRequest } from '../../../fake-service';
import { countLeads, type Delivery } from '../deliveries';
import { lossesOf } from './losses';

const lead = (id: string, came: number) =>
	({ id, created_at: new Date(came).toISOString() }) as Lead;
const request = (at: number) => ({ startedAt: at, endedAt: at + 10 }) as LoggedRequest;
const leads = [lead('a', 1_000), lead('b', 6_000), lead('c', 11_000), lead('d', 16_000)];
const requests = [5_000, 5_020, 10_000, 10_020, 15_000, 15_020, 20_000, 20_020].map(request);
const A = [5_100, ['a']] as const;
const C = [15_100, ['c']] as const;
const D = [20_100, ['d']] as const;

type Stored = readonly [at: number, leads: readonly string[]];

it.each<[what: string, kills: number[], stored: Stored[], batches: string[][]]>([
	['what the last poll had read, if no execution has it', [10_050], [A, C, D], [['b']]],
	[
		'what its execution carries, if that was stored and it was read again',
		[10_050],
		[A, [10_040, ['b']], [15_100, ['b', 'c']]],
		[['b']],
	],
	['nothing that got lost without a kill', [20_050], [A, C, D], [['d']]],
	[
		'more and more while no execution is stored',
		[10_050, 15_050],
		[A, [20_100, ['b', 'c', 'd']]],
		[['b'], ['b', 'c']],
	],
	[
		'empty where no poll has begun since the kill before',
		[10_200, 11_000],
		[A, [10_100, ['b']]],
		[['b'], []],
	],
])('the batch in flight at a kill is %s', (_, kills, stored, batches) => {
	const deliveries = stored.map(([storedAt, ids]): Delivery => ({
		execution: String(storedAt),
		storedAt,
		leads: [...ids],
	}));
	const { firstIn } = countLeads(deliveries);
	const losses = lossesOf(
		kills.map((at) => ({ at })),
		{ requests, leads, deliveries, firstIn },
	);
	expect(losses.map(({ batch }) => [...batch])).toEqual(batches);
});
