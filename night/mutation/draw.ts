/** Which lines get faults. Pure: the same seed draws the same. */
import { mix } from '../../fake-service/random';

export interface Stretch {
	readonly file: string;
	readonly from: number;
	readonly to: number;
}

/** Long enough for most statements to lie in one: StrykerJS leaves out a fault that reaches beyond. */
const LINES = 8;

/** Of the stretch that a line lies in. */
export const nameOf = (file: string, line: number): string => `${file} ${Math.ceil(line / LINES)}`;

/** Stretches of equal length, each as likely as any other, in the order of the files. */
export function draw(
	files: ReadonlyMap<string, number>,
	{ count, seed }: { count: number; seed: number },
): Stretch[] {
	const all = [...files].flatMap(([file, lines]) =>
		Array.from({ length: Math.ceil(lines / LINES) }, (_, index) => ({
			file,
			from: index * LINES + 1,
			to: Math.min((index + 1) * LINES, lines),
		})),
	);
	const drawn = all
		.map((stretch, index) => ({ stretch, index, lot: mix(seed, index) }))
		.sort((one, other) => one.lot - other.lot)
		.slice(0, count)
		.sort((one, other) => one.index - other.index);
	return drawn.map(({ stretch }) => stretch);
}
