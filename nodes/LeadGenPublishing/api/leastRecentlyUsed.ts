/** A map with a maximum size: the least recently used entry is dropped. Pure. */
export class LeastRecentlyUsed<T> {
	private readonly entries = new Map<string, T>();

	constructor(private readonly most: number) {}

	getOrAdd(key: string, make: () => T): T {
		const value = this.entries.has(key) ? (this.entries.get(key) as T) : make();
		// A `Map` iterates in insertion order.
		this.entries.delete(key);
		this.entries.set(key, value);
		const [oldest] = this.entries.keys();
		if (this.entries.size > this.most && oldest !== undefined) this.entries.delete(oldest);
		return value;
	}
}
