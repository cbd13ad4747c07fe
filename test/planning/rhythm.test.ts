/** Which due times look like those of a machine. */
import { rhythmOf } from '../../nodes/LeadGenPublishing/planning/pacing/rhythm';

it('sees a rhythm only where there is one', () => {
	expect(rhythmOf([])).toBeUndefined();
	expect(rhythmOf([5])).toBeUndefined();
	expect(rhythmOf([0, 60_000])).toBeUndefined();
	expect(rhythmOf([0, 999])).toBe('simultaneous');
	expect(rhythmOf([60_000, 999, 0])).toBe('simultaneous');
	expect(rhythmOf([0, 1_000])).toBeUndefined();
	expect(rhythmOf([0, 60_000, 120_500])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 125_000])).toBeUndefined();
	expect(rhythmOf([0, 60_000, 120_999])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 121_000])).toBeUndefined();
	expect(rhythmOf([120_000, 0, 60_000])).toBe('equidistant');
});

it('sees three equal intervals in a row among others, but not two', () => {
	expect(rhythmOf([0, 60_000, 120_000, 300_000])).toBeUndefined();
	expect(rhythmOf([0, 60_000, 120_000, 180_000, 999_000])).toBe('equidistant');
	expect(rhythmOf([0, 7_000, 67_000, 127_000, 187_000])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 120_000, 150_000, 210_000, 270_000])).toBeUndefined();
});
