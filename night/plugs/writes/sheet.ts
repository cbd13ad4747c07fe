// A content sheet of many clients, as people keep it: what its rows want, which of them are edited, and
// whether the service has that afterwards.

import { readMarkers } from '../../../nodes/LeadGenPublishing/records/keyMarker';
import type { Post } from '../../../fake-service';

export interface SheetRow {
	/** Its name, which stays whatever is edited. */
	readonly row: string;
	readonly client: string;
	/** Time zone of the client. */
	readonly zone: string;
	readonly text: string;
	readonly status: 'draft' | 'scheduled';
	/** When it is to be published. Without it, at the next free slot. */
	readonly time: string | null;
	/** The name of its image file; the content is made of the name. */
	readonly image: string | null;
}

export const EDITS = ['text', 'time', 'image added', 'image removed', 'status'] as const;
type Edit = (typeof EDITS)[number];

const ROWS_OF_CLIENT = 20;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A Saturday, on which nobody has a slot, in as many weeks: times of the rows themselves. */
function saturday(now: number, { weeks, hour }: { weeks: number; hour: number }): string {
	const day = new Date(now).getUTCDay();
	const midnight = now - (now % DAY_MS);
	return new Date(midnight + (6 - day + 7 * weeks) * DAY_MS + hour * HOUR_MS).toISOString();
}

/** The first one comes after everything that the clients have scheduled before. */
const WEEKS_AHEAD = 6;

/** Every fourth row has a time of its own, every fifth one is a draft, and every second one has an image. */
export const sheetOf = (clients: readonly string[], now: number): SheetRow[] =>
	clients.flatMap((client, place) =>
		Array.from({ length: ROWS_OF_CLIENT }, (_, at): SheetRow => {
			const number = place * ROWS_OF_CLIENT + at + 1;
			return {
				...{ row: `row-${number}`, client, zone: ZONES[place % ZONES.length] ?? 'UTC' },
				text: `Post ${number} of the sheet`,
				status: at % 5 === 4 ? 'draft' : 'scheduled',
				time: at % 4 === 0 ? saturday(now, { weeks: WEEKS_AHEAD + at, hour: 6 }) : null,
				image: at % 2 === 1 ? `row-${number}-first.png` : null,
			};
		}),
	);

/** Two rows of each client are edited, so that each kind of edit is made equally often. */
const EDITS_OF_CLIENT = 2;

export interface EditedRow {
	readonly edit: Edit;
	readonly before: SheetRow;
	readonly after: SheetRow;
}

export function editsIn(rows: readonly SheetRow[], now: number): EditedRow[] {
	const clients = rows.length / ROWS_OF_CLIENT;
	return Array.from({ length: clients * EDITS_OF_CLIENT }, (_, number) => {
		const place = Math.floor(number / EDITS_OF_CLIENT);
		const { [number % EDITS.length]: edit = 'text' } = EDITS;
		const rowAt = (at: number) => rows[place * ROWS_OF_CLIENT + at];
		return edited(edit, { number, now, rowAt });
	});
}

function edited(
	edit: Edit,
	{
		number,
		now,
		rowAt,
	}: { number: number; now: number; rowAt: (at: number) => SheetRow | undefined },
): EditedRow {
	const isOdd = number % 2 === 1;
	// One that had a time of its own, or that was at a slot.
	const moved = isOdd ? 0 : 2;
	// A draft that is scheduled, at its own time or at a slot; or one that is to be a draft again.
	const isTakenBack = number % 25 === 4;
	const decided = isTakenBack ? 8 : isOdd ? 4 : 9;
	const places: Readonly<Record<Edit, number>> = {
		text: 1,
		time: moved,
		'image added': 6,
		'image removed': 3,
		status: decided,
	};
	const before = rowAt(places[edit]);
	if (before === undefined) throw new Error(`no row for the edit ${edit}`);
	const time = saturday(now, { weeks: WEEKS_AHEAD + ROWS_OF_CLIENT, hour: 9 });
	const changes: Readonly<Record<Edit, Partial<SheetRow>>> = {
		text: { text: `${before.text}, edited` },
		time: { time },
		'image added': { image: `${before.row}-added.png` },
		'image removed': { image: null },
		status: { status: isTakenBack ? 'draft' : 'scheduled' },
	};
	return { edit, before, after: { ...before, ...changes[edit] } };
}

/** The sheet with its edited rows in place. */
export function withEdits(rows: readonly SheetRow[], edits: readonly EditedRow[]): SheetRow[] {
	const after = new Map(edits.map((one) => [one.after.row, one.after]));
	return rows.map((row) => after.get(row.row) ?? row);
}

export interface SheetVerdict {
	readonly missing: string[];
	readonly twice: string[];
	/** Rows whose post has another content, with what is different. */
	readonly different: string[];
	/** Posts at the time of another one of the client, or nearer than the gap. */
	readonly tooNear: string[];
}

interface Judged {
	readonly rows: readonly SheetRow[];
	/** Rows that were scheduled before and say "draft" now: the node leaves their posts scheduled. */
	readonly keptScheduled?: ReadonlySet<string>;
	readonly gapMinutes: number;
}

/** `posts`: all of one client. */
export function judgeSheet(
	posts: readonly Post[],
	{ rows, keptScheduled = new Set(), gapMinutes }: Judged,
): SheetVerdict {
	const found = rows.map((row) => ({
		row,
		own: posts.filter(({ notes }) => readMarkers(notes).some(({ key }) => key === row.row)),
	}));
	const named = (fits: (count: number) => boolean) =>
		found.flatMap(({ row, own }) => (fits(own.length) ? [row.row] : []));
	return {
		missing: named((count) => count === 0),
		twice: named((count) => count > 1),
		different: found.flatMap(({ row, own }) =>
			own.flatMap((post) =>
				differencesOf(row, { post, isScheduled: keptScheduled.has(row.row) }).map(
					(what) => `${row.row}: ${what}`,
				),
			),
		),
		tooNear: tooNearOf(posts, gapMinutes),
	};
}

function differencesOf(
	row: SheetRow,
	{ post, isScheduled }: { post: Post; isScheduled: boolean },
): string[] {
	const status = isScheduled ? 'scheduled' : row.status;
	const due = Date.parse(post.scheduled_at ?? '');
	const isItsTime =
		status === 'draft' || (row.time === null ? due > 0 : due === Date.parse(row.time));
	// The service keeps the name of a file at the end of its address.
	const images = [post.images ?? []].flat().map(String);
	const isItsImage =
		row.image === null
			? images.length === 0
			: images.length === 1 && images[0]?.endsWith(row.image);
	return [
		...(post.text === row.text ? [] : ['text']),
		...(post.status === status ? [] : ['status']),
		...(isItsTime ? [] : ['time']),
		...(isItsImage === true ? [] : ['image']),
	];
}

function tooNearOf(posts: readonly Post[], gapMinutes: number): string[] {
	const scheduled = posts
		.filter(({ status }) => status === 'scheduled')
		.map(({ id, scheduled_at: at }) => ({ id, due: Date.parse(String(at)) }))
		.sort((a, b) => a.due - b.due);
	return scheduled.flatMap(({ id, due }, at) => {
		const before = scheduled[at - 1];
		return before !== undefined && due - before.due < (gapMinutes - 1) * 60_000 ? [id] : [];
	});
}

export const isGoodSheet = ({ missing, twice, different, tooNear }: SheetVerdict): boolean =>
	missing.length + twice.length + different.length + tooNear.length === 0;
