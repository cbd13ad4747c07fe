/** How a run goes over its items: how many at a time, what is read for each, and what comes out. */
import { executeItems } from '../../nodes/LeadGenPublishing/run/executeItems';
import { CLIENT, heldUntil, idOf, refused, scriptedRun } from './scriptedRun';

const READ = { resource: 'post', operation: 'get', actAs: 'own', simplify: false };
const ARCHIVE = { resource: 'leadMagnet', operation: 'archive', actAs: 'own' };
const SPREAD = {
	...{ resource: 'schedule', operation: 'spread', timeZone: 'UTC' },
	...{ workingDays: ['monday'], fromTime: '09:00', toTime: '17:00' },
	options: { minimumGapMinutes: 5, outputField: 'at' },
};
const ids = (count: number) => Array.from({ length: count }, (_, index) => idOf(index));
const itself = ({ path }: { path: string }) => ({ data: { id: path.slice(-36), status: 'draft' } });

describe('reads', () => {
	it('are sent ten at a time, and come out in the order of the items', async () => {
		const { held, most } = heldUntil(10);
		const each = { postId: ids(20) };
		const { output } = await scriptedRun({ parameters: READ, each, answer: held(itself) });
		expect(most()).toBe(10);
		expect(output?.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			ids(20).map((id, item) => [id, { item }]),
		);
	});

	it('of one list alone go far ahead, those of several not', async () => {
		const page = ({ offset }: { offset: number }) => ({
			data: Array.from({ length: 100 }, (_, index) => ({ id: String(offset + index) })),
			pagination: { limit: 100, offset, has_more: offset < 2_900 },
		});
		const parameters = {
			...{ resource: 'lead', operation: 'getAll', actAs: 'own' },
			...{ returnAll: true, simplify: false },
		};
		for (const [count, expected] of [
			[1, 8],
			[2, 4],
		] as const) {
			const { held, most } = heldUntil(expected, ({ offset }) => offset >= 1_500);
			const items = Array.from({ length: count }, () => ({}));
			const { output } = await scriptedRun({ parameters, items, answer: held(page) });
			expect([output?.length, most()]).toEqual([3_000 * count, expected]);
		}
	});
});

describe('"Max Wait (Seconds)"', () => {
	const DOWN = refused(503, 'unavailable');
	const waiting = async (maxWaitSeconds: number, answer = () => DOWN) => {
		const parameters = { ...READ, postId: idOf(1), options: { maxWaitSeconds } };
		return await scriptedRun({ parameters, answer });
	};

	it.each([
		[0, 1],
		[3, 4],
		[60, 12],
	])('of %i lets a service that is down be asked %i times', async (seconds, times) => {
		const { asked, error } = await waiting(seconds);
		expect([asked.length, error?.message]).toEqual([times, expect.stringContaining('503')]);
	});
});

describe('writes', () => {
	it('are evaluated and sent one after the other', async () => {
		const { held, most } = heldUntil(1);
		const each = { leadMagnetId: ids(3) };
		const { log } = await scriptedRun({
			...{ parameters: ARCHIVE, each, answer: held(() => ({ data: {} })) },
		});
		expect(most()).toBe(1);
		expect(log).toEqual(
			ids(3).flatMap((id, item) => [`leadMagnetId ${item}`, `DELETE /lead-magnets/${id}`]),
		);
	});
});

describe('the credential', () => {
	it('is read once for all items', async () => {
		const each = { postId: ids(12) };
		const { timesConnected } = await scriptedRun({ parameters: READ, each, answer: itself });
		expect(timesConnected).toBe(1);
	});

	it('and parameters without an expression are read once, the others once for each item', async () => {
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

	it('is not needed for what is not sent, though an account stands there', async () => {
		const { records, timesConnected } = await scriptedRun({
			...{ parameters: { ...SPREAD, actAs: 'client' }, items: [{}] },
			hasCredential: false,
		});
		// The time of the plan is that of the run.
		expect(records).toEqual([{ at: expect.stringMatching(/^2030-01-28T/) as string }]);
		expect(timesConnected).toBe(0);
	});

	const NONE = 'There is no credential';
	it('that is missing is the failure of every item', async () => {
		const script = { parameters: READ, each: { postId: ids(2) }, hasCredential: false };
		const { records } = await scriptedRun({ ...script, continueOnFail: true });
		expect(records.map(({ error }) => error)).toEqual([NONE, NONE]);
		expect((await scriptedRun(script)).error?.message).toBe(NONE);
	});
});

describe('what an item carries', () => {
	const binary = { data: { data: 'YQ==', mimeType: 'image/png' } };

	it('stays where fields are added to it', async () => {
		const items = [{ json: { a: 1 }, binary }, { json: { a: 2 } }];
		const { output } = await scriptedRun({ parameters: SPREAD, items });
		const at = expect.any(String) as string;
		expect(output).toStrictEqual([
			{ json: { a: 1, at }, binary, pairedItem: { item: 0 } },
			{ json: { a: 2, at }, pairedItem: { item: 1 } },
		]);
	});

	it('does not come out with a record of the service', async () => {
		const parameters = { ...READ, postId: idOf(1) };
		const { output } = await scriptedRun({ parameters, items: [{ binary }], answer: itself });
		expect(output).toStrictEqual([
			{ json: { id: idOf(1), status: 'draft' }, pairedItem: { item: 0 } },
		]);
	});
});

describe('a record', () => {
	const CLIENTS = { actAs: 'client', clientId: CLIENT };
	const of = async (parameters: Record<string, unknown>, data: Record<string, unknown> = {}) => {
		const { records } = await scriptedRun({
			parameters: { ...READ, postId: idOf(1), ...parameters },
			answer: () => ({ data: { id: idOf(1), status: 'draft', ...data } }),
		});
		return records[0];
	};

	it('is simplified, or as it came', async () => {
		expect(await of({}, { odd: 1 })).toEqual({ id: idOf(1), status: 'draft', odd: 1 });
		const simplified = await of({ simplify: true }, { odd: 1 });
		expect(simplified).toMatchObject({ id: idOf(1), can_edit: false });
		expect(simplified).not.toHaveProperty('odd');
	});

	it('of a client says so, in its own shape', async () => {
		expect(await of(CLIENTS)).toEqual({
			...{ id: idOf(1), status: 'draft', client: { user_id: CLIENT } },
		});
		const simplified = await of({ ...CLIENTS, simplify: true });
		expect(simplified).toMatchObject({ id: idOf(1), client_id: CLIENT });
		expect(simplified).not.toHaveProperty('client');
		expect(await of({ simplify: true })).not.toHaveProperty('client_id');
	});

	it('has the fields that were chosen', async () => {
		const chosen = { output: 'selectedFields', fields: 'status, odd' };
		expect(await of({ ...CLIENTS, ...chosen }, { odd: 1 })).toEqual({
			...{ status: 'draft', odd: 1, client_id: CLIENT },
		});
	});

	it('does not look like a failed one to n8n', async () => {
		expect(await of({}, { error: 'x' })).toEqual({
			...{ id: idOf(1), status: 'draft', error_value: 'x' },
		});
	});

	it('of an operation with one shape is in that', async () => {
		const parameters = { ...ARCHIVE, ...CLIENTS, leadMagnetId: idOf(1) };
		expect((await scriptedRun({ parameters })).records).toEqual([
			{ deleted: true, id: idOf(1), client: { user_id: CLIENT } },
		]);
	});
});

describe('what the node does', () => {
	it.each<[string, Record<string, unknown>, string]>([
		['no resource', { operation: 'get' }, 'The parameter "Resource" is empty'],
		['no operation', { resource: 'post' }, 'The parameter "Operation" is empty'],
		['a resource of a model', { ...READ, resource: "={{ $fromAI('x') }}" }, 'chosen by a person'],
		['an operation of a model', { ...READ, operation: "={{ $fromAI('x') }}" }, 'by a person'],
	])('is refused with %s, for every item alike', async (_, parameters, expected) => {
		const items = [{}, {}];
		const { error, asked } = await scriptedRun({ parameters, items });
		expect(error?.message).toContain(expected);
		expect(asked).toEqual([]);
		const { output } = await scriptedRun({ parameters, items, continueOnFail: true });
		expect(output).toEqual(
			[0, 1].map((item) => ({
				json: expect.objectContaining({
					error: expect.stringContaining(expected) as string,
				}) as unknown,
				pairedItem: { item },
			})),
		);
	});
});

describe('a failing item', () => {
	it('whose expressions cannot be evaluated takes no other along', async () => {
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

	const notFound = () => refused(404, 'not_found');

	it('says for which client it was, where that is known', async () => {
		const { records } = await scriptedRun({
			...{ parameters: READ, continueOnFail: true, answer: notFound },
			each: {
				actAs: ['client', 'own', 'nobody'],
				clientId: [CLIENT, null, CLIENT],
				postId: ids(3),
			},
		});
		expect(records.map(({ details }) => (details as { client_id?: string }).client_id)).toEqual([
			...[CLIENT, undefined, undefined],
		]);
		expect(records[2]?.error).toMatch(/"Act As"/);
	});

	it('is counted beside the output', async () => {
		const answer = ({ path }: { path: string }) =>
			path.endsWith(idOf(1)) ? { data: { id: 'x' } } : notFound();
		const script = { parameters: READ, each: { postId: ids(3) }, answer };
		const { hints, records } = await scriptedRun({ ...script, continueOnFail: true });
		expect(hints).toEqual(['2 of 3 items failed. See "message" in each of them.']);
		expect(records.map((record) => 'error' in record)).toEqual([true, false, true]);
	});

	it('that the plan of all items refuses is one of its own', async () => {
		const parameters = { ...SPREAD, options: { outputField: 'error' } };
		const script = { parameters, items: [{}, {}] };
		expect((await scriptedRun(script)).error).toMatchObject({
			...{ message: expect.stringContaining('Output Field"') as string },
			context: { itemIndex: 0 },
		});
		// The second item's own hours would do.
		const each = { toTime: ['09:00', '18:00'] };
		const late = { parameters: { ...SPREAD, fromTime: '17:00' }, each, continueOnFail: true };
		const { records } = await scriptedRun(late);
		const told = expect.stringContaining('"To Time" is not after "From Time"') as string;
		expect(records).toMatchObject([{ error: told }, { error: told }]);
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
		expect(error).toBeDefined();
		expect(asked).toHaveLength(1);
	});
});
