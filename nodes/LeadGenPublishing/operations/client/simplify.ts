/** An agency's client as a flat record, and the fields that most workflows need. Pure. */
import { flatten, withoutErrorKey, type Simplification } from '../../panel/output/record';

export const CLIENT: Simplification = {
	what: 'with the fields that most workflows need',
	flat: (client) => withoutErrorKey(flatten(client)),
	fields: [
		'user_id',
		'full_name',
		'business_name',
		'account_status',
		'grant_label',
		'grant_created_at',
		'grant_updated_at',
	],
};
