import { listing } from '../listing';

export const getAllClients = listing({
	endpoint: 'client.getAll',
	what: 'clients',
	description: 'Retrieve a list of the clients of your agency, with their grants',
});
