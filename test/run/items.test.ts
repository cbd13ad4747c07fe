/** How a run goes over its items: how many at a time, what is read for each, and what comes out. */
import { executeItems } from '../../nodes/LeadGenPublishing/run/executeItems';
import { ok, pageOf, refused } from '../support/replies';
import { CLIENT, heldUntil, idOf, scriptedRun, type Asked, type Script } from './scriptedRun';

const READ = { resource: 'post', operation: 'get', actAs: 'own', simplify: false };
const ARCHIVE = { resource: 'leadMagnet', operation: 'archive', actAs: 'own' };
const LEADS = {
	...{ resource: 'lead', operation: 'getAll', actAs: 'own' },
	...{ returnAll: true, simplify: false },
};
const SPREAD = {
	...{ resource: 'schedule', operation: 'spread', timeZone: 'UTC' },
	...{ workingDays: ['monday'], fromTime: '09:00', toTime: '17:00' },
	options: { minimumGapMinutes: 5, outputField: 'at' },
};
const UPDATE = {
	resource: 'post',
	operation: 'update',
	postId: idOf(1),
	updateFields: { text: 'b' },
};
const CREATE = { resource: 'post', operation: 'create', actAs: 'own', status: 'draft' };
/** No post exists, and each creation succeeds. */
const creating = ({ method }: Asked) => (method === 'GET' ? pageOf([]) : ok({ id: idOf(1) }));
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index));
const itself = ({ path }: { path: string }) => ok({ id: path.slice(-36), status: 'draft' });
const DOWN = refused(503, 'unavailable');
const notFound = () => refused(404, 'not_found');
const containing = (words: string) => expect.stringContaining(words) as string;

describe('reads', () => {
	it('are sent ten at a time, and come out in the order of the items', async () => {
		const { held, most } = heldUntil(10);
		const requestIds: unknown[] = [];
		const { output, timesConnected } = await scriptedRun({
			...{ parameters: READ, each: { postId: ids(20) }, answer: held(itself) },
			onRequest: ({ headers }) =>
				requestIds.push(new Headers(headers as Record<string, string>).get('X-Request-ID')),
		});
		expect([most(), timesConnected]).toEqual([10, 1]);
		expect(output?.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			ids(20).map((id, item) => [id, { item }]),
		);
		// A person who looks for a request finds its execution and its item.
		expect(requestIds).toEqual(ids(20).map((_, item) => expect.stringMatching(`^n8n:7:${item}:`)));
	});

	it('begin in different turns of the event loop, so that they do not all wait at once', async () => {
		let turn = 0;
		let isOver = false;
		const count = () => {
			turn += 1;
			if (!isOver) setImmediate(count);
		};
		setImmediate(count);
		const begun: number[] = [];
		const onRequest = () => begun.push(turn);
		await scriptedRun({ parameters: READ, each: { postId: ids(30) }, answer: itself, onRequest });
		isOver = true;
		expect(begun).toHaveLength(30);
		expect(new Set(begun).size).toBe(30);
	});

	it('of one list alone go far ahead, those of several not', async () => {
		const page = ({ offset }: Asked) =>
			pageOf(
				Array.from({ length: 100 }, (_, index) => ({ id: String(offset + index) })),
				{ offset, hasMore: offset < 2_900 },
			);
		for (const [count, expected] of [
			[1, 8],
			[2, 4],
		] as const) {
			const { held, most } = heldUntil(expected, ({ offset }) => offset >= 1_500);
			const items = Array.from({ length: count }, () => ({}));
			const { output } = await scriptedRun({ parameters: LEADS, items, answer: held(page) });
			expect([output?.length, most()]).toEqual([3_000 * count, expected]);
		}
	});

	const OTHERS = '[unique-key: other]';

	it('of one list go as far ahead for a write of many items, which share it', async () => {
		const posts = ({ offset }: Asked) =>
			pageOf(
				Array.from({ length: 100 }, (_, index) => ({ id: `${offset + index}`, notes: OTHERS })),
				{ offset, hasMore: offset < 2_900 },
			);
		const { held, most } = heldUntil(8, ({ offset }) => offset >= 1_500);
		const { writes } = await scriptedRun({
			parameters: { ...CREATE, options: { uniqueKey: 'far ahead' } },
			each: { text: ['Same', 'Same'] },
			answer: held((asked) => (asked.method === 'GET' ? posts(asked) : ok({ id: idOf(1) }))),
		});
		expect([writes.length, most()]).toEqual([1, 8]);
	});

	it('begin nothing after a failure, wait for the others, and give the first in order', async () => {
		let answered = 0;
		// None is answered before ten have begun.
		const { held } = heldUntil(10);
		const answer = async ({ path }: Asked) => {
			if (path.endsWith(idOf(2))) return notFound();
			await new Promise((resolve) => setTimeout(resolve, 5));
			answered += 1;
			return path.endsWith(idOf(0)) ? notFound() : itself({ path });
		};
		const { error, asked } = await scriptedRun({
			...{ parameters: READ, each: { postId: ids(20) }, answer: held(answer) },
		});
		expect([asked.length, answered]).toEqual([10, 9]);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
	});
});

it('writes are evaluated and sent one after the other', async () => {
	const { held, most } = heldUntil(1);
	const each = { leadMagnetId: ids(3) };
	const answer = held(() => ok());
	const { log } = await scriptedRun({ parameters: ARCHIVE, each, answer });
	expect(most()).toBe(1);
	expect(log).toEqual(
		ids(3).flatMap((id, item) => [`leadMagnetId ${item}`, `DELETE /lead-magnets/${id}`]),
	);
});

it('an expression gives an item one value, also where the whole batch is looked at first', async () => {
	const each = { text: ['a', 'b'], options: [{ uniqueKey: 'first' }, { uniqueKey: 'second' }] };
	const { log, writes } = await scriptedRun({ parameters: CREATE, each, answer: creating });
	expect(writes.map(({ body }) => body.text)).toEqual(['a', 'b']);
	const evaluated = log.filter((one) => /^\w+ \d$/.test(one));
	expect(evaluated.sort()).toEqual(['options 0', 'options 1', 'text 0', 'text 1']);
});

it('an expression within a template has a value of its own for each item', async () => {
	const { error, writes } = await scriptedRun({
		parameters: CREATE,
		each: { text: ['a', 'b'], options: [{ uniqueKey: 'row-1' }, { uniqueKey: 'row-' }] },
		stored: { ...CREATE, text: '={{ $json.text }}', options: { uniqueKey: '=row-{{ $json.id }}' } },
		inTemplates: { '{{ $json.id }}': [1, undefined], '$json.id': [1, undefined] },
		answer: creating,
	});
	// Otherwise all rows without an ID would have the same key.
	expect([writes.length, error]).toMatchObject([1, { context: { itemIndex: 1 } }]);
	expect(error?.message).toContain('$json.id');
});

describe('"Max Wait (Seconds)"', () => {
	it.each([
		[READ, 0, 1],
		[READ, 3, 4],
		[READ, 60, 12],
		[LEADS, 0, 1],
		[LEADS, 3, 4],
	])('of %j, %i, lets a service that is down be asked %i times', async (given, maxWait, times) => {
		const parameters = { ...given, postId: idOf(1), options: { maxWaitSeconds: maxWait } };
		const { asked, error } = await scriptedRun({ parameters, answer: () => DOWN });
		expect([asked.length, error?.message]).toEqual([times, containing('503')]);
	});

	it('is the time of all requests of an item', async () => {
		const slow = refused(429, 'rate_limited');
		let asked = 0;
		const answer = ({ method }: Asked) => {
			asked += 1;
			return method === 'GET' && asked > 2 ? ok({ status: 'draft' }) : slow;
		};
		const parameters = { ...UPDATE, options: { maxWaitSeconds: 10 } };
		const { waited, writes } = await scriptedRun({ parameters, answer });
		expect(writes.length).toBeGreaterThan(1);
		expect(waited).toBeLessThanOrEqual(10_000);
	});

	it('leaves the time of a last read where a change has to settle', async () => {
		const capabilities = { can_edit: true, edit_etag: 'pv_1' };
		const post = { status: 'published', published_mutation_capabilities: capabilities };
		const refusal = refused(502, 'conflict', 'provider_ambiguous');
		for (const [maxWaitSeconds, expected] of [
			[60, 55_000],
			[10, 9_000],
		] as const) {
			let isSent = false;
			const { waited } = await scriptedRun({
				parameters: { ...UPDATE, options: { maxWaitSeconds } },
				answer: ({ method }) => {
					isSent ||= method !== 'GET';
					if (method !== 'GET') return refusal;
					return ok({ ...post, ...(isSent ? { status: 'publishing' } : {}) });
				},
			});
			expect(waited).toBe(expected);
		}
	});
});

describe('what is read for an item', () => {
	it('are parameters without an expression once, the others once for each item', async () => {
		const read: string[] = [];
		const { records } = await scriptedRun({
			...{ parameters: READ, each: { postId: ids(3) }, answer: itself },
			execute: async (functions, settings) => {
				const { getNodeParameter } = functions;
				const spied = (name: string, item: number, fallback: unknown) => {
					read.push(name);
					return getNodeParameter(name, item, fallback) as unknown;
				};
				return await executeItems(
					{ ...functions, getNodeParameter: spied as typeof getNodeParameter },
					settings,
				);
			},
		});
		expect(records.map(({ id }) => id)).toEqual(ids(3));
		const times = (name: string) => read.filter((one) => one === name).length;
		expect(['actAs', 'simplify', 'options', 'postId'].map(times)).toEqual([1, 1, 1, 3]);
	});

	it('is no credential where nothing is sent, though an account stands there', async () => {
		const { records, timesConnected } = await scriptedRun({
			...{ parameters: { ...SPREAD, actAs: 'client' }, items: [{}] },
			hasCredential: false,
		});
		// The time of the plan is that of the run.
		expect(records).toEqual([{ at: expect.stringMatching(/^2030-01-28T/) as string }]);
		expect(timesConnected).toBe(0);
	});
});

describe('an item', () => {
	const binary = { data: { data: 'YQ==', mimeType: 'image/png' } };

	it('to which fields are added keeps its binary data, one that is read has none', async () => {
		const items = [{ json: { a: 1 }, binary }, { json: { a: 2 } }];
		const { output } = await scriptedRun({ parameters: SPREAD, items });
		const at = expect.any(String) as string;
		expect(output).toStrictEqual([
			{ json: { a: 1, at }, binary, pairedItem: { item: 0 } },
			{ json: { a: 2, at }, pairedItem: { item: 1 } },
		]);
		const parameters = { ...READ, postId: idOf(1) };
		const read = await scriptedRun({ parameters, items: [{ binary }], answer: itself });
		expect(read.output).toStrictEqual([
			{ json: { id: idOf(1), status: 'draft' }, pairedItem: { item: 0 } },
		]);
	});
});

describe('beside the output', () => {
	const listing = async (counts: number[], more: Partial<Script> = {}) => {
		const pages = counts.map((count) =>
			Array.from({ length: count }, (_, at) => ({ id: `${at}` })),
		);
		const answer = () => pageOf(pages.shift() ?? []);
		return await scriptedRun({ parameters: LEADS, items: counts.map(() => ({})), answer, ...more });
	};

	it('what is said of several items stands once, in sum', async () => {
		const none = containing('No leads found.');
		for (const [counts, hint] of [
			[[0, 0], none],
			[[1, 2], expect.stringMatching(/^3 of 3 leads/) as string],
		] as const)
			expect((await listing([...counts])).hints).toEqual([hint]);
		const twice = { parameters: { ...UPDATE, updateFields: { text: 'a' } }, items: [{}, {}] };
		const post = { status: 'published', text: 'a', published_mutation_capabilities: {} };
		const { hints } = await scriptedRun({ ...twice, answer: () => ok(post) });
		expect(hints).toEqual([containing('already had the new text')]);
	});

	it('an empty list points to clients only if the own account was read', async () => {
		const ofClient = { parameters: { ...LEADS, actAs: 'client', clientId: CLIENT } };
		const toClients = containing('For a client, set "Act As" to "Client".');
		expect((await listing([0])).hints).toEqual([toClients]);
		expect((await listing([0], ofClient)).hints).toEqual(['No leads found.']);
	});

	it('nothing breaks in an n8n that has no place for it, nor says that a run was stopped', async () => {
		const missing = undefined as never;
		const { output, hints } = await listing([0], {
			execute: async (functions, settings) =>
				await executeItems(
					{ ...functions, addExecutionHints: missing, getExecutionCancelSignal: missing },
					settings,
				),
		});
		expect([output, hints]).toEqual([[], []]);
	});

	it.each([
		[0, 2, []],
		[1, 1, []],
		[1, 2, ['1 of 2 items failed. See "message" in each of these items.']],
		[2, 3, ['2 of 3 items failed. See "message" in each of these items.']],
	])('failures are counted: %i of %i', async (failed, size, said) => {
		const answer = ({ path }: Asked) =>
			ids(failed).some((id) => path.endsWith(id)) ? notFound() : itself({ path });
		const script = { parameters: READ, each: { postId: ids(size) }, answer, continueOnFail: true };
		const { hints, warnings, records } = await scriptedRun(script);
		expect([hints, warnings]).toEqual([said, said]);
		expect(records.filter((record) => 'error' in record)).toHaveLength(failed);
	});
});

describe('a failure', () => {
	it.each<[string, Record<string, unknown>, string]>([
		['no resource', { operation: 'get' }, 'The parameter "Resource" is empty'],
		['no operation', { resource: 'post' }, 'The parameter "Operation" is empty'],
		[
			'a resource of a model',
			{ ...READ, resource: "={{ $fromAI('x') }}" },
			'only a person may choose',
		],
		['an operation of a model', { ...READ, operation: "={{ $fromAI('x') }}" }, 'only a person'],
		['no credential', READ, 'There is no credential'],
	])('of the node itself is one of every item: %s', async (what, given, expected) => {
		const parameters = { postId: idOf(1), ...given };
		const script = { parameters, items: [{}, {}], hasCredential: what !== 'no credential' };
		const { error, asked } = await scriptedRun(script);
		expect(error?.message).toContain(expected);
		expect(asked).toEqual([]);
		const { output } = await scriptedRun({ ...script, continueOnFail: true });
		expect(output).toEqual(
			[0, 1].map((item) => ({
				json: expect.objectContaining({ error: containing(expected) }) as unknown,
				pairedItem: { item },
			})),
		);
	});

	it.each<[string, Partial<Script>, string]>([
		['an expression of n8n', { each: { text: [new Error('Cannot read')] } }, 'n8n_error'],
		['a missing credential', { each: { text: ['a'] }, hasCredential: false }, 'n8n_error'],
		['an expression with a point', { each: { text: [new Error('Cannot read a.b')] } }, 'n8n_error'],
		['the input', { each: { text: [''] } }, 'invalid_input'],
		[
			'the service',
			{ each: { text: ['a'] }, answer: () => refused(403, 'forbidden') },
			'forbidden',
		],
	])('by %s has its five details, and a whole sentence', async (_, more, code) => {
		const parameters = { resource: 'post', operation: 'create', status: 'draft', actAs: 'own' };
		const { records } = await scriptedRun({ parameters, continueOnFail: true, ...more });
		const { details, message } = records[0] as { details: object; message: string };
		expect(details).toMatchObject({ code, reason: null, retryable: false });
		expect(Object.keys(details)).toEqual(
			expect.arrayContaining(['http_status', 'code', 'reason', 'request_id', 'retryable']),
		);
		expect(details).not.toHaveProperty('client_id');
		expect(message).toMatch(/^.+\w"?\.( |$)/);
	});

	it('that ends in brackets still ends before its remedy begins', async () => {
		const past = { text: 'a', status: 'scheduled', scheduledAt: '2020-01-01T00:00:00Z' };
		const parameters = { resource: 'post', operation: 'create', actAs: 'own', ...past };
		const { records } = await scriptedRun({ parameters, continueOnFail: true });
		expect(records).toMatchObject([
			{ message: containing('(UTC). A scheduled post needs a time in the future.') },
		]);
	});

	it('of an expression takes no other item along', async () => {
		const isBroken = (item: number) => item % 40 === 30;
		const postId = ids(120).map((id, item) => (isBroken(item) ? new Error('Nowhere') : id));
		const script = { parameters: READ, each: { postId }, continueOnFail: true };
		const { output, asked } = await scriptedRun({ ...script, answer: itself });
		const failed = (output ?? []).filter(({ json }) => 'error' in json);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([
			...[30, 70, 110].map((item) => ({ item })),
		]);
		expect([output?.length, asked.length]).toEqual([120, 117]);
	});

	it('that the plan of all items finds is one of its own', async () => {
		const parameters = { ...SPREAD, options: { outputField: 'error' } };
		expect((await scriptedRun({ parameters, items: [{}, {}] })).error).toMatchObject({
			...{ message: containing('Output Field"'), context: { itemIndex: 0 } },
		});
		// The second item's own hours would do.
		const each = { toTime: ['09:00', '18:00'] };
		const late = { parameters: { ...SPREAD, fromTime: '17:00' }, each, continueOnFail: true };
		const told = containing('"To Time" is not after "From Time"');
		expect((await scriptedRun(late)).records).toMatchObject([{ error: told }, { error: told }]);
	});

	it('of a plan over all items takes only those along that it names', async () => {
		const options = ['same', 'same', 'another'].map((uniqueKey) => ({ uniqueKey }));
		const each = { text: ['a', 'b', 'c'], options };
		const script = { parameters: CREATE, each, answer: creating, continueOnFail: true };
		const { records, writes } = await scriptedRun(script);
		const told = containing('2 items of this run have the same Unique Key');
		expect(records).toMatchObject([{ error: told }, { error: told }, { id: idOf(1) }]);
		expect(writes.map(({ body }) => body.text)).toEqual(['c']);
	});

	it('ends the run once it is cancelled, though n8n would go on', async () => {
		const controller = new AbortController();
		const { error, asked } = await scriptedRun({
			...{ parameters: ARCHIVE, each: { leadMagnetId: ids(3) }, continueOnFail: true },
			signal: controller.signal,
			answer: () => {
				controller.abort();
				return notFound();
			},
		});
		expect(error?.message).toContain('canceled');
		expect(asked).toHaveLength(1);
		const { signal } = controller;
		// n8n tries again after a stop as after any other failure.
		expect(await scriptedRun({ parameters: READ, items: [{}], signal })).toMatchObject({
			...{ error: { message: containing('canceled') }, log: [] },
		});
	});

	it('counts for nothing once the run is cancelled, whatever it is', async () => {
		const controller = new AbortController();
		// While the node works on the item, without any request.
		const { error } = await scriptedRun({
			...{ parameters: { ...SPREAD, toTime: '08:00' }, items: [{}] },
			signal: controller.signal,
			execute: async (functions, settings) => {
				const getTimezone = () => {
					controller.abort();
					return 'UTC';
				};
				return await executeItems({ ...functions, getTimezone }, settings);
			},
		});
		expect(error?.message).toBe('The execution was canceled');
	});
});
