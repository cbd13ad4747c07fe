/** Whether the node has to read posts one by one to find a unique key. Pure. */
import type { JsonRecord } from '../../../api/schemas';
import { recordOf, recordsOf } from '../../answers';
import type { Facts } from '../../facts';
import type { CheckFinding } from '../finding';

const hasNotes = ({ notes }: JsonRecord): boolean => typeof notes === 'string' && notes !== '';

export function uniqueKeys({ lists, singles }: Facts): CheckFinding[] {
	const listed = lists.filter(({ name }) => name === 'post.getAll').flatMap(recordsOf);
	const read = singles
		.filter(({ name }) => name === 'post.get')
		.map(recordOf)
		.filter((post) => post !== undefined);
	if (listed.some(hasNotes)) return [{ kind: 'notesListed' }];
	if (read.length === 0) return [{ kind: 'noPost' }];
	// An empty field does not show whether the list would show notes.
	const isListed = listed.some((post) => 'notes' in post) && !read.some(hasNotes);
	if (isListed) return [{ kind: 'notesListed' }];
	return [{ kind: read.some((post) => 'notes' in post) ? 'notesOneByOne' : 'notesNowhere' }];
}
