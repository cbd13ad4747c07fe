// The register of doubts: what the API document leaves open, and which code exists because of it.
//
// Code that assumes something names its doubt: the comment above its exported declaration has a line
// `@doubt <name>`, and the doubt lists the declaration under `code`. `test/diagnose/doubts.test.ts`
// holds both directions. `npm run docs` writes docs/doubts.md from this table, and `npm run diagnose`
// prints it with what it has observed.

interface Doubt {
	/** The question that the document leaves open. */
	readonly question: string;
	/** The exported declarations that exist because of it, or that would be simpler without it. */
	readonly code: readonly string[];
	/** The observation that settles it. */
	readonly settledBy: string;
	/** What is deleted then. */
	readonly then: string;
}

export const DOUBTS = {
	listOrder: {
		question: 'In which order do lists come, and does a new record always come first?',
		code: ['beginTail', 'findEndAfter', 'isTailDue', 'locateAfter', 'readMovedList'],
		settledBy:
			'The records of every list have a creation time, and are sorted by it, newest first.',
		then: 'The trigger reads only the head of a list and its gaps. The reading of the tail goes.',
	},
	offsetUnit: {
		question: 'Does the offset count records or pages, and may a page begin anywhere?',
		code: ['PageReader', 'askForPages'],
		settledBy:
			'With a limit of 2, offset 1 returns the second and third record, and the response names offset 1.',
		then: 'Whole pages in the trigger, and what the page reader learns about the meaning of offsets.',
	},
	repeatedPages: {
		question: 'Can a page be empty or repeat the page before it, although more records follow?',
		code: ['Doubt', 'MAX_WITHOUT_NEW', 'atBlank', 'isBelieved', 'lookAt', 'problemAfter'],
		settledBy:
			'Every page that announces more has records, no page repeats another one, and an offset past the end returns an empty page that announces nothing.',
		then: 'The second request for a doubtful page, and the troubles "blank", "emptied" and "repeating".',
	},
	offsetDepth: {
		question: 'Does the service reject offsets beyond some depth?',
		code: ['atRefusal', 'isBeyondReach', 'refusesOffset'],
		settledBy: 'Offset 1,000,000 returns an empty page.',
		then: 'The trouble "refused" and everything that handles a list that cannot be read to its end.',
	},
	notesInLists: {
		question: 'Does a list of posts show the notes of each post, and all of them?',
		code: ['ReadMemory', 'isShortened', 'isShownWhole', 'keysInList', 'readEach'],
		settledBy: 'A list shows a post with long notes exactly as a single read does.',
		then: 'Unique keys are found in the list. Reading posts one by one, and remembering them, goes.',
	},
	notesKept: {
		question: 'Does the service keep the notes of a post as they were sent, whatever their length?',
		code: ['KeptKeys', 'beginTrial'],
		settledBy: 'A post that was created with a Unique Key shows it, also in long notes.',
		then: 'The read after the first creation with a key, and the error that the key was not kept.',
	},
	timeNames: {
		question: 'What are the times of a record called?',
		code: ['createdAt', 'timeOf', 'updatedAt', 'withoutTimesAfter'],
		settledBy: 'Every kind of record shows created_at and updated_at.',
		then: 'The other names, and the readings of times as numbers.',
	},
	timeZones: {
		question:
			'In which zone are times that name none? The trigger reads them as UTC, and reports them once a day. If they are local, records of the first hours count as existing, or older ones as new. In the hour that autumn repeats, an update can look older than the one before, and is ignored.',
		code: ['showsNoZone', 'timeOf'],
		settledBy: 'Every time ends in Z or in an offset.',
		then: 'The reading of times without a zone, and the report about them.',
	},
	serviceClock: {
		question:
			'Is the Date header the clock by which records get their times? If a cache keeps it, or two servers have two clocks, "created since" is wrong by that difference: on the first day and after damage, a record of that time counts as existing or comes again. An update with an earlier time than the one before is ignored.',
		code: ['isOlder', 'timeOfHeader'],
		settledBy:
			'The service says it. One run of this program cannot tell two clocks, or a cache, from one.',
		then: 'Nothing, if it is so. Otherwise, the latest creation time in the list replaces the header.',
	},
	pollProcess: {
		question:
			'Does one process of n8n make many polls? If each poll has a process of its own, every poll counts as the first one after a start, so its failures are only logged. A record in a list with a random order then takes more polls to find.',
		code: ['isActivation'],
		settledBy: 'n8n says how it was started when it polls.',
		then: 'The count of the first polls. Only a poll that n8n calls an activation is one.',
	},
	meShape: {
		question: 'Where does /me show the account, its scopes, and whether it is an agency?',
		code: ['accountIdIn', 'readSubject', 'watchOwnAccount'],
		settledBy: '/me shows the ID of the account as user_id or id, and the scopes of the key.',
		then: 'The places where the account does not stand. Records no longer have to show whose key it is.',
	},
	vendorWords: {
		question: 'By which words does the service call itself and its network?',
		code: ['VendorWords', 'profileUrlField', 'serviceWordIn'],
		settledBy:
			'The key begins with one word before _live_ or _test_, and every lead has one field that ends in _profile_url.',
		then: 'The words become constants. The two fields of the credential and all that finds words at run time go.',
	},
	etagName: {
		question: 'Which field of a published post holds its etag?',
		code: ['etagOf'],
		settledBy: 'A published post that can be edited has one field with "etag" in its name.',
		then: 'The search among all fields. The name becomes a constant.',
	},
	capabilityReasons: {
		question: 'Which values can the reason of published_mutation_capabilities have?',
		code: ['isBeingChanged'],
		settledBy:
			'Published posts show their reasons, while a change is in progress too. The service lists them.',
		then: 'The pattern of words that may mean "in progress".',
	},
	deleteMediaBody: {
		question: 'How does DELETE /media identify the file?',
		code: ['ASSUMED_FIELDS', 'deleteFile'],
		settledBy: 'The request with path in its body deletes a file that was just uploaded.',
		then: 'The second request, with the path in the query.',
	},
	fastResponseFields: {
		question: 'What are the fields of a Fast Response start called?',
		code: ['ASSUMED_FIELDS'],
		settledBy:
			'A start with interval_minutes set to 3 is rejected as invalid_fast_response_config.',
		then: 'The assumed names become facts. Otherwise, the real names replace them.',
	},
	followupFields: {
		question: 'Which fields do follow-ups have?',
		code: ['dueTimesOf', 'planFollowups'],
		settledBy: 'A post that has follow-ups shows their fields.',
		then: '"Due Time Field" of follow-ups becomes a constant, and follow-ups become parameters.',
	},
	socialActionFields: {
		question: 'Which fields does a social action have?',
		code: ['createSocialAction', 'dueTimesOf'],
		settledBy: 'The service says it. A trial would act on the network, so none is made.',
		then: '"Body" becomes parameters, and "Due Time Field" a constant.',
	},
	hostedPageFields: {
		question: 'Which fields does the hosted page of a lead magnet have?',
		code: ['hostedPageField'],
		settledBy: 'A lead magnet that has a hosted page shows its fields.',
		then: '"Hosted Page" becomes parameters.',
	},
	emptySuccess: {
		question: 'Does every success have a body, and which one do deletions have?',
		code: ['readAnswer'],
		settledBy: 'Creating, changing and deleting a draft and a file each return the envelope.',
		then: 'The readings of a success without a body or without its envelope.',
	},
	storageRules: {
		question: 'How does the storage take a file, and what do its rejections mean?',
		code: ['mayNeedNewUploadUrl', 'putFile', 'readTarget'],
		settledBy: 'A PUT of the bytes to upload_url, without the token, stores the file.',
		then: 'The readings of rejections of other storages.',
	},
	lateWrites: {
		question: 'Do reads show a write at once?',
		code: ['findRecord'],
		settledBy: 'A new draft is found at once by its ID and in the list, and is gone at once.',
		then: 'Waiting until a record may have appeared, when a key is searched or a response was lost.',
	},
} as const satisfies Readonly<Record<string, Doubt>>;

export type DoubtName = keyof typeof DOUBTS;

export const doubtNames = Object.keys(DOUBTS) as DoubtName[];
