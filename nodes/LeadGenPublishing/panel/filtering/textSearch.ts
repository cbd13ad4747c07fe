/**
 * Finds a text within others, ignoring case, Unicode composition and the kind of white space. Pure.
 */
import { plainText } from '../../records/plainText';
import { profileKeyOf } from '../output/profileUrl';
import { folded } from '../../records/sameWord';

const searchable = (text: string): string =>
	folded(MAY_BE_WRITTEN_OTHERWISE.test(text) ? plainText(text) : text).replace(
		/\s{2,}|[^\S ]/g,
		' ',
	);

/** Any character outside printable ASCII, or an HTML escape. */
const MAY_BE_WRITTEN_OTHERWISE = /[^\x20-\x7e]|&/;

/**
 * Whether one of the texts contains the wanted one. A profile URL also matches in another spelling.
 */
export function textSearch(wanted: string): (texts: readonly unknown[]) => boolean {
	const needle = searchable(wanted);
	const address = profileKeyOf(wanted);
	return (texts) =>
		texts.some((text) => {
			if (typeof text !== 'string' && typeof text !== 'number') return false;
			if (searchable(String(text)).includes(needle)) return true;
			return address !== null && profileKeyOf(text) === address;
		});
}
