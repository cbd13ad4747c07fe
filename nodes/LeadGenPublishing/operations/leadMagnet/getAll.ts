import { listing } from '../listing';

export const getAll = listing({
	endpoint: 'leadMagnet.getAll',
	what: 'lead magnets',
	description: 'Get the lead magnets of the account',
});
