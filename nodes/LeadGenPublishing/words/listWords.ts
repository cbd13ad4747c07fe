/** Words for a list that is not complete. */
import type { ListGap } from '../api/pageWalker';

export function gapWords(gap: ListGap): string {
	switch (gap.kind) {
		case 'endless':
			return `The service announced more records after ${gap.read} but did not return any new ones. The node treated this as the end of the list.`;
		case 'tooLong':
			return `The node stopped after ${gap.read} records, because they already filled ${gap.pages} pages. The rest of the list is missing.`;
		case 'doubtful':
			return 'The service announced more records than it returned, so some records may be missing.';
	}
}
