/** Entries filed by the first letters of a text, so that not each must be compared with each item. */
const LETTERS = 16;

export class ByBeginning<T> {
	private readonly filed = new Map<string, T[]>();

	add(text: string, entry: T): void {
		const letters = text.slice(0, LETTERS);
		const same = this.filed.get(letters);
		if (same === undefined) this.filed.set(letters, [entry]);
		else same.push(entry);
	}

	/** Those whose text this one may begin with. */
	*near(text: string): Iterable<T> {
		for (let length = 0; length <= Math.min(LETTERS, text.length); length++)
			yield* this.filed.get(text.slice(0, length)) ?? [];
	}
}
