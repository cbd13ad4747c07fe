/** Decodes HTML entities, because a proxy may write a key or a URL with them. Pure. */

/** The named entities of characters that keys, URLs and email addresses have. */
const NAMED: ReadonlyMap<string, string> = new Map([
	['amp', '&'],
	['quot', '"'],
	['apos', "'"],
	['sol', '/'],
	['bsol', '\\'],
	['colon', ':'],
	['semi', ';'],
	['period', '.'],
	['comma', ','],
	['lowbar', '_'],
	['equals', '='],
	['quest', '?'],
	['num', '#'],
	['percnt', '%'],
	['plus', '+'],
	['commat', '@'],
	['ast', '*'],
	['excl', '!'],
	['dollar', '$'],
	['lpar', '('],
	['rpar', ')'],
]);
const ENTITY = /&(?:#(\d{1,7});?|#x([\da-f]{1,6});?|([a-z]{2,8});)/gi;

/** Once: `&amp;#65;` becomes `&#65;`. Angle brackets stay encoded, so that no markup appears. */
export const withoutEntities = (text: string): string =>
	text.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
		if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
		const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
		return isShown(code) ? String.fromCodePoint(code) : entity;
	});

/** Not a control character, a half character, or an angle bracket. */
const isShown = (code: number): boolean =>
	code >= 0x20 &&
	code <= 0x10_ff_ff &&
	!(code >= 0xd8_00 && code <= 0xdf_ff) &&
	code !== 0x3c &&
	code !== 0x3e;
