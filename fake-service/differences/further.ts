// Differences that show only where two responses are compared, in texts, or on the way to the service.

import { isObject } from '../fields';
import type { LoggedRequest } from '../log';
import type { JsonObject, Lead } from '../types';
import {
	always,
	asked,
	capabilities,
	changed,
	fails,
	leads,
	me,
	posts,
	raw,
	records,
	type Differences,
	type Plant,
	type Plantable,
} from './plant';
import { isOfTrial } from './trial';

const only =
	(...names: readonly string[]) =>
	(record: JsonObject): void => {
		for (const name of Object.keys(record)) if (!names.includes(name)) delete record[name];
	};

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** A page in place of a response, as a proxy or a firewall sends one. */
const guarded = (status: number, headers: Record<string, string> = {}): Plant =>
	always({
		kind: 'raw',
		status,
		body: '<!DOCTYPE html><title>Access denied</title>',
		headers: { 'Content-Type': 'text/html', ...headers },
	});

let reads = 0;

/** Does something once each time that a draft of a trial was created. */
const afterCreation =
	(act: (service: Plantable, id: string) => void): Plant =>
	(service) =>
		records('posts.create', ({ id }) => act(service, String(id)))(service);

const trialNotFound =
	(count: number): Plant =>
	(service) => {
		const when = ({ route, path }: LoggedRequest): boolean =>
			route === 'posts.get' &&
			isOfTrial({ ...service.world.own.posts.get(path.split('/').at(-1) ?? '') });
		return always({ kind: 'error', status: 404 }, { when, count })(service);
	};

/** The leads of two clients in place of the agency's own, with pages and the filter. */
const leadsOfClients: Plant = (service) => {
	let query: LoggedRequest['query'] = {};
	const when = (request: LoggedRequest): boolean => {
		({ query } = request);
		return true;
	};
	const hasEmail = ({ emails }: Lead): boolean => Object.values(emails).some((one) => one !== null);
	const change = ({ request_id }: JsonObject): JsonObject => {
		const { clientA, clientB } = service.world;
		const all = [clientA, clientB]
			.flatMap(({ leads: held }) => held.toArray())
			.filter((lead) => [undefined, String(hasEmail(lead))].includes(query.has_email))
			.sort((one, other) => String(other.created_at).localeCompare(String(one.created_at)));
		const [limit, offset] = [Number(query.limit ?? 50), Number(query.offset ?? 0)];
		return {
			data: all.slice(offset, offset + limit) as unknown as JsonObject[],
			pagination: { limit, offset, has_more: offset + limit < all.length },
			request_id: request_id ?? null,
		};
	};
	const match = {
		path: '/leads',
		when: (request: LoggedRequest) => when(request) && query.limit !== '101',
	};
	return changed(change, match)(service);
};

export const FURTHER = {
	postEchoesLittle: [
		'the response to a new post has only its ID and status',
		records('posts.create', only('id', 'status')),
	],
	changeEchoesLittle: [
		'the response to a change has only the ID',
		records('posts.update', only('id')),
	],
	magnetEchoesLittle: [
		'the response to a new lead magnet has only its ID',
		records('leadMagnets.create', only('id')),
	],
	uploadWithoutToken: [
		'an upload result has no token',
		records('media.uploadUrl', (one) => delete one.token),
	],
	uploadUrlAsPath: [
		'the upload URL is a path without a host',
		records('media.uploadUrl', (one) => {
			one.upload_url = new URL(String(one.upload_url)).pathname;
		}),
	],
	uploadUrlElsewhere: [
		'the upload URL has another name',
		records('media.uploadUrl', (one) => {
			one.signed_url = one.upload_url ?? null;
			delete one.upload_url;
		}),
	],
	uploadUrlUnsigned: [
		'the upload URL works only together with the token',
		always({ kind: 'error', status: 403 }, { host: 'storage' }),
	],
	proxyAsksForLogin: [
		'a proxy asks for a login',
		guarded(401, { 'WWW-Authenticate': 'Basic realm="proxy"' }),
	],
	firewall: ['a firewall lets nobody through', guarded(403)],
	emptyListAsNothing: [
		'an empty list of activity is a 204',
		always({ kind: 'raw', status: 204, body: '' }, { route: 'activity.list' }),
	],
	namesUndecoded: [
		'umlauts in names are lost',
		leads((lead) => (lead.name = `${String(lead.name)} M\ufffdller`)),
	],
	namesEncodedTwice: [
		'umlauts in names are encoded twice',
		leads((lead) => (lead.name = `${String(lead.name)} MÃ¼ller`)),
	],
	namesNull: ['the names of leads are always null', leads((lead) => (lead.name = null))],
	deletedStaysReadable: [
		'a deleted post is still found, as deleted',
		(service) => {
			const gone = new Map<string, JsonObject>();
			const note = changed(
				(envelope) => {
					for (const one of [envelope.data ?? null].flat().filter(isObject))
						if (isOfTrial(one)) gone.set(String(one.id), { ...one, status: 'deleted' });
					return envelope;
				},
				{ route: 'posts.update' },
			)(service);
			let found: JsonObject | undefined;
			const when = ({ route, path }: LoggedRequest): boolean => {
				const id = path.split('/').at(-1) ?? '';
				found = gone.get(id);
				return (
					route === 'posts.get' &&
					found !== undefined &&
					service.world.own.posts.get(id) === undefined
				);
			};
			const change = ({ request_id }: JsonObject): JsonObject => ({
				data: found ?? {},
				request_id: request_id ?? null,
			});
			const show = always({ kind: 'change', status: 200, change }, { when })(service);
			return () => [note, show].forEach((remove) => remove());
		},
	],
	createsTwice: [
		'a new post is created twice',
		afterCreation(({ world }, id) => {
			const { text = '', notes = null } = world.own.posts.get(id) ?? {};
			world.addPost(world.own, { text, notes, status: 'draft' });
		}),
	],
	foundLate: ['a new post is found by its ID only after a moment', trialNotFound(1)],
	foundNever: ['a new post is not found by its ID', trialNotFound(Infinity)],
	createdMoves: [
		'a change renews the creation time',
		records('posts.get', (one) => {
			if (isOfTrial(one) && String(one.text).endsWith('Changed.'))
				one.created_at = new Date(Date.now() + 5_000).toISOString();
		}),
	],
	etagOfEachRead: [
		'the etag is another one at each read',
		capabilities((given) => ({ ...given, edit_etag: `etag-${(reads += 1)}` })),
	],
	agencySeesClients: ["an agency's own leads are those of its clients", leadsOfClients],
	clientsShowAnother: [
		"a client's leads name another client as their owner",
		(service) =>
			leads((lead) => (lead.user_id = service.world.clientA.id), {
				clientId: service.world.clientB.id,
			})(service),
	],
	clientGrantsAsText: [
		'a grant is a text',
		records('clients.list', (client) => (client.grant = 'active')),
	],
	keyExpires: ['the key expires in three days', me((data) => ({ ...data, expires_at: inDays(3) }))],
	keyExpired: ['the key has expired', me((data) => ({ ...data, expires_at: inDays(-1) }))],
	deletedListed: [
		'deleted leads are listed',
		leads((lead) => {
			if (String(lead.id).charCodeAt(0) % 2 === 0) lead.deleted_at = inDays(-1);
		}),
	],
	withoutEmailIgnored: [
		'has_email set to false is ignored',
		(service) =>
			changed(
				(envelope) => ({
					...envelope,
					data: service.world.own.leads.toArray().reverse() as unknown as JsonObject[],
				}),
				{ route: 'leads.list', ...asked('has_email', 'false') },
			)(service),
	],
	limitsInHeaders: [
		'headers name a limit of requests',
		always(
			{
				kind: 'raw',
				status: 200,
				body: JSON.stringify({ data: { name: 'API', version: 'v1' }, request_id: 'r' }),
				headers: { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '60' },
			},
			{ route: 'base' },
		),
	],
	throttledWithoutPause: [
		'activity asks to wait for no time at all, forever',
		always({ kind: 'error', status: 429, retryAfter: 0 }, { route: 'activity.list' }),
	],
	errorsAsText: [
		'an error is a text',
		always(raw({ error: 'forbidden', message: 'No' }, { status: 403 }), { route: 'activity.list' }),
	],
	unknownForbidden: [
		'an unknown ID is forbidden',
		(service) =>
			fails(403, {
				when: ({ route, path }) =>
					route === 'posts.get' &&
					service.world.ownerOf('posts', path.split('/').at(-1) ?? '') === undefined,
			})(service),
	],
	engagementMissing: [
		'published posts have no engagement',
		fails(404, { route: 'posts.engagement' }),
	],
	idsOfEachRead: [
		'leads have other IDs at each read',
		leads((lead) => {
			reads += 1;
			lead.id = `${String(reads).padStart(8, '0')}${String(lead.id).slice(8)}`;
		}),
	],
	limitAsText: [
		'the limit of a page is a text',
		changed(
			({ pagination, ...rest }) => ({
				...rest,
				pagination: { ...(isObject(pagination) ? pagination : {}), limit: '100' },
			}),
			{ route: 'leads.list' },
		),
	],
	emptyListAsNull: [
		'the data of an empty list is null',
		changed(({ data: _, ...rest }) => ({ ...rest, data: null }), { route: 'activity.list' }),
	],
	scheduledOverdue: [
		'a scheduled post was not published',
		posts((one) => {
			if (one.status === 'scheduled') one.scheduled_at = inDays(-2);
		}),
	],
} satisfies Differences;
