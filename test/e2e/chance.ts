import { mix } from '../service/random';

/** Numbers from 0 up to 1 that the seed decides. */
export function chanceOf(seed: number): () => number {
	let drawn = 0;
	return () => mix(seed, drawn++) / 2 ** 32;
}
