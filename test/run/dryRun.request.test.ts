/** Which request a dry run shows, and what it says beside it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { ItemCall, Operation } from '../../nodes/LeadGenPublishing/operations/define';
import { runDry } from '../../nodes/LeadGenPublishing/run/dryRun';
import { failing, failure, itemScene } from '../operations/itemScene';

const PLANNED = { method: 'PATCH', path: '/posts/p' };
const params = { id: 'p' };

function dryRun(
	run: (call: ItemCall) => Promise<JsonRecord>,
	{ options = {}, ...operation }: Partial<Operation> & { options?: JsonRecord } = {},
) {
	const item = itemScene({ options }, { answers: { 'post.get': [{ text: 'Old' }] }, earlier: {} });
	const planned: unknown[] = [];
	const api = {
		...item.call.api,
		planned: (name: string, given: JsonRecord) => {
			planned.push(name);
			return { ...PLANNED, ...given };
		},
	};
	const call = { ...item.call, api } as unknown as ItemCall;
	const shown = async () => await runDry({ ...operation, run } as unknown as Operation, call);
	return { ...item, planned, shown };
}

it('reads, and shows the first write instead of sending it', async () => {
	const { shown, sent, planned } = dryRun(async ({ api }) => {
		const { data } = await api.call('post.get', { params });
		await api.call('post.update', { params, body: { text: `${String(data.text)} and new` } });
		return (await api.call('post.delete', { params })).data;
	});
	expect(await shown()).toEqual({
		dry_run: true,
		request: { ...PLANNED, body: { text: 'Old and new' } },
		notes: [],
	});
	expect([sent.map(({ name }) => name), planned]).toEqual([['post.get'], ['post.update']]);
});

it('shows that there is no body', async () => {
	const { shown } = dryRun(async ({ api }) => (await api.call('post.delete', { params })).data);
	expect(await shown()).toEqual({ dry_run: true, request: { ...PLANNED, body: null }, notes: [] });
});

it('shows no request where none would be sent, and says why', async () => {
	const { shown, said } = dryRun(
		async ({ notice }) => {
			notice('It is there already');
			return await Promise.resolve({ id: 'p' });
		},
		{ dryRunNotes: ['A file would follow.'] },
	);
	expect(await shown()).toEqual({
		...{ dry_run: true, request: null, notes: ['It is there already'] },
	});
	// What is said of a dry run stands in its item, not beside the output.
	expect(said).toEqual([]);
});

it('fails as the run would', async () => {
	const { shown } = dryRun(async () => await Promise.reject(failure(409)));
	expect((await failing(shown())).facts.status).toBe(409);
});

it('is known to the operation, as is everything else but earlier attempts', async () => {
	const seen: unknown[] = [];
	const { shown, call } = dryRun(async ({ isDryRun, earlier, itemIndex, api }) => {
		seen.push(isDryRun, earlier, itemIndex, api.accountId);
		return await Promise.resolve({});
	});
	await shown();
	expect(call.earlier).toBeDefined();
	expect(seen).toEqual([true, undefined, 0, 'own']);
});

describe('the notes', () => {
	const updating =
		(more: JsonRecord = {}) =>
		async ({ api, notice, count }: ItemCall) => {
			notice('First');
			count({ counts: { times: 2 }, say: ({ times = 0 }) => [`Counted ${times}`] });
			return (await api.call('post.update', { params, ...more })).data;
		};
	const notesOf = async (...given: Parameters<typeof dryRun>) =>
		(await dryRun(...given).shown()).notes;
	const KEY = 'The request would carry the idempotency key "k".';

	it('are those of the operation, of the request and of what follows', async () => {
		expect(
			await notesOf(updating({ etag: 'pv_1', idempotencyKey: 'k' }), {
				options: { idempotencyKey: 'k' },
				dryRunNotes: ['A file would follow.'],
			}),
		).toEqual([
			...['First', 'Counted 2'],
			...['The change would apply to the version "pv_1" of the post.', KEY],
			'A file would follow.',
		]);
	});

	it.each<[string, JsonRecord, JsonRecord, string[]]>([
		['the one of the user', { idempotencyKey: 'k' }, { idempotencyKey: 'k' }, [KEY]],
		['made of a Unique Key', { idempotencyKey: 'k' }, { uniqueKey: 'row 1' }, [KEY]],
		['another one in each run', { idempotencyKey: 'k' }, {}, []],
		['none', {}, { uniqueKey: 'row 1' }, []],
	])('name the idempotency key if it is known: %s', async (_, request, options, expected) => {
		const notes = await notesOf(updating(request), { options });
		expect(notes).toEqual(['First', 'Counted 2', ...expected]);
	});
});
