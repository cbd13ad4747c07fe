import { listing } from '../listing';
import { simplifyLeadMagnet } from './simplify';

export const getAll = listing({
	endpoint: 'leadMagnet.getAll',
	what: 'lead magnets',
	description: 'Retrieve a list of the lead magnets of the account',
	simplify: { what: 'with the hosted page as flat fields', record: simplifyLeadMagnet },
});
