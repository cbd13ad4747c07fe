/**
 * Every code and reason of part 7, and what n8n's next attempt of the same execution does after it, for
 * each operation that writes, with an idempotency key and without, for the own account and a client.
 */
import { prepare, type OperationName } from '../contract/everyOperation';
import { shareOf } from '../support/long';
import { byId, setUpKit, type Parameters } from '../support/kit/index';
import { REASONS, type LoggedRequest, type Reason } from '../../fake-service/index';

const kit = setUpKit();

type Rule =
	/** The first answer again, nothing is sent. */
	| 'never'
	/** Certainly nothing was done: sent again. */
	| 'again'
	/** Exactly the same request with the same key; without a key nothing, or a read. */
	| 'sameRequest'
	/** Only checked with a read, if one can show the outcome; nothing else is sent. */
	| 'checkOnly';

interface Row {
	readonly status: number;
	readonly code?: string;
	readonly reason?: string;
	readonly rule: Rule;
}

/** Every other reason is final. */
const OF_REASONS: Readonly<Partial<Record<Reason, Rule>>> = {
	mutation_in_progress: 'checkOnly',
	provider_ambiguous: 'checkOnly',
	provider_attachment_mismatch: 'sameRequest',
	provider_unreconciled: 'sameRequest',
	rate_limited: 'again',
};
/** Without a reason. */
const OF_CODES: ReadonlyArray<[number, string, Rule]> = [
	[400, 'bad_request', 'never'],
	[401, 'unauthorized', 'never'],
	[403, 'forbidden', 'never'],
	[404, 'not_found', 'never'],
	[405, 'method_not_allowed', 'never'],
	[409, 'conflict', 'never'],
	[422, 'bad_request', 'never'],
	[429, 'rate_limited', 'again'],
	[500, 'internal_error', 'sameRequest'],
	[501, 'not_implemented', 'never'],
	[502, 'upstream_error', 'sameRequest'],
	[418, 'teapot', 'never'],
	[503, 'unavailable', 'sameRequest'],
];

const ROWS: ReadonlyArray<[string, Row]> = [
	...(Object.keys(REASONS) as Reason[]).map((reason): [string, Row] => [
		`[reason ${reason}]`.replace('[reason provider_unreconciled]', 'an unnamed 502'),
		{ ...REASONS[reason], reason, rule: OF_REASONS[reason] ?? 'never' },
	]),
	...OF_CODES.map(([status, code, rule]): [string, Row] => [
		`${status} ${code}`,
		{ status, code, rule },
	]),
];

interface Subject {
	readonly operation: OperationName;
	readonly keyed: boolean;
	/** Writes in three tries which may have succeeded each time; 1 unless given. */
	readonly afterDoubt?: number;
	/** Nothing is left open when it fails. */
	readonly harmless?: boolean;
	readonly parameters?: () => Record<string, unknown>;
}

const published = (own: boolean) =>
	kit.service.world.addPost(own ? kit.service.world.own : kit.service.world.clientA, {
		status: 'published',
		text: 'old',
	}).id;

/** Each with an idempotency key or without. */
const subjects = (own: boolean): ReadonlyArray<[string, Subject]> => {
	const keyed = (operation: OperationName, parameters?: Subject['parameters']): Subject => ({
		...{ operation, keyed: true, parameters },
	});
	const plain = (operation: OperationName, more: Partial<Subject> = {}): Subject => ({
		...{ operation, keyed: false, ...more },
	});
	const onPublished = (more: Parameters) => () => ({ postId: byId(published(own)), ...more });
	const text = onPublished({ updateFields: { text: 'new' } });
	const notes = onPublished({ updateFields: { notes: 'new' } });
	const confirmed = onPublished({ confirmPublished: true });
	const deletion = { afterDoubt: 3 };
	const harmless = { afterDoubt: 3, harmless: true };
	return [
		['text of a published post', keyed('post.update', text)],
		['notes of a published post', keyed('post.update', notes)],
		['deletion of a published post', keyed('post.delete', confirmed)],
		['start', keyed('post.startFastResponse')],
		['social action', keyed('socialAction.create')],
		['creation of a post', plain('post.create')],
		['update of a scheduled post', plain('post.update')],
		['deletion of a scheduled post', plain('post.delete', deletion)],
		['stop', plain('post.stopFastResponse')],
		['creation of a lead magnet', plain('leadMagnet.create')],
		['update of a lead magnet', plain('leadMagnet.update')],
		['archiving', plain('leadMagnet.archive', deletion)],
		['deletion of a file', plain('media.delete')],
		['upload', plain('media.upload', harmless)],
		['upload URL', plain('media.createUploadUrl', harmless)],
		['refresh', plain('networkOrganization.refresh', harmless)],
	];
};
/** The account changes nothing about the rule, so that a few will do. */
const FOR_CLIENTS = ['text of a published post', 'start', 'creation of a post', 'archiving'];

const isWrite = ({ method }: Pick<LoggedRequest, 'method'>) => method !== 'GET';

function expectedWrites({ rule, status, reason }: Row, subject: Subject): number {
	const { keyed, harmless = false, afterDoubt = 1 } = subject;
	if (rule === 'never') return 1;
	if (rule === 'again') return 3;
	if (rule === 'checkOnly') {
		// With a key too: the document asks to check the outcome, and does not mention repeating it.
		if (keyed || reason === 'mutation_in_progress') return 1;
		return harmless ? 1 : afterDoubt;
	}
	if (keyed) return 3;
	return status === 409 ? 1 : afterDoubt;
}

async function tryThreeTimes(row: Row, subject: Subject, { agency }: { agency: boolean }) {
	const prepared = await prepare(kit.service, subject.operation, { agency });
	const { status, code, reason } = row;
	kit.service.clearLog();
	kit.service.faults.clear();
	kit.service.faults.add(
		{
			...{ kind: 'error' as const, status, code, reason, details: { more: 1 } },
			message: 'Words of the service',
			...(row.rule === 'again' ? { retryAfter: 0 } : {}),
		},
		{ count: Infinity, when: isWrite },
	);
	const given = {
		...prepared.parameters,
		...subject.parameters?.(),
		options: { maxWaitSeconds: 0 },
	};
	const run = await kit.run(given, {
		items: prepared.items,
		retryOnFail: true,
		maxTries: 3,
		// What is throttled waits at the gate for a moment at least.
		...(row.rule === 'again' ? { waitBetweenTries: 150 } : {}),
	});
	return { run };
}

describe.each([
	['own', false],
	['agency', true],
] as const)('for the %s account', (_, agency) => {
	describe.each(ROWS.map((row, index) => [...row, index] as const))('%s', (_name, row, at) => {
		const all = subjects(!agency).filter(([what]) => !agency || FOR_CLIENTS.includes(what));
		// Each subject meets some rows of each rule.
		const some = shareOf(all, { nth: 4, index: at });
		it.each(some)('%s', async (_what, subject) => {
			const { run } = await tryThreeTimes(row, subject, { agency });
			expect(run.timesRun).toBe(3);
			const sent = kit.writes();
			expect(sent).toHaveLength(expectedWrites(row, subject));
			if (subject.keyed) {
				expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
				expect(new Set(sent.map(({ headers }) => headers['x-svc-post-etag'])).size).toBe(1);
				expect(new Set(sent.map(({ method, path, body }) => method + path + body)).size).toBe(1);
			}
			if (row.rule !== 'never') return;
			// The first answer, though two more tries came after it, and not one request more.
			expect(String(run.error?.description)).toContain(`Request ID: ${sent[0]?.requestId}`);
			expect(run.error?.message).toContain('Words of the service');
			// One read before it at most, and one after it where the text is to be shown.
			expect(kit.service.requests.length).toBeLessThanOrEqual(3);
		});
	});
});
