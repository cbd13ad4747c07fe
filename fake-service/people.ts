// Subject, clients, leads and activity: what can only be read.

import { ok } from './answer';
import { type Call, type Handler, type ListHandler } from './call';
import { badRequest, forbidden } from './errors';
import { likelyBase, likelySubject } from './likely';
import { pageOf } from './lists';
import type { Filter } from './recordList';
import { both, directOnly, type Route } from './route';
import type { Activity, Grant, Json, JsonObject, Lead } from './types';
import { spelled } from './words';

export const apiMetadata = ({ settings }: Pick<Call, 'settings'>) =>
	ok(
		settings.likelyShapes
			? likelyBase()
			: { name: 'Lead Generation and Publishing Service API', version: 'v1', status: 'ok' },
	);

const me: Handler = ({ caller, key, settings }) => {
	if (settings.likelyShapes) return ok(likelySubject(caller, key));
	return ok({
		user_id: caller.id,
		full_name: caller.fullName,
		business_name: caller.businessName,
		account_type: caller.isAgency ? 'agency' : 'direct',
		account_status: caller.status,
		scopes: [...key.scopes],
	});
};

const listClients: ListHandler = (call, window) => {
	const { caller, settings, orders } = call;
	requireAgency(call);
	const active: Filter<Grant> = { name: 'active', keeps: ({ status }) => status === 'active' };
	return pageOf(window, {
		...{ list: caller.grants, order: orders.clients },
		filter: settings.listInactiveGrants ? undefined : active,
		show: (grant) => showClient(call, grant),
	});
};

const getClient: Handler = (call) => ok(showClient(call, grantFor(call)));

/** 5.7: the grant that lets the caller work for the client in the path. */
export function grantFor(call: Pick<Call, 'caller' | 'params' | 'world'>): Grant {
	requireAgency(call);
	const client = call.world.accounts.get(call.params.clientId ?? '');
	const grant = client && call.world.grantOf(call.caller, client);
	if (grant?.status !== 'active') throw forbidden('No active grant for this client');
	return grant;
}

const listLeads: ListHandler = (call, window) => {
	const { subject, query, orders } = call;
	const wanted = query.get('has_email');
	if (wanted !== null && wanted !== 'true' && wanted !== 'false') {
		throw badRequest('has_email must be true or false');
	}
	const keeps = (lead: Lead) => String(hasEmail(lead)) === wanted;
	const filter = wanted === null ? undefined : { name: `has_email=${wanted}`, keeps };
	const show = (lead: Lead) => showLead(call, lead);
	return pageOf(window, { list: subject.leads, order: orders.leads, filter, show });
};

const listActivity: ListHandler = ({ subject, query, orders }, window) => {
	const source = query.get('source');
	if (source === '') throw badRequest('source is not a known value');
	const keeps = (activity: Activity) => activity.source === source;
	const filter = source === null ? undefined : { name: `source=${source}`, keeps };
	const show = (activity: Activity): JsonObject => ({ ...activity });
	return pageOf(window, { list: subject.activity, order: orders.activity, filter, show });
};

function requireAgency({ caller }: Pick<Call, 'caller'>): void {
	if (!caller.isAgency) throw forbidden('Client routes need an agency key');
}

function hasEmail({ emails }: Lead): boolean {
	return Object.values(emails).some((email) => email !== null);
}

function showClient({ world }: Call, grant: Grant): JsonObject {
	const client = world.account(grant.client);
	const { id, label, status, permissions, created_at, updated_at } = grant;
	return {
		user_id: client.id,
		full_name: client.fullName,
		business_name: client.businessName,
		account_status: client.status,
		grant: { id, label, status, permissions, created_at, updated_at },
	};
}

function showLead({ settings, world }: Call, lead: Lead): JsonObject {
	const shown: JsonObject = Object.fromEntries(
		Object.entries(lead).map(([name, value]) => [spelled(name, world.words), value as Json]),
	);
	if (!settings.leadTimestamps) for (const name of ['created_at', 'updated_at']) delete shown[name];
	return shown;
}

export const PEOPLE_ROUTES: readonly Route[] = [
	directOnly('base', 'GET', 'none', { handler: apiMetadata }),
	directOnly('me', 'GET /me', 'key', { handler: me }),
	directOnly('clients.list', 'GET /clients', 'clients:read', { list: listClients }),
	directOnly('clients.get', 'GET /clients/{clientId}', 'clients:read', { handler: getClient }),
	both('leads.list', 'GET /leads', 'leads:read', { query: ['has_email'], list: listLeads }),
	both('activity.list', 'GET /activity', 'activity:read', {
		...{ query: ['source'], list: listActivity },
	}),
];
