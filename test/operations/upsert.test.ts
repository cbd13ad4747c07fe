/**
 * Post > Create or Update through the node: each row one post with the row's content, by its Unique Key.
 * `writes/keys/createOrUpdate.test.ts` has the rules, and `run/failedWrites.test.ts` lets each write fail.
 * Here they meet what the service stores and shows.
 */
import { randomUUID } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import type { Json, JsonObject, Post } from '../../fake-service/types';
import type { NodeRun, RunNodeOptions } from '../support/engine';
import { HOUR, inMs, MODES, setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

type More = Partial<RunNodeOptions>;

/** Another one for each test, because the process remembers what it has lately sent. */
let key = '';
beforeEach(() => {
	key = `row-${randomUUID()}`;
	kit.service.settings.likelyShapes = false;
	kit.service.settings.hiddenPostFields = { list: [], record: [] };
	for (const mode of MODES)
		for (const { id } of kit.account(mode).posts.toArray()) kit.account(mode).posts.remove(id);
});

const upsert = (more: Parameters = {}, options: Parameters = {}): Parameters => ({
	operation: 'upsert',
	uniqueKey: key,
	text: 'Hello',
	status: 'draft',
	...more,
	options,
});
const posts = (): Post[] => kit.service.world.own.posts.toArray();
const only = (): Post => {
	const [post, ...others] = posts();
	if (post === undefined || others.length > 0) throw new Error(`There are ${posts().length} posts`);
	return post;
};
const become = (status: Post['status']): void => {
	kit.service.world.patchPost(kit.service.world.own, only().id, { status });
};
const sentBodies = (): unknown[] =>
	kit.writes().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const lastBody = (): Record<string, unknown> => sentBodies().at(-1) as Record<string, unknown>;
const hints = (run: NodeRun): string[] =>
	(run.runData['Node under test']?.[0]?.hints ?? []).map(({ message }) => message);
const rows = (...given: Parameters[]): More => ({
	items: given.map((row) => ({ json: row as INodeExecutionData['json'] })),
});
const said = async (parameters: Parameters, more: More = {}) => {
	kit.service.clearLog();
	const { json } = await kit.item(parameters, more);
	return [json.action, json.changed_fields, kit.answered()];
};
const refusal = async (parameters: Parameters) => {
	kit.service.clearLog();
	const failed = await kit.failure(parameters);
	return { ...failed, writes: kit.writes().length };
};
const at = inMs(24 * HOUR);
const later = inMs(48 * HOUR);
const scheduled = (more: Parameters = {}) =>
	upsert({ status: 'scheduled', scheduledAt: at, ...more });
const withFields = (additionalFields: Parameters, more: Parameters = {}) =>
	upsert({ ...more, additionalFields });
const A = 'https://files.example.com/a.png';
const B = 'https://files.example.com/b.png';

it('creates, leaves and updates', async () => {
	// The first post with a key is read once, to see whether the service keeps the key.
	expect(await said(upsert())).toEqual(['created', [], ['GET 200', 'POST 201', 'GET 200']]);
	expect(await said(upsert())).toEqual(['unchanged', [], ['GET 200']]);
	expect(await said(upsert({ text: 'Other' }))).toEqual([
		'updated',
		['text'],
		['GET 200', 'GET 200', 'PATCH 200'],
	]);
	expect(lastBody()).toEqual({ text: 'Other' });
	expect(await said(upsert({ text: 'Other' }))).toEqual(['unchanged', [], ['GET 200']]);
	expect(only().text).toBe('Other');
});

it('says the same in every shape of the output, and for a client', async () => {
	const [client] = await kit.records(kit.as('client', upsert()));
	expect(client).toMatchObject({ action: 'created', changed_fields: [] });
	const raw = await kit.records(kit.as('client', upsert({ text: 'Other', simplify: false })));
	expect(raw).toMatchObject([{ action: 'updated', changed_fields: ['text'] }]);
	expect(kit.account('client').posts.toArray()).toMatchObject([{ text: 'Other' }]);
	expect(posts()).toEqual([]);
});

describe('what differs', () => {
	const twice = async (before: Parameters, after: Parameters) => {
		await kit.item(before);
		return await said(after);
	};

	it.each<[string, () => Parameters, () => Parameters, string[], Partial<Post>]>([
		[
			'a status that schedules',
			upsert,
			scheduled,
			['status', 'scheduled_at'],
			{ status: 'scheduled', scheduled_at: at },
		],
		[
			'an image in place of a document',
			() => withFields({ documentUrl: 'https://files.example.com/a.pdf' }),
			() => withFields({ documentUrl: '', images: A }),
			['document_url', 'images'],
			{ images: [A], document_url: null },
		],
	])('is sent: %s', async (_, before, after, fields, expected) => {
		const [action, changed] = await twice(before(), after());
		expect([action, changed]).toEqual(['updated', fields]);
		expect(only()).toMatchObject(expected);
		expect(await said(after())).toEqual(['unchanged', [], ['GET 200']]);
	});

	it.each<[string, unknown]>([
		['an empty text', ''],
		['null', '={{ null }}'],
		['an empty list', '={{ [] }}'],
		['a list of an empty text', ['']],
		['a blank text', '={{ " " }}'],
	])('is sent: an image that is removed by %s', async (_, images) => {
		await kit.item(withFields({ images: [A] }));
		expect(await said(withFields({ images }))).toEqual([
			'updated',
			['images'],
			['GET 200', 'GET 200', 'PATCH 200'],
		]);
		expect(only().images).toEqual([]);
		expect(await said(withFields({ images }))).toEqual(['unchanged', [], ['GET 200']]);
	});

	it('is not sent for media that are not added, and is an error for those that are undefined', async () => {
		await kit.item(withFields({ images: [A] }));
		expect(await said(upsert())).toEqual(['unchanged', [], ['GET 200']]);
		for (const [name, value] of [
			['images', '={{ $json.image }}'],
			['images', ['={{ $json.image }}']],
			['documentUrl', '={{ $json.pdf }}'],
		] as const) {
			const { error, writes } = await refusal(withFields({ [name]: value }));
			expect(error).toContain(
				'is an expression that returned no value, so its column may be missing',
			);
			expect(writes).toBe(0);
		}
		expect(only().images).toEqual([A]);
	});

	it('is compared by what was sent last where no read shows it', async () => {
		kit.service.settings.hiddenPostFields = {
			list: ['theme_id', 'followups', 'images'],
			record: ['theme_id', 'followups', 'images'],
		};
		const of = (themeId: string, followups: string, images: unknown = [A]) =>
			withFields({ themeId, followups, images });
		const followups = '[{"text":"Thanks"}]';
		expect((await said(of('one', followups)))[0]).toBe('created');
		expect(await said(of('one', followups))).toEqual(['unchanged', [], ['GET 200']]);
		const [action, fields] = await said(of('two', followups));
		expect([action, fields]).toEqual(['updated', ['theme_id']]);
		expect((await said(of('two', followups)))[0]).toBe('unchanged');
		expect((await said(of('two', '[{"text":"Hi"}]')))[1]).toEqual(['followups']);
		expect((await said(of('two', '[{"text":"Hi"}]', '')))[1]).toEqual(['images']);
		expect(only()).toMatchObject({ theme_id: 'two', images: [], followups: [{ text: 'Hi' }] });
	});

	it.each(['absent', null, ''] as const)(
		'is found although the list shows the text and the time as %s, and the text sent first is sent again',
		async (blank) => {
			await kit.item(scheduled());
			await kit.item(scheduled({ text: 'Other' }));
			const { own } = kit.service.world;
			kit.service.world.patchPost(own, only().id, { scheduled_at: later });
			const shown: JsonObject = blank === 'absent' ? {} : { text: blank, scheduled_at: blank };
			kit.service.faults.add(
				{
					kind: 'change',
					change: ({ data, ...envelope }) => ({
						...envelope,
						data: (data as Json[]).map((record) => {
							const { text: _text, scheduled_at: _time, ...others } = record as JsonObject;
							return { ...others, ...shown };
						}),
					}),
				},
				{ method: 'GET', path: '/posts', count: Infinity },
			);
			const [action, fields, answered] = await said(scheduled());
			expect([action, fields]).toEqual(['updated', ['text', 'scheduled_at']]);
			expect(answered).toEqual(['GET 200', 'GET 200', 'PATCH 200']);
			expect(only()).toMatchObject({ text: 'Hello', scheduled_at: at });
			expect((await said(scheduled()))[0]).toBe('unchanged');
			// A published post has no time in a list, and none is compared.
			kit.service.faults.clear();
			become('published');
			expect(await said(scheduled())).toEqual(['unchanged', [], ['GET 200']]);
		},
	);

	it('counts what nobody has sent so far as different, where it is not shown', async () => {
		kit.service.settings.hiddenPostFields = { list: ['theme_id'], record: ['theme_id'] };
		await kit.item({
			...{ operation: 'create', text: 'Hello', additionalFields: { themeId: 'one' } },
			options: { uniqueKey: key },
		});
		expect((await said(withFields({ themeId: 'one' })))[1]).toEqual(['theme_id']);
		expect((await said(withFields({ themeId: 'one' })))[0]).toBe('unchanged');
	});

	it('is found with a list that shows a summary, each post read once', async () => {
		kit.service.settings.likelyShapes = true;
		for (const text of ['One', 'Two'])
			await kit.item(upsert({ text, uniqueKey: `${key}-${text}` }));
		const changed = upsert({ text: 'One more', uniqueKey: `${key}-One` });
		expect(await said(changed)).toEqual([
			'updated',
			['text'],
			['GET 200', 'GET 200', 'GET 200', 'PATCH 200'],
		]);
		expect(await said(changed)).toEqual(['unchanged', [], ['GET 200', 'GET 200']]);
		expect(posts().map(({ text }) => text)).toEqual(['One more', 'Two']);
	});
});

describe('notes', () => {
	const marked = (own: string) => new RegExp(`^${own}\\[unique-key: ${key}( sent=\\S+)?\\]$`);

	it('are updated with the marker, and keep the key', async () => {
		await kit.item(withFields({ notes: 'Mine' }));
		expect((await said(withFields({ notes: 'Edited' })))[1]).toEqual(['notes']);
		expect(only().notes).toMatch(marked('Edited\n'));
		expect((await said(withFields({ notes: 'Edited' })))[0]).toBe('unchanged');
	});

	it('keep what a person has written, as long as the item has no others', async () => {
		await kit.item(withFields({ notes: 'Mine' }, { status: 'scheduled', scheduledAt: at }));
		const { own } = kit.service.world;
		const { id, notes } = only();
		kit.service.world.patchPost(own, id, { notes: `Above\n${notes}\nBelow` });
		const again = withFields({ notes: 'Mine' }, { status: 'scheduled', scheduledAt: later });
		expect((await said(again))[1]).toEqual(['scheduled_at']);
		expect(only().notes).toMatch(/^Above\nMine\n\[unique-key: \S+ sent=\S+\]\nBelow$/);
		expect((await said(again))[0]).toBe('unchanged');
		const update = {
			operation: 'update',
			postId: { __rl: true, mode: 'id', value: id },
			updateFields: { notes: 'By Update' },
		};
		await kit.item(update);
		expect(only().notes).toMatch(marked('By Update\n'));
		expect((await said(again))[0]).toBe('unchanged');
	});
});

describe('a post that is no draft any more', () => {
	it.each(['publishing', 'published'] as const)(
		'is unchanged when it is %s as planned, whatever the time of its row is',
		async (status) => {
			await kit.item(scheduled());
			become(status);
			const [action, , answered] = await said(scheduled({ scheduledAt: inMs(-HOUR) }));
			expect([action, answered]).toEqual(['unchanged', ['GET 200']]);
			expect((await said(scheduled({ scheduledAt: later })))[0]).toBe('unchanged');
		},
	);

	it('is changed in its text under the guard of the service when it is published', async () => {
		await kit.item(scheduled());
		become('published');
		const [action, fields] = await said(scheduled({ text: 'Corrected' }));
		expect([action, fields]).toEqual(['updated', ['text']]);
		const [{ headers = {} } = {}] = kit.writes();
		expect(headers['idempotency-key']).toBeDefined();
		expect(Object.keys(headers).some((name) => name.endsWith('post-etag'))).toBe(true);
		expect(only().text).toBe('Corrected');
	});

	it('is refused for other media, and says what cannot be changed', async () => {
		const of = (images: unknown, text = 'Hello') =>
			withFields({ images }, { status: 'scheduled', scheduledAt: at, text });
		await kit.item(of([A]));
		become('published');
		for (const text of ['Hello', 'Corrected']) {
			const { error, message, details, writes } = await refusal(of([B], text));
			expect(error).toBe(
				'The post with this Unique Key is published, and these fields can no longer be changed: images. Nothing was changed',
			);
			expect(message).toContain('Set these fields to the values of the post');
			expect(details).toMatchObject({ code: 'operation_unavailable', differs: ['images'] });
			expect(writes).toBe(0);
		}
		expect((await said(of([A], 'Corrected')))[1]).toEqual(['text']);
	});

	it('is refused for other follow-ups and another document type, and names both', async () => {
		const of = (documentType: string, step: number) =>
			withFields(
				{ documentType, followups: JSON.stringify([{ step }]) },
				{ status: 'scheduled', scheduledAt: at },
			);
		await kit.item(of('image', 1));
		become('published');
		const { error, writes } = await refusal(of('carousel', 2));
		expect(error).toContain('can no longer be changed: document type, follow-ups.');
		expect(writes).toBe(0);
	});

	it('is refused while it is publishing and its text differs', async () => {
		await kit.item(scheduled());
		become('publishing');
		const { error, writes } = await refusal(scheduled({ text: 'Corrected' }));
		expect(error).toBe(
			'The post is being published right now and cannot be edited. Nothing was sent',
		);
		expect(writes).toBe(0);
	});

	it.each(['scheduled', 'published'] as const)(
		'is never taken back to a draft when it is %s, and a hint says so',
		async (status) => {
			await kit.item(scheduled());
			become(status);
			for (const text of ['Hello', 'Edited']) {
				const run = await kit.run(upsert({ text }));
				expect(hints(run).join()).toMatch(/says Draft, but its post is .*keeps its status/);
				expect(only()).toMatchObject({ text, status, scheduled_at: at });
			}
		},
	);
});

describe('a time that Team Boost does not allow', () => {
	const boosted = (scheduledAt: string, onTeamBoostConflict: string): Parameters =>
		upsert(
			{ status: 'scheduled', scheduledAt },
			{ onTeamBoostConflict, customFields: { team_boost: true } },
		);

	it('moves the post once, and stays moved until the item names another time', async () => {
		const { own } = kit.service.world;
		kit.service.world.addPost(own, {
			...{ status: 'scheduled', scheduled_at: at, team_boost: true, workspace_id: own.workspaceId },
		});
		const with_ = (scheduledAt: string): Parameters => {
			const given = boosted(scheduledAt, 'reschedule');
			const options = given.options as Parameters;
			const custom = { team_boost: true, workspace_id: own.workspaceId };
			return { ...given, options: { ...options, customFields: custom } };
		};
		const ours = () => posts().find(({ notes }) => String(notes).includes(key));
		expect((await said(with_(at)))[0]).toBe('created');
		const moved = ours()?.scheduled_at;
		expect(Date.parse(String(moved))).toBeGreaterThan(Date.parse(at));
		expect((await said(with_(at)))[0]).toBe('unchanged');
		expect((await said(with_(later)))[1]).toEqual(['scheduled_at']);
		expect(ours()?.scheduled_at).toBe(later);
	});
});

describe('many rows', () => {
	const byRow = () =>
		upsert({ uniqueKey: `={{ $json.key }}`, text: '={{ $json.text }}', status: 'draft' });
	const rowsOf = (count: number, text: (index: number) => string) =>
		rows(
			...Array.from({ length: count }, (_, index) => ({
				key: `${key}-${index}`,
				text: text(index),
			})),
		);

	it('need one reading of the list, and a read and a request for each that differs', async () => {
		await kit.items(byRow(), rowsOf(60, String));
		kit.service.clearLog();
		const run = await kit.run(
			byRow(),
			rowsOf(60, (index) => (index % 20 === 0 ? 'Changed' : `${index}`)),
		);
		expect(kit.answered().filter((one) => one.startsWith('GET'))).toHaveLength(1 + 3);
		expect(kit.writes()).toHaveLength(3);
		expect(hints(run)).toContainEqual(
			expect.stringMatching(/created 0 posts, updated 3 .* 57 unchanged/),
		);
	});

	it('with one key get the result of the first if they are the same', async () => {
		for (const before of [[], ['created', 'unchanged']]) {
			if (before.length > 0) await kit.items(byRow(), rows({ key, text: 'Old' }));
			const run = await kit.run(byRow(), rows({ key, text: 'New' }, { key, text: 'New' }));
			const items = (run.outputs[0] ?? []).map(({ json }) => json);
			expect(items.map(({ action }) => action)).toEqual([
				before.length > 0 ? 'updated' : 'created',
				'unchanged',
			]);
			expect(items[1]?.text).toBe('New');
			expect(hints(run)).toContainEqual(
				expect.stringMatching(/^1 item has the same post as an earlier item/),
			);
		}
		expect(posts()).toHaveLength(1);
	});

	it('with one key are refused if they are not, before anything is sent', async () => {
		const run = await kit.run(byRow(), {
			...rows({ key, text: 'One' }, { key: `${key}-b`, text: 'B' }, { key, text: 'Two' }),
			onError: 'continueErrorOutput',
		});
		expect((run.outputs[0] ?? []).map(({ json }) => json.text)).toEqual(['B']);
		for (const { json } of run.outputs[1] ?? [])
			expect(json.error).toMatch(/^2 items .* same Unique Key/);
		expect(kit.writes()).toHaveLength(1);
	});
});

describe('Unique Key', () => {
	it.each([
		['={{ $json.nothing }}', 'The parameter "Unique Key" is an expression that returned no value'],
		['={{ "" }}', 'The parameter "Unique Key" is an expression that returned no value'],
		[
			'=row-{{ $json.nothing }}',
			'The parameter "Unique Key" contains an expression that returned no value: {{ $json.nothing }}',
		],
		['x'.repeat(256), 'The parameter "Unique Key" has 256 characters, but at most 255 are allowed'],
	])('is needed for each item: %s', async (uniqueKey, problem) => {
		const { error, writes } = await refusal(upsert({ uniqueKey }));
		expect(error).toBe(problem);
		expect(writes).toBe(0);
	});

	it('says that a post which is gone again was deleted, and blames no setting', async () => {
		await kit.item(upsert());
		kit.service.faults.add({ kind: 'error', status: 404, code: 'not_found' }, { method: 'PATCH' });
		const { message } = await kit.failure(upsert({ text: 'Other' }));
		expect(message).toMatch(
			/^The service no longer finds this record.*If it was deleted or archived in the meantime, run this again\./,
		);
		expect(message).not.toMatch(/Base URL|Act As/);
	});

	it('finds what Create has made, and Create finds what it has made', async () => {
		const create = (text: string): Parameters => ({
			...{ operation: 'create', text, options: { uniqueKey: key } },
		});
		await kit.item(create('Hello'));
		expect((await said(upsert()))[0]).toBe('unchanged');
		expect((await said(upsert({ text: 'Other' })))[0]).toBe('updated');
		expect((await kit.item(create('Other'))).json).toMatchObject({ already_existed: true });
		expect(posts()).toHaveLength(1);
	});
});

describe('a dry run', () => {
	const asDryRun = ({ options, ...given }: Parameters): Parameters => ({
		...given,
		options: { ...(options as Parameters), dryRun: true },
	});
	const dry = async (parameters: Parameters) => {
		kit.service.clearLog();
		const { json } = await kit.item(asDryRun(parameters));
		expect(kit.writes()).toEqual([]);
		return json as { request: unknown; notes: string[] };
	};

	it('says what would be done', async () => {
		expect(await dry(upsert())).toMatchObject({ request: { method: 'POST', path: '/posts' } });
		await kit.item(upsert());
		expect(await dry(upsert())).toMatchObject({
			request: null,
			notes: [expect.stringMatching(/ matches the item/)],
		});
		const changed = await dry(upsert({ text: 'Other' }));
		expect(changed).toMatchObject({
			request: { method: 'PATCH', path: `/posts/${only().id}`, body: { text: 'Other' } },
			notes: [expect.stringMatching(/ differs in: text/)],
		});
	});
});

describe('an update whose answer is lost', () => {
	const isUpdate = { method: 'PATCH' } as const;

	it('is confirmed by a read', async () => {
		await kit.item(upsert());
		kit.service.faults.add({ kind: 'reset', after: true }, isUpdate);
		const [action, fields] = await said(upsert({ text: 'Other' }));
		expect([action, fields]).toEqual(['updated', ['text']]);
		expect(only().text).toBe('Other');
	});
});
