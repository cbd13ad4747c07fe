/** Random numbers from 0 to 1, reproducible from a seed. Pure; not for secrets. */
export function seeded(seed: string): () => number {
	let state = hash(seed);
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function hash(text: string): number {
	let value = 0x811c9dc5;
	for (const character of text) {
		value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
	}
	return value | 0;
}
