import type { Lead, LoggedRequest } from '../../../fake-service';
import { countLeads, type Delivery } from '../deliveries';
import { lossesOf } from './losses';

const lead = (id: string, came: number) =>
	({ id, created_at: new Date(came).toISOString() }) as Lead;
const request = (at: number) => ({ startedAt: at, endedAt: at + 10 }) as LoggedRequest;
const delivery = (storedAt: number, leads: string[]): Delivery => ({
	...{ execution: String(storedAt), storedAt, leads },
});

function batches(kills: number[], delivered: Delivery[]): string[][] {
	const leads = [lead('a', 1_000), lead('b', 6_000), lead('c', 11_000), lead('d', 16_000)];
	const requests = [5_000, 5_020, 10_000, 10_020, 15_000, 15_020, 20_000, 20_020].map(request);
	const { firstIn } = countLeads(delivered);
	const losses = lossesOf(
		kills.map((at) => ({ at })),
		{ requests, leads, deliveries: delivered, firstIn },
	);
	return losses.map(({ batch }) => [...batch]);
}

describe('the batch in flight at a kill', () => {
	it('is what the last poll had read and no execution had, if it got lost', () => {
		const delivered = [delivery(5_100, ['a']), delivery(15_100, ['c']), delivery(20_100, ['d'])];
		expect(batches([10_050], delivered)).toEqual([['b']]);
	});

	it('is what its execution carries, if it was stored and then read again', () => {
		const delivered = [
			delivery(5_100, ['a']),
			delivery(10_040, ['b']),
			delivery(15_100, ['b', 'c']),
		];
		expect(batches([10_050], delivered)).toEqual([['b']]);
	});

	it('does not take in what got lost without a kill', () => {
		const delivered = [delivery(5_100, ['a']), delivery(15_100, ['c']), delivery(20_100, ['d'])];
		expect(batches([20_050], delivered)).toEqual([['d']]);
	});

	it('grows while no execution is stored', () => {
		const delivered = [delivery(5_100, ['a']), delivery(20_100, ['b', 'c', 'd'])];
		expect(batches([10_050, 15_050], delivered)).toEqual([['b'], ['b', 'c']]);
	});

	it('is empty where no poll has begun since the kill before', () => {
		const delivered = [delivery(5_100, ['a']), delivery(10_100, ['b'])];
		expect(batches([10_200, 11_000], delivered)).toEqual([['b'], []]);
	});
});
