/**
 * What n8n stores of the writes of a run, for its next attempts: how much of it, for whom each was
 * carried out, and with which parameters.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { CLIENT, idOf, LOST, refused, scriptedRun, type Asked, type Script } from './scriptedRun';

const OTHER = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b22';
const CREATE = { resource: 'post', operation: 'create', status: 'draft', simplify: false };
const forClient = (clientId: string) => ({ actAs: 'client', clientId });
const DENIED = refused(403, 'forbidden');
const NOT_NOW = refused(429, 'rate_limited');
/** The kept execution, as n8n reads it from its database. */
const reread = (context: JsonRecord): JsonRecord =>
	JSON.parse(JSON.stringify(context)) as JsonRecord;
const bytesOf = (context: JsonRecord): number => JSON.stringify(context).length;
const isWrite = ({ method }: Asked): boolean => method !== 'GET';
const texts = (count: number) => Array.from({ length: count }, (_, item) => `Post ${item}`);

/** A service that creates posts, until it has created so many; each with so many more characters. */
function creating({ until = Infinity, more = 0, answer = NOT_NOW, id = idOf } = {}) {
	let count = 0;
	const size = 'x'.repeat(more);
	return {
		answer: (asked: Asked) => {
			if (!isWrite(asked)) return { data: { id: asked.path.slice(-36), read: true } };
			if (count >= until) return answer;
			count += 1;
			return { data: { id: id(count - 1), size } };
		},
		count: () => count,
	};
}

/** Runs of one execution, or of "Retry execution". */
function runs(script: Script) {
	let context: JsonRecord = {};
	return {
		kept: () => context,
		next: async (more: Partial<Script> = {}) => {
			const ran = await scriptedRun({ ...script, context, ...more });
			context = reread(ran.context);
			return ran;
		},
	};
}

describe('what is kept', () => {
	const posts = (count: number, more = 0) =>
		runs({
			parameters: { ...CREATE, actAs: 'own', options: { maxWaitSeconds: 0 } },
			each: { text: texts(count) },
			...creating({ until: count - 1, more }),
		});

	it('is the result of each item, which the next attempt gives again', async () => {
		const { next, kept } = posts(200, 1_000);
		const first = await next({ continueOnFail: true });
		expect(first.asked).toHaveLength(200);
		const second = await next({ continueOnFail: true, answer: creating().answer });
		expect(second.asked).toEqual(['POST /posts']);
		expect(second.records.slice(0, -1)).toEqual(first.records.slice(0, -1));
		expect(second.hints).toEqual([]);
		expect(kept()).toEqual({});
	});

	it('takes no more than a megabyte, and is at least the ID of each item', async () => {
		const count = 2_000;
		const { next, kept } = posts(count, 1_000);
		await next();
		expect(bytesOf(kept())).toBeGreaterThan(400_000);
		expect(bytesOf(kept())).toBeLessThan(1_000_000);
		const { asked, records, hints } = await next({ answer: creating().answer });
		expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
		expect(records.slice(0, -1).map(({ id }) => id)).toEqual(
			texts(count - 1).map((_, item) => idOf(item)),
		);
		// Of some, the record is read again.
		expect(records.some(({ read }) => read === true)).toBe(true);
		expect(records.some(({ size }) => size !== undefined)).toBe(true);
		expect(hints).toEqual([]);
	});

	it('is the mere fact where the IDs take too much as well', async () => {
		const count = 1_500;
		const id = (item: number) => idOf(item).repeat(25);
		const { next, kept } = runs({
			parameters: { resource: 'post', operation: 'startFastResponse', actAs: 'own' },
			each: { postId: texts(count).map((_, item) => idOf(item)) },
			...creating({ until: count - 1, answer: refused(403, 'forbidden'), id, more: 2_000 }),
		});
		await next();
		expect(bytesOf(kept())).toBeGreaterThan(900_000);
		expect(bytesOf(kept())).toBeLessThan(1_000_000);
		const { asked, records, hints } = await next({ ...creating(), execution: '8' });
		expect(asked).toHaveLength(1);
		expect([350, count - 2].map((item) => records[item])).toEqual([{ id: id(350) }, {}]);
		expect(hints).toEqual([
			expect.stringContaining('the item contains only its ID'),
			expect.stringContaining('its result was not kept, to save space'),
		]);
	});

	it('is no more than a megabyte for all runs of a loop together', async () => {
		const context: JsonRecord = {};
		for (let runIndex = 0; runIndex < 6; runIndex += 1)
			await scriptedRun({
				parameters: { ...CREATE, actAs: 'own', options: { maxWaitSeconds: 0 } },
				each: { text: texts(300) },
				...{ context, runIndex, ...creating({ until: 299, more: 1_000 }) },
			});
		expect(bytesOf(context)).toBeGreaterThan(900_000);
		expect(bytesOf(context)).toBeLessThan(1_000_000);
	});

	it('is the doubt alone where the failures take too much', async () => {
		const { next, kept } = posts(2_500);
		const details = { long: 'x'.repeat(400) };
		const failing = { ...LOST, error: { ...LOST.error, message: 'x'.repeat(400), details } };
		await next({ continueOnFail: true, answer: () => failing });
		expect(bytesOf(kept())).toBeLessThan(1_000_000);
		const { asked, records } = await next({ continueOnFail: true });
		expect(asked).toEqual([]);
		for (const item of [0, 1_000, 2_499])
			expect(records[item]).toMatchObject({
				error: expect.stringContaining('may have succeeded, so it was not sent again') as string,
				details: { outcome: 'unknown' },
			});
		expect(records[0]).toMatchObject({ details: { http_status: 502 } });
		expect(records[2_499]).toMatchObject({ details: { http_status: null } });
	});

	it('is a copy, whatever the nodes after this one do with their items', async () => {
		const parameters = { ...CREATE, actAs: 'own', options: { maxWaitSeconds: 0 } };
		const script = { parameters, each: { text: texts(2) }, context: {}, continueOnFail: true };
		const answers = [{ data: { id: idOf(0), images: ['a'] } }, NOT_NOW];
		const { records } = await scriptedRun({ ...script, answer: () => answers.shift() ?? NOT_NOW });
		(records[0]?.images as string[]).push('added by another node');
		const again = await scriptedRun({ ...script, ...creating() });
		expect(again.records[0]).toMatchObject({ id: idOf(0), images: ['a'] });
	});
});

describe('an idempotency key', () => {
	const action = (context: JsonRecord, more: Partial<Script> = {}) => {
		const keys: unknown[] = [];
		return scriptedRun({
			parameters: {
				...{ resource: 'socialAction', operation: 'create', workspaceId: CLIENT },
				body: '{"kind":"comment"}',
				options: { maxWaitSeconds: 0 },
			},
			...{ context, onRequest: ({ headers }) => keys.push(headers?.['Idempotency-Key']) },
			answer: () => LOST,
			...more,
		}).then(() => keys);
	};

	it('is the same in each attempt, and in "Retry execution"', async () => {
		const context: JsonRecord = {};
		const [first] = await action(context);
		expect(await action(context)).toEqual([first]);
		expect(await action(reread(context), { execution: '8' })).toEqual([first]);
	});

	it('is another one in an execution that has the same number', async () => {
		const keys = [...(await action({})), ...(await action({}))];
		expect(new Set(keys).size).toBe(2);
		expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.any(String)]);
	});
});

describe('"Retry execution" with other parameters', () => {
	const batch = () =>
		runs({
			parameters: { ...CREATE, ...forClient(CLIENT), options: { maxWaitSeconds: 0 } },
			each: { text: texts(3) },
			...creating({ until: 2 }),
		});
	const inOther = { execution: '8', answer: creating().answer };
	const CHANGED = expect.stringContaining('its parameters have changed since') as string;

	it('shows what was done for the client that it was done for, and says so', async () => {
		const { next } = batch();
		await next();
		const parameters = { ...CREATE, ...forClient(OTHER) };
		const { asked, records, hints } = await next({ ...inOther, parameters });
		expect(asked).toEqual([`POST /clients/${OTHER}/posts`]);
		expect(records.map(({ client }) => client)).toEqual(
			[CLIENT, CLIENT, OTHER].map((user_id) => ({ user_id })),
		);
		expect(hints).toEqual([CHANGED]);
	});

	it('shows what was done for the own account without a client', async () => {
		const { next } = runs({
			parameters: { ...CREATE, actAs: 'own', options: { maxWaitSeconds: 0 } },
			each: { text: texts(2) },
			...creating({ until: 1 }),
		});
		await next();
		const parameters = { ...CREATE, ...forClient(OTHER) };
		const { records } = await next({ ...inOther, parameters });
		expect(records.map(({ client }) => client)).toEqual([undefined, { user_id: OTHER }]);
	});

	it('says so for another text, and for nothing that is not sent', async () => {
		const { next } = batch();
		await next();
		const options = { maxWaitSeconds: 5 };
		const same = { ...CREATE, ...forClient(CLIENT), simplify: true, options };
		expect((await next({ ...inOther, parameters: same, ...creating({ until: 0 }) })).hints).toEqual(
			[],
		);
		const { hints } = await next({ ...inOther, each: { text: ['Post 0', 'Other', 'Post 2'] } });
		expect(hints).toEqual([CHANGED]);
	});

	it('reads a record again for the client that it was done for', async () => {
		const { next } = runs({
			parameters: { ...CREATE, ...forClient(CLIENT), options: { maxWaitSeconds: 0 } },
			each: { text: texts(2) },
			...creating({ until: 1, more: 1_100_000 }),
		});
		await next();
		const parameters = { ...CREATE, ...forClient(OTHER) };
		const { asked } = await next({ ...inOther, parameters });
		expect(asked).toEqual([
			`GET /clients/${CLIENT}/posts/${idOf(0)}`,
			`POST /clients/${OTHER}/posts`,
		]);
	});

	it('sends nothing for another client while the one before is in doubt', async () => {
		for (const [operation, more] of [
			['create', { text: 'a' }],
			['startFastResponse', { postId: idOf(0) }],
		] as const) {
			const given = { resource: 'post', operation, ...more, options: { maxWaitSeconds: 0 } };
			const { next } = runs({ parameters: { ...given, ...forClient(CLIENT) }, answer: () => LOST });
			await next();
			const { asked, records } = await next({
				...inOther,
				continueOnFail: true,
				parameters: { ...given, ...forClient(OTHER) },
			});
			expect(asked).toEqual([]);
			expect(records).toMatchObject([
				{
					message: expect.stringContaining(
						'another account than the one that the item is for',
					) as string,
					details: { outcome: 'unknown', client_id: CLIENT },
				},
			]);
		}
	});
});

describe('"Retry execution" for another record, while the answer about the first one is lost', () => {
	const given = { confirmPublished: true, interval: 5, duration: 30 };
	const WRITES = endpointNames.filter(
		(name) => ENDPOINTS[name].method !== 'GET' && ENDPOINTS[name].path.includes('{id}'),
	);
	const PUBLISHED = { status: 'published', published_mutation_capabilities: { can_delete: true } };
	const SEEN = [refused(404, 'not_found'), { data: { notes: 'a', description: 'a' } }];

	it.each(
		WRITES.flatMap((name) => [{ status: 'draft' }, PUBLISHED].map((post) => [name, post] as const)),
	)('%s of %j: neither sends anything nor takes the second for done', async (name, post) => {
		const [resource, operation] = name.split('.');
		const updateFields = { [resource === 'post' ? 'notes' : 'description']: 'a' };
		const options = { maxWaitSeconds: 0 };
		const own = { resource, operation, actAs: 'own', options, updateFields, ...given };
		const of = (id: string) => ({ parameters: { ...own, [`${resource}Id`]: id } });
		for (const seen of SEEN) {
			const { next } = runs({ ...of(idOf(0)), continueOnFail: true });
			await next({ answer: (asked) => (isWrite(asked) ? LOST : { data: post }) });
			const { asked, records } = await next({ ...of(idOf(1)), execution: '8', answer: () => seen });
			expect([asked, records]).toMatchObject([[], [{ details: { outcome: 'unknown' } }]]);
		}
	});
});

describe('the details of a failure', () => {
	it.each([
		['an expression of n8n', { each: { text: [new Error('Cannot read')] } }, 'n8n_error'],
		['a missing credential', { each: { text: ['a'] }, hasCredential: false }, 'n8n_error'],
		['the input', { each: { text: [''] } }, 'invalid_input'],
		['the service', { each: { text: ['a'] }, answer: () => DENIED }, 'forbidden'],
	])('by %s have their five fields', async (_, more, code) => {
		const parameters = { ...CREATE, actAs: 'own' };
		const { records } = await scriptedRun({ parameters, continueOnFail: true, ...more });
		const { details } = records[0] as { details: JsonRecord };
		expect(details).toMatchObject({ code, reason: null, retryable: false });
		expect(Object.keys(details)).toEqual(
			expect.arrayContaining(['http_status', 'code', 'reason', 'request_id', 'retryable']),
		);
	});
});

const ARCHIVE = { resource: 'leadMagnet', operation: 'archive', actAs: 'own' };
const ids = [idOf(0), idOf(1), idOf(2)];

const failingAt =
	(index: number, failure: ReturnType<typeof refused>) =>
	({ path }: Asked) =>
		path.endsWith(idOf(index)) ? failure : { data: {} };
const sentFor = (asked: readonly string[]): number[] =>
	asked.map((one) => ids.findIndex((id) => one.endsWith(id)));

const REFUSAL = failingAt(1, refused(403, 'forbidden'));

describe('a refusal that is final', () => {
	it('is given again by the next attempt, which sends nothing', async () => {
		const { next } = runs({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		const first = await next();
		expect(sentFor(first.asked)).toEqual([0, 1]);
		const second = await next();
		expect(second.asked).toEqual([]);
		expect(second.error?.message).toBe(first.error?.message);
		for (const { error } of [first, second])
			expect(error).toMatchObject({ context: { itemIndex: 1 } });
	});

	it('takes no other item along where n8n goes on', async () => {
		const { next } = runs({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		await next();
		const { asked, records } = await next({ continueOnFail: true });
		expect(sentFor(asked)).toEqual([2]);
		expect(records.map((record) => record.deleted ?? record.error)).toEqual([
			...[true, expect.stringContaining('may not do this'), true],
		]);
	});

	it('is asked for again by another execution', async () => {
		const { next } = runs({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		await next();
		expect(sentFor((await next({ execution: '8' })).asked)).toEqual([1]);
	});
});

describe('a write that may have succeeded and cannot be checked', () => {
	const script = {
		parameters: {
			...{ resource: 'media', operation: 'delete', actAs: 'own' },
			options: { customFields: '{"x": 1}', maxWaitSeconds: 0 },
		},
		each: { path: ['a', 'b', 'c'] },
	};
	/** The answers to the first two are lost, and the third is to be sent again. */
	const begun = async () => {
		const execution = runs(script);
		let count = 0;
		const answer = () => {
			count += 1;
			return count < 3 ? LOST : refused(429, 'rate_limited');
		};
		await execution.next({ continueOnFail: true, answer });
		return execution;
	};

	it('is the error of the next attempt, after all other items', async () => {
		const { next } = await begun();
		const { error, asked } = await next();
		expect(asked).toEqual(['DELETE /media']);
		expect(error).toMatchObject({
			message: expect.stringContaining('so it was not sent again') as string,
			context: { itemIndex: 0 },
		});
	});

	it('is the error of its items where n8n goes on', async () => {
		const { next } = await begun();
		const { records, asked } = await next({ continueOnFail: true });
		expect(asked).toEqual(['DELETE /media']);
		expect(records.map(({ error }) => error === undefined)).toEqual([false, false, true]);
	});
});

describe('a dry run', () => {
	const dry = { parameters: { ...ARCHIVE, options: { dryRun: true } } };

	it('leaves what earlier attempts have done as it is', async () => {
		const { next, kept } = runs({ parameters: ARCHIVE, each: { leadMagnetId: ids } });
		await next({ answer: failingAt(1, refused(429, 'rate_limited')), ...maxWait(0) });
		const before = JSON.stringify(kept());
		await next(dry);
		expect(JSON.stringify(kept())).toBe(before);
		expect(sentFor((await next()).asked)).toEqual([1, 2]);
		expect(kept()).toEqual({});
	});
});

function maxWait(maxWaitSeconds: number): Partial<Script> {
	return { parameters: { ...ARCHIVE, options: { maxWaitSeconds } } };
}
