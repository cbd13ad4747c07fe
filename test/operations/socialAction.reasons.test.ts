/** Every reason of part 7.4: what the user reads, and how often the request was sent. */
import { REASONS, reasonOf, type Reason } from '../../fake-service/index';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
const operations = {
	refresh: () => ({ resource: 'networkOrganization', operation: 'refresh' }),
	create: () => ({
		resource: 'socialAction',
		operation: 'create',
		workspaceId: kit.service.world.own.workspaceId,
		body: '{"type": "comment"}',
	}),
};

const CASES: Array<[Reason, RegExp, RegExp]> = [
	['network_not_connected', /No usable network account/, /Connect the network account/],
	['network_organization_not_found', /not known for this account/, /does not belong/],
	['network_organization_permission_denied', /no permission for this page/, /administrator/],
	['network_organization_stale', /24 hours/, /Network Organization > Refresh/],
	['network_organization_provider_rejected', /rejected the action/, /Change the action.*off/],
	['network_organization_duplicate', /already enrolled/, /nothing to do/],
	['network_identifier_unpinned', /cannot be pinned/, /reconnect/],
	['pod_consent_required', /consent to the pod/, /dashboard/],
	['rate_limited', /slow down/, /Run this again later/],
];

describe.each(['refresh', 'create'] as const)('%s', (operation) => {
	it.each(CASES)('%s is final, and said in words', async (reason, what, next) => {
		kit.service.faults.reason(reason, { count: Infinity });
		const isThrottled = reason === 'rate_limited';
		const options = isThrottled ? { maxWaitSeconds: 0 } : {};
		const { error, details } = await kit.failure({ ...operations[operation](), options });
		const { status, code } = REASONS[reason];
		expect(error).toMatch(what);
		expect(error).toContain(`(${reasonOf(reason)})`);
		expect(details.next).toMatch(next);
		expect(details).toMatchObject({
			...{ http_status: status, code, reason: reasonOf(reason), retryable: isThrottled },
			request_id: kit.service.requests[0]?.requestId,
		});
		// However long the node may wait.
		expect(kit.service.requests).toHaveLength(1);
	});
	// The document gives no status for these reasons, and a gateway may hide the refusal behind a 502.
	it.each(CASES.filter(([reason]) => reason !== 'rate_limited'))(
		'%s is final and certain behind a 502 as well',
		async (reason, what) => {
			const hidden = { status: 502, code: 'upstream_error', reason: reasonOf(reason) };
			kit.service.faults.add({ kind: 'error', ...hidden }, { count: Infinity });
			const { error, details } = await kit.failure(operations[operation]());
			expect(kit.service.requests).toHaveLength(1);
			expect(error).toMatch(what);
			expect(error).not.toMatch(/not known whether/);
			expect(details).toMatchObject({ http_status: 502, retryable: false });
			expect(details).not.toHaveProperty('outcome');
		},
	);

	it.each([429, 409])(
		'rate_limited is sent again after the cooldown, by HTTP %i',
		async (status) => {
			kit.service.world.own.refreshedAt = null;
			await kit.run({ resource: 'lead', operation: 'getAll', limit: 1 });
			kit.service.clearLog();
			const throttled = { status, reason: 'rate_limited', retryAfter: 0 };
			kit.service.faults.add({ kind: 'error', ...throttled });
			expect((await kit.item(operations[operation]())).json).not.toHaveProperty('error');
			expect(kit.service.requests).toHaveLength(2);
		},
	);
});
