/**
 * A write without an idempotency key whose answer was lost: the node looks whether it happened, in
 * the same try, in a further try and in a "Retry execution", and says exactly what is known.
 */
import { byId, type Mode, setUpKit } from '../../support/kit/index';
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
	readonly name: string;
	readonly method: string;
	prepare(account: Account): { parameters: Record<string, unknown>; happened: () => boolean };
}

const draft = (account: Account) =>
	kit.service.world.addPost(account, { status: 'draft', text: 'old' });
const magnetOf = (account: Account) =>
	kit.service.world.addLeadMagnet(account, { keyword: 'OLD', description: 'old' });

const ARCHIVE: Case = {
	name: 'Lead Magnet > Archive',
	method: 'DELETE',
	prepare: (account) => {
		const { id } = magnetOf(account);
		return {
			parameters: { resource: 'leadMagnet', operation: 'archive', leadMagnetId: byId(id) },
			happened: () => account.leadMagnets.get(id)?.status === 'archived',
		};
	},
};
const POST_DELETE: Case = {
	name: 'Post > Delete of a draft',
	method: 'DELETE',
	prepare: (account) => {
		const { id } = draft(account);
		return {
			parameters: { operation: 'delete', postId: byId(id) },
			happened: () => account.posts.get(id) === undefined,
		};
	},
};
const POST_UPDATE: Case = {
	name: 'Post > Update of a draft',
	method: 'PATCH',
	prepare: (account) => {
		const { id } = draft(account);
		const updateFields = { text: 'new  \n', notes: '', images: 'https://x.example/a.png' };
		return {
			parameters: { operation: 'update', postId: byId(id), updateFields },
			happened: () => account.posts.get(id)?.text.trim() === 'new',
		};
	},
};
const SCHEDULED_UPDATE: Case = {
	name: 'Post > Update of a scheduled post',
	method: 'PATCH',
	prepare: (account) => {
		const { id } = kit.service.world.addPost(account, { status: 'scheduled', text: 'old' });
		const updateFields = { scheduledAt: '2031-07-15T10:30:00+02:00', text: 'new' };
		return {
			parameters: { operation: 'update', postId: byId(id), updateFields },
			happened: () => account.posts.get(id)?.text === 'new',
		};
	},
};
const MAGNET_UPDATE: Case = {
	name: 'Lead Magnet > Update',
	method: 'PATCH',
	prepare: (account) => {
		const { id } = magnetOf(account);
		const updateFields = { keyword: 'NEW', description: '' };
		return {
			parameters: {
				resource: 'leadMagnet',
				operation: 'update',
				leadMagnetId: byId(id),
				updateFields,
			},
			happened: () => account.leadMagnets.get(id)?.keyword === 'NEW',
		};
	},
};

const DELETIONS = [ARCHIVE, POST_DELETE];
const UPDATES = [POST_UPDATE, SCHEDULED_UPDATE, MAGNET_UPDATE];
const ALL = [...DELETIONS, ...UPDATES].map((one): [string, Case] => [one.name, one]);

const writes = (one: Case) =>
	kit.service.requests.filter(({ method }) => method === one.method).length;
const again = async (run: NodeRun, mode: Mode, parameters: Record<string, unknown>) =>
	await kit.run(kit.as(mode, parameters), {
		runExecutionData: run.fullRun.data,
		executionId: '2000',
	});

describe.each<Mode>(['client'])('as %s', (mode) => {
	describe.each(ALL)('%s', (_, one) => {
		it.each(LOST)('that happened, with %s: is a success after a look', async (_lost, effect) => {
			const { parameters, happened } = one.prepare(kit.account(mode));
			kit.service.faults.add(effect, { method: one.method });
			const run = await kit.run(kit.as(mode, parameters));
			expect(run.error).toBeUndefined();
			expect(happened()).toBe(true);
			expect(run.outputs[0]).toHaveLength(1);
			expect(writes(one)).toBe(1);
		});

		it('is found to have happened by a further try, when the first look failed', async () => {
			const { parameters, happened } = one.prepare(kit.account(mode));
			kit.service.faults.add({ kind: 'reset', after: true }, { method: one.method });
			// Post > Delete and Post > Update read before they send as well.
			const nth = ['delete', 'update'].includes(String(parameters.operation)) ? 2 : 1;
			const before = parameters.resource === undefined ? nth : 1;
			kit.service.faults.add({ kind: 'error', status: 403 }, { method: 'GET', nth: before });
			const run = await kit.run(kit.as(mode, parameters), { retryOnFail: true, maxTries: 2 });
			expect(run.error).toBeUndefined();
			expect(run.timesRun).toBe(2);
			expect(happened()).toBe(true);
		});
	});

	it.each(UPDATES.map((one): [string, Case] => [one.name, one]))(
		'%s that did not arrive: stays unknown, says what a read shows, and is not sent again',
		async (_name, one) => {
			const { parameters, happened } = one.prepare(kit.account(mode));
			kit.service.faults.add(NOT_ARRIVED, { method: one.method });
			const run = await kit.run(kit.as(mode, parameters), { retryOnFail: true, maxTries: 3 });
			expect(run.error?.message).toMatch(/may have succeeded, so it was not sent again/);
			expect(run.error?.message).toMatch(/did not show the new .*may still be under way/);
			expect(writes(one)).toBe(1);
			expect(happened()).toBe(false);
			const second = await again(run, mode, parameters);
			expect(second.error?.message).toMatch(/so it was not sent again/);
			expect(writes(one)).toBe(1);
		},
	);

	it.each(DELETIONS.map((one): [string, Case] => [one.name, one]))(
		'%s that did not arrive: a further try deletes, since twice does no harm',
		async (_name, one) => {
			const { parameters, happened } = one.prepare(kit.account(mode));
			kit.service.faults.add(NOT_ARRIVED, { method: one.method, count: 2 });
			const run = await kit.run(kit.as(mode, parameters), { retryOnFail: true, maxTries: 3 });
			expect(run.error).toBeUndefined();
			expect(happened()).toBe(true);
		},
	);

	it.each([ARCHIVE, POST_DELETE].map((one): [string, Case] => [one.name, one]))(
		'%s: a "not found" counts only if no read finds it',
		async (_name, one) => {
			for (const mayRead of [true, false]) {
				kit.service.faults.clear();
				const { parameters, happened } = one.prepare(kit.account(mode));
				kit.service.faults.add(NOT_ARRIVED, { method: one.method });
				kit.service.faults.status(404, { method: one.method });
				// The key may delete and not read, or so it seems after the second deletion.
				const sent = writes(one);
				if (!mayRead)
					kit.service.faults.status(403, {
						count: Infinity,
						when: ({ method }) => method === 'GET' && writes(one) - sent > 1,
					});
				const run = await kit.run(kit.as(mode, parameters), { retryOnFail: true, maxTries: 2 });
				expect(happened()).toBe(false);
				if (mayRead) expect(run.error?.message).toMatch(/may still be under way/);
				else expect(run.error).toBeUndefined();
			}
		},
	);

	it.each(ALL)('%s is found to have happened by "Retry execution"', async (_name, one) => {
		const { parameters, happened } = one.prepare(kit.account(mode));
		kit.service.faults.add({ kind: 'reset', after: true }, { method: one.method });
		// Nothing answers any more in the first execution.
		const dead = kit.service.faults.add(
			{ kind: 'error', status: 403 },
			{ count: Infinity, when: () => writes(one) > 0 },
		);
		const first = await kit.run(kit.as(mode, parameters));
		expect(first.error?.message).toMatch(/It is not known whether/);
		dead.remove();
		const sent = writes(one);
		const second = await again(first, mode, parameters);
		expect(second.error).toBeUndefined();
		expect(happened()).toBe(true);
		expect(writes(one) - sent).toBe(one === ARCHIVE ? 1 : 0);
	});
});

it('Post > Update: a field that the record does not show is not taken for granted', async () => {
	const { id } = draft(kit.service.world.own);
	kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
	kit.service.faults.add(
		{ kind: 'change', change: (envelope) => ({ ...envelope, data: { id, text: 'new' } }) },
		{ method: 'GET', nth: 2 },
	);
	const updateFields = { text: 'new', notes: 'n' };
	const { error, details } = await kit.failure({
		operation: 'update',
		postId: byId(id),
		updateFields,
	});
	expect(error).toMatch(/did not show the new notes; the update may still be under way/);
	expect(details).toMatchObject({ outcome: 'unknown', retryable: false });
});

it('Post > Update published at once counts while it is being published', async () => {
	const post = draft(kit.service.world.own);
	kit.service.faults.add({ kind: 'reset' }, { method: 'PATCH' });
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => ({ ...envelope, data: { id: post.id, status: 'publishing' } }),
		},
		{ method: 'GET', nth: 2 },
	);
	const { json } = await kit.item({
		operation: 'update',
		postId: byId(post.id),
		updateFields: { status: 'published' },
	});
	expect(json).toMatchObject({ id: post.id, status: 'publishing' });
});
