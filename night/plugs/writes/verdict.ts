// What the service has against what it should have, row by row, by text and by key.

import type { Post } from '../../../fake-service';
import { markerOf, type Row } from './calendar';

export interface Verdict {
	missing: string[];
	twice: string[];
	/** Rows with a post whose text or time is not that of its key, or that has no key. */
	different: string[];
}

export function judge(
	posts: readonly Post[],
	{ rows, withKeys }: { rows: readonly Row[]; withKeys: boolean },
): Verdict {
	const judged = rows.map(({ row, text, time }) => {
		const marker = markerOf({ row });
		const isItsText = (post: Post) => post.text === text;
		const isItsKey = ({ notes }: Post) => notes?.includes(marker) === true;
		const found = posts.filter((post) => isItsText(post) || isItsKey(post));
		const isDifferent = (post: Post) =>
			(time !== undefined && Date.parse(post.scheduled_at ?? '') !== Date.parse(time)) ||
			(withKeys && !(isItsText(post) && isItsKey(post)));
		return { row, count: found.length, isDifferent: found.some(isDifferent) };
	});
	const named = (fits: (one: (typeof judged)[number]) => boolean) =>
		judged.filter(fits).map(({ row }) => row);
	return {
		missing: named(({ count }) => count === 0),
		twice: named(({ count }) => count > 1),
		different: named(({ isDifferent }) => isDifferent),
	};
}

export const isGood = ({ missing, twice, different }: Verdict): boolean =>
	missing.length + twice.length + different.length === 0;
