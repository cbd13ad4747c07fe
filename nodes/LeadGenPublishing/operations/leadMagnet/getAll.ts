import { listing } from '../listing';

export const getAll = listing({
	endpoint: 'leadMagnet.getAll',
	what: 'lead magnets',
	description: 'Retrieve a list of the lead magnets of the account',
});
