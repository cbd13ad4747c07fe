/** How the watched lists are named: those of clients by the client, those of own accounts `own`. Pure. */
export const OWN = 'own';

/** `own`, and `own2`, `own3`, … for further accounts that the credential has belonged to. */
export const isOwn = (account: string): boolean => /^own\d*$/.test(account);

export function freeOwnName(taken: ReadonlySet<string>): string {
	let name = OWN;
	for (let count = 2; taken.has(name); count += 1) name = `${OWN}${count}`;
	return name;
}

export const accountOfKey = (key: string): string => key.slice(key.indexOf('.') + 1);
