// Repeatable chance: the same seed gives the same ids and names.

/** A well-mixed 32-bit number out of two. */
export function mix(seed: number, index: number): number {
	let h = (seed ^ Math.imul(index + 0x9e3779b9, 0x85ebca6b)) >>> 0;
	h = Math.imul(h ^ (h >>> 16), 0x7feb352d) >>> 0;
	h = Math.imul(h ^ (h >>> 15), 0x846ca68b) >>> 0;
	return (h ^ (h >>> 16)) >>> 0;
}

export function seedOf(text: string): number {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
	return h;
}

const hex = (value: number, length: number) => value.toString(16).padStart(8, '0').slice(-length);

export function uuidFrom(seed: number, index: number): string {
	const a = mix(seed, index);
	const b = mix(seed ^ 0x5bd1e995, index);
	const c = mix(seed ^ 0x1b873593, index);
	const d = mix(seed ^ 0x2545f491, index);
	const variant = '89ab'[c & 3] ?? '8';
	return (
		`${hex(a, 8)}-${hex(b >>> 16, 4)}-4${hex(b, 3)}-` +
		`${variant}${hex(c >>> 4, 3)}-${hex(d, 8)}${hex(c >>> 16, 4)}`
	);
}

export function pick<T>(choices: readonly T[], number: number): T {
	const choice = choices[number % choices.length];
	if (choice === undefined) throw new Error('nothing to pick from');
	return choice;
}
