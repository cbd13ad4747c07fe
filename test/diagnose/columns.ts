/** n8n shows columns in the order in which fields first appear: the sentences stand next to the name. */
export const COLUMNS_OF_CHECK = [
	...['check', 'result', 'means', 'do_next', 'seen', 'service_says', 'clients'],
];
