// What a service may do otherwise than its document says: to try a diagnosis on, one at a time or several.

import { isObject } from '../fields';
import { ACCESS } from './access';
import { FURTHER } from './further';
import { LISTS } from './lists';
import {
	always,
	asked,
	BEHIND,
	capabilities,
	changed,
	fails,
	leads,
	magnets,
	ordered,
	post,
	posts,
	POSTS,
	raw,
	records,
	setting,
	TOO_MANY,
	withFirstTwice,
	type Differences,
} from './plant';
import { RECORDS } from './records';
import { WRITES } from './writes';

const GENERAL = {
	redirected: ['every request is redirected', always({ kind: 'redirect', status: 302 })],
	webPage: ['a web page answers', always({ kind: 'html', status: 200 })],
	otherService: ['nothing is found', always({ kind: 'html', status: 404 })],
	cutOff: ['connections are cut', always({ kind: 'reset' })],
	down: ['the service is down', fails(503)],
	noBase: ['the base answers nothing', fails(404, { route: 'base' })],
	keyRevoked: ['the key is revoked', fails(401, { route: 'me' })],
	keyInactive: ['the key may not be used', fails(403, { route: 'me' })],
	subjectAsList: [
		'the subject comes as a list',
		always({ kind: 'envelope', shape: 'dataAsArray' }, { route: 'me' }),
	],
	clockAhead: ['the clock is ten minutes ahead', setting({ dateAheadMs: 600_000 })],
	otherRequestIds: [
		'request IDs are not repeated',
		changed((envelope) => ({ ...envelope, request_id: 'req_of_its_own' })),
	],
	bareRefusals: [
		'refusals have no envelope',
		always(raw({ message: 'No' }, { status: 400 }), TOO_MANY),
	],
	vagueWait: [
		'a 429 asks to wait until "soon"',
		always({ kind: 'error', status: 429, retryAfter: 'soon' }, { count: 1 }),
	],
	noPostScope: ['the key lacks posts:read', fails(403, POSTS)],
	noAnalyticsScope: ['the key lacks analytics:read', fails(403, { route: 'posts.engagement' })],
	analyticsFail: ['analytics fail', fails(500, { route: 'leadMagnets.analytics' })],
	noPagination: [
		'the list of posts has no pagination',
		always({ kind: 'envelope', shape: 'noPagination' }, POSTS),
	],
	listInObject: [
		'leads come inside of an object',
		always({ kind: 'envelope', shape: 'dataAsObject' }, { route: 'leads.list' }),
	],
	noSuchList: ['there is no activity', fails(404, { route: 'activity.list' })],
	clientRefused: [
		'one client is refused',
		(service) => fails(403, { clientId: service.world.clientB.id })(service),
	],
	pausedGrants: ['clients with a paused grant are listed', setting({ listInactiveGrants: true })],
	smallPages: ['pages hold 50', setting({ limitCap: 50 })],
	otherDefault: ['without a limit, pages hold 20', setting({ defaultLimit: 20 })],
	limitIgnored: [
		'a limit above 100 is taken',
		always(raw({ data: [], pagination: { limit: 101, offset: 0, has_more: false } }, {}), TOO_MANY),
	],
	limitFails: ['a limit above 100 fails', fails(422, TOO_MANY)],
	offsetIgnored: ['the offset is ignored', always({ kind: 'repeatPage' }, asked('offset', '1'))],
	offsetNotNamed: [
		'answers always name the offset 0',
		changed(
			({ pagination, ...rest }) => ({
				...rest,
				pagination: { ...(isObject(pagination) ? pagination : {}), offset: 0 },
			}),
			{ route: 'leads.list' },
		),
	],
	noEnd: ['lists never end', always({ kind: 'neverEnding' }, BEHIND)],
	endRefused: ['an offset behind the end is refused', fails(400, BEHIND)],
	recordsTwice: ['pages have a record twice', changed(withFirstTwice, { route: 'activity.list' })],
	leadsUnsorted: ['leads are sorted by ID', ordered('leads', 'uuid')],
	activityUnsorted: ['activity is sorted by ID', ordered('activity', 'uuid')],
	oldestFirst: ['the oldest leads come first', ordered('leads', 'oldest')],
	noTimes: ['leads have no timestamps', setting({ leadTimestamps: false })],
	hasEmailIgnored: [
		'the filter has_email is ignored',
		leads(
			(lead) => (lead.emails = { submitted: null, work: null, personal: null }),
			asked('has_email', 'true'),
		),
	],
	sourceIgnored: [
		'the filter source is ignored',
		records('activity.list', (one) => (one.source = 'elsewhere'), {
			when: ({ query }) => query.source !== undefined,
		}),
	],
	notesNotListed: [
		'lists of posts show no notes',
		setting({ hiddenPostFields: { list: ['notes'], record: [] } }),
	],
	notesNotShown: [
		'a post shows no notes',
		setting({ hiddenPostFields: { list: [], record: ['notes'] } }),
	],
	noCapabilities: ['published posts have no capabilities', capabilities(() => null)],
	capabilitiesAsText: [
		'capabilities are texts',
		capabilities((given) => ({ ...given, can_edit: 'yes' })),
	],
	noEtag: [
		'posts that can be edited have no etag',
		capabilities(({ can_edit = false, can_delete = false }) => ({ can_edit, can_delete })),
	],
	otherEtag: ['the etag has another name', setting({ etagField: 'version_etag' })],
	noScheduledTime: ['scheduled posts have no time', posts((one) => (one.scheduled_at = null))],
	scheduledZoneless: [
		'times of scheduled posts name no zone',
		posts((one) => {
			if (typeof one.scheduled_at === 'string')
				one.scheduled_at = one.scheduled_at.replace(/Z$/, '');
		}),
	],
	archivedListed: ['archived lead magnets are listed', magnets((one) => (one.status = 'archived'))],
	noEmails: ['leads have no emails', leads((lead) => delete lead.emails)],
	intentAsText: ['has_intent is a text', leads((lead) => (lead.has_intent = 'true'))],
	numericIds: [
		'leads have numbers as IDs',
		leads((lead) => (lead.id = parseInt(String(lead.id).slice(0, 8), 16))),
	],
	newField: ['leads have a field that nobody knew of', leads((lead) => (lead.lucky_number = 7))],
	noContent: ['activity has no content', records('activity.list', (one) => delete one.content)],
	noClientName: ['clients have no name', records('clients.list', (one) => delete one.full_name)],
	imagesAsText: ['images of posts are a text', posts((one) => (one.images = 'one.png'))],
	noKeyword: ['lead magnets have no keyword', magnets((one) => delete one.keyword)],
	unknownStatus: ['posts are queued', posts((one) => (one.status = 'queued'))],
	unknownMode: [
		'lead magnets are delivered by mail',
		magnets((one) => (one.delivery_mode = 'by_mail')),
	],
	noProfiles: [
		'leads have no address of their profile',
		leads((lead) => {
			for (const name of Object.keys(lead)) if (name.endsWith('_profile_url')) delete lead[name];
		}),
	],
	otherMinutes: [
		'posts call the minutes of Fast Response otherwise',
		posts((one) => (one.fast_response = { interval: 5, duration: 30 })),
	],
	// What only writes show.
	draftPublished: [
		'a draft is scheduled at once',
		records('posts.create', (one) => (one.status = 'scheduled')),
	],
	notesLost: ['notes are not kept', post((one) => (one.notes = null))],
	textCut: ['texts are cut', post((one) => (one.text = String(one.text).slice(0, 20)))],
	textEscaped: [
		'texts are escaped for HTML',
		post((one) => {
			const composed = String(one.text).normalize('NFC');
			one.text = composed.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		}),
	],
	nullIgnored: ['null does not empty a field', post((one) => (one.notes ??= 'still there'))],
	writesForbidden: ['the key lacks posts:write', fails(403, { route: 'posts.create' })],
	putRefused: ['the storage does not accept PUT', fails(405, { host: 'storage' })],
	otherMediaField: [
		'files are deleted by another name',
		({ settings, ...service }) =>
			setting({ fields: { ...settings.fields, deleteMedia: ['key'] } })({ settings, ...service }),
	],
	mediaInQuery: ['files are deleted by a name in the query', setting({ deleteMediaIn: 'query' })],
} satisfies Differences;

const TABLE = { ...GENERAL, ...ACCESS, ...LISTS, ...RECORDS, ...WRITES, ...FURTHER };

export type DifferenceName = keyof typeof TABLE;

export const DIFFERENCES = Object.fromEntries(
	Object.entries(TABLE).map(([name, [words, plant]]) => [name, { words, plant }]),
);
