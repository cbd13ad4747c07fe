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
		then: 'The reading of the tail of a list. The trigger then reads only the head and the gaps.',
	},
	offsetUnit: {
		question: 'Does the offset count records or pages, and may a page begin anywhere?',
		code: ['PageReader', 'askForPages'],
		settledBy:
			'With a limit of 2, offset 1 returns the second and third record, and the response names offset 1.',
		then: 'The rule that the trigger reads whole pages, and the code that learns what an offset means.',
	},
	repeatedPages: {
		question: 'Can a page be empty or repeat the page before it, although more records follow?',
		code: ['Doubt', 'MAX_WITHOUT_NEW', 'atBlank', 'isBelieved', 'lookAt', 'problemAfter'],
		settledBy:
			'Every page with has_more set to true has records. No page repeats another. An offset past the end returns an empty page with has_more set to false.',
		then: 'The second request for a doubtful page, and the troubles "blank", "emptied" and "repeating".',
	},
	offsetDepth: {
		question: 'Does the service reject offsets beyond some depth?',
		code: ['atRefusal', 'isBeyondReach', 'refusesOffset'],
		settledBy: 'Offset 1,000,000 returns an empty page.',
		then: 'The trouble "refused", and everything that handles a list that cannot be read to its end.',
	},
	notesInLists: {
		question: 'Does a list of posts show the notes of each post, and all of them?',
		code: ['ReadMemory', 'isShortened', 'isShownWhole', 'keysInList', 'readEach'],
		settledBy: 'A list shows a post with long notes exactly as a single read does.',
		then: 'The code that reads posts one by one and remembers them. The node then finds unique keys in the list.',
	},
	notesKept: {
		question: 'Does the service keep the notes of a post as they were sent, whatever their length?',
		code: ['KeptKeys', 'beginTrial'],
		settledBy: 'A post that was created with a Unique Key shows it, also in long notes.',
		then: 'The read after the first creation with a key, and the error that says that the key was not kept.',
	},
	timeNames: {
		question: 'What are the times of a record called?',
		code: ['createdAt', 'timeOf', 'updatedAt', 'withoutTimesAfter'],
		settledBy: 'Every kind of record shows created_at and updated_at.',
		then: 'The other names, and the code that reads times as numbers.',
	},
	timeZones: {
		question:
			'In which time zone are times that do not name one? The trigger reads them as UTC, and reports them once a day. If they are local times, the trigger may treat records from the first hours as existing, or older records as new. In the hour that repeats when the clocks go back, an update can look older than the previous one. The trigger then ignores it.',
		code: ['showsNoZone', 'timeOf'],
		settledBy: 'Every time ends in Z or in an offset.',
		then: 'The code for times without a zone, and the report about them.',
	},
	serviceClock: {
		question:
			'Do the Date header and the times of records come from the same clock? If a cache keeps the header, or two servers have different clocks, the trigger is wrong by that difference about when a record was created. On the first day, and after the stored state was damaged, such a record counts as existing or is delivered again. If an update shows an earlier time than the previous one, the trigger ignores it.',
		code: ['isOlder', 'timeOfHeader'],
		settledBy:
			'The service says so. One run of this program cannot detect a cache or a second clock.',
		then: 'Nothing, if they do. Otherwise the header: the latest creation time in the list replaces it.',
	},
	pollProcess: {
		question:
			'Does one process of n8n make many polls? If each poll runs in its own process, every poll counts as the first one after a start, so its failures are only logged. The trigger then needs more polls to find a record in a list with a random order.',
		code: ['isActivation'],
		settledBy: 'When n8n polls, it tells the trigger how it was started.',
		then: 'The code that counts the first polls. Only a poll that n8n calls an activation is then one.',
	},
	meShape: {
		question: 'Where does /me show the account, its scopes, and whether it is an agency?',
		code: ['accountIdIn', 'readSubject', 'watchOwnAccount'],
		settledBy: '/me shows the ID of the account as user_id or id, and the scopes of the key.',
		then: 'The other places where the code looks for the account ID, including the records.',
	},
	vendorWords: {
		question: 'What does the service call itself and its network?',
		code: ['VendorWords', 'profileUrlField', 'serviceWordIn'],
		settledBy:
			'The key begins with one word before _live_ or _test_, and every lead has one field that ends in _profile_url.',
		then: 'The two fields of the credential, and the code that detects the words. They become constants.',
	},
	etagName: {
		question: 'Which field of a published post holds its etag?',
		code: ['etagOf'],
		settledBy: 'A published post that can be edited has one field with "etag" in its name.',
		then: 'The search in all fields. The name becomes a constant.',
	},
	capabilityReasons: {
		question: 'Which values can the reason of published_mutation_capabilities have?',
		code: ['isBeingChanged'],
		settledBy:
			'Published posts show their reasons, even while a change is in progress, and the service lists all reasons.',
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
		then: 'Nothing, if the names are right. Otherwise the assumed names: the real ones replace them.',
	},
	followupFields: {
		question: 'Which fields do follow-ups have?',
		code: ['dueTimesOf', 'planFollowups'],
		settledBy: 'A post that has follow-ups shows their fields.',
		then: 'The option "Due Time Field" of follow-ups and the JSON field. Follow-ups become parameters.',
	},
	socialActionFields: {
		question: 'Which fields does a social action have?',
		code: ['createSocialAction', 'dueTimesOf'],
		settledBy:
			'The service says so. A trial would act on the network, so the program does not make one.',
		then: '"Body" and "Due Time Field". The fields become parameters.',
	},
	hostedPageFields: {
		question: 'Which fields does the hosted page of a lead magnet have?',
		code: ['hostedPageField'],
		settledBy: 'A lead magnet that has a hosted page shows its fields.',
		then: 'The JSON field "Hosted Page". Its fields become parameters.',
	},
	emptySuccess: {
		question: 'Does every successful response have a body, and what do deletions return?',
		code: ['readAnswer'],
		settledBy:
			'Each request that creates, changes or deletes a draft or a file returns a body with the envelope.',
		then: 'The code that accepts a success without a body or envelope.',
	},
	storageRules: {
		question: 'How does the storage accept a file, and what do its rejections mean?',
		code: ['mayNeedNewUploadUrl', 'putFile', 'readTarget'],
		settledBy: 'A PUT of the bytes to upload_url, without the token, stores the file.',
		then: 'The code for the rejections of other storages.',
	},
	lateWrites: {
		question: 'Do reads show a write at once?',
		code: ['findRecord'],
		settledBy:
			'A new draft is found at once, by its ID and in the list. After it is deleted, it is gone at once.',
		then: 'The wait for a record that may still appear, in the search for a key and after a lost response.',
	},
} as const satisfies Readonly<Record<string, Doubt>>;

export type DoubtName = keyof typeof DOUBTS;

export const doubtNames = Object.keys(DOUBTS) as DoubtName[];
