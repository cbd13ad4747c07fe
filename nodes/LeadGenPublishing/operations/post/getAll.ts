import { listing } from '../listing';
import { simplifyPost } from './simplify';

export const getAll = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Retrieve a list of the posts of the account, whatever their status',
	simplify: {
		what: 'whether the post can be edited or deleted as flat fields',
		record: simplifyPost,
	},
});
