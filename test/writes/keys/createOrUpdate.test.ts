/**
 * Create or Update, item by item: what is sent for a record that exists or does not, after an earlier
 * attempt, and what the next item of the same run or of another one knows. Only waiting moves the clock.
 */
import { spoken } from '../../support/facts';
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { type ApiFailure } from '../../../nodes/LeadGenPublishing/api/failure';
import { keyFrom } from '../../../nodes/LeadGenPublishing/api/identifiers';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { ItemCall } from '../../../nodes/LeadGenPublishing/operations/operation';
import type { SentRequest } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { upsertPostOnce } from '../../../nodes/LeadGenPublishing/writes/posts/upsertPost';
import { keptKeysOf } from '../../../nodes/LeadGenPublishing/writes/keys/keptKeys';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import { earlierAttempt, failure, itemScene } from '../../operations/itemScene';
import { accountOf } from './account';

const KEY = 'row';
const NOTES = `[unique-key: ${KEY}]`;
const LOST = failure(0, { kind: 'unreachable', uncertain: true });
const neverCalled = (): never => {
	throw new Error('The post is not refused');
};
let accounts = 0;

interface Item {
	readonly text?: string;
	readonly maxWaitMs?: number;
	readonly isDryRun?: boolean;
	readonly earlier?: Partial<SentRequest>;
	/** The record to be updated is gone, though the list shows it. */
	readonly isGone?: boolean;
	/** What ends the request, or the check before it. */
	readonly fails?: Error;
	readonly isRefused?: Error;
}

/** The posts of an account, and the runs that work on them. */
function account(...posts: JsonRecord[]) {
	accounts += 1;
	const accountId = `account ${accounts}`;
	const identity = keyFrom(accountId, POSTS.what, KEY);
	// The service is known to keep keys. `lostKeys.test.ts` plays one that does not.
	keptKeysOf(accountId, POSTS).saw(Infinity);
	const said: string[] = [];
	const gone = new Set<unknown>();
	let [broken, unreadable]: Array<Error | undefined> = [];
	const { api, asked, passes, now } = accountOf({
		accountId,
		list: () => {
			if (broken !== undefined) throw broken;
			return posts;
		},
		read: (id) => {
			// A post is read before it is changed. Reads fail from then on.
			if (unreadable !== undefined && asked.includes('update')) throw unreadable;
			return gone.has(id) ? undefined : posts.find((post) => post.id === id);
		},
	});

	const callOf = (item: Item, shared: ItemCall['shared']): ItemCall => {
		const { maxWaitMs = 0, isDryRun = false, earlier } = item;
		const { call } = itemScene({});
		return {
			...call,
			...{ isDryRun, shared },
			api: { ...call.api, ...api, maxWaitMs },
			earlier: earlier && earlierAttempt({ request: { recognisedBy: identity, ...earlier } }),
			settled: () => void asked.push('settled'),
			notice: (message: string) => said.push(message),
			// A dry run ends with the request.
			count: ({ counts }: { counts: JsonRecord }) => {
				if (!isDryRun) said.push(JSON.stringify(counts));
			},
		} as unknown as ItemCall;
	};

	/** Items of one run. The result is what the node returns for the item. */
	const run = () => {
		const kept = new Map<string, unknown>();
		const shared = <T>(name: string, make: () => T): T => {
			if (!kept.has(name)) kept.set(name, make());
			return kept.get(name) as T;
		};
		return async ({ text = 'Hello', ...item }: Item = {}) => {
			const end = (id: string): { data: JsonRecord } => {
				const isOver = item.isGone === true && id !== 'x';
				if (item.isGone) gone.add('x');
				if (item.fails !== undefined && !isOver) throw item.fails;
				const post = { id, text, notes: NOTES };
				const at = posts.findIndex((one) => one.id === id);
				posts.splice(at < 0 ? posts.length : at, at < 0 ? 0 : 1, post);
				return { data: post };
			};
			const call = callOf(item, shared);
			const { api } = call;
			const post = { body: { text }, isCustom: () => false, labelOf: String, fail: neverCalled };
			return await upsertPostOnce(
				{
					...call,
					api: {
						...api,
						requireAllowed: (name) => {
							if (name !== 'post.create') return;
							asked.push('check');
							if (item.isRefused !== undefined) throw item.isRefused;
						},
						call: async (name, options) => {
							if (name === 'post.get') return await api.call(name, options);
							asked.push(name === 'post.create' ? 'create' : 'update');
							return await Promise.resolve(end(options?.params?.id ?? 'new'));
						},
					},
				},
				{
					...{ post, key: KEY },
					settings: { mayOverwrite: false, mayMove: false },
				},
			);
		};
	};
	return {
		...{ posts, run },
		/** In a run of its own. */
		item: async (item?: Item) => await run()(item),
		/** The list can no longer be read. */
		breaks: (by: Error) => void (broken = by),
		readsFail: (by: Error) => void (unreadable = by),
		...{ passes, now },
		asked: () => asked.splice(0),
		said: () => said.splice(0),
	};
}
const post = (text = 'Hello', id = 'x'): JsonRecord => ({ id, text, notes: NOTES });
const SAME = [post()];
const OTHER = [post('Other')];
const reasonOf = async (work: Promise<unknown>): Promise<unknown> =>
	await work.then(
		() => undefined,
		(error: unknown) => error,
	);

describe('what an item does', () => {
	const creation = { name: 'post.create' } as const;
	const update = { name: 'post.update', recordId: 'x' } as const;
	const keyed = { ...update, key: 'idempotency' };

	interface Row {
		readonly exists: JsonRecord[];
		readonly sent?: Partial<SentRequest>;
		readonly gives: readonly [action: string, id: string, ...changed: string[]];
		readonly asks: readonly string[];
	}
	const rows: Readonly<Record<string, Row>> = {
		'nothing sent, none exists': {
			exists: [],
			gives: ['created', 'new'],
			asks: ['list', 'check', 'create'],
		},
		'nothing sent, the same exists': {
			exists: SAME,
			gives: ['unchanged', 'x'],
			asks: ['list'],
		},
		'nothing sent, another exists': {
			exists: OTHER,
			gives: ['updated', 'x', 'text'],
			asks: ['list', 'x', 'update'],
		},
		'a creation sent, none exists': {
			...{ exists: [], sent: creation },
			gives: ['created', 'new'],
			asks: ['list', 'settled', 'check', 'create'],
		},
		'a creation sent, the same exists': {
			...{ exists: SAME, sent: creation },
			gives: ['created', 'x'],
			asks: ['list', 'settled'],
		},
		'a creation sent, another exists': {
			...{ exists: OTHER, sent: creation },
			gives: ['updated', 'x', 'text'],
			asks: ['list', 'x', 'settled', 'update'],
		},
		'an update sent, the same exists': {
			...{ exists: SAME, sent: update },
			gives: ['updated', 'x'],
			asks: ['list', 'settled'],
		},
		'an update sent, another exists': {
			...{ exists: OTHER, sent: update },
			gives: ['updated', 'x', 'text'],
			asks: ['list', 'x', 'settled', 'update'],
		},
		'an update with a key sent, the same exists': {
			...{ exists: SAME, sent: keyed },
			gives: ['updated', 'x'],
			asks: ['list', 'settled'],
		},
		'an update with a key sent, another exists': {
			...{ exists: OTHER, sent: keyed },
			gives: ['updated', 'x', 'text'],
			asks: ['list', 'x', 'update'],
		},
	};

	it.each(Object.entries(rows))('%s', async (_, { exists, sent, gives, asks }) => {
		const scene = account(...exists);
		const [action, id, ...changed_fields] = gives;
		expect(await scene.item({ earlier: sent })).toMatchObject({ action, id, changed_fields });
		expect(scene.asked()).toEqual(asks);
	});

	describe('with a record that the list shows and an update does not find', () => {
		const NOT_FOUND = failure(404, { uncertain: false });
		const isGone = { fails: NOT_FOUND, isGone: true };

		it('creates it, if a read does not find it either', async () => {
			const scene = account(...OTHER);
			expect(await scene.item(isGone)).toMatchObject({ action: 'created', id: 'new' });
			expect(scene.asked()).toEqual([...['list', 'x', 'update', 'x', 'check', 'create']]);
		});

		it('updates the next one with the key, and counts no further one', async () => {
			const scene = account(post('Other'), post('Other', 'y'));
			expect(await scene.item(isGone)).toMatchObject({ action: 'updated', id: 'y' });
			expect(scene.said()).toEqual(['{"updated":1,"repeated":0,"several":0}']);
		});

		it('fails if a read finds it, or cannot say', async () => {
			const found = account(...OTHER);
			expect(await reasonOf(found.item({ fails: NOT_FOUND }))).toBe(NOT_FOUND);
			expect(found.asked()).toEqual(['list', 'x', 'update', 'x']);
			const unread = account(...OTHER);
			unread.readsFail(failure(500, { uncertain: false }));
			expect(await reasonOf(unread.item(isGone))).toBe(NOT_FOUND);
		});
	});

	it('nothing, if the earlier attempt was for another record', async () => {
		const scene = account(...OTHER);
		expect(await scene.item({ earlier: { recognisedBy: 'another' } })).toBeUndefined();
		expect(scene.asked()).toEqual([]);
	});

	it.each<[string, Partial<SentRequest>, JsonRecord[], number, string]>([
		['a creation sent a moment ago, none exists', creation, [], 9_000, 'create'],
		['no update sent a moment ago, another exists', update, OTHER, 0, 'update'],
		['an update with a key, another exists', keyed, OTHER, 0, 'update'],
		['no update sent a moment ago, and reads its record, none exists', update, [], 0, 'create'],
		['a creation sent a moment ago, another exists', creation, OTHER, 0, 'update'],
	])('waits until %s', async (_, request, posts, waits, asked) => {
		const scene = account(...posts);
		const begin = scene.now();
		const earlier = { ...request, endedAt: begin - 1_000 };
		await scene.item({ earlier, maxWaitMs: 9_000 });
		expect(scene.now() - begin).toBe(waits);
		expect(scene.asked()).toContain(asked);
	});
});

describe('what the next item knows', () => {
	it('of a failed check: nothing was sent, so it does not wait', async () => {
		const scene = account();
		const isRefused = new InputError('Too late', 'Plan it for later.');
		await expect(scene.item({ isRefused })).rejects.toBe(isRefused);
		expect(scene.asked()).toEqual(['list', 'check']);
		expect(await scene.item()).toMatchObject({ action: 'created' });
	});

	it.each<[string, Error]>([
		['whose response was lost', LOST],
		['that was interrupted', new Error('cancelled')],
		['that was refused', failure(422)],
		['that the node held back', new InputError('Held', 'Wait.')],
		['with a key, whose response was lost', failure(0, { uncertain: true, idempotencyKey: 'k' })],
	])('of an update %s: it does no harm twice, so nothing is awaited', async (_, fails) => {
		const scene = account(...OTHER);
		expect(await reasonOf(scene.item({ fails }))).toMatchObject({ message: fails.message });
		scene.passes(1_000);
		const begin = scene.now();
		expect(await scene.item({ maxWaitMs: 9_000 })).toMatchObject({ action: 'updated' });
		expect(scene.now() - begin).toBe(0);
	});

	it('of an update whose response was lost, but which shows: it neither waits nor sends', async () => {
		const scene = account(...OTHER);
		await reasonOf(scene.item({ fails: LOST }));
		scene.posts.splice(0, 1, post());
		expect(await scene.item()).toMatchObject({ action: 'unchanged' });
	});

	it('of a record that was only found: it may be gone at once', async () => {
		const scene = account(...SAME);
		await scene.item();
		scene.posts.splice(0);
		expect(await scene.item()).toMatchObject({ action: 'created' });
	});

	it('of a creation that could no longer appear: it is over, although the next one was refused', async () => {
		const scene = account();
		await reasonOf(scene.item({ fails: LOST }));
		scene.passes(60_000);
		await reasonOf(scene.item({ fails: failure(422) }));
		scene.passes(-60_000);
		expect(await scene.item()).toMatchObject({ action: 'created' });
	});

	it('of an update: the record is awaited if it is gone a moment later', async () => {
		const scene = account(...OTHER);
		await scene.item();
		scene.posts.splice(0);
		expect(await reasonOf(scene.item())).toMatchObject({
			message: expect.stringMatching(/^The post existed a moment ago/) as string,
		});
		scene.passes(10_000);
		expect(await scene.item()).toMatchObject({ action: 'created' });
	});
});

describe('items of one run', () => {
	it('with the same record: the later one is compared with what the earlier one has sent', async () => {
		const scene = account(...OTHER);
		const item = scene.run();
		expect(await item()).toMatchObject({ action: 'updated' });
		scene.asked();
		expect(await item()).toMatchObject({ action: 'unchanged', text: 'Hello' });
		// The list that the run has read shows the record as it was.
		expect(scene.asked()).toEqual(['x']);
		expect(await item({ text: 'Later' })).toMatchObject({ action: 'updated', text: 'Later' });
		expect(scene.asked()).toEqual(['update']);
		expect(await item({ text: 'Later' })).toMatchObject({ action: 'unchanged', text: 'Later' });
	});

	it('with the same new record: the later one reads it', async () => {
		const scene = account();
		const item = scene.run();
		expect(await item()).toMatchObject({ action: 'created', id: 'new' });
		scene.asked();
		expect(await item()).toMatchObject({ action: 'unchanged', id: 'new' });
		expect(scene.asked()).toEqual(['new']);
	});

	it('are counted by what was done, once as repeated, and with records that share the key', async () => {
		const scene = account(post(), post('Hello', 'y'));
		const item = scene.run();
		await item();
		await item({ text: 'Other' });
		expect(scene.said()).toEqual([
			'{"unchanged":1,"repeated":0,"several":1}',
			'{"updated":1,"repeated":1,"several":1}',
		]);
		const created = account();
		await created.item();
		expect(created.said()).toEqual(['{"created":1,"repeated":0,"several":0}']);
	});
});

describe('a dry run', () => {
	const isDryRun = true;

	it('would create', async () => {
		const scene = account();
		const item = scene.run();
		await item({ isDryRun });
		expect(scene.asked()).toEqual(['list', 'check', 'create']);
		expect(scene.said()).toEqual([]);
		scene.posts.splice(0);
		expect(await item({ isDryRun })).toEqual({});
		expect(scene.asked()).toEqual([]);
		expect(scene.said()).toEqual([expect.stringMatching(/^An earlier item of this run creates/)]);
	});

	it('would leave', async () => {
		const scene = account(...SAME);
		expect(await scene.item({ isDryRun })).toEqual({});
		expect(scene.asked()).toEqual(['list']);
		expect(scene.said()).toEqual([
			expect.stringMatching(/^The post already exists \(x\) and matches the item/),
		]);
	});

	it('would update, once for each record', async () => {
		const scene = account(...OTHER);
		const item = scene.run();
		await item({ isDryRun });
		expect(scene.asked()).toEqual(['list', 'x', 'update']);
		expect(scene.said()).toEqual([
			'The post already exists (x) and differs in: text. It would be updated.',
		]);
		expect(await item({ isDryRun, text: 'Third' })).toEqual({});
		expect(scene.asked()).not.toContain('update');
	});

	it('that may not create is refused, and the next item of the run as well', async () => {
		const scene = account();
		const item = scene.run();
		const isRefused = new InputError('Too late', 'Plan it for later.');
		await expect(item({ isDryRun, isRefused })).rejects.toBe(isRefused);
		await expect(item({ isDryRun, isRefused })).rejects.toBe(isRefused);
	});

	it('says why, if the records cannot be read', async () => {
		const scene = account();
		scene.breaks(failure(500, { uncertain: false }));
		const error = await reasonOf(scene.item({ isDryRun }));
		expect(spoken((error as ApiFailure).facts)).toMatchObject({
			status: 500,
			found: expect.stringContaining('could not check whether the post already exists') as string,
		});
	});
});
