/**
 * The world of one seeded history: two accounts with a list each, a service with faults, an n8n
 * with a workflow that watches them, and the deliveries that are expected.
 */
import {
	rulesFor,
	filtersNameOf,
	type WatchEvent,
} from '../../../nodes/LeadGenPublishing/feed/events/events';
import { leftOut } from '../../../nodes/LeadGenPublishing/feed/list/changingFields';
import { MANY_AT_ONCE } from '../../../nodes/LeadGenPublishing/feed/list/doubtfulStart';
import { hash53 } from '../../../nodes/LeadGenPublishing/feed/list/hash';
import type { ListPage } from '../../../nodes/LeadGenPublishing/feed/list/page';
import type { ListState } from '../../../nodes/LeadGenPublishing/feed/list/state';
import type { Delivery } from '../../../nodes/LeadGenPublishing/feed/delivery';
import type { ListSettings } from '../../../nodes/LeadGenPublishing/feed/world';
import { openLists } from '../../../nodes/LeadGenPublishing/feed/memory/packing';
import { openState } from '../../../nodes/LeadGenPublishing/feed/memory/state';
import type { State } from '../../../nodes/LeadGenPublishing/feed/memory/state';

import { ExpectedDeliveries } from './expectedDeliveries';
import { MODES } from '../worlds/playedN8n';
import { dataIn, Host } from './host';
import { ORDERS, SimulatedList, ServiceError } from './simulatedList';
import type { SimulatedResult } from './polledEngine';
import { Chance } from '../random';
import { noCounts, nothingRare, type Tally } from './tally';
import { worldOf, type Interval, type WorldShape } from './worlds';

const HOUR = 3_600_000;
/** Failures that a second try does not fix. */
const LASTING: ReadonlySet<string> = new Set(['403', 'bad_request']);
export const [WATCHED, REVOKED] = ['client-1', 'client-2'];

export function stateIn(stored: unknown): State | undefined {
	const opened = openState(stored);
	return opened.kind === 'sound' ? opened.state : undefined;
}

export class SimulatedWorld {
	readonly tally: Tally;
	protected readonly chance: Chance;
	protected readonly world: WorldShape;
	protected readonly cap: number;
	protected readonly churn: number;
	protected readonly event: WatchEvent;
	protected readonly filtersName: string;
	/** How many records of each list were held back, as the last poll stored it. */
	private readonly heldBack = new Map<ExpectedDeliveries, number>();
	/** When each cause was last reported. */
	protected readonly failedAt = new Map<string, number>();
	protected readonly width: number;
	protected readonly expectations: [ExpectedDeliveries, ExpectedDeliveries];
	protected readonly host: Host;
	protected readonly settings: Omit<ListSettings, 'checkEvery'> & {
		checkEvery: number | undefined;
	};
	/** Chosen clients, one of which is revoked at some time; otherwise the own account. */
	protected readonly ofClients: boolean;
	/** How the service identifies the owner of a key. */
	protected readonly tells: 'id' | 'nothing';
	protected owner = 0;
	protected key = 'key 1';
	protected keys = 1;
	protected revoked = false;
	protected isStatic = false;
	protected overlap = 0;
	/** The latest time that the clock has shown. */
	protected latest = 0;
	protected copies: string[] = [];
	protected tip = -1;

	constructor(seed: number, interval?: Interval) {
		const chance = new Chance(seed * 2654435761);
		this.chance = chance;
		const order = ORDERS[seed % ORDERS.length] ?? 'newest';
		const mode = MODES[Math.floor(seed / ORDERS.length) % MODES.length] ?? 'L';
		const story = chance.pick([
			// Where a scan may miss records, a change may come before the record is first met.
			...(['new', 'new', 'held', order === 'chaos' ? 'new' : 'change'] as const),
		]);
		const calm = chance.happens(0.25);
		const world = worldOf(seed, interval);
		// The number of pages that a poll has time for.
		const pages = calm ? Infinity : chance.pick([4, 20, 1000]);
		const pageMs = Math.max(world.pageMs, Math.floor((0.7 * world.budget) / pages));
		this.world = { ...world, pageMs };
		const caps = this.world.caps ?? (order === 'chaos' ? [10, 20, 100] : [3, 5, 8, 20, 100]);
		this.cap = chance.pick(caps);
		this.churn = calm ? 0 : chance.pick([0, 0.1, 0.4]);
		const { thin, strange, reach, sizes = [0, 1, 7, 30, 120, 250] } = this.world;
		const faults = calm ? 0 : chance.pick([0, 0.02, 0.1]);
		const shape = { order, cap: this.cap, faults, thin, strange, reach };
		const redelivers = chance.happens(0.4);
		this.tally = {
			...{ seed, world: this.world.name, order, mode, story, calm, redelivers },
			...noCounts(),
			rare: nothingRare(),
		};
		this.event = story === 'change' ? 'leadChanged' : 'newLead';
		const filters = story === 'held' ? { onlyWithIntent: true } : {};
		const rules = rulesFor(this.event, filters);
		this.filtersName = filtersNameOf(this.event, filters);
		this.width = rules.width;
		this.ofClients = chance.happens(0.4);
		this.tells = chance.pick(['id', 'id', 'nothing', 'nothing'] as const);
		const expected = (of: readonly number[]): ExpectedDeliveries =>
			new ExpectedDeliveries(new SimulatedList(chance, { ...shape }), {
				...{ chance, tally: this.tally, sizes: of },
				now: () => this.host.now,
			});
		this.expectations = [
			expected(sizes),
			expected(sizes[0] === 0 ? sizes.slice(0, 4) : [0, 1, 7, 30]),
		];
		if (this.world.name !== 'usual') this.tally.rare[this.world.name]++;
		this.settings = {
			rules,
			emitExisting: false,
			// Two lists that share one item per poll are read again and again.
			maxItems: calm ? 10_000 : chance.pick([this.ofClients ? 20 : 1, 5, 1000]),
			checkEvery: undefined,
			startFrom: undefined,
		};
		const played = {
			...(this.ofClients ? { clients: this.clients() } : {}),
			key: () => this.key,
			whoAmI: () => this.whoAmI(),
			ownPage: async (request: { offset: number; limit: number }) =>
				await this.page(this.expected, request),
			firstLook: async (request: { offset: number; limit: number }) => {
				const page = await this.page(this.expected, request);
				this.expected.list.forgetAnswer();
				return page;
			},
			redelivers,
			filtersName: this.filtersName,
			settings: this.settings,
			classify: (error: unknown) => ({
				kind: error instanceof ServiceError ? error.kind : 'bug',
				message: String(error),
				cause: error instanceof ServiceError ? error.kind : 'bug',
				lasting: error instanceof ServiceError && LASTING.has(error.kind),
			}),
		};
		this.host = new Host(
			mode,
			chance,
			played,
			{
				delivered: this.each((expected, record) => expected.receive(record)),
				lost: this.each((expected, record) => expected.markLost(record)),
				unsaved: this.each((expected, record) => expected.allowRepeatAfterCrash(record)),
				ended: (items) => {
					if (redelivers) this.each((expected, record) => expected.allowRepeat(record))(items);
					// A service that repeats an answer for another request does so within one process.
					for (const { list } of this.expectations) list.forgetAnswer();
				},
			},
			this.world.budget,
		);
	}

	/** Of the account whose key is in the credential. */
	protected get expected(): ExpectedDeliveries {
		return this.expectations[this.owner] as ExpectedDeliveries;
	}

	protected each(enter: (expected: ExpectedDeliveries, record: Delivery['record']) => void) {
		return (items: readonly Delivery[]): void => {
			for (const { record } of items) {
				const expected = this.expectations.find((one) => one.holds(record));
				if (expected === undefined) throw new Error('A record of no account was delivered');
				enter(expected, record);
			}
		};
	}

	protected clients() {
		return [
			{
				account: WATCHED,
				fetchPage: async (request: { offset: number; limit: number }) =>
					await this.page(this.expectations[0], request),
			},
			{
				account: REVOKED,
				fetchPage: async (request: { offset: number; limit: number }) => {
					if (this.revoked) throw new ServiceError('403');
					return await this.page(this.expectations[1], request);
				},
			},
		];
	}

	protected whoAmI(): Record<string, unknown> {
		const { chance, tells, owner } = this;
		if (!this.isStatic && chance.happens(this.expected.list.shape.faults))
			throw new ServiceError('500');
		return tells === 'id' ? { user_id: `user ${owner}` } : { ok: true };
	}

	protected async page(expected: ExpectedDeliveries, request: { offset: number; limit: number }) {
		const { chance, churn, host } = this;
		if (!this.isStatic && chance.happens(churn)) expected.insert();
		if (!this.isStatic && chance.happens(churn)) expected.remove();
		if (!this.isStatic && chance.happens(churn)) expected.change();
		if (this.overlap > 0 && chance.happens(0.3)) {
			this.overlap--;
			// Half of them happen while the first poll has time left, half after it has exceeded
			// its time.
			if (chance.happens(0.5)) host.now += host.budget;
			const result = this.learn(await host.poll());
			if (result !== undefined) this.startExpecting(result.state);
		}
		this.takeTime();
		return this.noted(expected.list, request);
	}

	/** A page that takes longer than the poll has is given up. */
	private takeTime(): void {
		const { host, world, tally } = this;
		if (world.pageMs === 0) return;
		const until = host.now + world.pageMs;
		if (until > host.deadline && host.now < host.deadline) {
			host.now = host.deadline;
			tally.rare['page cut off by the time of the poll']++;
			throw new ServiceError('timeout');
		}
		host.now = until;
	}

	private noted(list: SimulatedList, request: { offset: number; limit: number }): ListPage {
		const { rare } = this.tally;
		const { reach = Infinity } = list.shape;
		if (request.offset > reach) rare['refused offset']++;
		const page = list.answer(request);
		if (page.records.some((record) => typeof record?.id !== 'string' || record.id === ''))
			rare['record that cannot be read']++;
		return page;
	}

	/** Counts the result of a poll, whichever way it ran. */
	protected learn(result: SimulatedResult | undefined): SimulatedResult | undefined {
		if (result === undefined) return undefined;
		this.tally.requests += result.requests;
		if (result.hasResumedBatch) this.tally.rare['batch taken up again']++;
		this.countFailure(result);
		this.nameLists(result);
		for (const expected of this.expectations) {
			const list = this.listOf(result.state, expected)?.list;
			if (expected.baselined && this.noticeReadAgain(list, expected))
				this.tally.heldBack += expected.forget();
			// A field that kept changing for whole pages was reported, and is left out.
			if (list !== undefined && leftOut(list.changingFields).length > 0) expected.due.clear();
		}
		return result;
	}

	/**
	 * Whether many records appeared at once in a list that was empty. They count as existing. A short
	 * list is read again in a single poll, which shows only how many records were held back. Call it once
	 * after each poll.
	 */
	private noticeReadAgain(list: ListState | undefined, expected: ExpectedDeliveries): boolean {
		const { count = 0 } = list?.withheld ?? {};
		const more = count - (this.heldBack.get(expected) ?? 0);
		this.heldBack.set(expected, count);
		return (
			(list?.scan.kind === 'first' && list.scan.firstReadAt !== undefined) || more > MANY_AT_ONCE
		);
	}

	private countFailure({ toReport }: SimulatedResult): void {
		const { tally, host, failedAt } = this;
		if (toReport.length > 0) tally.failed++;
		const causes = new Set(toReport.flatMap(({ cause }) => cause ?? []));
		const sinceLast = [...causes].map((cause) => host.now - (failedAt.get(cause) ?? -Infinity));
		if (sinceLast.some((ms) => ms < HOUR)) tally.failedTooOften++;
		for (const cause of causes) failedAt.set(cause, host.now);
	}

	protected nameLists({ state, account }: SimulatedResult): void {
		if (this.ofClients) {
			this.expectations[0].name = WATCHED;
			this.expectations[1].name = REVOKED;
			return;
		}
		const { expected, tally } = this;
		if (account !== undefined && expected.name !== account) {
			if (expected.name !== undefined) {
				tally.rare['list started over for want of a known record']++;
				tally.swappedAway += expected.forget();
			}
			expected.name = account;
			// The list of that name, which the other account had, was lost with the state.
			for (const other of this.expectations) {
				if (other === expected || other.name !== account) continue;
				tally.swappedAway += other.forget();
				other.name = undefined;
			}
		}
		for (const one of this.expectations) {
			if (one === expected || !one.hasBegun || this.listOf(state, one) !== undefined) continue;
			tally.departedAway += one.forget();
		}
	}

	protected stateNow(): State | undefined {
		const { database } = this.host;
		if (database === undefined) return undefined;
		return stateIn(dataIn(database).watch);
	}

	protected listOf(state: State | undefined, { name }: ExpectedDeliveries) {
		return openLists(state, this.width).get(name ?? '');
	}

	/** The first scan is complete, and its stored result can be read. */
	protected isScanned(state: State | undefined, expected: ExpectedDeliveries): boolean {
		const list = this.listOf(state, expected);
		return list !== undefined && list.list.scan.kind !== 'first';
	}

	protected startExpecting(state: State): void {
		for (const expected of this.ofClients ? this.expectations : [this.expected]) {
			if (expected.baselined || !this.isScanned(state, expected)) continue;
			const list = this.listOf(state, expected)?.list;
			expected.beginExpecting(list?.problem.kind === 'refused');
			const seen = list?.seen;
			if (this.tally.story === 'change') {
				expected.forgetUnmet((id) => seen?.get(hash53(id)) !== undefined);
			}
		}
	}

	protected afterCrash(): void {
		// Another process does not know what this one has reported.
		this.failedAt.clear();
		for (const expected of this.expectations) {
			// A page of the first scan may be lost with the process that has read it.
			if (!expected.baselined) expected.list.shown.clear();
			if (!expected.baselined || this.isScanned(this.stateNow(), expected)) continue;
			this.tally.rebaselined += expected.forget();
			this.forgetCopies();
		}
		if (this.revoked) this.tally.rare['restart beside a revoked list']++;
	}

	protected forgetCopies(): void {
		this.copies = [];
		this.tip = -1;
	}
}
