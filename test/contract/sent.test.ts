/**
 * What every operation sends and outputs when its whole form is filled in: each parameter arrives
 * as its field. The code is loaded again each time, as in a new process.
 */
import { NOT_LISTED } from '../../fake-service/likely';
import type { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { type Parameters, setUpKit } from '../support/kit/index';
import { loadAnew } from '../support/loadAnew';
import { prepareAll } from './everyParameter';
import { operations } from './forms';

const kit = setUpKit();

const loadNode = (): typeof LeadGenPublishing =>
	loadAnew((module) =>
		module<{ LeadGenPublishing: typeof LeadGenPublishing }>(
			'nodes/LeadGenPublishing/LeadGenPublishing.node',
		),
	).LeadGenPublishing;

const MAGNET = {
	delivery_mode: 'gated_external',
	description: 'About it',
	text_template: 'Here: {{resource_link}}',
	linked_posts: ['a', 'b'],
	cta_label: 'Go',
	cta_url: 'https://example.com',
	hosted_page: { title: 'A page', content: '# A page' },
};
const POST = {
	status: 'scheduled',
	scheduled_at: '<time>',
	theme_id: 'th',
	template_id: 'te',
	images: ['https://x/a.png'],
	document_type: 'image',
	followups: [{ text: 'And?' }],
};
const FILE = { content_type: 'image/png', file_size: 16 };

/** The requests of each operation, followed by their body, if any. */
const SENT: Readonly<Record<string, readonly unknown[]>> = {
	'account.getApiInfo': ['GET '],
	'account.getSubject': ['GET /me'],
	'activity.getAll': ['GET /clients/<id>/activity?source=comment&limit=100&offset=0'],
	'client.get': ['GET /clients/<id>'],
	'client.getAll': ['GET /clients?limit=2&offset=0'],
	'lead.getAll': ['GET /clients/<id>/leads?has_email=true&limit=100&offset=0'],
	'leadMagnet.archive': ['DELETE /clients/<id>/lead-magnets/<id>'],
	'leadMagnet.create': [
		'POST /clients/<id>/lead-magnets',
		{
			...MAGNET,
			keyword: 'GUIDE',
			resource_name: 'The guide',
			resource_link: 'https://example.com/guide',
		},
	],
	'leadMagnet.get': ['GET /clients/<id>/lead-magnets/<id>'],
	'leadMagnet.getAll': ['GET /clients/<id>/lead-magnets?limit=100&offset=0'],
	'leadMagnet.getAnalytics': ['GET /clients/<id>/lead-magnets/<id>/analytics'],
	'leadMagnet.update': [
		'PATCH /clients/<id>/lead-magnets/<id>',
		{
			...MAGNET,
			keyword: 'OTHER',
			resource_name: 'Another guide',
			resource_link: 'https://example.com/other',
		},
	],
	'leadMagnet.upsert': [
		'GET /clients/<id>/lead-magnets?limit=100&offset=0',
		'POST /clients/<id>/lead-magnets',
		{
			...MAGNET,
			keyword: '<row>',
			resource_name: 'The guide',
			resource_link: 'https://example.com/guide',
		},
	],
	'media.createUploadUrl': ['POST /clients/<id>/media/upload-url', { filename: 'a.png', ...FILE }],
	'media.delete': ['DELETE /clients/<id>/media', { path: '<id>/<id>.png' }],
	'media.upload': ['POST /clients/<id>/media/upload-url', { filename: 'b.png', ...FILE }],
	'networkOrganization.refresh': ['POST /network/organizations/refresh', {}],
	'post.create': [
		'GET /clients/<id>/posts?limit=100&offset=0',
		// The list does not show the notes of the client's posts.
		'GET /clients/<id>/posts/<id>',
		'POST /clients/<id>/posts',
		{ ...POST, text: 'A post', notes: 'A note\n[unique-key: <key>]' },
		// The first creation with a key in this account: does the service keep the key?
		'GET /clients/<id>/posts/<id>',
	],
	'post.delete': ['GET /clients/<id>/posts/<id>', 'DELETE /clients/<id>/posts/<id>'],
	'post.get': ['GET /clients/<id>/posts/<id>'],
	'post.getAll': ['GET /clients/<id>/posts?limit=100&offset=0'],
	'post.getEngagement': ['GET /clients/<id>/posts/<id>/engagement'],
	'post.startFastResponse': [
		'POST /clients/<id>/posts/<id>/fast-response/start (<id>)',
		{ interval_minutes: 5, duration_minutes: 30 },
	],
	'post.stopFastResponse': ['POST /clients/<id>/posts/<id>/fast-response/stop', {}],
	'post.update': [
		'GET /clients/<id>/posts/<id>',
		'PATCH /clients/<id>/posts/<id>',
		{ ...POST, text: 'Another text', notes: 'A note', document_url: null },
	],
	'post.upsert': [
		'GET /clients/<id>/posts?limit=100&offset=0',
		'POST /clients/<id>/posts',
		{ ...POST, text: 'A post', notes: 'A note\n[unique-key: <row> sent=<digests>]' },
		// Longer notes than before: does the service keep them, too?
		'GET /clients/<id>/posts/<id>',
	],
	'schedule.nextFreeSlot': ['GET /clients/<id>/posts?limit=100&offset=0'],
	'schedule.spread': [],
	'socialAction.create': ['POST /workspaces/<id>/social-actions (<id>)', { kind: 'comment' }],
};

/** A list without notes does not show the key of the post that was updated before. */
function withRead(name: string, expected: readonly unknown[]): readonly unknown[] {
	const isHidden = name === 'post.upsert' && kit.service.settings.likelyShapes;
	return isHidden ? expected.toSpliced(1, 0, 'GET /clients/<id>/posts/<id>') : expected;
}

let runs = 0;

/** Runs it with its own key, because the service remembers keys. */
async function runWith(node: typeof LeadGenPublishing, name: string, more: Parameters = {}) {
	const { parameters, items } = await prepareAll(kit.service, name);
	kit.service.clearLog();
	const text = JSON.stringify({ ...parameters, ...more });
	const given = JSON.parse(text.replaceAll('"mine"', `"key-${(runs += 1)}"`)) as Parameters;
	return await kit.items(given, { items, node });
}

const plain = (text: string): string =>
	text
		.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
		.replace(/\bkey-\d+/g, '<key>')
		.replace(/\b(?:row-|GUIDE)\d+/g, '<row>')
		.replace(/\bsent=[\w:~-]+/g, 'sent=<digests>');

/** How many records are read one by one depends on what the list shows. */
const isSameRead = (one: unknown, at: number, all: readonly unknown[]): boolean =>
	typeof one === 'string' && one.startsWith('GET ') && one === all[at - 1];

const sent = (): unknown[] =>
	kit.service.requests
		// The list that is searched before a creation grows with each creation.
		.filter(({ url }) => !/offset=[1-9]/.test(url))
		.flatMap(({ method, url, json, headers }) => {
			const key = headers['idempotency-key'];
			const line = `${method} ${url.replace('/api/v1', '')}${key === undefined ? '' : ` (${key})`}`;
			return json === undefined
				? [plain(line)]
				: [plain(line), JSON.parse(plain(JSON.stringify(json)))];
		})
		.filter((one, at, all) => !isSameRead(one, at, all));

it('every operation sends each parameter as its field', async () => {
	const node = loadNode();
	const forgotten = operations.filter(
		({ name, operation }) => operation.kind === 'write' && !(name in SENT),
	);
	expect({ SENT: forgotten.map(({ name }) => name) }).toEqual({ SENT: [] });
	for (const [name, expected] of Object.entries(SENT)) {
		await runWith(node, name);
		expect([name, sent()]).toEqual([name, withRead(name, expected)]);
	}
});

/** The columns of simplified items, in their order. */
const COLUMNS: Readonly<Record<string, string>> = {
	activity:
		'id source author_name content keyword status metadata_post_id metadata_comment_id created_at updated_at profile_url client_id',
	lead: 'id name email latest_keyword has_intent qualification_status email_work email_submitted email_personal profile_url profile_key headline submitted_form_name sources intent_signals created_at updated_at client_id',
	leadMagnet:
		'id resource_name keyword delivery_mode resource_link description linked_posts cta_label cta_url client_id',
	post: 'id status text scheduled_at images document_url notes can_edit edit_etag client_id',
};

it('simplified items of one kind have the same columns in all operations', async () => {
	const node = loadNode();
	for (const { name, operation } of operations) {
		const columns = COLUMNS[name.split('.')[0] ?? ''];
		if (operation.simplification === undefined || columns === undefined) continue;
		const [item] = await runWith(node, name, { simplify: true });
		const isSummary = name === 'post.getAll' && kit.service.settings.likelyShapes;
		const said = operation.value === 'upsert' ? 'action changed_fields client_id' : 'client_id';
		const expected = columns
			.replace('client_id', said)
			.split(' ')
			.filter((column) => !isSummary || !NOT_LISTED.includes(column));
		expect([name, Object.keys(item?.json ?? {})]).toEqual([name, expected]);
	}
});
