/** The record without some of its fields. */
export function without<Fields extends object, Name extends keyof Fields>(
	record: Fields,
	...names: readonly Name[]
): Omit<Fields, Name> {
	const rest: Partial<Fields> = { ...record };
	for (const name of names) delete rest[name];
	return rest as Omit<Fields, Name>;
}
