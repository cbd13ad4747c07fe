/** Words for a list that is not complete. */
import type { Shortfall } from '../api/pageWalker';

export function shortfallWords(shortfall: Shortfall): string {
	switch (shortfall.kind) {
		case 'endless':
			return `The service reported more records after ${shortfall.read} but did not return any new ones. The node treated this as the end of the list.`;
		case 'tooLong':
			return `The node stopped after ${shortfall.pages} pages with ${shortfall.read} records. The rest of the list is missing.`;
		case 'doubtful':
			return 'The service reported more records than it returned, so some records may be missing.';
	}
}
