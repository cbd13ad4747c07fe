/**
 * Two tries of one execution, every answer of part 7.2 after every other one, each with all that may
 * be true behind it; then a person's "Retry execution". Whatever the node says in the end has to be
 * compatible with what the service knows to be true.
 */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { runNode, type NodeRun, type RunNodeOptions } from '../support/engine';
import { ID, OnePost, OURS, type Fate, type ReadAnswer, type WriteAnswer } from './onePost';

const service = new OnePost();
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

const KINDS: Readonly<Record<string, Kind>> = {
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
const answersOf = (name: string, { answer, fates }: Kind): WriteAnswer[] =>
	fates.map((fate) => ({ ...(hasReason(name) ? { reason: name } : {}), ...answer, fate }));

interface Second {
	readonly what: string;
	readonly write?: WriteAnswer;
	readonly read?: ReadAnswer;
}

const SECONDS: readonly Second[] = [
	...Object.entries(KINDS).flatMap(([name, kind]) =>
		answersOf(name, kind)
			// No try comes after it that could meet what is still under way.
			.filter(({ fate }) => typeof fate === 'string' || (!fate.shown && fate.doneAfterReads > 1))
			.map((write) => ({ what: `${name}, ${told(write.fate)}`, write })),
	),
	{ what: 'no capabilities', read: { status: 200, capabilities: null } },
	{
		what: 'a capability that is false',
		read: { status: 200, capabilities: { can_edit: false, can_delete: false, edit_etag: null } },
	},
	{ what: 'no post', read: { status: 200, gone: true } },
	{ what: 'a read that is throttled', read: { status: 429, code: 'rate_limited' } },
	{ what: 'a read that fails', read: { status: 500, code: 'internal_error' } },
	{ what: 'a read that is forbidden', read: { status: 403, code: 'forbidden' } },
	{ what: 'nothing unusual' },
];

function told(fate: Fate): string {
	if (typeof fate === 'string') return fate;
	return `${fate.shown ? 'shown' : 'not shown'} until read ${fate.doneAfterReads} times`;
}

const OPERATIONS: ReadonlyArray<[string, Record<string, unknown>]> = [
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

async function run(
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

const NOT_DONE =
	/nothing was|left as it was|did not (update|change)|was not (deleted|updated|changed)|does not have the new text|not carried out/i;
const UNKNOWN = /not known whether|cannot tell whether|may have (succeeded|been)/i;

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
function falsehoods(ran: NodeRun, operation: unknown): string[] {
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

describe.each(OPERATIONS)('%s', (_, parameters) => {
	const firsts = Object.entries(KINDS)
		.filter(([name]) => name !== 'success')
		.flatMap(([name, kind]) =>
			answersOf(name, kind).map((first): [string, string, WriteAnswer] => [
				name,
				told(first.fate),
				first,
			]),
		);

	it.each(firsts)(
		'that gets %s (%s) first',
		async (name, _fate, first) => {
			const wrong: string[] = [];
			for (const { what, write, read } of SECONDS) {
				const script = [first, ...(write === undefined ? [] : [write])];
				const check = (where: string, ran: NodeRun) => {
					const found = falsehoods(ran, parameters.operation);
					if (service.timesDone > 1) found.push('done twice');
					wrong.push(...found.map((text) => `${what}, ${where}: ${text}`));
				};
				const checkSent = () => {
					if (KINDS[name]?.final === true && service.sent.length !== 1)
						wrong.push(`${what}: sent ${service.sent.length} times`);
				};
				service.begin(script, read);
				check('with "Continue"', await run(parameters, { onError: 'continueErrorOutput' }));
				checkSent();

				service.begin(script, read);
				const stopped = await run(parameters);
				check('stopped', stopped);
				checkSent();
				if (stopped.error === undefined) continue;
				service.settle();
				const again = { runExecutionData: stopped.fullRun.data, executionId: '2000' };
				check('retried', await run(parameters, again));
			}
			expect(wrong).toEqual([]);
		},
		60_000,
	);
});
