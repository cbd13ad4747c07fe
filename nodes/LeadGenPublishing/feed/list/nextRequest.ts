/**
 * What a poll requests next: the parts of a list in order, and the next page of each part.
 *
 *   a first reading, first poll:  scan ──▶ done
 *   otherwise:                    head ──▶ gaps ──▶ tail ──▶ scan ──▶ done
 */
import { MAX_PAGE, type PageRequest } from '../../api/pages';
import { beginGap, beginHead } from './head';
import { isPageDue } from './scan';
import type { ListState, Part } from './state';
import { beginTail, isTailDue, placeToLook } from './tail';
import type { SeenRecord, Step, Task, Progress } from './progress';

const PARTS: readonly Part[] = ['head', 'gaps', 'tail', 'scan'];

/** All parts in order, beginning with the one that the last poll had no time for. */
export function partsToRead({ scan, first }: ListState): readonly Part[] {
	if (scan.kind === 'first' && scan.reading.at === 0) return ['scan'];
	const at = PARTS.indexOf(first);
	return [...PARTS.slice(at), ...PARTS.slice(0, at)];
}

/** Begins the next part if the current one is done. */
export function goOn(progress: Progress, found: readonly SeenRecord[]): Step {
	let at = progress;
	while (at.task.kind === 'done' && at.later.length > 0) at = beginNext(at);
	const ask = at.task.kind === 'done' ? undefined : pageWantedBy(at.task, at.list);
	return { progress: at, found, ask };
}

function beginNext(progress: Progress): Progress {
	const { list, settings } = progress;
	const [part = 'scan', ...later] = progress.later;
	const next: Progress = { ...progress, later };
	switch (part) {
		case 'head':
			return { ...next, task: beginHead() };
		case 'gaps': {
			const [place, ...gapsLeft] = progress.gapsLeft;
			if (place === undefined || isFull(progress)) return next;
			return { ...progress, gapsLeft, task: beginGap(place, list) };
		}
		case 'tail':
			return isTailDue(list, settings.now) ? { ...next, task: beginTail(list) } : next;
		case 'scan':
			return isFull(progress) && list.polls !== 0 ? next : beginScan(next);
	}
}

/** The batch is full, so further records would only be left over. */
const isFull = ({ wanted, settings }: Progress): boolean => wanted >= settings.maxItems;

function beginScan(progress: Progress): Progress {
	const list = afterHead(progress);
	if (!isPageDue(list, 0, progress.settings)) return { ...progress, list };
	return { ...progress, list, task: { kind: 'scan', read: 0, wanted: 0 } };
}

/** The head was just read, so a scan that begins now continues after it. */
function afterHead({ list, headRead }: Progress): ListState {
	const { scan } = list;
	const { reading } = scan;
	if (headRead.kind !== 'known' || scan.kind === 'first' || reading.at > 0) return list;
	const { at, overlap, reached, isUnchecked } = headRead.reading;
	return { ...list, scan: { ...scan, reading: { ...reading, at, overlap, reached, isUnchecked } } };
}

export function pageWantedBy(task: Task, list: ListState): PageRequest {
	return { offset: offsetOf(task, list), limit: MAX_PAGE };
}

function offsetOf(task: Task, list: ListState): number {
	switch (task.kind) {
		case 'scan':
			return list.scan.reading.at;
		case 'findEnd':
			return placeToLook(task);
		case 'head':
		case 'gap':
		case 'locate':
		case 'forward':
			return task.reading.at;
		case 'done':
			return 0;
	}
}
