/**
 * Reads new records at the tail. Promise: it reads back to the records already known, and on to the
 * end. If reading back is cut short, the whole list is read: delivering what follows a gap would
 * hide the records within it.
 */
import { margin, SHORT_PAGE } from './head';
import { freshPlace, type Place } from '../store/progress';
import type { PageView } from './reader';
import type { ListSession } from './listSession';
import { isEndless } from './repeats';

/** Slightly before the known end; where pages are repeated, at the beginning of one. */
export function tailPlace({ progress: { end, limit, repeats } }: ListSession): Place {
	const next = Math.max(0, end - margin(limit));
	return { ...freshPlace(), next: repeats ? next - (next % limit) : next };
}

/**
 * Whether the list has the same length and last record as before: then nothing was added, unless as
 * much was removed.
 */
export async function endsAsBefore(session: ListSession): Promise<boolean> {
	const { progress, input } = session;
	const view = await input.reader.read(tailPlace(session).next, SHORT_PAGE);
	const last = view?.entries.at(-1);
	const same =
		view !== undefined &&
		last !== undefined &&
		!view.more &&
		last.hash === progress.last &&
		view.offset + view.entries.length === progress.end &&
		view.entries.every((one) => one.withoutId === true || input.seen.get(one.hash) !== undefined);
	if (same) session.addPage(view, 'tail');
	return same;
}

/** Reads to the end, and back while there are new records. False if it was cut short. */
export async function readTail(session: ListSession): Promise<boolean> {
	const met: { first?: PageView } = {};
	let complete = false;
	try {
		complete = await readBothWays(session, met);
		return complete;
	} finally {
		const hasNews = session.findings.unknownByPhase.tail > 0;
		if (!complete && hasNews && met.first !== undefined && startsWithNews(session, met.first))
			session.replaceCheck('tailCutShort');
	}
}

async function readBothWays(session: ListSession, met: { first?: PageView }): Promise<boolean> {
	const { progress } = session;
	const place = tailPlace(session);
	const { end } = progress;
	for (;;) {
		const view = await session.readNext(place, 'tail');
		if (view === undefined) return false;
		met.first ??= view;
		if (view.more) progress.end = view.offset + view.entries.length;
		// After a restart at the head, the list has no recognisable tail: the complete check finds
		// its new records.
		if (place.restarts > 0) return true;
		if (isEndless(place))
			progress.end = Math.min(progress.end, end + session.findings.unknownByPhase.tail);
		if (!view.more) return await readBack(session, met.first);
	}
}

async function readBack(session: ListSession, first: PageView): Promise<boolean> {
	let view = first;
	let stride = Math.max(1, view.limit - 1);
	while (view.offset > 0 && startsWithNews(session, view)) {
		const before = await session.input.reader.read(Math.max(0, view.offset - stride));
		if (before === undefined) return false;
		session.addPage(before, 'tail');
		session.learnFrom(before);
		if (before.entries.length === 0) stride *= 2;
		view = before;
	}
	return true;
}

function startsWithNews({ findings }: ListSession, view: PageView): boolean {
	const first = view.entries[0];
	return first === undefined || findings.isNews(first.hash);
}
