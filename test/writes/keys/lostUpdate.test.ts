/**
 * Create or Update after an update whose response was lost. The service may still apply that update,
 * and doing it twice does no harm.
 */
import { randomUUID } from 'node:crypto';

import type { Effect } from '../../../fake-service/index';
import { setUpKit, type Parameters } from '../../support/kit/index';

const kit = setUpKit({ resource: 'post', skipsWaits: true });

const upsert = (uniqueKey: string, text: string, options: Parameters = {}): Parameters => ({
	operation: 'upsert',
	uniqueKey,
	text,
	status: 'draft',
	options,
});

it.each<[string, Effect]>([
	['never arrived', { kind: 'reset' }],
	['is applied later', { kind: 'late', ms: 6_000 }],
])('does not wait if the update %s', async (_, effect) => {
	const key = `row-${randomUUID()}`;
	await kit.item(upsert(key, 'Hello'));
	kit.service.faults.add(effect, { method: 'PATCH' });
	await kit.failure(upsert(key, 'Other', { maxWaitSeconds: 1 }));
	const begin = Date.now();
	const { json } = await kit.item(upsert(key, 'Other', { maxWaitSeconds: 600 }));
	expect(['updated', 'unchanged']).toContain(json.action);
	expect(json.text).toBe('Other');
	expect(Date.now() - begin).toBeLessThan(5_000);
});
