/** Facts as the collect step records them, and what the judge step finds in them. */
import { classOfStatus } from '../../nodes/LeadGenPublishing/api/policy';
import type { Problem } from '../../nodes/LeadGenPublishing/api/problems';
import type { Asked, Facts, RequestOutcome } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { judge } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { expectFittingCheck } from '../support/kit/fittingWords';

const CONNECTION: Facts['connection'] = { isEncrypted: true, serviceWord: 'svc' };

export const asked = (
	name: Asked['name'],
	outcome: RequestOutcome,
	more: Partial<Asked> = {},
): Asked => ({
	name,
	outcome,
	purpose: 'reading',
	at: 0,
	attempts: [{ ms: 20, requestId: 'n8n:1', headers: {} }],
	...more,
});
export const success = (name: Asked['name'], body: unknown, more: Partial<Asked> = {}): Asked =>
	asked(name, { kind: 'success', body }, more);
export const refused = (name: Asked['name'], status: number, more: Partial<Asked> = {}): Asked =>
	asked(name, refusal(status), more);
export const refusal = (status: number) => ({
	kind: 'refused' as const,
	status,
	meaning: classOfStatus(status),
	hasEnvelope: true,
});
export const page = (data: unknown, hasMore = false) => ({
	data,
	pagination: { limit: 100, offset: 0, has_more: hasMore },
});
export const silent = (why: 'unreached' | 'tls' | 'lost', problem: Problem): RequestOutcome => ({
	kind: 'noResponse',
	why,
	problem,
});

export const judged = (those: readonly Asked[], more: Partial<Facts> = {}) => {
	const facts = { asked: those, requests: those.length, writesWanted: false, ...more };
	const items = judge({ connection: CONNECTION, ...facts });
	for (const item of items) expectFittingCheck({ ...item });
	return items;
};
export const greeting = (outcome: RequestOutcome): Asked[] => [
	asked('account.getApiInfo', outcome),
	asked('account.getSubject', outcome),
];
export const BASE = success('account.getApiInfo', { data: {} });
export const ME = success('account.getSubject', { data: {} });
export const UUIDS = [1, 2, 3].map((digit) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b1${digit}`);
export const posts = UUIDS.map((id) => ({ id, text: 'A post', status: 'draft', notes: null }));
export const query = { limit: 100, offset: 0 };
