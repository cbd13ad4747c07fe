/** The value that is cached under this name, or else a new one. */
export function kept<K, T>(known: Map<K, T>, name: K, make: () => T): T {
	if (!known.has(name)) known.set(name, make());
	return known.get(name) as T;
}
