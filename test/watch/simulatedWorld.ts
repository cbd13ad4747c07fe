/**
 * The world of one seeded history: two accounts with a list each, a service that stumbles, an n8n
 * with a workflow that watches them, and the books on what is due.
 */
import {
	listKey,
	rulesFor,
	scopeOf,
	type WatchEvent,
} from '../../nodes/LeadGenPublishing/watch/events';
import { USUAL_PACE } from '../../nodes/LeadGenPublishing/watch/list/pace';
import type { ListSettings } from '../../nodes/LeadGenPublishing/watch/list';
import { openList } from '../../nodes/LeadGenPublishing/watch/listState';
import { type WatchState } from '../../nodes/LeadGenPublishing/watch/state';
import type { Delivery } from '../../nodes/LeadGenPublishing/watch/turns';

import { Book } from './book';
import { Host, MODES, type Mode } from './host';
import { ORDERS, SimulatedList, ServiceError, type Order } from './simulatedList';
import type { SimulatedResult } from './simulatedPoll';
import { Chance } from './random';
import { noCounts, nothingRare, type Tally } from './tally';

const MAX_REDELIVERIES = 3;
export const [WATCHED, REVOKED] = ['client-1', 'client-2'];

export type Fixed = { order?: Order; mode?: Mode };

export class SimulatedWorld {
	readonly tally: Tally;
	protected readonly chance: Chance;
	protected readonly cap: number;
	protected readonly churn: number;
	protected readonly event: WatchEvent;
	protected readonly scope: string;
	protected readonly width: number;
	protected readonly books: [Book, Book];
	protected readonly host: Host;
	protected readonly settings: ListSettings;
	/** Chosen clients, one of which is revoked one day; else the own account. */
	protected readonly ofClients: boolean;
	/** What the service says of whose a key is. */
	protected readonly tells: 'id' | 'address' | 'nothing';
	protected owner = 0;
	protected key = 'key 1';
	protected keys = 1;
	protected revoked = false;
	protected quiet = false;
	protected overlap = 0;
	/** The latest that the clock has ever shown. */
	protected latest = 0;
	protected copies: string[] = [];
	protected tip = -1;

	constructor(seed: number, fixed: Fixed) {
		const chance = new Chance(seed * 2654435761);
		this.chance = chance;
		const order = fixed.order ?? ORDERS[seed % ORDERS.length] ?? 'newest';
		const mode = fixed.mode ?? MODES[Math.floor(seed / ORDERS.length) % MODES.length] ?? 'L';
		const story = chance.pick([
			// Where a scan need not meet every record, a change may lie before the first meeting.
			...(['new', 'new', 'held', order === 'chaos' ? 'new' : 'change'] as const),
		]);
		const calm = chance.happens(0.25);
		this.cap = order === 'chaos' ? chance.pick([10, 20, 100]) : chance.pick([3, 5, 8, 20, 100]);
		this.churn = calm ? 0 : chance.pick([0, 0.1, 0.4]);
		const shape = { order, cap: this.cap, faults: calm ? 0 : chance.pick([0, 0.02, 0.1]) };
		const redelivers = chance.happens(0.4);
		this.tally = {
			...{ seed, order, mode, story, calm, redelivers },
			...noCounts(),
			rare: nothingRare(),
		};
		this.event = story === 'change' ? 'leadChanged' : 'newLead';
		const filters = story === 'held' ? { onlyWithIntent: true } : {};
		const rules = rulesFor(this.event, filters);
		this.scope = scopeOf(this.event, filters);
		this.width = rules.width;
		this.ofClients = chance.happens(0.4);
		this.tells = chance.pick(['id', 'id', 'address', 'nothing'] as const);
		const book = (sizes: readonly number[]): Book =>
			new Book(new SimulatedList(chance, { ...shape }), { chance, tally: this.tally, sizes });
		this.books = [book([0, 1, 7, 30, 120, 250]), book([0, 1, 7, 30])];
		this.settings = {
			rules,
			emitExisting: false,
			// Two lists that share one item per poll are read again and again.
			maxItems: calm ? 10_000 : chance.pick([this.ofClients ? 20 : 1, 5, 1000]),
			pace: USUAL_PACE,
			maxRequests: calm ? 10_000 : chance.pick([4, 20, 1000]),
		};
		const world = {
			...(this.ofClients ? { clients: this.clients() } : {}),
			key: () => this.key,
			whoAmI: () => this.whoAmI(),
			ownPage: async (request: { offset: number; limit: number }) =>
				await this.page(this.book, request),
			firstLook: async (request: { offset: number; limit: number }) => {
				const page = await this.page(this.book, request);
				this.book.list.forgetAnswer();
				return page;
			},
			redelivers,
			maxTimes: mode === 'L' ? Infinity : MAX_REDELIVERIES,
			input: {
				scope: this.scope,
				settings: this.settings,
				parallel: 2,
				classify: (error: unknown) => ({
					kind: error instanceof ServiceError ? error.kind : 'bug',
					message: String(error),
					lasting: error instanceof ServiceError && error.kind === '403',
				}),
			},
		};
		this.host = new Host(mode, chance, world, {
			delivered: this.each((book, record) => book.receive(record)),
			lost: this.each((book, record) => book.lose(record)),
			unsaved: this.each((book, record) => book.forgive(record)),
			ended: (items) => {
				if (redelivers) this.each((book, record) => book.mayRepeat(record))(items);
				// A service that mixes up two answers does so for one and the same process.
				for (const { list } of this.books) list.forgetAnswer();
			},
		});
	}

	/** Of the account whose key is in the credential. */
	protected get book(): Book {
		return this.books[this.owner] as Book;
	}

	protected each(enter: (book: Book, record: Delivery['record']) => void) {
		return (items: Delivery[]): void => {
			for (const { record } of items) {
				const book = this.books.find((one) => one.holds(record));
				if (book === undefined) throw new Error('A record of no account was delivered');
				enter(book, record);
			}
		};
	}

	protected clients() {
		return [
			{
				account: WATCHED,
				fetchPage: async (request: { offset: number; limit: number }) =>
					await this.page(this.books[0], request),
			},
			{
				account: REVOKED,
				fetchPage: async (request: { offset: number; limit: number }) => {
					if (this.revoked) throw new ServiceError('403');
					return await this.page(this.books[1], request);
				},
			},
		];
	}

	protected whoAmI(): Record<string, unknown> {
		const { chance, tells, owner } = this;
		if (!this.quiet && chance.happens(this.book.list.shape.faults)) throw new ServiceError('500');
		if (tells === 'nothing') return { ok: true };
		return tells === 'id' ? { user_id: `user ${owner}` } : { email: `${owner}@example.com` };
	}

	protected async page(book: Book, request: { offset: number; limit: number }) {
		const { chance, churn, host } = this;
		if (!this.quiet && chance.happens(churn)) book.insert();
		if (!this.quiet && chance.happens(churn)) book.remove();
		if (!this.quiet && chance.happens(churn)) book.change();
		if (this.overlap > 0 && chance.happens(0.3)) {
			this.overlap--;
			// Half of them find the first poll alive, half find it past its time.
			if (chance.happens(0.5)) host.now += host.budget;
			this.learn(await host.poll());
		}
		return book.list.answer(request);
	}

	/** What every poll tells, however it was made. */
	protected learn(result: SimulatedResult | undefined): SimulatedResult | undefined {
		if (result === undefined) return undefined;
		this.tally.requests += result.requests;
		if (result.takenUp) this.tally.rare['batch taken up again']++;
		this.nameLists(result);
		return result;
	}

	protected nameLists({ state, account }: SimulatedResult): void {
		if (this.ofClients) {
			this.books[0].name = WATCHED;
			this.books[1].name = REVOKED;
			return;
		}
		const { book, tally } = this;
		if (account !== undefined && book.name !== account) {
			if (book.name !== undefined) {
				tally.rare['list begun anew for want of a known record']++;
				tally.swappedAway += book.forget();
			}
			book.name = account;
		}
		for (const one of this.books) {
			if (one === book || !one.baselined || this.listOf(state, one) !== undefined) continue;
			tally.departedAway += one.forget();
		}
	}

	protected stateNow(): WatchState | undefined {
		const { database } = this.host;
		return database === undefined ? undefined : (JSON.parse(database) as WatchState);
	}

	protected listOf(state: WatchState | undefined, { name }: Book) {
		const key = listKey(this.scope, name ?? '');
		const opened = openList(state?.lists?.[key], this.width);
		return opened.kind === 'ok' ? opened.value : undefined;
	}

	/** The first scan is done, and what is stored of it can be read. */
	protected isScanned(state: WatchState | undefined, book: Book): boolean {
		const list = this.listOf(state, book);
		return list !== undefined && list.progress.baseline === undefined;
	}

	protected afterCrash(): void {
		for (const book of this.books) {
			if (!book.baselined || this.isScanned(this.stateNow(), book)) continue;
			this.tally.rebaselined += book.forget();
			this.forgetCopies();
		}
		if (this.revoked) this.tally.rare['restart beside a revoked list']++;
	}

	protected forgetCopies(): void {
		this.copies = [];
		this.tip = -1;
	}
}
