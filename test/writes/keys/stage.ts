/**
 * Post > Create with a Unique Key against a script instead of a service. Only waiting moves the
 * clock. What happens before an item is a list of functions, and its outcome is a value.
 */
import { spoken, type SpokenFacts } from '../../support/facts';
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { ApiFailure } from '../../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import type { ItemCall } from '../../../nodes/LeadGenPublishing/operations/operation';
import type { Tally } from '../../../nodes/LeadGenPublishing/item/itemCall';
import { createPost } from '../../../nodes/LeadGenPublishing/operations/post/create';
import { keptKeysOf } from '../../../nodes/LeadGenPublishing/writes/keys/keptKeys';
import { POSTS } from '../../../nodes/LeadGenPublishing/writes/posts/posts';
import {
	earlierAttempt,
	failure,
	itemScene,
	type Earlier,
	type ItemReply,
} from '../../operations/itemScene';

export interface Creation {
	readonly key?: string;
	readonly parameters?: JsonRecord;
	readonly options?: JsonRecord;
	/** The result of the request. By default, the post as it was sent. */
	readonly reply?: ItemReply;
	readonly maxWaitMs?: number;
	readonly isDryRun?: boolean;
	/** What an earlier attempt has sent whose outcome is unknown. */
	readonly earlier?: Earlier['request'];
}
type Make = (creation?: Creation) => Promise<JsonRecord | undefined>;

/** The requests to the service. A number is a pause (ms). */
export type Asked = 'list' | 'read' | 'send' | 'settled' | number;

let stages = 0;

/** A service whose list shows what the test says. */
export class Stage {
	readonly key: string;
	readonly marker: string;
	/**
	 * How long the list takes, how often it fails or lacks posts, and what answers for single posts.
	 */
	readonly lists = { takeMs: 0, readable: Infinity, incomplete: 0, isProxied: false };
	readonly said: string[] = [];
	readonly identities: string[] = [];
	readonly readable = new Map<unknown, JsonRecord>();
	/** The run that continues with the item under test, if it has no run of its own. */
	sameRun: Make | undefined;
	now = 1_900_000_000_000;
	private readonly log: Asked[] = [];
	private readonly listed: Array<{ from: number; post: JsonRecord }> = [];

	constructor() {
		stages += 1;
		this.key = `row-${stages}`;
		this.marker = `[unique-key: ${this.key}]`;
		// The service is known to keep keys. `lostKeys.test.ts` plays one that does not.
		keptKeysOf(this.key, POSTS).saw(Infinity);
	}

	post(more: JsonRecord = {}): JsonRecord {
		return { id: 'x', text: 'Hello', status: 'draft', notes: this.marker, ...more };
	}

	/** The list shows it from now on, or later. */
	show(post: JsonRecord, afterMs = 0): void {
		this.listed.push({ from: this.now + afterMs, post });
	}

	/** A post exists, in the list and to be read. */
	hold(post: JsonRecord, read = post): void {
		this.show(post);
		this.readable.set(post.id, read);
	}

	/** The requests since the last call. */
	takeAsked(): Asked[] {
		return this.log.splice(0);
	}

	/** In a run of its own. */
	async make(creation?: Creation): Promise<JsonRecord | undefined> {
		return await this.run()(creation);
	}

	/** Items of one run. */
	run(): Make {
		const shared = new Map<string, unknown>();
		return async (creation = {}) => {
			const { key = this.key, options, earlier: request } = creation;
			const { call } = itemScene({
				text: 'Hello',
				status: 'draft',
				...creation.parameters,
				options: { uniqueKey: key, ...options },
			});
			const earlier = request && earlierAttempt({ request });
			const work = earlier === undefined ? createPost.run : createPost.resume;
			return (await work?.({
				...call,
				api: {
					...call.api,
					accountId: this.key,
					maxWaitMs: creation.maxWaitMs ?? 0,
					now: () => this.now,
					list: async () => await Promise.resolve(this.list()),
					call: async (name: string, asked: { params?: { id: string }; body?: JsonRecord }) =>
						await Promise.resolve({
							data: name === 'post.get' ? this.read(asked) : this.send(creation, asked),
						}),
					wait: async (ms: number) => {
						this.log.push(ms);
						this.now += ms;
						await Promise.resolve();
					},
				},
				isDryRun: creation.isDryRun ?? false,
				earlier,
				recognisedBy: (identity: string) => this.identities.push(identity),
				settled: () => void this.log.push('settled'),
				notice: (message: string) => this.said.push(message),
				count: ({ counts, say }: Tally) => this.said.push(...say(counts)),
				shared: <T>(name: string, make: () => T): T => {
					if (!shared.has(name)) shared.set(name, make());
					return shared.get(name) as T;
				},
			} as unknown as ItemCall)) as JsonRecord | undefined;
		};
	}

	private list(): { records: JsonRecord[]; isComplete: boolean } {
		this.log.push('list');
		this.now += this.lists.takeMs;
		this.lists.readable -= 1;
		this.lists.incomplete -= 1;
		if (this.lists.readable < 0) throw UNREADABLE_LIST;
		const records = this.listed.filter(({ from }) => from <= this.now).map(({ post }) => post);
		return { records, isComplete: this.lists.incomplete < 0 };
	}

	private read({ params }: { params?: { id: string } }): JsonRecord {
		this.log.push('read');
		if (this.lists.isProxied) throw PROXY;
		const post = this.readable.get(params?.id);
		if (post === undefined) throw failure(404, { uncertain: false });
		return post;
	}

	private send({ reply }: Creation, { body = {} }: { body?: JsonRecord }): JsonRecord {
		this.log.push('send');
		if (reply instanceof Error) throw reply;
		return reply ?? { id: 'new', ...body };
	}
}

export const UNREADABLE_LIST = failure(500, { endpoint: 'post.getAll', uncertain: false });
export const PROXY = failure(404, { problem: 'webPage', uncertain: false });
export const LOST = failure(0, { kind: 'unreachable', endpoint: 'post.create', uncertain: true });

/** How an item may end, in full. */
export type Outcome =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'created'; readonly id: unknown }
	| { readonly kind: 'existed'; readonly id: unknown }
	| { readonly kind: 'fails'; readonly facts: SpokenFacts }
	| {
			readonly kind: 'rejects';
			readonly message: string;
			readonly remedy: string;
			readonly details: JsonRecord | undefined;
	  };

export async function outcomeOf(work: Promise<JsonRecord | undefined>): Promise<Outcome> {
	const [{ value, reason }] = (await Promise.allSettled([work])) as [
		{ value?: JsonRecord; reason?: unknown },
	];
	if (reason instanceof ApiFailure) return { kind: 'fails', facts: spoken(reason.facts) };
	if (reason instanceof InputError) {
		const { message, remedy, details } = reason;
		return { kind: 'rejects', message, remedy, details };
	}
	if (reason !== undefined) throw reason;
	if (value === undefined) return { kind: 'nothing' };
	return { kind: value.already_existed === true ? 'existed' : 'created', id: value.id };
}

/** Adds up the pauses, with the lookups after each. */
function summed(asked: readonly Asked[]): Asked[] {
	const sums: Asked[] = [];
	for (const one of asked) {
		const last = sums.at(-1);
		if (typeof last !== 'number' || one === 'send' || one === 'settled') sums.push(one);
		else if (typeof one === 'number') sums.splice(-1, 1, last + one);
	}
	return sums;
}

export const EXISTED = expect.stringMatching(/^1 post already existed/) as string;
export const DIFFERENT = expect.stringMatching(/^1 existing post differs/) as string;
/** How an item ends, its message, and the requests until then. */
interface Ending {
	readonly asked: readonly Asked[];
	readonly outcome: Outcome;
	readonly said: readonly string[];
}
export const gives =
	(outcome: Outcome, ...said: string[]) =>
	(...asked: Asked[]): Ending => ({ asked, outcome, said });
export const fails = (
	{ facts }: ApiFailure,
	found: Partial<SpokenFacts>,
	...asked: Asked[]
): Ending => gives({ kind: 'fails', facts: { ...spoken(facts), ...found } })(...asked);
export const rejects = (message: string, remedy: string, details: JsonRecord) =>
	gives({ kind: 'rejects', message, remedy, details });

/** What happens before an item. */
export type Happening = (stage: Stage) => unknown;
type Row = readonly [
	name: string,
	before: readonly Happening[],
	ending: Ending,
	item?: Creation | ((stage: Stage) => Creation),
];

export const creations = (title: string, rows: readonly Row[]): void =>
	describe(title, () => {
		for (const [name, before, ending, item = {}] of rows)
			it(name, async () => {
				const stage = new Stage();
				for (const happen of before) await happen(stage);
				stage.takeAsked();
				stage.said.splice(0);
				const make = stage.sameRun ?? stage.run();
				const outcome = await outcomeOf(make(typeof item === 'function' ? item(stage) : item));
				const log = stage.takeAsked();
				expect({ asked: summed(log), outcome, said: stage.said }).toEqual(ending);
				// The node looks for a post at least every ten seconds, however long it takes.
				expect(log.filter((one) => typeof one === 'number' && one > 10_000)).toEqual([]);
			});
	});
