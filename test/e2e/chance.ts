import { mix } from '../../fake-service/random';

/** The seed of a command's `--seed`; another one each time if it is not given. */
export function seedFrom(option: string | undefined): number {
	const seed = option === undefined ? Date.now() % 1_000_000 : Number(option);
	if (!Number.isInteger(seed)) throw new Error('--seed is a whole number');
	return seed;
}

/** Numbers from 0 up to 1 that the seed decides. */
export function chanceOf(seed: number): () => number {
	let drawn = 0;
	return () => mix(seed, drawn++) / 2 ** 32;
}
