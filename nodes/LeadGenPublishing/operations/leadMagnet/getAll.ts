import { listing } from '../listing';
import { LEAD_MAGNET } from './simplify';

export const getAllLeadMagnets = listing({
	endpoint: 'leadMagnet.getAll',
	what: 'lead magnets',
	description: 'Retrieve a list of lead magnets',
	simplification: LEAD_MAGNET,
});
