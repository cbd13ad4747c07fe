/** What several may end is ended by each of them. */
import { anyOf } from '../../nodes/LeadGenPublishing/api/cancelling';

it('is nothing, or the only one itself', () => {
	const { signal } = new AbortController();
	expect([anyOf(), anyOf(undefined, undefined)]).toEqual([undefined, undefined]);
	expect(anyOf(undefined, signal, undefined)).toBe(signal);
});

it.each([
	[0, 2],
	[1, 2],
	[2, 3],
])('is ended by the one at %i of %i', (ended, count) => {
	const controllers = Array.from({ length: count }, () => new AbortController());
	const signal = anyOf(...controllers.map((one) => one.signal));
	expect(signal?.aborted).toBe(false);
	controllers[ended]?.abort();
	expect(signal?.aborted).toBe(true);
});
