/**
 * Every code and reason of part 7, and what n8n's next tries of the same execution do after it, for
 * each request that writes, with an idempotency key and without.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import { REASONS, type Reason } from '../../fake-service/index';
import { lost, ok, type Reply } from '../support/replies';
import { CLIENT, idOf, tries } from './scriptedRun';

type Rule =
	/** The first answer again, nothing is sent. */
	| 'never'
	/** Certainly nothing was done: sent again. */
	| 'again'
	/** Exactly the same request with the same key; without a key nothing, or a read. */
	| 'sameRequest'
	/** Only checked with a read, if one can show the outcome; nothing else is sent. */
	| 'checkOnly';

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

const CONFLICT = { status: 409, code: 'conflict' };

interface Row {
	readonly status: number;
	readonly code?: string;
	readonly reason?: string;
	readonly rule: Rule;
	/** In place of an error in the words of the service. */
	readonly reply?: Reply | Error;
}
const page = (status: number): Reply => ({ status, body: '<html>' });
/** What no document foresees. */
const OTHERS: Readonly<Record<string, Row>> = {
	'a reason that every object has': { ...CONFLICT, reason: 'toString', rule: 'never' },
	'a code that every object has': { status: 400, code: 'constructor', rule: 'never' },
	'an unknown 5xx': { status: 599, code: 'odd', rule: 'sameRequest' },
	'408': { status: 408, code: 'odd', rule: 'sameRequest' },
	'a redirect': { status: 307, rule: 'never', reply: page(307) },
	'a page with 300': { status: 300, rule: 'never', reply: page(300) },
	'a page with 418': { status: 418, rule: 'never', reply: page(418) },
	'half an answer': { status: 200, rule: 'sameRequest', reply: { body: '{"data":{' } },
	'no answer': { status: 0, rule: 'sameRequest', reply: lost('ECONNRESET') },
	'no connection': { status: 0, rule: 'again', reply: lost('ECONNREFUSED') },
};
const ROWS: ReadonlyArray<[string, Row]> = [
	...(Object.keys(REASONS) as Reason[]).map((reason): [string, Row] => [
		`reason ${reason}`,
		{ ...REASONS[reason], reason, rule: OF_REASONS[reason] ?? 'never' },
	]),
	...OF_CODES.map(([status, code, rule]): [string, Row] => [
		`${status} ${code}`,
		{ status, code, rule },
	]),
	...Object.entries(OTHERS),
];

interface Subject {
	readonly parameters: JsonRecord;
	readonly keyed?: true;
	/** Writes in three tries which may have succeeded each time. */
	readonly afterDoubt: number;
	/** Nothing is left open when it fails. */
	readonly harmless?: true;
	/** Where the fields are is not documented: what is rejected in the body is sent in the query. */
	readonly maySendInQuery?: true;
	/** What it acts on. */
	readonly record: JsonRecord;
}

const capabilities = { can_edit: true, can_delete: true, edit_etag: 'pv_1' };
const published = {
	...{ id: idOf(0), status: 'published', text: 'old' },
	published_mutation_capabilities: capabilities,
};
const scheduled = { id: idOf(0), status: 'scheduled', text: 'old' };
const subject = (
	name: string,
	given: JsonRecord = {},
	{ record = scheduled, ...more }: Partial<Subject> = {},
): Subject => {
	const [resource, operation] = name.split('.');
	const parameters = { resource, operation, [`${resource}Id`]: idOf(0), ...given };
	return { parameters, record, afterDoubt: 1, ...more };
};
const onPublished = { keyed: true, record: published } as const;
const harmless = { afterDoubt: 3, harmless: true } as const;
const MAGNET = { deliveryMode: 'external_link', keyword: 'K', resourceName: 'Guide' };
const FILE = { fileName: 'a.png', contentType: 'image/png', fileSize: 1 };

const SUBJECTS: Readonly<Record<string, Subject>> = {
	'text of a published post': subject(
		'post.update',
		{ updateFields: { text: 'new' } },
		onPublished,
	),
	'notes of a published post': subject(
		'post.update',
		{ updateFields: { notes: 'new' } },
		onPublished,
	),
	'deletion of a published post': subject('post.delete', { confirmPublished: true }, onPublished),
	start: subject('post.startFastResponse', { interval: 5, duration: 30 }, { keyed: true }),
	'social action': subject(
		'socialAction.create',
		{ workspaceId: CLIENT, body: '{"kind":"comment"}' },
		{ keyed: true },
	),
	'creation of a post': subject('post.create', { text: 'new' }),
	'update of a scheduled post': subject('post.update', { updateFields: { notes: 'new' } }),
	'deletion of a scheduled post': subject('post.delete', {}, { afterDoubt: 3 }),
	stop: subject('post.stopFastResponse'),
	'creation of a lead magnet': subject('leadMagnet.create', {
		...{ ...MAGNET, resourceLink: 'https://example.com/guide' },
	}),
	'update of a lead magnet': subject('leadMagnet.update', { updateFields: { description: 'new' } }),
	archiving: subject('leadMagnet.archive', {}, { afterDoubt: 3 }),
	'deletion of a file': subject('media.delete', { path: 'a.png' }, { maySendInQuery: true }),
	upload: subject('media.upload', { binaryPropertyName: 'data' }, harmless),
	'upload URL': subject('media.createUploadUrl', FILE, harmless),
	refresh: subject('networkOrganization.refresh', {}, harmless),
};

it('each request that writes is one of them', () => {
	const sent = Object.values(SUBJECTS).flatMap(
		({ parameters: { resource, operation } }) => findOperation(resource, operation).endpoints,
	);
	const forgotten = endpointNames.filter(
		(name) => ENDPOINTS[name].method !== 'GET' && !sent.includes(name),
	);
	expect({ place: 'SUBJECTS', forgotten }).toEqual({ place: 'SUBJECTS', forgotten: [] });
});

function expectedWrites({ rule, status, ...row }: Row, { keyed, ...subject }: Subject): number {
	const { harmless, afterDoubt, maySendInQuery } = subject;
	const { reason, code } = row;
	if (rule === 'never')
		return maySendInQuery && code === 'bad_request' && status === 400 && !reason ? 2 : 1;
	if (rule === 'again') return 3;
	if (rule === 'checkOnly') {
		// With a key too: the document asks to check the outcome, and does not mention repeating it.
		if (keyed || reason === 'mutation_in_progress') return 1;
		return harmless ? 1 : afterDoubt;
	}
	if (keyed) return 3;
	return status === 409 ? 1 : afterDoubt;
}

describe.each(ROWS)('%s', (_name, row) => {
	it.each(Object.entries(SUBJECTS))('%s', async (_what, subject) => {
		const { status, code, reason, rule } = row;
		const error = { code, message: 'Words of the service', details: { reason, more: 1 } };
		const sent: unknown[] = [];
		const idsOfWrites: unknown[] = [];
		const { next } = tries({
			parameters: { ...subject.parameters, options: { maxWaitSeconds: 0 } },
			items: [{ binary: { data: { data: 'YQ==', mimeType: 'image/png', fileName: 'a.png' } } }],
			onRequest: ({ method, url, body, headers }) => {
				const named = new Headers(headers as Record<string, string>);
				const [id, key, etag] = ['X-Request-ID', 'Idempotency-Key', 'X-Svc-Post-ETag'].map((name) =>
					named.get(name),
				);
				if (method === 'GET') return;
				sent.push({ method, url, body, key, etag });
				idsOfWrites.push(id);
			},
			answer: ({ method }) =>
				method === 'GET' ? ok(subject.record) : (row.reply ?? { status, body: { error } }),
		});
		const runs = [await next(), await next(), await next()];
		expect(sent).toHaveLength(expectedWrites(row, subject));
		if (subject.keyed) expect(sent).toEqual(sent.map(() => sent[0]));
		if (rule !== 'never') return;
		// The first answer, though two more tries came after it, and not one request more.
		const last = runs.at(-1)?.error as (Error & { description?: string }) | undefined;
		expect(last?.description).toContain(`Request ID: ${String(idsOfWrites[0])}`);
		if (code !== undefined) expect(last?.message).toContain('Words of the service');
		// One read before it at most, and one after it where the text is to be shown.
		expect(runs.flatMap(({ asked }) => asked).length).toBeLessThanOrEqual(3);
	});
});
