// What a service may do otherwise than its document says: to try a diagnosis on, one at a time or several.

import type { Effect, Match } from './faults';
import type { FakeService } from './index';
import type { Json, JsonObject } from './types';

type Plantable = Pick<FakeService, 'faults' | 'settings' | 'lists' | 'world'>;

interface Difference {
	/** For the control page. */
	words: string;
	/** Gives back how it goes away again. */
	plant: (service: Plantable) => () => void;
}

const always =
	(effect: Effect, match: Match = {}): Difference['plant'] =>
	({ faults }) => {
		const handle = faults.add(effect, { count: Infinity, ...match });
		return () => handle.remove();
	};

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes each record that a route answers with. */
const records = (route: string, edit: (record: JsonObject) => void, match: Match = {}) =>
	always(
		{
			kind: 'change',
			change: (envelope) => {
				const answer = structuredClone(envelope);
				[answer.data ?? null].flat().filter(isObject).forEach(edit);
				return answer;
			},
		},
		{ route, ...match },
	);

/** Changes what a list says of its pages. */
const pages = (route: string, edit: (page: JsonObject) => JsonObject, match: Match = {}) =>
	always(
		{
			kind: 'change',
			change: ({ data, pagination, ...rest }) =>
				isObject(pagination ?? null)
					? { ...rest, data: data ?? [], pagination: edit(pagination as JsonObject) }
					: { ...rest, ...(data === undefined ? {} : { data }) },
		},
		{ route, ...match },
	);

const asked = (name: string, value?: string): Match => ({
	when: ({ query }) => query[name] === value,
});

const setting =
	(change: (settings: Plantable['settings']) => void): Difference['plant'] =>
	({ settings }) => {
		const before = structuredClone(settings);
		change(settings);
		return () => void Object.assign(settings, before);
	};

const capabilities = (edit: (capabilities: JsonObject) => Json) =>
	records('posts.get', (post) => {
		const { published_mutation_capabilities: given } = post;
		if (isObject(given)) post.published_mutation_capabilities = edit(given);
	});

const raw = (body: unknown, headers: Record<string, string> = {}, status = 200): Effect => ({
	kind: 'raw',
	status,
	body: typeof body === 'string' ? body : JSON.stringify(body),
	headers: { 'Content-Type': 'application/json', ...headers },
});

const TEN_MINUTES = 600_000;

export const DIFFERENCES: Readonly<Record<string, Difference>> = {
	redirected: {
		words: 'every request is redirected',
		plant: always({ kind: 'redirect', status: 302 }),
	},
	webPage: { words: 'a web page answers', plant: always({ kind: 'html', status: 200 }) },
	otherService: { words: 'nothing is found', plant: always({ kind: 'html', status: 404 }) },
	cutOff: { words: 'connections are cut', plant: always({ kind: 'reset' }) },
	down: { words: 'the service is down', plant: always({ kind: 'error', status: 503 }) },
	noBase: {
		words: 'the base answers nothing',
		plant: always({ kind: 'error', status: 404 }, { route: 'base' }),
	},
	keyRevoked: {
		words: 'the key is revoked',
		plant: always({ kind: 'error', status: 401 }, { route: 'me' }),
	},
	keyInactive: {
		words: 'the key may not be used',
		plant: always({ kind: 'error', status: 403 }, { route: 'me' }),
	},
	subjectAsList: {
		words: 'the subject comes as a list',
		plant: always({ kind: 'envelope', shape: 'dataAsArray' }, { route: 'me' }),
	},
	clockAhead: {
		words: 'the clock is ten minutes ahead',
		plant: (service) =>
			always(
				raw(
					{ data: { user_id: service.world.own.id } },
					{ Date: new Date(Date.now() + TEN_MINUTES).toUTCString() },
				),
				{ path: (path) => path === '' || path === '/me' },
			)(service),
	},
	otherRequestIds: {
		words: 'request IDs are not repeated',
		plant: always({
			kind: 'change',
			change: (envelope) => ({ ...envelope, request_id: 'req_of_its_own' }),
		}),
	},
	bareRefusals: {
		words: 'refusals have no envelope',
		plant: always(raw({ message: 'No' }, {}, 400), asked('limit', '101')),
	},
	vagueWait: {
		words: 'a 429 asks to wait until "soon"',
		plant: always({ kind: 'error', status: 429, retryAfter: 'soon' }, { count: 1 }),
	},
	noPostScope: {
		words: 'the key lacks posts:read',
		plant: always({ kind: 'error', status: 403 }, { route: 'posts.list' }),
	},
	noAnalyticsScope: {
		words: 'the key lacks analytics:read',
		plant: always({ kind: 'error', status: 403 }, { route: 'posts.engagement' }),
	},
	analyticsFail: {
		words: 'analytics fail',
		plant: always({ kind: 'error', status: 500 }, { route: 'leadMagnets.analytics' }),
	},
	noPagination: {
		words: 'the list of posts has no pagination',
		plant: always({ kind: 'envelope', shape: 'noPagination' }, { route: 'posts.list' }),
	},
	listInObject: {
		words: 'leads come inside of an object',
		plant: always({ kind: 'envelope', shape: 'dataAsObject' }, { route: 'leads.list' }),
	},
	noSuchList: {
		words: 'there is no activity',
		plant: always({ kind: 'error', status: 404 }, { route: 'activity.list' }),
	},
	clientRefused: {
		words: 'one client is refused',
		plant: (service) =>
			always({ kind: 'error', status: 403 }, { clientId: service.world.clientB.id })(service),
	},
	pausedGrants: {
		words: 'clients with a paused grant are listed',
		plant: setting((settings) => (settings.listInactiveGrants = true)),
	},
	smallPages: { words: 'pages hold 50', plant: setting((settings) => (settings.limitCap = 50)) },
	otherDefault: {
		words: 'without a limit, pages hold 20',
		plant: pages('leads.list', (page) => ({ ...page, limit: 20 }), asked('limit')),
	},
	limitIgnored: {
		words: 'a limit above 100 is taken',
		plant: always(
			raw({ data: [], pagination: { limit: 101, offset: 0, has_more: false } }),
			asked('limit', '101'),
		),
	},
	limitFails: {
		words: 'a limit above 100 fails',
		plant: always({ kind: 'error', status: 422 }, asked('limit', '101')),
	},
	offsetIgnored: {
		words: 'the offset is ignored',
		plant: always({ kind: 'repeatPage' }, asked('offset', '1')),
	},
	offsetNotNamed: {
		words: 'answers always name the offset 0',
		plant: pages('leads.list', (page) => ({ ...page, offset: 0 })),
	},
	noEnd: {
		words: 'lists never end',
		plant: always({ kind: 'neverEnding' }, asked('offset', '1000000')),
	},
	endRefused: {
		words: 'an offset behind the end is refused',
		plant: always({ kind: 'error', status: 400 }, asked('offset', '1000000')),
	},
	recordsTwice: {
		words: 'pages have a record twice',
		plant: always(
			{
				kind: 'change',
				change: ({ data, ...rest }) => ({
					...rest,
					data: Array.isArray(data) ? [...data, ...data.slice(0, 1)] : (data ?? null),
				}),
			},
			{ route: 'activity.list' },
		),
	},
	leadsUnsorted: {
		words: 'leads are sorted by ID',
		plant: ({ lists }) => {
			lists.orders.leads = 'uuid';
			return () => delete lists.orders.leads;
		},
	},
	activityUnsorted: {
		words: 'activity is sorted by ID',
		plant: ({ lists }) => {
			lists.orders.activity = 'uuid';
			return () => delete lists.orders.activity;
		},
	},
	oldestFirst: {
		words: 'the oldest leads come first',
		plant: ({ lists }) => {
			lists.orders.leads = 'oldest';
			return () => delete lists.orders.leads;
		},
	},
	noTimes: {
		words: 'leads have no timestamps',
		plant: setting((settings) => (settings.leadTimestamps = false)),
	},
	hasEmailIgnored: {
		words: 'the filter has_email is ignored',
		plant: records(
			'leads.list',
			(lead) => (lead.emails = { submitted: null, work: null, personal: null }),
			asked('has_email', 'true'),
		),
	},
	sourceIgnored: {
		words: 'the filter source is ignored',
		plant: records('activity.list', (one) => (one.source = 'elsewhere'), {
			when: ({ query }) => query.source !== undefined,
		}),
	},
	notesNotListed: {
		words: 'lists of posts show no notes',
		plant: setting((settings) => (settings.hiddenPostFields = { list: ['notes'], record: [] })),
	},
	notesNotShown: {
		words: 'a post shows no notes',
		plant: setting((settings) => (settings.hiddenPostFields = { list: [], record: ['notes'] })),
	},
	noCapabilities: {
		words: 'published posts have no capabilities',
		plant: capabilities(() => null),
	},
	capabilitiesAsText: {
		words: 'capabilities are texts',
		plant: capabilities((given) => ({ ...given, can_edit: 'yes' })),
	},
	noEtag: {
		words: 'posts that can be edited have no etag',
		plant: capabilities(({ can_edit, can_delete }) => ({
			can_edit: can_edit ?? false,
			can_delete: can_delete ?? false,
			reason: null,
		})),
	},
	otherEtag: {
		words: 'the etag has another name',
		plant: setting((settings) => (settings.etagField = 'version_etag')),
	},
	noScheduledTime: {
		words: 'scheduled posts have no time',
		plant: records('posts.list', (post) => (post.scheduled_at = null)),
	},
	archivedListed: {
		words: 'archived lead magnets are listed',
		plant: records('leadMagnets.list', (magnet) => (magnet.status = 'archived')),
	},
	noEmails: {
		words: 'leads have no emails',
		plant: records('leads.list', (lead) => delete lead.emails),
	},
	intentAsText: {
		words: 'has_intent is a text',
		plant: records('leads.list', (lead) => (lead.has_intent = 'true')),
	},
	numericIds: {
		words: 'leads have numbers as IDs',
		plant: records('leads.list', (lead) => (lead.id = parseInt(String(lead.id).slice(0, 8), 16))),
	},
	newField: {
		words: 'leads have a field that nobody knew of',
		plant: records('leads.list', (lead) => (lead.lucky_number = 7)),
	},
	noContent: {
		words: 'activity has no content',
		plant: records('activity.list', (one) => delete one.content),
	},
	noClientName: {
		words: 'clients have no name',
		plant: records('clients.list', (client) => {
			delete client.full_name;
		}),
	},
	imagesAsText: {
		words: 'images of posts are a text',
		plant: records('posts.list', (post) => (post.images = 'one.png')),
	},
	noKeyword: {
		words: 'lead magnets have no keyword',
		plant: records('leadMagnets.list', (magnet) => delete magnet.keyword),
	},
	unknownStatus: {
		words: 'posts are queued',
		plant: records('posts.list', (post) => (post.status = 'queued')),
	},
	unknownMode: {
		words: 'lead magnets are delivered by mail',
		plant: records('leadMagnets.list', (magnet) => (magnet.delivery_mode = 'by_mail')),
	},
	noProfiles: {
		words: 'leads have no address of their profile',
		plant: records('leads.list', (lead) => {
			for (const name of Object.keys(lead)) if (name.endsWith('_profile_url')) delete lead[name];
		}),
	},
	otherMinutes: {
		words: 'posts call the minutes of Fast Response otherwise',
		plant: records('posts.list', (post) => (post.fast_response = { interval: 5, duration: 30 })),
	},
	// What only writes show.
	draftPublished: {
		words: 'a draft is scheduled at once',
		plant: records('posts.create', (post) => (post.status = 'scheduled')),
	},
	notesLost: {
		words: 'notes are not kept',
		plant: records('posts.get', (post) => (post.notes = null)),
	},
	textCut: {
		words: 'texts are cut',
		plant: records('posts.get', (post) => (post.text = String(post.text).slice(0, 20))),
	},
	textEscaped: {
		words: 'texts are escaped for HTML',
		plant: records(
			'posts.get',
			(post) =>
				(post.text = String(post.text)
					.normalize('NFC')
					.replaceAll('&', '&amp;')
					.replaceAll('<', '&lt;')),
		),
	},
	nullIgnored: {
		words: 'null does not empty a field',
		plant: records('posts.get', (post) => (post.notes ??= 'still there')),
	},
	writesForbidden: {
		words: 'the key lacks posts:write',
		plant: always({ kind: 'error', status: 403 }, { route: 'posts.create' }),
	},
	putRefused: {
		words: 'the storage takes no PUT',
		plant: always({ kind: 'error', status: 405 }, { host: 'storage' }),
	},
	otherMediaField: {
		words: 'files are deleted by another name',
		plant: setting((settings) => (settings.fields = { ...settings.fields, deleteMedia: ['key'] })),
	},
};
