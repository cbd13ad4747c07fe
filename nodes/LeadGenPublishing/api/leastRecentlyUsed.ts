/** A map that holds so many entries and no more: the least recently used one leaves. Pure. */
export class LeastRecentlyUsed<T> {
	private readonly entries = new Map<string, T>();

	constructor(private readonly most: number) {}

	get size(): number {
		return this.entries.size;
	}

	getOrAdd(key: string, make: () => T): T {
		const value = this.entries.has(key) ? (this.entries.get(key) as T) : make();
		// A map keeps the order in which its entries were set.
		this.entries.delete(key);
		this.entries.set(key, value);
		const [oldest] = this.entries.keys();
		if (this.entries.size > this.most && oldest !== undefined) this.entries.delete(oldest);
		return value;
	}
}
