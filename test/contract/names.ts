/**
 * What workflows store. Once released, none of these may change or go: a change here is a
 * breaking change for every workflow that uses it. Additions are fine.
 */
const within = (group: string, names: string): string[] =>
	names.split(' ').map((name) => `${group}.${name}`);
const paging = ['returnAll', 'limit', 'options.onIncompleteList'];
const account = ['actAs', 'clientId'];
const sent = ['options.customFields'];
const simplified = ['simplify', 'output', 'fields'];
const hours = ['workingDays', 'fromTime', 'toTime', 'timeZone'];

/** The parameters of each operation; `group.name` stands in a collection. */
export const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
	'account.diagnose': ['output', 'alsoTryWrites', 'options.clientId'],
	'account.getApiInfo': [],
	'account.getSubject': [],
	'activity.getAll': [...account, ...paging, ...sent, ...simplified, 'filters.source'],
	'client.get': ['clientId'],
	'client.getAll': [...paging, ...sent],
	'lead.getAll': [...account, ...paging, ...sent, ...simplified, 'filters.hasEmail'],
	'leadMagnet.archive': [...account, 'leadMagnetId'],
	'leadMagnet.create': [
		...[...account, ...sent, ...simplified, 'deliveryMode', 'keyword', 'resourceName'],
		...['resourceLink', 'hostedPage', 'options.ifExists'],
		...within('additionalFields', 'cta description linkedPosts textTemplate'),
	],
	'leadMagnet.get': [...account, 'leadMagnetId', ...simplified],
	'leadMagnet.getAll': [...account, ...paging, ...sent, ...simplified],
	'leadMagnet.getAnalytics': [...account, 'leadMagnetId'],
	'leadMagnet.update': [
		...[...account, ...sent, ...simplified, 'leadMagnetId'],
		...within('updateFields', 'cta deliveryMode keyword resourceName resourceLink hostedPage'),
		'updateFields.description',
	],
	'media.createUploadUrl': [...account, ...sent, 'fileName', 'contentType', 'fileSize'],
	'media.delete': [...account, ...sent, 'path'],
	'media.upload': [...account, ...sent, 'source', 'binaryPropertyName', 'fileUrl'],
	'networkOrganization.refresh': ['body'],
	'post.create': [
		...[...account, ...sent, ...simplified, 'text', 'status', 'scheduledAt'],
		...within('additionalFields', 'images documentUrl documentType notes followups'),
		...within('additionalFields', 'themeId templateId'),
		...within('options', 'onTeamBoostConflict ifExists uniqueKey'),
		...within('options', 'ifSimilarExists similarDays similarMinutes'),
	],
	'post.delete': [...account, 'postId', 'confirmPublished', 'options.idempotencyKey'],
	'post.get': [...account, 'postId', ...simplified],
	'post.getAll': [...account, ...paging, ...sent, ...simplified],
	'post.getEngagement': [...account, 'postId'],
	'post.startFastResponse': [
		...[...account, ...sent, 'postId', 'interval', 'duration', 'options.uniqueKey'],
	],
	'post.stopFastResponse': [...account, ...sent, 'postId'],
	'post.update': [
		...[...account, ...sent, ...simplified, 'postId'],
		...within('updateFields', 'text status scheduledAt themeId templateId notes'),
		...within('options', 'idempotencyKey etag onStaleVersion onTeamBoostConflict'),
	],
	'schedule.nextFreeSlot': [
		...[...account, ...hours, 'planBy', 'slots', 'minimumGapMinutes'],
		...within('options', 'outputField randomMinutes seed start'),
	],
	'schedule.spread': [
		...['start', ...hours],
		...within('options', 'minimumGapMinutes outputField seed'),
	],
	'socialAction.create': ['workspaceId', 'body', 'options.uniqueKey'],
};

/** Option values that workflows store. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
	actAs: ['client', 'own'],
	deliveryMode: ['external_link', 'gated_external', 'hosted_content'],
	status: ['draft', 'published', 'scheduled'],
	'options.onIncompleteList': ['fail', 'return'],
	output: ['checks', 'raw', 'report', 'selectedFields', 'simplified'],
	'options.ifSimilarExists': ['fail', 'ignore'],
	'options.onStaleVersion': ['fail', 'retryWithFreshEtag'],
	'options.onTeamBoostConflict': ['fail', 'reschedule'],
};

export const TRIGGER_PARAMETERS = [
	...['event', 'watch', 'clientIds', 'simplify'],
	...within('filters', 'hasEmail source keyword onlyWithIntent qualificationStatus'),
	...within('options', 'emitExisting maxItemsPerPoll afterRestart completeCheckEvery share'),
];

export const TRIGGER_CHOICES = {
	event: ['leadChanged', 'newActivity', 'newLead', 'postStatusChanged'],
	watch: ['allClients', 'clients', 'own'],
} as const;
