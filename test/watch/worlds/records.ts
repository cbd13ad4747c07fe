/**
 * The records of one list of the simulated service, in its order, with all their versions, because
 * a replica shows old ones.
 */
import type { Chance } from '../random';

export type Fields = Record<string, unknown>;
export type Resource = 'lead' | 'activity' | 'post';
export type End = 'head' | 'tail' | 'anywhere';
/**
 * `updated`: the last changed record comes first. `shuffled`: a different order for each request.
 */
export type Order = 'newest' | 'oldest' | 'updated' | 'uuid' | 'shuffled';

export interface Version {
	readonly number: number;
	readonly at: number;
	readonly fields: Fields;
	/** As it is sent. */
	text?: string;
}

/** When a delivery is due: from that poll on, within this many polls. */
export interface Due {
	readonly version: number;
	readonly sinceMs: number;
	readonly sincePoll: number;
	readonly within: number;
	readonly end: End;
}

export interface Row {
	readonly id: string;
	readonly account: string;
	readonly list: RecordList;
	readonly bornAt: number;
	readonly createdAt: number;
	readonly versions: [Version, ...Version[]];
	diedAt?: number;
	/** Whether it may be delivered as new: `never`, `must`, or `may` if no trigger can know. */
	newness: 'never' | 'must' | 'may';
	/** Its deliveries that are still due. */
	due: Due[];
	timesDelivered: number;
	/** The version that n8n knows of: the one at publishing, or the one delivered last. */
	known: number;
	/** The version was known when the trigger was published, or was delivered. */
	isKnown: boolean;
}

export const latest = (row: Row): Version => row.versions.at(-1) ?? row.versions[0];

export interface Times {
	readonly created?: boolean;
	readonly updated?: boolean;
	/** How a time is written. */
	readonly write?: (time: number) => unknown;
	/** The update time of a version, if it is not when it was made. */
	readonly updatedAt?: (row: Row, version: Version) => number | undefined;
}

const inFull = (time: number): string => new Date(time).toISOString();

export interface View {
	/** The list as it was this long ago. */
	readonly lagMs?: number;
	/** Without the records that came last. */
	readonly missesNewest?: number;
}

const firstFields = (resource: Resource, id: string, chance: Chance): Fields => {
	const short = id.slice(0, 8);
	if (resource === 'lead')
		return {
			id,
			network_profile_url: `https://network.example/in/${short}`,
			name: `Lead ${short}`,
			emails: { submitted: `${short}@example.com`, work: null, personal: null },
			latest_keyword: chance.pick(['guide', 'list', 'book']),
			has_intent: chance.happens(0.5),
			qualification_status: 'qualified',
		};
	if (resource === 'activity')
		return {
			id,
			source: 'comment',
			author_name: `Author ${short}`,
			content: 'guide, please',
			keyword: 'guide',
			status: 'received',
			metadata: { post_id: short },
		};
	return { id, text: `Post ${short}`, status: 'draft', scheduled_at: null };
};

export class RecordList {
	/** As the service lists them. */
	rows: Row[] = [];
	/** Those that were deleted. */
	gone: Row[] = [];
	/** From the other end. */
	isTurned = false;
	/** When new records from this end were last delivered. */
	readonly lastNews = new Map<End, number>();
	private revision = 0;
	private readonly filtered = new Map<string, { revision: number; texts: string[] }>();

	constructor(
		readonly account: string,
		readonly resource: Resource,
		readonly order: Order,
		private readonly times: Times,
		private readonly chance: Chance,
	) {}

	private touched(): void {
		this.revision++;
	}

	/** The end of the shown list at which new records appear. */
	get growsAt(): End {
		const ends: Record<Order, End> = {
			newest: 'head',
			updated: 'head',
			oldest: 'tail',
			uuid: 'anywhere',
			shuffled: 'anywhere',
		};
		const end = ends[this.order];
		if (!this.isTurned || end === 'anywhere') return end;
		return end === 'head' ? 'tail' : 'head';
	}

	add(
		now: number,
		given: { createdAt?: number; fields?: Fields; end?: 'head' | 'tail'; at?: number } = {},
	): Row {
		const id = this.chance.uuid();
		const fields = { ...firstFields(this.resource, id, this.chance), ...given.fields };
		const row: Row = {
			id,
			account: this.account,
			list: this,
			bornAt: now,
			createdAt: given.createdAt ?? now,
			versions: [{ number: 1, at: now, fields }],
			newness: 'never',
			due: [],
			timesDelivered: 0,
			known: 0,
			isKnown: false,
		};
		const end = given.end ?? this.growsAt;
		// The rows of a reversed list are stored in the usual order.
		const isFirst = (end === 'head') !== this.isTurned;
		if (given.at !== undefined) this.rows.splice(given.at, 0, row);
		else if (end === 'anywhere') this.rows.splice(this.placeOf(id), 0, row);
		else if (isFirst) this.rows.unshift(row);
		else this.rows.push(row);
		this.touched();
		return row;
	}

	private placeOf(id: string): number {
		let [low, high] = [0, this.rows.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.rows[middle]?.id ?? '') < id) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	change(row: Row, now: number, fields: Fields): Version {
		const before = latest(row);
		const version = { number: before.number + 1, at: now, fields: { ...before.fields, ...fields } };
		row.versions.push(version);
		if (this.order === 'updated') {
			this.rows.splice(this.rows.indexOf(row), 1);
			this.rows.unshift(row);
		}
		this.touched();
		return version;
	}

	remove(row: Row, now: number): void {
		const at = this.rows.indexOf(row);
		if (at < 0) return;
		this.rows.splice(at, 1);
		row.diedAt = now;
		this.gone.push(row);
		this.touched();
	}

	/** Deletes what the function chooses, at once. */
	removeAll(chosen: (row: Row, at: number) => boolean, now: number): Row[] {
		const dead = this.rows.filter(chosen);
		const isDead = new Set(dead);
		this.rows = this.rows.filter((row) => !isDead.has(row));
		for (const row of dead) {
			row.diedAt = now;
			this.gone.push(row);
		}
		this.touched();
		return dead;
	}

	turn(): void {
		this.isTurned = !this.isTurned;
		this.touched();
	}

	private textOf(row: Row, version: Version): string {
		if (version.text !== undefined) return version.text;
		const { created, updated, write = inFull, updatedAt = () => version.at } = this.times;
		const changed = updated ? updatedAt(row, version) : undefined;
		version.text = JSON.stringify({
			...version.fields,
			...(created ? { created_at: write(row.createdAt) } : {}),
			...(changed === undefined ? {} : { updated_at: write(changed) }),
			played_version: version.number,
		});
		return version.text;
	}

	/** What the service shows now, each record as it is sent. */
	textsShown(query: Fields, now: number, view: View): readonly string[] {
		const key = JSON.stringify(query);
		const isPlain = view.lagMs === undefined && view.missesNewest === undefined;
		const kept = this.filtered.get(key);
		if (isPlain && this.order !== 'shuffled' && kept?.revision === this.revision) return kept.texts;
		let rows = this.rowsAt(now - (view.lagMs ?? 0), view.lagMs !== undefined);
		if (view.missesNewest !== undefined) {
			const newest = [...rows].sort((one, other) => other.row.bornAt - one.row.bornAt);
			const hidden = new Set(newest.slice(0, view.missesNewest).map(({ row }) => row));
			rows = rows.filter(({ row }) => !hidden.has(row));
		}
		const inOrder = rows
			.filter(({ version }) => matches(version.fields, query))
			.map(({ row, version }) => this.textOf(row, version));
		if (this.isTurned) inOrder.reverse();
		const texts = this.order === 'shuffled' ? this.chance.shuffled(inOrder) : inOrder;
		if (isPlain) this.filtered.set(key, { revision: this.revision, texts });
		return texts;
	}

	private rowsAt(time: number, isPast: boolean): Array<{ row: Row; version: Version }> {
		if (!isPast) return this.rows.map((row) => ({ row, version: latest(row) }));
		const versionAt = (row: Row): Version =>
			row.versions.findLast(({ at }) => at <= time) ?? row.versions[0];
		// Deleted records keep their place only where that does not matter: at the end of the order.
		const alive = [...this.rows, ...this.gone].filter(
			({ bornAt, diedAt }) => bornAt <= time && (diedAt ?? Infinity) > time,
		);
		const shown = alive.map((row) => ({ row, version: versionAt(row) }));
		const sign = this.order === 'oldest' ? -1 : 1;
		if (this.order === 'updated') shown.sort((one, other) => other.version.at - one.version.at);
		else if (this.order === 'uuid')
			shown.sort((one, other) => (one.row.id < other.row.id ? -1 : 1));
		else shown.sort((one, other) => sign * (other.row.bornAt - one.row.bornAt));
		return shown;
	}

	/** How many records the trigger may remember: the existing and the late ones. */
	rememberable(now: number, forMs: number): number {
		return this.rows.length + this.gone.filter(({ diedAt = 0 }) => now - diedAt < forMs).length;
	}
}

function matches(fields: Fields, query: Fields): boolean {
	if (query.has_email !== undefined) {
		const wanted = String(query.has_email) === 'true';
		const emails = Object.values((fields.emails ?? {}) as Fields);
		if (emails.some((email) => email !== null) !== wanted) return false;
	}
	return query.source === undefined || fields.source === query.source;
}
