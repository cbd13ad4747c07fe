import { listing } from '../listing';
import { POST_FILTERS } from './filters';
import { POST } from './simplify';

export const getAll = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Retrieve a list of posts',
	filters: POST_FILTERS,
	simplification: POST,
});
