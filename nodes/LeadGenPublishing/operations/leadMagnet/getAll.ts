import { listing } from '../listing';

export const getAll = listing({
	endpoint: 'leadMagnet.getAll',
	action: 'Get many lead magnets',
	description: 'Get the lead magnets of the account',
});
