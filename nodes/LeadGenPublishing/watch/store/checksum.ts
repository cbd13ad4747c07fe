/**
 * Detects damage. Not a signature: whoever can write the state can also compute it.
 *
 * The state has three, each for what the others do not show: that of a list's set shows a changed
 * character in the set, that of the list a changed number or place beside it, and that of the whole
 * a list that is missing, or that stands under the name of another. They are nested rather than one,
 * so that damage to a list costs no other list its memory, and a poll that changes no set does not
 * read through it again (1 ms at 100,000 records).
 */
import { createHash } from 'crypto';

export const checksum = (...parts: string[]): string =>
	digest(...parts.flatMap((part) => [part, '\n']));

export function digest(...chunks: string[]): string {
	const hash = createHash('sha1');
	for (const chunk of chunks) hash.update(chunk);
	return hash.digest('base64url').slice(0, 12);
}
