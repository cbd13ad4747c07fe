import { listing } from '../listing';
import { POST } from './simplify';

export const getAllPosts = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Retrieve a list of posts',
	simplification: POST,
});
