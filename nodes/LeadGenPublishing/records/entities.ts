/** What an HTML entity stands for. Pure. */

/** Each entity is its name and the character that it stands for. */
const CHARACTERS = [
	'amp& lt< gt> quot" apos\' excl! num# dollar$ percnt% ast* plus+ comma, period. sol/ colon: semi;',
	'equals= quest? commat@ lpar( rpar) lsqb[ lbrack[ rsqb] rbrack] bsol\\ lcub{ lbrace{ rcub} rbrace}',
	'vert| lowbar_ grave` Hat^ hyphen- dash- ndash– mdash— hellip… bull• middot· lsquo‘ rsquo’ sbquo‚',
	'ldquo“ rdquo” bdquo„ laquo« raquo» lsaquo‹ rsaquo› iexcl¡ iquest¿ sect§ para¶ copy© reg® trade™',
	'deg° plusmn± times× divide÷ frac12½ frac14¼ frac34¾ sup1¹ sup2² sup3³ cent¢ pound£ yen¥ euro€',
	'larr← rarr→ uarr↑ darr↓ szligß aeligæ AEligÆ oeligœ OEligŒ oslashø OslashØ ethð ETHÐ thornþ THORNÞ',
	'ordfª ordmº microµ',
].flatMap((row) => row.split(' '));
const SPACES = ['nbsp', 'ensp', 'emsp', 'thinsp', 'Tab', 'NewLine'];
const INVISIBLE = ['shy', 'zwnj', 'zwj'];

const NAMED: ReadonlyMap<string, string> = new Map([
	...CHARACTERS.map((entry): [string, string] => [entry.slice(0, -1), entry.slice(-1)]),
	...SPACES.map((name): [string, string] => [name, ' ']),
	...INVISIBLE.map((name): [string, string] => [name, '']),
]);

/** Letters with an accent are named after both: `eacute`. */
const ACCENTED = /^([A-Za-z])(grave|acute|circ|tilde|uml|ring|cedil|caron)$/;
const ACCENTS: Readonly<Record<string, string>> = {
	grave: '\u0300',
	acute: '\u0301',
	circ: '\u0302',
	tilde: '\u0303',
	uml: '\u0308',
	ring: '\u030a',
	caron: '\u030c',
	cedil: '\u0327',
};

const MAX_CODE_POINT = 0x10ffff;

/** `name` is the part between `&` and `;`. Undefined if it stands for nothing known. */
export function entity(name: string): string | undefined {
	if (name.startsWith('#')) {
		const isHex = /^#x/i.test(name);
		const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
		return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : undefined;
	}
	const known = NAMED.get(name);
	if (known !== undefined) return known;
	const [, letter, accent = ''] = ACCENTED.exec(name) ?? [];
	if (letter !== undefined) return `${letter}${ACCENTS[accent] ?? ''}`.normalize('NFC');
	// Some services write `&AMP;` or `&Quot;`.
	return NAMED.get(name.toLowerCase());
}
