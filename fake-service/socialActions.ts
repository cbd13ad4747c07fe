// The two routes that 4.1 lists elsewhere. Their shapes are not shown: any object will do.

import { created, ok } from './answer';
import { type Handler } from './call';
import { ApiError, forbidden, notFound, REASONS } from './errors';
import { idempotencyKey } from './idempotency';
import { reachable } from './reach';
import { directOnly, type Route } from './route';

const createSocialAction: Handler = (call) => {
	const { world, params, body } = call;
	const workspaceId = params.workspaceId ?? '';
	const owner = [...world.accounts.values()].find((one) => one.workspaceId === workspaceId);
	if (!owner) throw notFound();
	if (!reachable(call, owner)) throw forbidden('This workspace is outside the key’s subject');
	return call.keys.once({
		place: `social-actions ${call.caller.id}`,
		key: idempotencyKey(call.header('idempotency-key')),
		input: { workspaceId, body },
		mismatch: 'idempotency_key_reused',
		work: () => {
			const at = world.clock.iso();
			world.socialActions.push({ account: call.caller.id, workspaceId, body, at });
			const id = world.uuid();
			return created({ id, workspace_id: workspaceId, status: 'queued', created_at: at });
		},
	});
};

const refreshOrganizations: Handler = ({ caller, settings, world }) => {
	const now = world.clock.now();
	const ready = (caller.refreshedAt ?? -Infinity) + settings.refreshCooldownMs;
	if (now < ready) {
		const seconds = String(Math.ceil((ready - now) / 1000));
		throw new ApiError({
			...REASONS.rate_limited,
			details: { reason: 'rate_limited' },
			headers: { 'Retry-After': seconds },
		});
	}
	caller.refreshedAt = now;
	const organization = { id: world.uuid(), name: caller.businessName, can_post: true };
	return ok({ organizations: [organization], refreshed_at: world.clock.iso() });
};

export const SOCIAL_ACTION_ROUTES: readonly Route[] = [
	directOnly('socialActions.create', 'POST /workspaces/{workspaceId}/social-actions', 'key', {
		body: 'optional',
		handler: createSocialAction,
	}),
	directOnly('organizations.refresh', 'POST /network/organizations/refresh', 'key', {
		body: 'optional',
		handler: refreshOrganizations,
	}),
];
