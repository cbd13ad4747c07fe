import { sourceFilter, sourceQuery } from '../../fields/filters';
import { listing } from '../listing';
import { simplifyActivity } from './simplify';

export const getAll = listing({
	endpoint: 'activity.getAll',
	what: 'activity records',
	description:
		'Retrieve a list of the comments and messages that posts and lead magnets have brought in. They contain personal data.',
	filters: [sourceFilter],
	query: sourceQuery,
	simplify: { what: 'with the metadata as flat fields', record: simplifyActivity },
});
