import { listing } from '../listing';
import { simplifyPost } from './simplify';

export const getAll = listing({
	endpoint: 'post.getAll',
	what: 'posts',
	description: 'Retrieve a list of the posts of the account, whatever their status',
	simplify: {
		what: 'with flat fields that say whether the post can be edited or deleted',
		record: simplifyPost,
	},
});
