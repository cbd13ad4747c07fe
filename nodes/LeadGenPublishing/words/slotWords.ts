/** The words for a search for a free time. Pure. */
import type { JsonRecord } from '../api/schemas';
import { InputError } from './inputError';

const HOW = {
	unreadable: 'The node cannot read the due time of a post',
	hidden: 'The service does not show the due time of a scheduled post',
} as const;

/** The time of a post is not known, so no time can be called free. */
export const timeNotShown = ({ id }: JsonRecord, how: keyof typeof HOW): InputError =>
	new InputError(
		`${HOW[how]}${typeof id === 'string' ? ` (${id})` : ''}, so it is not known which times are free`,
		'Check the post in the service. Until then, set the times of this account manually or with Schedule > Spread.',
		{ code: 'not_recognisable' },
	);
