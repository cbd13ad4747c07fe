// What the service has against what it should have, row by row, by text and by key.

import type { Post } from '../../../../fake-service';
import { markerOf, type Row } from './calendar';

export interface Verdict {
	missing: string[];
	twice: string[];
	/** How many posts there are beyond one for each row. */
	surplus: number;
	/** Posts whose text or time is not what the row of their key says, or that have no key. */
	different: string[];
}

export function judge(
	posts: readonly Post[],
	{ rows, withKeys }: { rows: readonly Row[]; withKeys: boolean },
): Verdict {
	const verdict: Verdict = { missing: [], twice: [], surplus: 0, different: [] };
	for (const row of rows) {
		const ofText = posts.filter(({ text }) => text === row.text);
		const ofKey = posts.filter(({ notes }) => notes?.includes(markerOf(row)) === true);
		const found = new Set(withKeys ? [...ofText, ...ofKey] : ofText);
		if (found.size === 0) verdict.missing.push(row.row);
		if (found.size > 1) verdict.twice.push(row.row);
		verdict.surplus += Math.max(0, found.size - 1);
		const isAsWanted = (post: Post) =>
			Date.parse(post.scheduled_at ?? '') === Date.parse(row.time) &&
			(!withKeys || (ofText.includes(post) && ofKey.includes(post)));
		if (![...found].every(isAsWanted)) verdict.different.push(row.row);
	}
	return verdict;
}

export const isGood = ({ missing, twice, different }: Verdict): boolean =>
	missing.length + twice.length + different.length === 0;
