/** What a service may answer to a write, what may be true behind it, and whether words fit the truth. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { runNode, type NodeRun, type RunNodeOptions } from '../support/engine';
import { ID, OnePost, OURS, type Fate, type WriteAnswer } from './onePost';
import { NOT_DONE, UNKNOWN } from './outcomeWords';

export const service = new OnePost();
beforeAll(async () => await service.open());
afterAll(async () => await service.close());

const LATER: readonly Fate[] = [
	{ doneAfterReads: 1, shown: true },
	{ doneAfterReads: 1, shown: false },
	{ doneAfterReads: 9, shown: true },
	{ doneAfterReads: 9, shown: false },
];

interface Kind {
	readonly answer: Omit<WriteAnswer, 'fate'>;
	/** All that may have become of the change. */
	readonly fates: readonly Fate[];
	/** Nothing more may be sent in this execution. */
	readonly final?: true;
}

export const KINDS: Readonly<Record<string, Kind>> = {
	provider_state_refreshed: {
		answer: { status: 409, code: 'conflict', edited: true },
		fates: ['refused'],
		final: true,
	},
	stale_provider_version: {
		answer: { status: 409, code: 'conflict', edited: true },
		fates: ['refused'],
		final: true,
	},
	mutation_in_progress: {
		answer: { status: 409, code: 'conflict' },
		fates: ['refused', ...LATER],
	},
	idempotency_conflict: {
		answer: { status: 409, code: 'conflict' },
		fates: ['refused'],
		final: true,
	},
	provider_ambiguous: {
		answer: { status: 409, code: 'conflict' },
		fates: ['refused', 'done', ...LATER],
	},
	team_boost_spacing_conflict: {
		answer: { status: 409, code: 'conflict' },
		fates: ['refused'],
		final: true,
	},
	provider_attachment_identity_unavailable: {
		answer: { status: 422, code: 'bad_request' },
		fates: ['refused'],
		final: true,
	},
	provider_attachment_mismatch: {
		answer: { status: 502, code: 'upstream_error' },
		fates: ['refused', 'done', ...LATER],
	},
	'another 502': {
		answer: { status: 502, code: 'upstream_error', reason: 'provider_unreconciled' },
		fates: ['refused', 'done', ...LATER],
	},
	'a lost answer': { answer: { status: 0 }, fates: ['refused', 'done', ...LATER] },
	'500': { answer: { status: 500, code: 'internal_error' }, fates: ['refused', 'done', ...LATER] },
	'503': { answer: { status: 503, code: 'unavailable' }, fates: ['refused', 'done'] },
	'429': { answer: { status: 429, code: 'rate_limited' }, fates: ['refused'] },
	'400': { answer: { status: 400, code: 'bad_request' }, fates: ['refused'], final: true },
	'403': { answer: { status: 403, code: 'forbidden' }, fates: ['refused'], final: true },
	'404': { answer: { status: 404, code: 'not_found' }, fates: ['refused'], final: true },
	'a plain 409': { answer: { status: 409, code: 'conflict' }, fates: ['refused'], final: true },
	'a plain 422': { answer: { status: 422, code: 'bad_request' }, fates: ['refused'], final: true },
	success: { answer: { status: 200 }, fates: ['done'] },
};

const hasReason = (name: string) => name.includes('_');
export const answersOf = (name: string, { answer, fates }: Kind): WriteAnswer[] =>
	fates.map((fate) => ({ ...(hasReason(name) ? { reason: name } : {}), ...answer, fate }));

export function told(fate: Fate): string {
	if (typeof fate === 'string') return fate;
	return `${fate.shown ? 'shown' : 'not shown'} until read ${fate.doneAfterReads} times`;
}

export const OPERATIONS: ReadonlyArray<[string, Record<string, unknown>]> = [
	['an edit', { operation: 'update', updateFields: { text: OURS } }],
	['a deletion', { operation: 'delete', confirmPublished: true }],
];

/** The node, which tells the service when a try begins. */
const node = new LeadGenPublishing();
const { execute } = node;
node.execute = async function () {
	service.beginTry();
	return await execute.call(this);
};

export async function run(
	parameters: Record<string, unknown>,
	more: Partial<RunNodeOptions> = {},
): Promise<NodeRun> {
	return await runNode({
		node,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: `svc_live_${'a'.repeat(32)}` },
		parameters: {
			resource: 'post',
			actAs: 'own',
			postId: { __rl: true, mode: 'id', value: ID },
			options: { maxWaitSeconds: 0 },
			...parameters,
		},
		retryOnFail: true,
		maxTries: 2,
		...more,
	});
}

interface Said {
	readonly words: string;
	/** Where there are details. */
	readonly details?: Record<string, unknown>;
}

/** Undefined when it succeeded. */
function saidBy({ outputs, error }: NodeRun): Said | undefined {
	if (error !== undefined)
		return { words: [error.message, error.description].filter(Boolean).join(' ') };
	const [failed] = outputs[1] ?? [];
	if (failed === undefined) return undefined;
	const { message, details } = failed.json as { message: string; details: Said['details'] };
	return { words: message, details };
}

/** What is wrong with the words in view of the truth. */
export function falsehoods(ran: NodeRun, operation: unknown): string[] {
	const said = saidBy(ran);
	const done = service.timesDone > 0;
	if (said === undefined) {
		const there = operation === 'delete' ? service.gone : done || service.text === OURS;
		return there ? [] : ['success, but it is not so'];
	}
	// What is quoted are the words of others.
	const words = said.words.replace(/"[^"]*"/g, '""');
	const { details } = said;
	const unknown = details === undefined ? UNKNOWN.test(words) : details.outcome === 'unknown';
	const found: string[] = [];
	if ((done || service.pending !== undefined) && !unknown) found.push('it is not unknown');
	if (done && NOT_DONE.test(words)) found.push('it says that nothing was done');
	if (unknown !== UNKNOWN.test(words)) found.push('words and details differ');
	if (unknown && details !== undefined && details.retryable !== false) found.push('retryable');
	return found.map((what) => `${what}: ${said.words}`);
}
