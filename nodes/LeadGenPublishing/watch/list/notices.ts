/** What the user is told about how a list is read. */
export type ListNotice = 'noOrder' | 'repeats' | 'believesBlanks' | 'nearlyFull';

export const LIST_NOTICES: Record<ListNotice, string> = {
	noOrder:
		'the list keeps no order between requests; new records are found by complete checks only',
	repeats:
		'the service repeats the same records instead of ending the list; what it shows is delivered',
	believesBlanks:
		'the service has announced more behind empty pages for several polls and is now taken at its ' +
		'word; records that it hid may come as new',
	nearlyFull:
		'the list holds more than 80 % of the records that the trigger can remember; from now on it ' +
		'forgets those that two complete checks do not meet',
};
