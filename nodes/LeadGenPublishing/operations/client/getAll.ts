import { listing } from '../listing';

export const getAll = listing({
	endpoint: 'client.getAll',
	what: 'clients',
	description: 'Retrieve a list of the clients of your agency, with their grants',
});
