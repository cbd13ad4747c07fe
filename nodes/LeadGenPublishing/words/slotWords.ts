/** The words for a search for a free time. Pure. */
import type { JsonRecord } from '../api/schemas';
import { InputError } from './inputError';

const HOW = {
	unreadable: 'does not show in a readable form when a post',
	hidden: 'does not show when a scheduled post',
} as const;

/** The time of a post is not known, so no time can be called free. */
export const timeNotShown = ({ id }: JsonRecord, how: keyof typeof HOW): InputError =>
	new InputError(
		`The service ${HOW[how]}${typeof id === 'string' ? ` (${id})` : ''} is due, so the node cannot tell which times are free`,
		'Check the post in the service. Set the times of this account by hand or with Schedule > Spread.',
		{ code: 'not_recognisable' },
	);
