// Differences in what a key may do, how the service refuses, and how it answers in general.

import { isObject } from '../fields';
import { always, changed, fails, me, raw, records, type Differences, type Plant } from './plant';
import type { Effect } from '../faults';
import type { LoggedRequest } from '../log';
import type { JsonObject } from '../types';

const JANE = 'Jane Doe (jane@example.com) has withdrawn her consent, see https://crm.example/jane';

/** Asks for a post that nobody has. */
const ofUnknown =
	(effect: Effect): Plant =>
	(service) => {
		const when = ({ route, path }: LoggedRequest): boolean =>
			route === 'posts.get' &&
			service.world.ownerOf('posts', path.split('/').at(-1) ?? '') === undefined;
		return always(effect, { when })(service);
	};

const refused = (error: JsonObject, status = 403) =>
	raw({ error, request_id: 'req_1' }, { status });

const grants = (status: string, isOpen: boolean): Plant =>
	records('clients.list', (client) => {
		if (isObject(client.grant ?? null)) (client.grant as JsonObject).status = status;
		if (!isOpen) client.user_id = String(client.user_id).replace(/^.{8}/, '00000000');
	});

export const ACCESS = {
	baseNeedsKey: ['the base wants a key', fails(401, { route: 'base' })],
	meMissing: ['there is no /me', fails(404, { route: 'me' })],
	meHangs: ['/me never answers', always({ kind: 'hang' }, { route: 'me' })],
	throttledAlways: [
		'every request is asked to wait',
		always({ kind: 'error', status: 429, retryAfter: 90 }),
	],
	waitForWeeks: [
		'a 503 asks to wait for three weeks',
		always({ kind: 'error', status: 503, retryAfter: 1_814_400 }, { route: 'activity.list' }),
	],
	noScopes: ['the key may read nothing', fails(403, { path: /^\/(posts|lead|activity)/ })],
	scopeContradicted: [
		'/me lists leads:read, and leads are refused',
		(service) => {
			const plants = [
				me((data) => ({
					...data,
					scopes: [
						'posts:read',
						'leads:read',
						'activity:read',
						'lead_magnets:read',
						'analytics:read',
					],
				})),
				fails(403, { route: 'leads.list' }),
			];
			const removes = plants.map((plant) => plant(service));
			return () => removes.forEach((remove) => remove());
		},
	],
	scopeUnlisted: [
		'/me lists posts:read alone, and all is allowed',
		me((data) => ({ ...data, scopes: ['posts:read'] })),
	],
	accountInactive: [
		'/me says that the billing is past due',
		me((data) => ({ ...data, account_status: 'past_due' })),
	],
	noClients: [
		'an agency has no clients',
		changed(({ data: _, ...rest }) => ({ ...rest, data: [] }), { route: 'clients.list' }),
	],
	agencyWithoutClients: ['an agency finds no /clients', fails(404, { route: 'clients.list' })],
	oddClientIds: [
		'clients have numbers as user_id',
		records('clients.list', (client) => (client.user_id = 4711)),
	],
	grantsApproved: ['active grants are called approved', grants('approved', true)],
	grantsRefused: ['grants have ended, and are listed', grants('expired', false)],
	clientNotFound: [
		'one client is not found',
		(service) => fails(404, { clientId: service.world.clientB.id })(service),
	],
	clientLeadsRefused: [
		"one client's leads are refused",
		(service) => fails(403, { route: 'leads.list', clientId: service.world.clientB.id })(service),
	],
	accountsMixed: [
		"clients show the agency's own leads",
		(service) => {
			const own = service.world.agency.leads.toArray().map((lead) => ({ ...lead }));
			return changed(
				({ data: _, ...rest }) => ({ ...rest, data: own as unknown as JsonObject[] }),
				{
					route: 'leads.list',
					when: ({ clientId }) => clientId !== null,
				},
			)(service);
		},
	],
	clientSuspended: [
		'one client is suspended',
		(service) =>
			records('clients.list', (client) => {
				if (client.user_id === service.world.clientB.id) client.account_status = 'suspended';
			})(service),
	],
	unpaid: [
		'activity has to be paid for',
		always(
			{ kind: 'error', status: 402, code: 'payment_required', message: 'Upgrade your plan' },
			{ route: 'activity.list' },
		),
	],
	scopesAsNotFound: [
		'/me lacks leads:read, and leads are not found',
		(service) => {
			const plants = [
				me((data) => ({
					...data,
					scopes: ['posts:read', 'activity:read', 'lead_magnets:read', 'analytics:read'],
				})),
				fails(404, { route: 'leads.list' }),
			];
			const removes = plants.map((plant) => plant(service));
			return () => removes.forEach((remove) => remove());
		},
	],
	routesMissing: ['no list exists', fails(404, { path: /^\/(posts|lead|activity)/ })],
	singlePostRefused: ['single posts are refused', fails(403, { route: 'posts.get' })],
	listUnauthorized: ['activity wants another key', fails(401, { route: 'activity.list' })],
	listRedirected: [
		'activity is redirected',
		always({ kind: 'redirect', status: 302 }, { route: 'activity.list' }),
	],
	listFails: ['activity fails', fails(500, { route: 'activity.list' })],
	listHangs: ['activity never answers', always({ kind: 'hang' }, { route: 'activity.list' })],
	listThrottled: [
		'activity asks to wait for an hour',
		always({ kind: 'error', status: 429, retryAfter: 3_600 }, { route: 'activity.list' }),
	],
	listRejected: [
		'activity rejects limit and offset',
		always(
			{ kind: 'error', status: 400, message: 'Parameter "page" is required' },
			{ route: 'activity.list' },
		),
	],
	damagedGzip: [
		'activity comes as damaged gzip',
		always(
			{
				kind: 'raw',
				status: 200,
				body: 'this is not gzip',
				headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
			},
			{ route: 'activity.list' },
		),
	],
	damagedOnce: [
		'one response comes as damaged gzip',
		always(
			{
				kind: 'raw',
				status: 200,
				body: 'this is not gzip',
				headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
			},
			{ route: 'leads.list', count: 1 },
		),
	],
	pageInstead: [
		'activity is a web page',
		always({ kind: 'html', status: 200 }, { route: 'activity.list' }),
	],
	personalCode: [
		'a code names a person',
		always(refused({ code: JANE, message: 'No' }), { route: 'activity.list' }),
	],
	personalReason: [
		'a reason names a person',
		always(refused({ code: 'forbidden', message: 'No', details: { reason: JANE } }), {
			route: 'activity.list',
		}),
	],
	htmlMessage: [
		'an error without envelope holds a page',
		always(
			{
				kind: 'raw',
				status: 403,
				body: `<h1>${JANE}</h1>`,
				headers: { 'Content-Type': 'text/html' },
			},
			{ route: 'activity.list' },
		),
	],
	otherCodes: [
		'errors have codes of their own',
		ofUnknown(refused({ code: 'ERR_NO_SUCH_THING', message: 'No' }, 404)),
	],
	codeAndStatus: [
		'a missing record is a conflict with status 404',
		ofUnknown(refused({ code: 'conflict', message: 'No' }, 404)),
	],
	errorsAsSuccess: [
		'errors come with status 200',
		always(refused({ code: 'not_found', message: 'No' }, 200), { route: 'activity.list' }),
	],
	inventsRecords: [
		'any ID finds a post',
		ofUnknown(raw({ data: { id: 'any', text: 'Any' }, request_id: 'req_1' }, {})),
	],
	unknownFails: [
		'an unknown ID ends in an error of the service',
		ofUnknown({ kind: 'error', status: 500 }),
	],
	unknownRejected: ['an unknown ID is a bad request', ofUnknown({ kind: 'error', status: 400 })],
	noRequestIds: ['responses have no request ID', changed(({ request_id: _, ...rest }) => rest)],
	otherIdInHeader: [
		'the header has another request ID',
		(service) =>
			changed((envelope) => ({ ...envelope, request_id: 'req_body' }), { route: 'leads.list' })(
				service,
			),
	],
} satisfies Differences;
