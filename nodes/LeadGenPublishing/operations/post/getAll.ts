import { listing } from '../listing';
import { POST_FILTERS } from './filters';
import { POST } from './simplify';

export const getAllPosts = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Retrieve a list of posts',
	filters: POST_FILTERS,
	simplification: POST,
});
