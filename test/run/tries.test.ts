/**
 * What n8n's next try of a node does after what the tries before have learned ("Retry On Fail"), and a
 * person's "Retry execution" of an execution that failed: what was done is not done again, and what
 * may have been done is sent again only where that is certain to do no harm.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { lost, ok, pageOf, refused, type Reply } from '../support/replies';
import {
	CLIENT,
	idOf,
	LOST,
	reread,
	scriptedRun,
	tries,
	type Asked,
	type Script,
} from './scriptedRun';

const OTHER = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b22';
const NO_WAIT = { maxWaitSeconds: 0 };
const CREATE = { resource: 'post', operation: 'create', status: 'draft', simplify: false };
const ARCHIVE = { resource: 'leadMagnet', operation: 'archive', actAs: 'own' };
const START = { resource: 'post', operation: 'startFastResponse', postId: idOf(0) };
const ACTION = { resource: 'socialAction', operation: 'create', workspaceId: CLIENT };
const own = (parameters: JsonRecord, options: JsonRecord = {}) => ({
	...{ actAs: 'own', options: { ...NO_WAIT, ...options } },
	...parameters,
});
const forClient = (clientId: string) => ({ actAs: 'client', clientId });
/** "Retry execution". */
const ANOTHER = { execution: '8' };
const FORBIDDEN = refused(403, 'forbidden');
const NOT_FOUND = refused(404, 'not_found');
const NOT_NOW = refused(429, 'rate_limited');
const because = (status: number, reason: string) => refused(status, 'conflict', reason);
const DONE = ok({ id: idOf(0) });
const published = (more: JsonRecord = {}): JsonRecord => ({
	...{ id: idOf(0), status: 'published', text: 'old' },
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: 'pv_1' },
	...more,
});

const isWrite = ({ method }: Asked): boolean => method !== 'GET';
/** Writes are answered in turn, the last answer again and again; reads with the record. */
const answering = (writes: readonly Reply[], record: Reply = ok(published())) => {
	const left = [...writes];
	return (asked: Asked): Reply => {
		if (!isWrite(asked)) return record;
		return (left.length > 1 ? left.shift() : left[0]) ?? NOT_NOW;
	};
};
const ids = (count: number) => Array.from({ length: count }, (_, item) => idOf(item));
const texts = (count: number) => Array.from({ length: count }, (_, item) => `Post ${item}`);
const containing = (words: string) => expect.stringContaining(words) as string;
const NOT_AGAIN = containing('so it was not sent again');
const keysOf = (...runs: ReadonlyArray<Awaited<ReturnType<typeof scriptedRun>>>) =>
	runs.flatMap(({ writes }) => writes.map(({ key }) => key));
/** An execution whose first write may have succeeded. */
async function losing(script: Script) {
	const execution = tries(script);
	const first = await execution.next({ answer: answering([LOST]) });
	return { ...execution, first };
}

describe('what was done', () => {
	/** A service that creates posts, until it has created so many; each with so many more characters. */
	function creating({ until = Infinity, more = 0, answer = NOT_NOW, id = idOf } = {}) {
		let count = 0;
		const size = 'x'.repeat(more);
		return {
			answer: (asked: Asked): Reply => {
				if (!isWrite(asked)) return ok({ id: asked.path.slice(-36), read: true });
				if (count >= until) return answer;
				count += 1;
				return ok({ id: id(count - 1), size });
			},
		};
	}
	const posts = (count: number, more = 0, parameters: JsonRecord = own(CREATE)) =>
		tries({
			...{ parameters, each: { text: texts(count) } },
			...creating({ until: count - 1, more }),
		});
	const ONLY_ID = containing('The output item contains only the ID of the record');

	it('comes out again within a process, and nothing of it is kept once all is done', async () => {
		const script = { parameters: own(CREATE), each: { text: texts(200) }, continueOnFail: true };
		const first = await scriptedRun({ ...script, ...creating({ until: 199, more: 1_000 }) });
		expect(first.asked).toHaveLength(200);
		const { context } = first;
		const second = await scriptedRun({ ...script, context, ...creating() });
		expect(second.asked).toEqual(['POST /posts']);
		expect(second.records.slice(0, -1)).toEqual(first.records.slice(0, -1));
		expect([second.hints, second.context]).toEqual([[], {}]);
	});

	it('is kept by its ID, and read again by a process that does not know it', async () => {
		const { next, kept } = posts(200, 1_000);
		await next({ continueOnFail: true });
		const { rows } = Object.values(
			(kept().leadGenPublishingWrites as { runs: Record<string, { rows: object }> }).runs,
		)[0] as { rows: object };
		expect(rows).toMatchObject({ 0: { kind: 'done', result: { kind: 'id', id: idOf(0) } } });
		expect(JSON.stringify(rows).length).toBeLessThan(200 * 150);
		const { asked, records } = await next({ continueOnFail: true, ...creating() });
		expect(asked).toEqual([...ids(199).map((id) => `GET /posts/${id}`), 'POST /posts']);
		expect(records.slice(0, -1)).toEqual(ids(199).map((id) => ({ id, read: true })));
	});

	it.each<[string, Reply, unknown, string[]]>([
		[
			'is kept itself if no read shows it again',
			ok({ id: 'a', started: 'a' }),
			{ id: 'a', started: 'a' },
			[],
		],
		[
			'is kept by its ID if it is large',
			ok({ id: 'a', size: 'x'.repeat(2_000) }),
			{ id: 'a' },
			[ONLY_ID],
		],
		[
			'is kept by its ID if that is not too long',
			ok({ id: 'x'.repeat(1_000) }),
			{ id: 'x'.repeat(1_000) },
			[ONLY_ID],
		],
		[
			'is kept as the mere fact if its ID is too long',
			ok({ id: 'x'.repeat(1_001) }),
			{},
			[containing('its result was not stored')],
		],
		[
			'is kept as the mere fact if it is large and has no ID',
			ok({ size: 'x'.repeat(2_000) }),
			{},
			[containing('its result was not stored')],
		],
	])('%s', async (_, answer, expected, said) => {
		const script = { parameters: own(START), each: { postId: ids(2) } };
		const { next } = tries({ ...script, answer: answering([answer, FORBIDDEN]) });
		await next();
		const { records, hints, writes } = await next({ ...ANOTHER, answer: answering([DONE]) });
		expect([records[0], hints, writes.length]).toEqual([expected, said, 1]);
	});

	it('is kept itself if it could be read again but shows no ID', async () => {
		const script = { parameters: own(CREATE), each: { text: texts(2) } };
		const { next } = tries({ ...script, answer: answering([ok({ text: 'a' }), FORBIDDEN]) });
		await next();
		const { records, asked } = await next({ ...ANOTHER, answer: answering([DONE]) });
		expect([records[0], asked]).toEqual([{ text: 'a' }, ['POST /posts']]);
	});

	it('is kept as it came out, though the nodes after this one change it', async () => {
		const script = { parameters: own(START), each: { postId: ids(2) }, continueOnFail: true };
		const answer = answering([ok({ started: 'a', of: { id: 'b' } }), FORBIDDEN]);
		const first = await scriptedRun({ ...script, answer });
		const [record] = first.records;
		Object.assign(record ?? {}, { started: 'changed' });
		Object.assign(record?.of ?? {}, { id: 'changed' });
		const context = reread(first.context);
		const { records } = await scriptedRun({ ...script, ...ANOTHER, context, answer });
		expect(records[0]).toEqual({ started: 'a', of: { id: 'b' } });
	});

	it.each<[string, Reply, unknown, unknown]>([
		['is gone', NOT_FOUND, [{ id: idOf(0) }, { id: idOf(0) }], [ONLY_ID]],
		[
			'cannot be read for a while',
			refused(503, 'unavailable'),
			containing(
				'An earlier attempt already completed the change, but its record could not be read',
			),
			[],
		],
	])('and %s', async (_, read, expected, said) => {
		const { next } = posts(2);
		await next();
		const { records, error, hints, writes } = await next({ answer: answering([DONE], read) });
		expect([error === undefined ? records : error.message, hints]).toEqual([expected, said]);
		expect(writes).toHaveLength(error === undefined ? 1 : 0);
	});

	it('is read for the client that it was done for', async () => {
		const { next } = posts(2, 0, { ...CREATE, ...forClient(CLIENT) });
		await next();
		const parameters = { ...CREATE, ...forClient(OTHER) };
		expect((await next({ ...ANOTHER, ...creating(), parameters })).asked).toEqual([
			...[`GET /clients/${CLIENT}/posts/${idOf(0)}`, `POST /clients/${OTHER}/posts`],
		]);
	});

	it.each(
		RESOURCES.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}.${operation.value}`, operation.recall] as const),
		).filter(([, recall]) => recall !== undefined),
	)('is read by its ID, or known to be deleted: %s', async (name, recall) => {
		const asked: string[] = [];
		const call = async (endpoint: string, { params }: { params: { id: string } }) => {
			asked.push(`${endpoint} ${params.id}`);
			return await Promise.resolve({ data: { id: params.id, found: true } });
		};
		const isGone = /\.(delete|archive)$/.test(name);
		expect(await recall?.('the-id', { api: { call } } as never)).toEqual(
			isGone ? { deleted: true, id: 'the-id' } : { id: 'the-id', found: true },
		);
		expect(asked).toEqual(isGone ? [] : [`${name.split('.')[0]}.get the-id`]);
	});

	const FLAT = { ...forClient(CLIENT), simplify: true };
	it.each<[string, JsonRecord, JsonRecord, unknown[], string?]>([
		['for another client', forClient(CLIENT), forClient(OTHER), [CLIENT, CLIENT, OTHER]],
		['for a client instead', own({}), forClient(OTHER), [undefined, undefined, OTHER]],
		['with another text', own({}), own({}), [undefined, undefined, undefined], 'Other'],
		['the same in other words', forClient(CLIENT), FLAT, [undefined, undefined, undefined]],
	])('is shown as it was done by a "Retry execution" %s', async (...row) => {
		const [, then, now, clients, second = 'Post 1'] = row;
		const { next } = posts(3, 0, { ...CREATE, ...then });
		await next();
		const more = {
			parameters: { ...CREATE, ...now },
			each: { text: ['Post 0', second, 'Post 2'] },
		};
		const { asked, records, hints } = await next({ ...ANOTHER, ...creating(), ...more });
		expect(asked.filter((one) => !one.startsWith('GET'))).toHaveLength(1);
		expect(records.map(({ client }) => (client as JsonRecord | undefined)?.user_id)).toEqual(
			clients,
		);
		const changed = containing('its parameters have changed since');
		expect(hints).toEqual(now === FLAT ? [] : [changed]);
	});

	it('and may be repeated is done again: an upload URL', async () => {
		const parameters = own({ resource: 'media', operation: 'createUploadUrl' });
		const given = { fileName: 'a.png', contentType: 'image/png', fileSize: 10 };
		const { next } = tries({ parameters: { ...parameters, ...given }, items: [{}, {}] });
		await next({ answer: answering([DONE, LOST]) });
		expect((await next({ answer: answering([DONE]) })).writes).toHaveLength(2);
		const { error } = await next({ parameters: { ...parameters, ...given, fileName: '' } });
		expect(error?.message).toContain('"File Name"');
	});
});

describe('a refusal', () => {
	const failingAt =
		(index: number, failure: Reply) =>
		({ path }: Asked): Reply =>
			path.endsWith(idOf(index)) ? failure : ok();
	const archiving = (failure: Reply) =>
		tries({ parameters: ARCHIVE, each: { leadMagnetId: ids(3) }, answer: failingAt(1, failure) });

	it('is the error of the next try, too, and takes no other item along where n8n goes on', async () => {
		const { next } = archiving(FORBIDDEN);
		const first = await next();
		const second = await next();
		expect([first.asked.length, second.asked]).toEqual([2, []]);
		for (const { error } of [first, second])
			expect(error).toMatchObject({ message: first.error?.message, context: { itemIndex: 1 } });
		const third = await next({ continueOnFail: true });
		expect(third.asked).toEqual([`DELETE /lead-magnets/${idOf(2)}`]);
		expect(third.records.map((record) => record.deleted ?? record.error)).toEqual([
			...[true, containing('not allowed to do this'), true],
		]);
		expect((await next(ANOTHER)).asked).toEqual([`DELETE /lead-magnets/${idOf(1)}`]);
	});

	it('before the write counts as one of the write, that of a read does not', async () => {
		const update = own({ resource: 'post', operation: 'update', updateFields: { text: 'new' } });
		const read = own({ resource: 'post', operation: 'get' });
		for (const [parameters, more] of [
			[update, 0],
			[read, 1],
		] as const) {
			const { next } = tries({ parameters: { ...parameters, postId: idOf(0) } });
			await next({ answer: () => NOT_FOUND });
			expect((await next({ answer: () => NOT_FOUND })).asked).toHaveLength(more);
		}
	});

	it('is sent with a new key by each "Retry execution", that of the network with its old one', async () => {
		const rejected = because(409, 'network_organization_provider_rejected');
		for (const [parameters, refusal, keys] of [
			[START, because(409, 'account_paused'), 4],
			[{ ...ACTION, body: '{"kind":"comment"}' }, rejected, 1],
		] as const) {
			const { next } = tries({ parameters: own(parameters), answer: answering([refusal]) });
			const runs = [await next(), await next()];
			for (const execution of ['8', '9', '10']) runs.push(await next({ execution }));
			expect([keysOf(...runs).length, new Set(keysOf(...runs)).size]).toEqual([4, keys]);
		}
	});
});

describe('what was certainly not done is sent by the next try', () => {
	const blocked = Object.assign(new Error('odd'), { name: 'SsrfBlockedIpError' });

	it.each<[string, Partial<Script>, string]>([
		['an expression fails', { each: { text: [new Error('No such node')] } }, 'No such node'],
		['no connection comes about', { answer: () => lost('ECONNREFUSED') }, 'connection refused'],
		['n8n does not let it out', { answer: () => blocked }, 'SSRF'],
		['the service asks to wait', { answer: () => NOT_NOW }, 'asks n8n to slow down'],
	])('where %s', async (_, more, words) => {
		const { next, kept } = tries({ parameters: own(CREATE), each: { text: ['a'] } });
		expect((await next(more)).error?.message).toContain(words);
		const { error, writes } = await next({ answer: () => DONE });
		expect([error, writes.length, kept()]).toEqual([undefined, 1, {}]);
	});

	it.each<[string, Partial<Script>, string]>([
		['the version and the key that it had', {}, 'pv_1'],
		['the version of now, by a "Retry execution"', ANOTHER, 'pv_2'],
	])('with %s', async (_, more, version) => {
		const update = { resource: 'post', operation: 'update', updateFields: { text: 'new' } };
		const sent: Array<Record<string, string>> = [];
		const { next } = tries({
			parameters: own({ ...update, postId: idOf(0) }),
			onRequest: ({ method, headers = {} }) =>
				method === 'PATCH' && sent.push(headers as Record<string, string>),
		});
		await next({ answer: answering([NOT_NOW]) });
		const newer = { can_edit: true, edit_etag: 'pv_2' };
		const record = ok(published({ published_mutation_capabilities: newer }));
		await next({ ...more, answer: answering([ok()], record) });
		const [first, second] = sent;
		expect(second?.['X-Svc-Post-ETag']).toBe(version);
		// A key is that of one request.
		const isSame = second?.['Idempotency-Key'] === first?.['Idempotency-Key'];
		expect(isSame).toBe(more !== ANOTHER);
	});
});

describe('a write whose answer was lost, and that has no key', () => {
	interface Row {
		readonly parameters: JsonRecord;
		readonly before: JsonRecord;
		/** As the service shows it once it was done; null: not any more. */
		readonly after: JsonRecord | null;
	}
	const draft = { id: idOf(0), status: 'draft', text: 'old' };
	const magnet = { id: idOf(0), status: 'active', keyword: 'OLD', description: 'old' };
	const onPost = (operation: string, updateFields?: JsonRecord) =>
		own({ resource: 'post', operation, postId: idOf(0), updateFields });
	const onMagnet = (operation: string, updateFields?: JsonRecord) =>
		own({ resource: 'leadMagnet', operation, leadMagnetId: idOf(0), updateFields });
	const at = '2031-07-15T08:30:00.000Z';
	const DELETIONS: Readonly<Record<string, Row>> = {
		'a draft that is deleted': { parameters: onPost('delete'), before: draft, after: null },
		'a magnet that is archived': { parameters: onMagnet('archive'), before: magnet, after: null },
	};
	const UPDATES: Readonly<Record<string, Row>> = {
		'a draft': {
			parameters: onPost('update', { text: 'new  \n', notes: '' }),
			...{ before: draft, after: { ...draft, text: 'new', notes: null } },
		},
		'a scheduled post': {
			parameters: onPost('update', { text: 'new', scheduledAt: '2031-07-15T10:30:00+02:00' }),
			before: { ...draft, status: 'scheduled' },
			after: { ...draft, status: 'scheduled', text: 'new', scheduled_at: at },
		},
		'a magnet': {
			parameters: onMagnet('update', { keyword: 'NEW', description: '' }),
			...{ before: magnet, after: { ...magnet, keyword: 'NEW', description: null } },
		},
	};

	/** A service that loses the first answers. */
	function play({ parameters, before, after }: Row, { losing = 1, arrives = true } = {}) {
		/** `deafAfter`: reads are refused once there were more writes. */
		const service = { isDone: false, writes: 0, deafAfter: Infinity, then: ok() };
		const answer = (asked: Asked): Reply => {
			if (isWrite(asked)) {
				service.writes += 1;
				const isLost = service.writes <= losing;
				service.isDone ||= arrives;
				return isLost ? LOST : service.then;
			}
			if (service.writes > service.deafAfter) return FORBIDDEN;
			const now = service.isDone ? after : before;
			return now === null ? NOT_FOUND : ok(now);
		};
		return { ...tries({ parameters, answer }), service };
	}

	it.each(Object.entries({ ...DELETIONS, ...UPDATES }))(
		'%s: is a success after a look, in the same try, the next, or a "Retry execution"',
		async (_, row) => {
			expect((await play(row).next()).error).toBeUndefined();
			for (const more of [{}, ANOTHER]) {
				const { next, service } = play(row);
				service.deafAfter = 0;
				expect((await next()).error?.message).toMatch(/It is not known whether/);
				service.deafAfter = Infinity;
				service.then = NOT_FOUND;
				expect((await next(more)).error).toBeUndefined();
				// To archive twice does no harm.
				expect(service.writes).toBe(row.before === magnet && row.after === null ? 2 : 1);
			}
		},
	);

	it.each(Object.entries(UPDATES))(
		'%s that does not show it: stays in doubt, and is not sent again',
		async (_, row) => {
			const { next, service } = play(row, { arrives: false });
			await next();
			for (const more of [{}, {}, ANOTHER]) {
				const { error } = await next(more);
				expect(error?.message).toMatch(/may have succeeded, so it was not sent again/);
				expect(error?.message).toMatch(/did not show the new .*may still be in progress/);
				expect(error).toHaveProperty('description', containing('Request ID: '));
			}
			expect(service.writes).toBe(1);
		},
	);

	it.each([
		['is refused', FORBIDDEN],
		['comes to nothing', refused(503, 'unavailable')],
	])('stays in doubt where a look %s, and no key is spoken of', async (_, answer) => {
		const { next, service } = play(UPDATES['a draft'] as Row);
		service.deafAfter = 0;
		await next();
		const { error } = await next({ answer: () => answer });
		expect(error?.message).toContain('It is not known whether it was done');
		expect(error).toHaveProperty('description', expect.not.stringContaining('idempotency key'));
	});

	it.each(Object.entries(DELETIONS))('%s and is still there: is sent again', async (_, row) => {
		const { next, service } = play(row, { losing: 2, arrives: false });
		const errors = [await next(), await next(), await next()].map(({ error }) => error);
		expect([errors.map((error) => error === undefined), service.writes]).toEqual([
			...[[false, false, true], 3],
		]);
	});

	it.each(Object.entries(DELETIONS))(
		'%s and is not found by then: counts as done, unless a read finds it',
		async (_, row) => {
			for (const [deafAfter, expected] of [
				[Infinity, containing('may still be in progress')],
				[1, undefined],
			] as const) {
				const { next, service } = play(row, { arrives: false });
				service.then = NOT_FOUND;
				await next();
				service.deafAfter = deafAfter;
				expect((await next()).error?.message).toEqual(expected);
			}
		},
	);

	it.each([
		['shows them whole', { id: idOf(9), notes: null }],
		['shows their IDs alone, so that each is read', { id: idOf(9) }],
	])(
		'is looked for by its unique key until it cannot appear any more, where the list %s',
		async (_, other) => {
			const parameters = own({ ...CREATE, text: 'a' }, { uniqueKey: 'row 1', maxWaitSeconds: 20 });
			let others = 0;
			const { next } = tries({ parameters });
			const answer =
				(write: Reply) =>
				(asked: Asked): Reply => {
					if (isWrite(asked)) return write;
					if (asked.path !== '/posts') return ok({ ...other, notes: null });
					// Another one each time, so that there is something to be read.
					others += 1;
					return pageOf(
						Array.from({ length: others }, (_one, at) => ({ ...other, id: idOf(at + 9) })),
					);
				};
			const first = await next({ answer: answer(LOST) });
			expect([first.error?.message, first.writes.length]).toEqual([containing('not known'), 1]);
			const second = await next({ after: 20, answer: answer(FORBIDDEN) });
			expect([second.waited, second.writes.length]).toEqual([0, 1]);
			// By then nothing is in doubt any more.
			expect(second.error?.message).not.toContain('not known');
		},
	);

	it('is in doubt where it was stopped, and stays what it was if it was before', async () => {
		const controller = new AbortController();
		const stop = () => {
			controller.abort();
			throw new Error('aborted');
		};
		const stopped = tries({ parameters: own({ ...CREATE, text: 'a' }) });
		await stopped.next({ answer: stop, signal: controller.signal });
		const { error, asked } = await stopped.next({ answer: () => DONE });
		expect([error?.message, asked]).toEqual([NOT_AGAIN, []]);
		expect(error?.message).toContain('interrupted');
		// Of the request that was interrupted.
		const { description } = error as Error & { description?: string };
		expect(description).toMatch(/Request ID: n8n:7:0:[0-9a-f]{20}\.$/);
	});

	it('is the error of the next try, after all other items', async () => {
		const script = {
			parameters: own({ resource: 'media', operation: 'delete' }, { customFields: '{"x": 1}' }),
			each: { path: ['a', 'b', 'c'] },
		};
		for (const continueOnFail of [false, true]) {
			const { next } = tries(script);
			await next({ continueOnFail: true, answer: answering([LOST, LOST, NOT_NOW]) });
			const { error, records, asked } = await next({ continueOnFail, answer: () => DONE });
			expect(asked).toEqual(['DELETE /media']);
			if (continueOnFail)
				expect(records.map((record) => record.error === undefined)).toEqual([false, false, true]);
			else expect(error).toMatchObject({ message: NOT_AGAIN, context: { itemIndex: 0 } });
		}
	});

	it('keeps a small row, whatever the service has said', async () => {
		const { next, kept } = tries({ parameters: own(CREATE), each: { text: texts(300) } });
		const details = { long: 'x'.repeat(20_000) };
		const error = { code: 'upstream_error', message: 'x'.repeat(4_000), details };
		const failing = { status: 502, body: { error } };
		await next({ continueOnFail: true, answer: () => failing });
		expect(JSON.stringify(kept()).length).toBeLessThan(300 * 1_500);
		const { asked, records } = await next({ continueOnFail: true });
		expect(asked).toEqual([]);
		for (const record of records)
			expect(record).toMatchObject({
				error: containing('so it was not sent again'),
				message: expect.not.stringContaining('different account') as string,
				details: { outcome: 'unknown', http_status: 502 },
			});
	});
});

describe('a write that may have succeeded, and has a key', () => {
	it('is sent again with it, also by "Retry execution", but by another node with another', async () => {
		const { first, next, kept } = await losing({ parameters: own({ ...ACTION, body: '{"a":1}' }) });
		const before = kept();
		const runs = [first, await next({ answer: answering([LOST]) }), await next(ANOTHER)];
		expect(new Set(keysOf(...runs)).size).toBe(1);
		expect(keysOf(first)).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
		const other = { parameters: own({ ...ACTION, body: '{"a":1}' }) };
		// n8n may count its executions again.
		expect(keysOf(await scriptedRun(other))).not.toEqual(keysOf(first));
		const twin = await scriptedRun({ ...other, context: reread(before), node: 'another' });
		expect(keysOf(twin)).not.toEqual(keysOf(first));
	});

	it.each<[string, JsonRecord, Record<string, unknown[]>, Record<string, unknown[]>]>([
		['another body', ACTION, { body: ['{"a":1}'] }, { body: ['{"a":2}'] }],
		[
			...(['another key of the user', START] as const),
			{ options: [{ ...NO_WAIT, uniqueKey: 'a' }] },
			{ options: [{ ...NO_WAIT, uniqueKey: 'b' }] },
		],
	])('is not sent with %s', async (_, parameters, then, now) => {
		const { next } = await losing({ parameters: own(parameters), each: then });
		for (const more of [{}, ANOTHER]) {
			const { error, asked } = await next({ ...more, each: now });
			expect(error).toMatchObject({
				message: NOT_AGAIN,
				description: containing('would be different now'),
			});
			expect(asked).toEqual([]);
		}
	});

	it('stays in doubt though the next try is refused, or its parameters are not valid any more', async () => {
		const unknown = containing('It is not known whether Fast Response was started');
		const { next } = await losing({ parameters: own(START) });
		const invalid = { ...own(START), interval: 7 };
		const { error } = await next({ parameters: invalid });
		expect(error?.message).toEqual(unknown);
		expect(error?.message).toContain('must be one of 2, 5, 10');
		expect((await scriptedRun({ parameters: invalid })).error?.message).not.toContain('not known');
		const conflict = refused(409, 'conflict');
		expect((await next({ answer: () => conflict })).error?.message).toEqual(unknown);
		// The refusal is final, and the doubt as well.
		expect(await next()).toMatchObject({ error: { message: unknown }, asked: [] });
		expect((await next(ANOTHER)).error).toBeUndefined();
	});

	it('and of which the service was not sure is sent again by a person alone', async () => {
		const ambiguous = { answer: answering([because(502, 'provider_ambiguous')]) };
		const { next } = tries({ parameters: own(START) });
		const first = await next(ambiguous);
		const { error, asked } = await next();
		expect([error?.message, asked]).toEqual([NOT_AGAIN, []]);
		const second = await next(ANOTHER);
		expect([second.error, keysOf(second)]).toEqual([undefined, keysOf(first)]);
	});

	it('is certainly not done where the post has come to rest without it', async () => {
		let post = published();
		const answer = (asked: Asked): Reply => {
			if (!isWrite(asked)) return ok(post);
			post = published({ published_mutation_capabilities: { can_edit: false } });
			return because(502, 'provider_ambiguous');
		};
		const update = { resource: 'post', operation: 'update', updateFields: { text: 'ours' } };
		const parameters = own({ ...update, postId: idOf(0) });
		const { next } = tries({ parameters, answer, continueOnFail: true });
		expect((await next()).records).toMatchObject([{ details: { outcome: 'unknown' } }]);
		post = published();
		const { records, writes } = await next();
		expect(records[0]?.details).not.toHaveProperty('outcome');
		expect(writes).toEqual([]);
	});

	it('stays in doubt where the post is being published by now', async () => {
		for (const [what, given] of [
			['updated', { operation: 'update', updateFields: { text: 'ours' } }],
			['deleted', { operation: 'delete', confirmPublished: true }],
		] as const) {
			const parameters = own({ resource: 'post', postId: idOf(0), ...given });
			const { next } = await losing({ parameters });
			const answer = answering([], ok(published({ status: 'publishing' })));
			for (const more of [{}, ANOTHER]) {
				const { records, writes } = await next({ ...more, answer, continueOnFail: true });
				expect(writes).toEqual([]);
				expect(records[0]).toMatchObject({
					message: containing(`It is not known whether the post was ${what}`),
					details: { outcome: 'unknown', retryable: false, http_status: 502 },
				});
				expect(records[0]?.message).not.toMatch(/Nothing was/);
			}
		}
	});
});

describe('while the outcome of a write is unknown', () => {
	it('nothing is sent for another client, nor with the key of another account', async () => {
		for (const given of [
			{ ...CREATE, text: 'a', options: NO_WAIT },
			{ ...START, options: NO_WAIT },
		]) {
			const { next } = await losing({ parameters: { ...given, ...forClient(CLIENT) } });
			const parameters = { ...given, ...forClient(OTHER) };
			const { asked, records } = await next({ ...ANOTHER, continueOnFail: true, parameters });
			expect(asked).toEqual([]);
			expect(records[0]).toMatchObject({
				message: containing('different account than the item now names'),
				details: { outcome: 'unknown', client_id: CLIENT },
			});
		}
		const { next } = await losing({ parameters: own(START) });
		const { error, asked } = await next({ ...ANOTHER, apiKey: 'ANOTHER_KEY' });
		expect([error?.message, asked]).toEqual([NOT_AGAIN, []]);
	});

	const WRITES = endpointNames.filter(
		(name) => ENDPOINTS[name].method !== 'GET' && ENDPOINTS[name].path.includes('{id}'),
	);
	const DRAFT = { status: 'draft' };
	it.each(WRITES.flatMap((name) => [DRAFT, published()].map((post) => [name, post] as const)))(
		'%s of %j: neither sends anything for another record nor takes that for done',
		async (name, post) => {
			const [resource, operation] = name.split('.');
			const updateFields = { [resource === 'post' ? 'notes' : 'description']: 'a' };
			const given = { confirmPublished: true, interval: 5, duration: 30, updateFields };
			const of = (id: string) => ({
				parameters: own({ resource, operation, ...given, [`${resource}Id`]: id }),
			});
			for (const seen of [NOT_FOUND, ok({ notes: 'a', description: 'a' })]) {
				const { next } = tries({ ...of(idOf(0)), continueOnFail: true });
				await next({ answer: answering([LOST], ok(post)) });
				const { asked, records } = await next({ ...of(idOf(1)), ...ANOTHER, answer: () => seen });
				expect([asked, records]).toMatchObject([[], [{ details: { outcome: 'unknown' } }]]);
			}
		},
	);
});

it('what the node itself refuses after an answer leaves nothing in doubt', async () => {
	const update = { resource: 'post', operation: 'update', updateFields: { text: 'new' } };
	const parameters = own({ ...update, postId: idOf(0) }, { onStaleVersion: 'retryWithFreshEtag' });
	const { next, kept } = tries({ parameters });
	let post = published();
	const stale = (asked: Asked): Reply => {
		if (!isWrite(asked)) return ok(post);
		post = published({ published_mutation_capabilities: { can_edit: false } });
		return because(409, 'stale_provider_version');
	};
	expect((await next({ answer: stale })).error?.message).toContain('cannot be edited');
	expect(JSON.stringify(kept())).not.toContain('"kind":"unknown"');
	expect(await next({ answer: answering([ok()]) })).toMatchObject({ error: undefined });
});

it('a dry run leaves what earlier tries have done as it is', async () => {
	const { next, kept } = tries({ parameters: ARCHIVE });
	const some = [...ids(2), new Error('No such node')];
	await next({ each: { leadMagnetId: some }, answer: answering([ok(), NOT_NOW]) });
	const before = kept();
	const each = { leadMagnetId: ids(3) };
	await next({ each, parameters: { ...ARCHIVE, options: { dryRun: true } } });
	expect(kept()).toEqual(before);
	expect([(await next({ each })).asked.length, kept()]).toEqual([2, {}]);
});
