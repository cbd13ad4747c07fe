/**
 * A write without an idempotency key whose answer was lost: the node looks whether it happened, in
 * the same try, in a further try and in a "Retry execution", and says exactly what is known.
 */
import { byId, setUpKit, type Parameters } from '../../support/kit/index';
import type { Account, Effect } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';

const kit = setUpKit({ resource: 'post' });

/** How an answer is lost after the request was carried out. */
const LOST: ReadonlyArray<[string, Effect]> = [
	['a reset', { kind: 'reset', after: true }],
	['a 500', { kind: 'error', status: 500, after: true }],
	['a 503', { kind: 'error', status: 503, after: true }],
	['an answer that is cut off', { kind: 'cut', abort: true }],
	['a web page', { kind: 'html', status: 200, after: true }],
];
/** The request never arrives, which looks the same from here. */
const NOT_ARRIVED: Effect = { kind: 'reset' };

interface Case {
	readonly method: 'DELETE' | 'PATCH';
	/** How many reads come before it. */
	readonly readsBefore: number;
	prepare(account: Account): { parameters: Parameters; happened: () => boolean };
}

const onPost = (status: 'draft' | 'scheduled', fields?: Parameters): Case => ({
	method: fields === undefined ? 'DELETE' : 'PATCH',
	readsBefore: 1,
	prepare: (account) => {
		const { id } = kit.service.world.addPost(account, { status, text: 'old' });
		const operation = fields === undefined ? 'delete' : 'update';
		return {
			parameters: { operation, postId: byId(id), updateFields: fields },
			happened: () =>
				fields === undefined
					? account.posts.get(id) === undefined
					: account.posts.get(id)?.text.trim() === 'new',
		};
	},
});
const onMagnet = (fields?: Parameters): Case => ({
	method: fields === undefined ? 'DELETE' : 'PATCH',
	readsBefore: 0,
	prepare: (account) => {
		const about = { keyword: 'OLD', description: 'old' };
		const { id } = kit.service.world.addLeadMagnet(account, about);
		const operation = fields === undefined ? 'archive' : 'update';
		const leadMagnetId = byId(id);
		return {
			parameters: { resource: 'leadMagnet', operation, leadMagnetId, updateFields: fields },
			happened: () =>
				fields === undefined
					? account.leadMagnets.get(id)?.status === 'archived'
					: account.leadMagnets.get(id)?.keyword === 'NEW',
		};
	},
});

const ARCHIVING = onMagnet();
const DELETIONS: ReadonlyArray<[string, Case]> = [
	['Lead Magnet > Archive', ARCHIVING],
	['Post > Delete of a draft', onPost('draft')],
];
const UPDATES: ReadonlyArray<[string, Case]> = [
	[
		'Post > Update of a draft',
		onPost('draft', { text: 'new  \n', notes: '', images: 'https://x/a.png' }),
	],
	[
		'Post > Update of a scheduled',
		onPost('scheduled', { scheduledAt: '2031-07-15T10:30:00+02:00', text: 'new' }),
	],
	['Lead Magnet > Update', onMagnet({ keyword: 'NEW', description: '' })],
];
const ALL = [...DELETIONS, ...UPDATES];

const begin = ({ method, prepare }: Case, ...effects: Effect[]) => {
	const { parameters, happened } = prepare(kit.account('client'));
	for (const effect of effects) kit.service.faults.add(effect, { method });
	const run = async (tries = 1, earlier?: NodeRun) =>
		await kit.run(kit.as('client', parameters), {
			...{ retryOnFail: tries > 1, maxTries: Math.max(2, tries) },
			...(earlier && { runExecutionData: earlier.fullRun.data, executionId: '2000' }),
		});
	return { run, happened };
};
const forbidReads = (match: object) =>
	kit.service.faults.add({ kind: 'error', status: 403 }, match);

describe.each(ALL)('%s', (_, one) => {
	it.each(LOST)('that happened, with %s: is a success after a look', async (_lost, effect) => {
		const { run, happened } = begin(one, effect);
		const { outputs, error } = await run();
		expect([error, outputs[0]?.length, happened()]).toEqual([undefined, 1, true]);
		expect(kit.writes()).toHaveLength(1);
	});

	it('is found to have happened by a further try, when the first look failed', async () => {
		const { run, happened } = begin(one, { kind: 'reset', after: true });
		forbidReads({ method: 'GET', nth: one.readsBefore + 1 });
		const { error, timesRun } = await run(2);
		expect([error, timesRun, happened()]).toEqual([undefined, 2, true]);
	});

	it('is found to have happened by "Retry execution"', async () => {
		const { run, happened } = begin(one, { kind: 'reset', after: true });
		// Nothing answers any more in the first execution.
		const dead = forbidReads({ count: Infinity, when: () => kit.writes().length > 0 });
		const first = await run();
		expect(first.error?.message).toMatch(/It is not known whether/);
		dead.remove();
		const sent = kit.writes().length;
		expect([(await run(1, first)).error, happened()]).toEqual([undefined, true]);
		expect(kit.writes().length - sent).toBe(one === ARCHIVING ? 1 : 0);
	});
});

it.each(UPDATES)('%s that did not arrive: stays unknown, and is not sent again', async (_, one) => {
	const { run, happened } = begin(one, NOT_ARRIVED);
	const first = await run(3);
	expect(first.error?.message).toMatch(/may have succeeded, so it was not sent again/);
	expect(first.error?.message).toMatch(/did not show the new .*may still be under way/);
	expect((await run(1, first)).error?.message).toMatch(/so it was not sent again/);
	expect([kit.writes().length, happened()]).toEqual([1, false]);
});

describe.each(DELETIONS)('%s', (_, one) => {
	it('that did not arrive: a further try deletes, since twice does no harm', async () => {
		const { run, happened } = begin(one, NOT_ARRIVED, NOT_ARRIVED);
		expect([(await run(3)).error, happened()]).toEqual([undefined, true]);
	});

	it.each([
		['is found by a read', true],
		['cannot be read', false],
	])('that is "not found" counts as done unless it %s', async (_what, mayRead) => {
		const { run, happened } = begin(one, NOT_ARRIVED, { kind: 'error', status: 404 });
		// The key may delete and not read, or so it seems after the second deletion.
		const when = () => kit.writes().length > 1;
		if (!mayRead) forbidReads({ method: 'GET', count: Infinity, when });
		const { error } = await run(2);
		if (mayRead) expect(error?.message).toMatch(/may still be under way/);
		else expect(error).toBeUndefined();
		expect(happened()).toBe(false);
	});
});
