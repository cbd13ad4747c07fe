import { listing } from '../listing';
import { ACTIVITY_FILTERS } from './filters';
import { ACTIVITY } from './simplify';

export const getAllActivity = listing({
	endpoint: 'activity.getAll',
	what: 'activity records',
	description: 'Retrieve a list of comments and messages',
	filters: ACTIVITY_FILTERS,
	simplification: ACTIVITY,
});
