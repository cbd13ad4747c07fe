/** "1 item", "3 items". Pure. */
export const count = (number: number, what: string): string =>
	`${number} ${what}${number === 1 ? '' : 's'}`;
