/**
 * A model neither schedules nor publishes: every write, with each parameter from a model in turn,
 * against posts in every status. What may be sent anyway is listed here.
 */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { startService, type FakeService } from '../../fake-service/index';
import { LOST, scriptedRun, tries } from '../run/scriptedRun';
import { ok, pageOf } from '../support/replies';
import { changed, labelled, prepareAll, type Spot } from './everyParameter';
import { operations } from './forms';

const STATUSES = ['draft', 'scheduled', 'published', undefined] as const;
const CLIENT = { user_id: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', full_name: 'Ada' };
const FROM_MODEL = '={{ $json.said }}';
const REFUSED = 'only a person may decide';

/** What nobody outside sees, or what only controls the node. */
const HARMLESS = new Set([
	...['notes', 'templateId', 'themeId'],
	...['simplify', 'currentStatus', 'dryRun', 'dueTimeField', 'etag', 'idempotencyKey', 'ifExists'],
	...['confirmPublished', 'maxWaitSeconds', 'uniqueKey'],
]);
/** Writes that change nothing that people outside see. */
const SHOWS_NOTHING = /^POST .*(?:\/media\/upload-url|\/organizations\/refresh)$/;

/** Unknown fields are never sent for a model, not even in a draft. */
const UNKNOWN = new Set(['customFields', 'body']);

const INTERNAL = ['notes', 'template_id', 'theme_id'];

const isSeen = (
	{ method, path, body }: { method: string; path: string; body: JsonRecord },
	status: unknown,
): boolean => {
	const isDraft = (body.status ?? 'draft') === 'draft';
	if (SHOWS_NOTHING.test(`${method} ${path}`)) return false;
	if (method === 'DELETE' && /\/posts\//.test(path)) return status !== 'draft';
	if (method === 'POST' && /\/posts$/.test(path)) return body.status !== 'draft';
	const isInternal = Object.keys(body).every((field) => INTERNAL.includes(field));
	if (method === 'PATCH' && /\/posts\//.test(path))
		return !isInternal && (!isDraft || status !== 'draft');
	return true;
};

/** If people outside see nothing of the request, it has to match `SHOWS_NOTHING`. */
const DECIDED_IN = '`outside` of the operation, or SHOWS_NOTHING of this file';

function expectNothingSeen(writes: ReadonlyArray<Parameters<typeof isSeen>[0]>, status: unknown) {
	const seen = writes.filter((one) => isSeen(one, status));
	expect({ DECIDED_IN, seen }).toEqual({ DECIDED_IN, seen: [] });
}

const WRITES = operations.flatMap(({ name, operation }) =>
	operation.kind === 'write' ? name : [],
);
let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});

const called = async (
	parameters: JsonRecord,
	stored: JsonRecord,
	status: unknown,
	type = 'x.leadGenPublishingTool',
) =>
	await scriptedRun({
		...{ parameters, stored, type },
		answer: ({ method, path }) => {
			const capabilities = { can_edit: true, can_delete: true, edit_etag: 'pv_1' };
			const post = { id: 'p', status, published_mutation_capabilities: capabilities };
			const isList = method === 'GET' && /\/(?:posts|lead-magnets)$/.test(path);
			if (path === '/clients') return pageOf([CLIENT]);
			return isList ? pageOf([]) : ok(post);
		},
	});

const drafts = (parameters: JsonRecord): JsonRecord => {
	const { updateFields } = parameters;
	const fields = updateFields as JsonRecord | undefined;
	return {
		...parameters,
		...('status' in parameters ? { status: 'draft' } : {}),
		...(fields === undefined || !('status' in fields)
			? {}
			: { updateFields: { ...fields, status: 'draft' } }),
	};
};
/** "Delete Even If Published" is the permission of a person. */
const notAllowed = (parameters: JsonRecord): JsonRecord =>
	'confirmPublished' in parameters ? { ...parameters, confirmPublished: false } : parameters;
const spotsOf = (name: string): Array<[string, Spot]> =>
	labelled.filter(([, { operation }]) => operation === name);

const isRefused = ({ error }: Awaited<ReturnType<typeof called>>): boolean =>
	error?.message.includes(REFUSED) === true;
const BY_NAME = { actAs: 'client', clientId: { __rl: true, mode: 'name', value: 'Ada' } };
const inAgency = (parameters: JsonRecord): JsonRecord =>
	'actAs' in parameters ? { ...parameters, ...BY_NAME } : parameters;

it('covers every write, each with its own parameters', () => {
	expect(WRITES.filter((name) => spotsOf(name).length < 3)).toEqual([]);
});

describe.each(WRITES)('%s', (name) => {
	it.each(spotsOf(name))(
		'%s from a model makes nothing public, and asks nothing if it is refused',
		async (_, spot) => {
			const { parameters } = await prepareAll(service, name);
			// If it is not an option, it selects the post to change.
			const choosesRecord = spot.field.name === 'uniqueKey' && spot.group === undefined;
			const expected = HARMLESS.has(spot.field.name) && !choosesRecord;
			for (const given of [parameters, drafts(parameters)].map(notAllowed)) {
				const stored = changed(given, spot, FROM_MODEL);
				const ends = [];
				for (const status of STATUSES) ends.push(await called(given, stored, status));
				for (const [index, { writes, error }] of ends.entries()) {
					if (UNKNOWN.has(spot.field.name)) expect(writes).toEqual([]);
					else if (!expected) expectNothingSeen(writes, STATUSES[index]);
					else expect(error?.message ?? '').not.toContain(REFUSED);
				}
				// Unless it depends on the post, nothing is asked, not even who the client is.
				if (!ends.every(isRefused)) continue;
				const ofClient = await called(
					inAgency(given),
					changed(inAgency(given), spot, FROM_MODEL),
					undefined,
				);
				expectNothingSeen(ofClient.writes, undefined);
				expect([...ends, ofClient].filter(isRefused).flatMap(({ asked }) => asked)).toEqual([]);
			}
		},
	);

	it('does not publish anything if a model gives all parameters, and says why', async () => {
		const { parameters } = await prepareAll(service, name);
		const stored = spotsOf(name)
			.filter(([, { group, field }]) => group !== undefined || field.type !== 'collection')
			.reduce((all, [, spot]) => changed(all, spot, FROM_MODEL), notAllowed(parameters));
		for (const status of STATUSES) {
			const { writes, error } = await called(parameters, stored, status);
			expectNothingSeen(writes, status);
			if (writes.length === 0 && error !== undefined)
				expect(error.message.length).toBeLessThan(300);
		}
	});
});

it('each write says what it can change that people outside see, and only a write does', () => {
	const silent = operations.filter(
		({ operation }) => (operation.kind === 'write') !== (operation.outside !== undefined),
	);
	expect(silent.map(({ name }) => name)).toEqual([]);
});

describe('a model', () => {
	const id = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
	it.each<[string, string, JsonRecord, status: string, sends: boolean]>([
		['post', 'delete', { postId: id }, 'draft', true],
		['post', 'delete', { postId: id }, 'scheduled', false],
		['leadMagnet', 'archive', { leadMagnetId: id }, 'draft', false],
		['media', 'delete', { path: 'a/b.png' }, 'draft', false],
		['post', 'startFastResponse', { postId: id }, 'published', false],
		['post', 'stopFastResponse', { postId: id }, 'published', false],
		[
			'media',
			'createUploadUrl',
			{ fileName: 'a.png', contentType: 'image/png', fileSize: 9 },
			'draft',
			true,
		],
	])(
		'%s %s with %j, of a post that is a %s: may send it is %p',
		async (resource, operation, given, status, sends) => {
			const parameters = { resource, operation, actAs: 'own', ...given };
			const [name = ''] = Object.keys(given);
			const { writes, error } = await called(
				parameters,
				{ ...parameters, [name]: FROM_MODEL },
				status,
			);
			expect([writes.length > 0, error?.message ?? '']).toEqual([
				sends,
				sends ? '' : expect.stringContaining(REFUSED),
			]);
			if (sends) return;
			const options = { modelMayPublish: true };
			const allowed = await called(
				{ ...parameters, options },
				{ ...parameters, [name]: FROM_MODEL, options },
				status,
			);
			expect(allowed.writes).toHaveLength(1);
		},
	);

	it('is refused before anything is asked, where each call would be seen', async () => {
		const magnet = { resource: 'leadMagnet', operation: 'archive', actAs: 'own', leadMagnetId: id };
		const { log } = await called(magnet, { ...magnet, leadMagnetId: FROM_MODEL }, 'draft');
		expect(log).toEqual([]);
	});

	it.each(['create', 'upsert'])(
		'is refused before a file is fetched: post.%s',
		async (operation) => {
			const given = {
				...{ resource: 'post', operation, actAs: 'own', uniqueKey: 'a', text: 'Hello' },
				status: 'published',
				additionalFields: {
					attachments: { files: [{ source: 'url', fileUrl: 'https://files.example.com/a.png' }] },
				},
			};
			let fetched = 0;
			const { log, error } = await scriptedRun({
				parameters: given,
				stored: { ...given, text: FROM_MODEL },
				type: 'x.leadGenPublishingTool',
				storage: async () => await Promise.resolve((fetched += 1)),
			});
			expect([log, fetched, error?.message]).toEqual([[], 0, expect.stringContaining(REFUSED)]);
		},
	);

	it('does not fill in Custom Fields of a draft', async () => {
		const customFields = { publish_now: true };
		const draft = {
			resource: 'post',
			operation: 'create',
			actAs: 'own',
			text: 'Hello',
			status: 'draft',
		};
		const parameters = { ...draft, options: { customFields } };
		for (const options of [FROM_MODEL, { customFields: FROM_MODEL }]) {
			const { log, error } = await called(parameters, { ...draft, options }, 'draft');
			expect([log, error?.message]).toEqual([[], expect.stringContaining(REFUSED)]);
		}
		expect((await called(parameters, parameters, 'draft')).writes).toHaveLength(1);
	});
});

describe('a person', () => {
	const published = {
		...{ resource: 'post', operation: 'create', actAs: 'own', text: 'Hello' },
		status: 'published',
	};
	const byModel = { ...published, text: FROM_MODEL };

	it('may leave it to the model, but only by a fixed value', async () => {
		const withOption = (modelMayPublish: unknown) => ({ ...byModel, options: { modelMayPublish } });
		expect((await called(published, withOption(true), 'draft')).writes).toHaveLength(1);
		for (const given of [false, '={{ true }}', "={{ $fromAI('sure') }}"]) {
			const { writes, error } = await called(published, withOption(given), 'draft');
			expect(writes).toEqual([]);
			expect(error?.message).toMatch(/"Text" (?:uses an expression|comes from an AI model)/);
			expect(error).toMatchObject({
				description: expect.stringContaining('"Model May Publish"') as string,
			});
		}
	});

	it.each(['resource', 'operation'] as const)('chooses the %s, as a fixed value', async (name) => {
		const draft = { resource: 'post', operation: 'create', actAs: 'own', text: 'Hello' };
		const chosen = (value: string) => ({ ...draft, [name]: value });
		for (const [value, type] of [
			["={{ $fromAI('what') }}", 'x.leadGenPublishing'],
			[FROM_MODEL, 'x.leadGenPublishingTool'],
		] as const) {
			const { log, error } = await called(draft, chosen(value), 'draft', type);
			expect(log).toEqual([]);
			const label = name === 'resource' ? 'Resource' : 'Operation';
			expect(error?.message).toMatch(
				new RegExp(`^The parameter "${label}" (?:uses an expression|comes from an AI model)`),
			);
			expect(error?.message).toContain('but only a person may choose what the node does');
		}
		const plain = await called(draft, chosen(FROM_MODEL), 'draft', 'x.leadGenPublishing');
		expect(plain.writes).toHaveLength(1);
	});

	it('decides to schedule a draft of which only the text is from the model', async () => {
		const postId = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
		const update = (status: string) => {
			const updateFields = { text: 'Hello', status, scheduledAt: '2099-01-31T09:00:00Z' };
			const given = { resource: 'post', operation: 'update', actAs: 'own', postId, updateFields };
			return [given, { ...given, updateFields: { ...updateFields, text: FROM_MODEL } }] as const;
		};
		const { writes, error } = await called(...update('scheduled'), 'draft');
		expect([writes, error?.message]).toEqual([[], expect.stringContaining(REFUSED)]);
		expect((await called(...update('draft'), 'draft')).writes).toHaveLength(1);
	});

	it('also decides after an attempt that may have succeeded', async () => {
		const options = { uniqueKey: 'row-1', maxWaitSeconds: 60 };
		const { next } = tries({
			parameters: { ...published, options },
			answer: ({ method }) => (method === 'GET' ? pageOf([]) : LOST),
		});
		expect((await next()).writes).toHaveLength(1);
		const again = { execution: '8', after: 600, type: 'x.leadGenPublishingTool' };
		const { writes, error } = await next({ ...again, stored: { ...byModel, options } });
		expect([writes, error?.message]).toEqual([[], expect.stringContaining(REFUSED)]);
		expect((await next(again)).writes).toHaveLength(1);
	});

	it('need not decide about an expression outside of a tool, unless it names the model', async () => {
		const type = 'x.leadGenPublishing';
		expect((await called(published, byModel, 'draft', type)).writes).toHaveLength(1);
		const named = { ...published, text: "={{ $fromAI('text') }}" };
		const { writes, error } = await called(published, named, 'draft', type);
		expect(writes).toEqual([]);
		expect(error?.message).toContain('comes from an AI model ($fromAI)');
	});
});
