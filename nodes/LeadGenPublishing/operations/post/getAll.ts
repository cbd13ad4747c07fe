import { listing } from '../listing';
import { simplifyPost } from './simplify';

export const getAll = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Get posts of every status',
	simplify: {
		what: 'whether the post can be edited or deleted as flat fields',
		record: simplifyPost,
	},
});
