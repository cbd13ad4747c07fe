/** One world with one seed in one of n8n's modes: the actions of its story, and their results. */
import type { IDataObject } from 'n8n-workflow';

import { Chance } from '../random';
import { Ledger, type Moment } from './ledger';
import { chainOf, isPermanent, PlayedN8n, type Ending, type Mode } from './playedN8n';
import type { PollOutcome } from './playedN8n';
import { PlayedNode, type TriggerClass } from './playedNode';
import { FIRST_KEY, OWN, PlayedService } from './playedService';
import { latest, type End, type Fields, type RecordList, type Resource, type Row } from './records';
import { DAY, HOUR, MINUTE, VirtualTime } from './virtualTime';
import type { World } from './world';

const RESOURCE_OF: Record<string, Resource> = {
	newLead: 'lead',
	leadChanged: 'lead',
	newActivity: 'activity',
	activityChanged: 'activity',
	postStatusChanged: 'post',
};

/** Promise 3, in polls of one a minute. */
const NEXT_POLL = 1;
export const FIVE_POLLS = 5;
const WITHIN_HOUR = 60;
const WITHIN_SIX_HOURS = 360;

const OFFERED_AT_ONCE = 1_000;
/** A counted day ends with the first poll after 24 hours, so it can last one interval longer. */
const DAYS_REMEMBERED = 31;

interface AddOptions {
	readonly list?: RecordList;
	readonly fields?: Fields | ((at: number) => Fields);
	readonly end?: 'head' | 'tail';
	/** The place in the list. */
	readonly at?: number;
	/** In milliseconds before now. */
	readonly createdAgo?: number;
	/** In polls. By default, the limit of promise 3 for the end at which it appears. */
	readonly within?: number;
	/** `may`: no trigger can know whether it is new. */
	readonly newness?: Row['newness'];
}

export interface Said {
	readonly message: string;
	readonly atMs: number;
	readonly isPermanent: boolean;
}

export const clientChange = (id: unknown, before: unknown, status: unknown): string =>
	`${String(id)}: ${String(before)} → ${String(status)}`;

export class Play {
	readonly time: VirtualTime;
	readonly chance: Chance;
	readonly service: PlayedService;
	readonly node: PlayedNode;
	readonly n8n: PlayedN8n;
	readonly ledger: Ledger;
	readonly said: Said[] = [];
	readonly every: number;
	/** Requests of the polls that found the world quiet. */
	readonly idle: number[] = [];
	/** What "Client Changed" has delivered: the client, its status before, and its status. */
	readonly clientChanges: string[] = [];
	/** Promises that only this world knows how to check. */
	readonly broken: string[] = [];
	private metered: { requests: number; polls: number } | undefined;
	private isMetering = false;
	private readonly event: string;
	readonly maxItems: number;
	/** When each poll ended that filled its batch. */
	private readonly fullPolls: number[] = [];
	private publishedAt = Infinity;
	private lastBatch: readonly IDataObject[] = [];

	constructor(
		readonly world: World,
		trigger: TriggerClass,
		given: { seed: number; mode: Mode; time: VirtualTime },
	) {
		this.time = given.time;
		this.chance = new Chance(given.seed * 7919 + 13);
		this.every = (world.every ?? 1) * MINUTE;
		this.service = new PlayedService(this.time, this.chance, world.service ?? {});
		const { event = 'newLead', watch = 'own', ...more } = world.trigger ?? {};
		this.event = String(event);
		this.ledger = new Ledger(this.event, this.every);
		this.maxItems = Number(world.options?.maxItemsPerPoll ?? OFFERED_AT_ONCE);
		this.node = new PlayedNode(trigger, this.time, this.service, {
			event,
			watch,
			simplify: false,
			filters: world.filters ?? {},
			options: world.options ?? {},
			...more,
		});
		this.n8n = new PlayedN8n(this.node, given.mode, this.time);
	}

	/**
	 * Records that do not fit into a batch come later, so polls with a full batch do not count as
	 * delay.
	 */
	private get moment(): Moment {
		return { now: this.time.now, poll: this.n8n.polls - this.fullPolls.length };
	}

	private get redelivers(): boolean {
		return this.world.options?.afterRestart === 'redeliverLast';
	}

	get isOfChanges(): boolean {
		return /changed$/i.test(this.event);
	}

	/** The watched list of the own account or of a client. */
	list(account: string = OWN): RecordList {
		return this.service.list(account, RESOURCE_OF[this.event] ?? 'lead');
	}

	client(at: number): RecordList {
		return this.list(this.clientId(at));
	}

	clientId(at: number): string {
		const id = this.service.clients[at]?.user_id;
		if (id === undefined) throw new Error(`There is no client ${at}`);
		return id;
	}

	/** Watch these clients. */
	choose(...at: number[]): void {
		this.node.parameters.watch = 'clients';
		this.node.parameters.clientIds = at.map((one) => this.clientId(one));
	}

	/** Records that may not be delivered as new: those from before the trigger was published. */
	existing(count: number, options: AddOptions = {}): Row[] {
		return this.make(count, { createdAgo: 10 * DAY, ...options }, () => 'never');
	}

	/** New records that must be delivered. */
	add(count: number, options: AddOptions = {}): Row[] {
		const rows = this.make(count, options, () => options.newness ?? 'must');
		if (!this.isOfChanges) for (const row of rows) this.expectNew(row, options.within);
		return rows;
	}

	private make(count: number, options: AddOptions, newness: () => Row['newness']): Row[] {
		const { list = this.list(), fields, createdAgo = 0, end, at } = options;
		return Array.from({ length: count }, (_, index) => {
			const row = list.add(this.time.now, {
				createdAt: this.time.now - createdAgo - (createdAgo > 0 ? index * MINUTE : 0),
				fields: typeof fields === 'function' ? fields(index) : fields,
				end,
				at,
			});
			row.newness = newness();
			row.known = 1;
			row.isKnown = true;
			this.ledger.register(row);
			return row;
		});
	}

	/** It has become visible, so it is due now. */
	expectNew(row: Row, within?: number): void {
		if (row.newness !== 'must') return;
		const end = this.endOf(row);
		this.ledger.expect(row, {
			version: latest(row).number,
			sinceMs: this.time.now,
			sincePoll: this.moment.poll,
			within: within ?? this.promised(row.list, end),
			end,
		});
	}

	private endOf(row: Row): End {
		const { rows, isTurned } = row.list;
		if (row.list.growsAt === 'anywhere') return 'anywhere';
		const place = rows.indexOf(row);
		const isNearFirst = place < rows.length / 2;
		return isNearFirst !== isTurned ? 'head' : 'tail';
	}

	/** Promise 3 for a record at this end, in polls. */
	promised(list: RecordList, end: End): number {
		if (end === 'anywhere')
			return (list.rows.length <= 5_000 ? WITHIN_HOUR : WITHIN_SIX_HOURS) * this.perMinute;
		const lastNews = list.lastNews.get(end);
		const isLately = lastNews !== undefined && this.time.now - lastNews < DAY;
		return isLately ? NEXT_POLL : FIVE_POLLS;
	}

	/** Polls in a minute: promise 3 counts minutes of polls. */
	private get perMinute(): number {
		return MINUTE / this.every;
	}

	/** Changes a record, and expects that to be delivered. */
	change(row: Row, fields: Fields, options: { within?: number; isDue?: boolean } = {}): void {
		const version = row.list.change(row, this.time.now, fields);
		if (!this.isOfChanges) return;
		if (options.isDue === false) return this.ledger.forbid(row, version.number);
		const end = row.list.order === 'updated' ? 'head' : 'anywhere';
		this.ledger.expect(row, {
			version: version.number,
			sinceMs: this.time.now,
			sincePoll: this.moment.poll,
			within: options.within ?? this.promised(row.list, end),
			end,
		});
	}

	remove(row: Row): void {
		row.list.remove(row, this.time.now);
	}

	/** Any existing record. */
	some(list = this.list()): Row {
		return this.chance.pick(list.rows);
	}

	/** Publishes the workflow. Existing records count as known. */
	async publish(by: 'activate' | 'update' = 'activate'): Promise<PollOutcome> {
		this.publishedAt = Math.min(this.publishedAt, this.time.now);
		return this.record(await this.played(async () => await this.n8n.activate(by)), true);
	}

	async restart(): Promise<PollOutcome> {
		if (this.redelivers) this.ledger.allowRepeats(this.lastBatch);
		return this.record(await this.played(async () => await this.n8n.restart()), true);
	}

	/** Another process of n8n takes over, or takes over again. */
	async lead(process: number): Promise<PollOutcome> {
		return this.record(await this.played(async () => await this.n8n.lead(process)), true);
	}

	private async played<T>(work: () => Promise<T>): Promise<T> {
		return await this.time.playOut(work());
	}

	/** This many polls, with an action before each. */
	async polls(count: number, before?: (at: number) => void): Promise<void> {
		for (let at = 0; at < count; at++) {
			this.time.pass(this.every);
			before?.(at);
			await this.poll();
		}
	}

	async minutes(count: number, before?: (at: number) => void): Promise<void> {
		await this.polls(Math.ceil((count * MINUTE) / this.every), before);
	}

	/** One poll, without time passing before it. */
	async poll(ending: Ending = 'fine'): Promise<PollOutcome> {
		const outcome = await this.played(async () => await this.n8n.poll(ending));
		if (ending === 'fine' || (outcome.items.length === 0 && ending !== 'killed before'))
			return this.record(outcome, false);
		// The new process finds the batch that was stored last.
		if (this.redelivers) this.ledger.allowRepeats(this.lastBatch);
		if (outcome.isLost !== true) this.ledger.allowRepeats(outcome.items);
		// A gap that no node can close, unless it is set to deliver the last batch again.
		else if (!this.redelivers) this.ledger.giveUp(outcome.items);
		this.record(outcome, false);
		await this.restart();
		return outcome;
	}

	/** A poll that begins while another one waits for a response. */
	async overlap(): Promise<void> {
		this.record(await this.n8n.poll(), false);
	}

	private record(outcome: PollOutcome, isActivation: boolean): PollOutcome {
		const { items, error, requests, isSkipped, isLost } = outcome;
		if (this.isMetering && this.metered !== undefined && isSkipped !== true) {
			this.metered.requests += requests;
			this.metered.polls++;
		}
		if (error !== undefined) this.hear(error, isActivation);
		if (isLost === true) return outcome;
		if (items.length > 0) this.lastBatch = items;
		if (this.event === 'clientChanged') {
			for (const { user_id, previous_status, status } of items)
				this.clientChanges.push(clientChange(user_id, previous_status, status));
			return outcome;
		}
		for (const row of this.ledger.take(items, this.moment))
			row.list.lastNews.set(this.endOf(row), this.time.now);
		if (items.length >= this.maxItems) this.fullPolls.push(this.time.now);
		return outcome;
	}

	private hear(error: Error, isActivation: boolean): void {
		const { description } = error as { description?: unknown };
		const message = `${error.message} ${typeof description === 'string' ? description : ''}`.trim();
		this.said.push({
			message: isActivation ? `while it was activated: ${message}` : message,
			atMs: this.time.now,
			isPermanent: isPermanent(error),
		});
		const all = chainOf(error).map((level) => {
			const { stack: _, ...more } = level;
			return safeText([level.message, more]);
		});
		if (all.some((text) => text.includes(FIRST_KEY) || text.includes('@example.com')))
			this.broken.push('an error holds the key or an email address');
	}

	/** Polls in a quiet world, with their requests counted. */
	async idlePolls(count: number): Promise<void> {
		for (let at = 0; at < count; at++) {
			this.time.pass(this.every);
			const { requests, isSkipped } = await this.poll();
			if (isSkipped !== true) this.idle.push(requests);
		}
	}

	/** The requests of these polls are counted. */
	async metering(work: () => Promise<void>): Promise<void> {
		this.metered ??= { requests: 0, polls: 0 };
		this.isMetering = true;
		await work();
		this.isMetering = false;
	}

	get requestsMetered(): { requests: number; polls: number } {
		return this.metered ?? { requests: this.service.requests, polls: this.n8n.polls };
	}

	/** Polls until what exists is certainly known. */
	async baseline(quiet = 70): Promise<void> {
		await this.publish();
		await this.polls(quiet);
	}

	/** Damages what is stored: the longest text of the state, or all of it; then n8n starts again. */
	async damage(what: 'records' | 'all'): Promise<void> {
		if (what === 'all')
			this.n8n.replaceState('all', (state) => ({
				...(state as object),
				damaged: true,
				lists: 7,
				turn: 'x',
			}));
		else this.n8n.replaceState('longest', cutLongest);
		await this.restart();
	}

	mustHold(what: string, holds: boolean): void {
		if (!holds) this.broken.push(what);
	}

	close(): void {
		this.ledger.close(this.moment, this.fullPolls);
		this.mustHold('n8n has not given the workflow up', !this.n8n.isGivenUp);
		this.mustHold('each poll comes to an end by itself', !this.node.asksWithoutEnd);
	}

	/** The characters of the state: per record, and above the limit of promise 9. */
	stateSize(): { chars: number; perRecord: number; excess: number } {
		const chars = this.n8n.stateText.length;
		const lists = this.service.allLists.filter(
			({ resource }) => resource === RESOURCE_OF[this.event],
		);
		const records = lists.reduce(
			(sum, list) => sum + list.rememberable(this.time.now, DAYS_REMEMBERED * (DAY + this.every)),
			0,
		);
		const allowed =
			(this.isOfChanges ? 28 : 11) * records + 1_500 + 400 * this.service.clients.length;
		return { chars, perRecord: chars / Math.max(1, records), excess: Math.max(0, chars - allowed) };
	}

	/** Old records that appeared after publishing, once a report is due about them. */
	heldBackLongAgo(): number {
		const { filters = {} } = this.world;
		// Nothing says which of them match the filters.
		if (this.isOfChanges || Object.keys(filters).length > 0) return 0;
		return this.ledger.heldBackBetween(this.publishedAt, this.time.now - 2 * HOUR);
	}

	get parameters(): IDataObject {
		return this.node.parameters;
	}
}

function safeText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

/** The same state with a character of its longest text replaced. */
function cutLongest(state: unknown): unknown {
	const text = JSON.stringify(state);
	const texts = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)];
	const longest = texts.reduce((one, other) => (other[0].length > one[0].length ? other : one));
	const at = longest.index + Math.floor(longest[0].length / 2);
	const other = text[at] === 'a' ? 'b' : 'a';
	return JSON.parse(text.slice(0, at) + other + text.slice(at + 1)) as unknown;
}
