/**
 * Fields that change for every record of a page at once, again and again: a signed link, a counter.
 * Such changes are no news, and each would cost a page. In the third poll that reads the same records
 * changed again, the field is left out. Once it has been steady for two days, it counts again. Pure.
 */

export interface ChangingField {
	readonly name: string;
	/** In how many polls it has changed for all records of a page. */
	readonly polls: number;
	/**
	 * Some of these records, by hash. If many records are edited once, others change in the next poll.
	 */
	readonly records: readonly number[];
	/** When it was last seen to change. */
	readonly at: number;
}

/** A record of a page, compared with what was remembered of it. */
interface Compared {
	readonly hash: number;
	readonly known: string | undefined;
	readonly changed: readonly string[];
}

/** The records of whole pages that have changed, by the name of the field. */
export type ChangedTogether = ReadonlyMap<string, readonly number[]>;

const LEFT_OUT_AT = 3;
const STEADY_FOR = 2 * 24 * 3_600_000;
/** Fewer records than this may have been edited together several times. */
const FEWEST_RECORDS = 5;
const MAX_RECORDS = 5;

const isLeftOut = ({ polls }: ChangingField): boolean => polls >= LEFT_OUT_AT;

export const leftOut = (changingFields: readonly ChangingField[]): readonly string[] =>
	changingFields.filter(isLeftOut).map(({ name }) => name);

/** Adds the fields in which all known records of a page have changed. */
export function withPageOf(together: ChangedTogether, page: readonly Compared[]): ChangedTogether {
	const known = page.filter((one) => one.known !== undefined);
	const [first, ...others] = known;
	if (first === undefined || known.length < FEWEST_RECORDS) return together;
	const names = first.changed.filter((name) =>
		others.every(({ changed }) => changed.includes(name)),
	);
	if (names.length === 0) return together;
	const hashes = known.map(({ hash }) => hash);
	return new Map([
		...together,
		...names.map((name) => [name, [...(together.get(name) ?? []), ...hashes]] as const),
	]);
}

/** `learned` are the records whose new value is remembered from now on. */
export function changingFieldsAfter(
	before: readonly ChangingField[],
	{
		together,
		learned,
		now,
	}: { together: ChangedTogether; learned: { has(hash: number): boolean }; now: number },
): readonly ChangingField[] {
	const changingFields = new Map(
		before.filter(({ at }) => Math.abs(now - at) < STEADY_FOR).map((one) => [one.name, one]),
	);
	for (const [name, hashes] of together) {
		const one = changingFields.get(name);
		const records = hashes.filter((hash) => learned.has(hash)).slice(0, MAX_RECORDS);
		if (one === undefined && records.length > 0)
			changingFields.set(name, { name, polls: 1, records, at: now });
		else if (one !== undefined && isLeftOut(one)) changingFields.set(name, { ...one, at: now });
		else if (one?.records.some((hash) => hashes.includes(hash) && learned.has(hash)) === true)
			changingFields.set(name, { name, polls: one.polls + 1, records, at: now });
	}
	return [...changingFields.values()];
}
