/**
 * Names of the watched lists: a client's list is named by the client's ID, the own account's `own`.
 * Pure.
 */
export const OWN = 'own';

/** `own`; or `own2`, `own3`, … for further accounts whose keys the credential has held. */
export const isOwn = (account: string): boolean => /^own\d*$/.test(account);

export function freeOwnName(taken: ReadonlySet<string>): string {
	let name = OWN;
	for (let count = 2; taken.has(name); count += 1) name = `${OWN}${count}`;
	return name;
}

export const accountOfKey = (key: string): string => key.slice(key.indexOf('.') + 1);

/** The own accounts among the lists of a scope. */
export const ownNames = (scope: string, lists: Readonly<Record<string, unknown>>): string[] =>
	Object.keys(lists)
		.filter((key) => key.startsWith(`${scope}.`))
		.map((key) => key.slice(scope.length + 1))
		.filter(isOwn);
