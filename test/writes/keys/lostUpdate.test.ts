/**
 * Create or Update after an update whose response was lost. The service may still apply that
 * update.
 */
import { randomUUID } from 'node:crypto';

import type { Effect } from '../../../fake-service/index';
import { setUpKit, type Parameters } from '../../support/kit/index';

const kit = setUpKit({ resource: 'post', skipsWaits: true });
const IMPATIENT = { maxWaitSeconds: 1 };
const PATIENT = { maxWaitSeconds: 600 };

let uniqueKey = '';
const upsert = (text: string, options: Parameters = {}): Parameters => ({
	operation: 'upsert',
	uniqueKey,
	text,
	status: 'draft',
	options,
});
/** What the next run does with the row, how many updates it sends, and how long it takes (ms). */
async function nextRun(text: string) {
	kit.service.clearLog();
	const begin = Date.now();
	const { json } = await kit.item(upsert(text, PATIENT));
	return { action: json.action, updates: kit.writes().length, ms: Date.now() - begin };
}

async function lose(effect: Effect): Promise<void> {
	uniqueKey = `row-${randomUUID()}`;
	await kit.item(upsert('Hello'));
	kit.service.faults.add(effect, { method: 'PATCH' });
	const { details } = await kit.failure(upsert('Other', IMPATIENT));
	expect(details).toMatchObject({ outcome: 'unknown' });
}

it('is waited for, and not sent a second time', async () => {
	await lose({ kind: 'late', ms: 6_000 });
	expect(await nextRun('Other')).toMatchObject({ action: 'unchanged', updates: 0 });
});

it('is sent again once the service can no longer apply it', async () => {
	await lose({ kind: 'reset' });
	const { ms, ...done } = await nextRun('Other');
	expect(done).toEqual({ action: 'updated', updates: 1 });
	expect(ms).toBeGreaterThan(5_000);
});

it('is not waited for if the record already shows it', async () => {
	await lose({ kind: 'late', ms: 1_500 });
	await new Promise((resolve) => setTimeout(resolve, 2_000));
	const { ms, ...done } = await nextRun('Other');
	expect(done).toEqual({ action: 'unchanged', updates: 0 });
	expect(ms).toBeLessThan(1_000);
});

it('keeps a run that may not wait from sending, which says when to come back', async () => {
	await lose({ kind: 'reset' });
	kit.service.clearLog();
	const { message, details } = await kit.failure(upsert('Other', IMPATIENT));
	expect(kit.writes()).toEqual([]);
	expect(details).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', retryable: true });
	expect(message).toMatch(
		/It is not known whether the post was updated: an update was sent a moment/,
	);
	expect(message).toMatch(
		/Run the node again in \d+ seconds?\. It updates the post only if it still/,
	);
});
