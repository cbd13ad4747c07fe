import { BETWEEN_LOOKS, growingPauses } from '../../nodes/LeadGenPublishing/api/growingPauses';

it('each pause is twice as long as the one before, up to the longest', () => {
	const next = growingPauses({ firstMs: 20, longestMs: 100 });
	expect([next(), next(), next(), next(), next()]).toEqual([20, 40, 80, 100, 100]);
});

it('two that wait do not share their pauses', () => {
	const [one, other] = [growingPauses(BETWEEN_LOOKS), growingPauses(BETWEEN_LOOKS)];
	expect([one(), one(), other()]).toEqual([1_000, 2_000, 1_000]);
});
