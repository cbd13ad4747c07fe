import { listing } from '../listing';
import { LEAD_MAGNET_FILTERS } from './filters';
import { LEAD_MAGNET } from './simplify';

export const getAllLeadMagnets = listing({
	endpoint: 'leadMagnet.getAll',
	what: 'lead magnets',
	description: 'Retrieve a list of lead magnets',
	filters: LEAD_MAGNET_FILTERS,
	simplification: LEAD_MAGNET,
});
