/** Which due times look like those of a machine. */
import { rhythmOf } from '../../nodes/LeadGenPublishing/planning/pacing/rhythm';
import { seeded } from '../../nodes/LeadGenPublishing/planning/slots/randomness';

const MINUTE = 60_000;

it('sees a rhythm only where there is one', () => {
	expect(rhythmOf([])).toBeUndefined();
	expect(rhythmOf([5])).toBeUndefined();
	expect(rhythmOf([0, 60_000])).toBeUndefined();
	expect(rhythmOf([0, 999])).toBe('simultaneous');
	expect(rhythmOf([0, 60_000, 120_500])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 125_000])).toBeUndefined();
	expect(rhythmOf([0, 60_000, 120_000, 300_000])).toBeUndefined();
	expect(rhythmOf([0, 60_000, 120_000, 180_000, 999_000])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 120_999])).toBe('equidistant');
	expect(rhythmOf([0, 60_000, 121_000])).toBeUndefined();
	expect(rhythmOf([0, 1_000])).toBeUndefined();
});

describe('a pattern of gaps that repeats itself', () => {
	/** Points in time with these gaps in minutes, in any order. */
	const after = (gaps: readonly number[]) =>
		gaps
			.reduce((times, gap) => [...times, (times.at(-1) ?? 0) + gap * MINUTE], [0])
			.sort((a, b) => (a % 7) - (b % 7));
	const PATTERNS = [
		[10, 20],
		[10, 20, 35],
		[10, 20, 35, 7],
		[10, 10, 20],
		[5, 10, 20, 15, 40, 3],
	];

	it.each(PATTERNS.map((pattern) => [pattern]))('%p is seen once it has come twice', (pattern) => {
		const twice = [...pattern, ...pattern];
		expect(rhythmOf(after(twice))).toBe('equidistant');
		// Among others, and begun anywhere.
		expect(rhythmOf(after([91, ...twice, 77]))).toBe('equidistant');
		expect(rhythmOf(after([...pattern.slice(1), ...twice, 123]))).toBe('equidistant');
		expect(rhythmOf(after(twice.slice(0, -1)))).toBeUndefined();
		const spoiled = twice.map((gap, index) => gap + (index === pattern.length ? 0.02 : 0));
		expect(rhythmOf(after(spoiled))).toBeUndefined();
	});

	it('is not seen in what a person would do', () => {
		expect(rhythmOf(after([10, 20, 12, 31]))).toBeUndefined();
		expect(rhythmOf(after([10, 20, 10, 31, 10, 20]))).toBeUndefined();
		expect(rhythmOf(after([10, 20, 20, 35]))).toBeUndefined();
	});

	it.each([999, 1_000, 2_500])('is seen if it has %i gaps', (length) => {
		const random = seeded('long');
		const gaps = Array.from({ length }, () => 5 + random() * 60);
		expect(rhythmOf(after([...gaps, ...gaps]))).toBe('equidistant');
		expect(rhythmOf(after([91, ...gaps, ...gaps, 77]))).toBe('equidistant');
		expect(rhythmOf(after([...gaps, ...gaps].slice(1)))).toBeUndefined();
	});

	it('is looked for quickly in many', () => {
		const random = seeded('many');
		const gaps = Array.from({ length: 5_000 }, () => 5 + random() * 60);
		expect(rhythmOf(after(gaps))).toBeUndefined();
	});
});
