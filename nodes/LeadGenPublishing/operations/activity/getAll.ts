import { sourceFilter, sourceQuery } from '../../fields/filters';
import { listing } from '../listing';
import { ACTIVITY } from './simplify';

export const getAllActivity = listing({
	endpoint: 'activity.getAll',
	what: 'activity records',
	description: 'Retrieve a list of comments and messages',
	filters: [sourceFilter],
	query: sourceQuery,
	simplification: ACTIVITY,
});
