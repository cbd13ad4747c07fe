/**
 * What workflows store. Once released, none of these may change or go: a change here is a
 * breaking change for every workflow that uses it. Additions are fine.
 */
const paging = ['returnAll', 'limit', 'options.onIncompleteList'];
const account = ['actAs', 'clientId'];
const sent = ['options.customFields'];
const simplified = ['simplify', 'output', 'fields'];

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
		...account,
		...sent,
		...simplified,
		'deliveryMode',
		'keyword',
		'resourceName',
		'resourceLink',
		'hostedPage',
		'additionalFields.cta',
		'additionalFields.description',
		'additionalFields.linkedPosts',
		'additionalFields.textTemplate',
		'options.ifExists',
	],
	'leadMagnet.get': [...account, 'leadMagnetId', ...simplified],
	'leadMagnet.getAll': [...account, ...paging, ...sent, ...simplified],
	'leadMagnet.getAnalytics': [...account, 'leadMagnetId'],
	'leadMagnet.update': [
		...account,
		...sent,
		...simplified,
		'leadMagnetId',
		'updateFields.cta',
		'updateFields.deliveryMode',
		'updateFields.keyword',
		'updateFields.resourceName',
		'updateFields.resourceLink',
		'updateFields.hostedPage',
		'updateFields.description',
	],
	'media.createUploadUrl': [...account, ...sent, 'fileName', 'contentType', 'fileSize'],
	'media.delete': [...account, ...sent, 'path'],
	'media.upload': [...account, ...sent, 'source', 'binaryPropertyName', 'fileUrl'],
	'networkOrganization.refresh': ['body'],
	'post.create': [
		...account,
		...sent,
		...simplified,
		'text',
		'status',
		'scheduledAt',
		'additionalFields.images',
		'additionalFields.documentUrl',
		'additionalFields.documentType',
		'additionalFields.notes',
		'additionalFields.followups',
		'additionalFields.themeId',
		'additionalFields.templateId',
		'options.onTeamBoostConflict',
		'options.ifExists',
		'options.uniqueKey',
		'options.ifSimilarExists',
		'options.similarDays',
		'options.similarMinutes',
	],
	'post.delete': [...account, 'postId', 'confirmPublished', 'options.idempotencyKey'],
	'post.get': [...account, 'postId', ...simplified],
	'post.getAll': [...account, ...paging, ...sent, ...simplified],
	'post.getEngagement': [...account, 'postId'],
	'post.startFastResponse': [
		...account,
		...sent,
		'postId',
		'interval',
		'duration',
		'options.uniqueKey',
	],
	'post.stopFastResponse': [...account, ...sent, 'postId'],
	'post.update': [
		...account,
		...sent,
		...simplified,
		'postId',
		'updateFields.text',
		'updateFields.status',
		'updateFields.scheduledAt',
		'updateFields.themeId',
		'updateFields.templateId',
		'updateFields.notes',
		'options.idempotencyKey',
		'options.etag',
		'options.onStaleVersion',
		'options.onTeamBoostConflict',
	],
	'schedule.nextFreeSlot': [
		...account,
		'planBy',
		'slots',
		'workingDays',
		'fromTime',
		'toTime',
		'timeZone',
		'minimumGapMinutes',
		'options.outputField',
		'options.randomMinutes',
		'options.seed',
		'options.start',
	],
	'schedule.spread': [
		'start',
		'workingDays',
		'fromTime',
		'toTime',
		'timeZone',
		'options.minimumGapMinutes',
		'options.outputField',
		'options.seed',
	],
	'socialAction.create': ['workspaceId', 'body', 'options.uniqueKey'],
};

const halves = Object.keys(PARAMETERS).map((name) => name.split('.'));

export const OPERATIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	halves.map(([resource = '']) => [
		resource,
		halves.flatMap(([of, operation = '']) => (of === resource ? [operation] : [])).sort(),
	]),
);

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
	'event',
	'watch',
	'clientIds',
	'filters.hasEmail',
	'filters.source',
	'filters.keyword',
	'filters.onlyWithIntent',
	'filters.qualificationStatus',
	'simplify',
	'options.emitExisting',
	'options.maxItemsPerPoll',
	'options.afterRestart',
	'options.completeCheckEvery',
	'options.share',
] as const;

export const TRIGGER_CHOICES = {
	event: ['leadChanged', 'newActivity', 'newLead', 'postStatusChanged'],
	watch: ['allClients', 'clients', 'own'],
} as const;
