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
import { beginTail, isTailDue, placeOfGallop } from './tail';
import type { Met, Step, Task, Turn } from './turn';

const PARTS: readonly Part[] = ['head', 'gaps', 'tail', 'scan'];

/** All parts in order, beginning with the one that the last poll had no time for. */
export function partsOf({ scan, first }: ListState): readonly Part[] {
	if (scan.kind === 'first' && scan.pass.at === 0) return ['scan'];
	const at = PARTS.indexOf(first);
	return [...PARTS.slice(at), ...PARTS.slice(0, at)];
}

/** Begins the next part if the current one is done. */
export function goOn(turn: Turn, found: readonly Met[]): Step {
	let at = turn;
	while (at.task.kind === 'done' && at.later.length > 0) at = beginNext(at);
	const ask = at.task.kind === 'done' ? undefined : pageWantedBy(at.task, at.list);
	return { turn: at, found, ask };
}

function beginNext(turn: Turn): Turn {
	const { list, settings } = turn;
	const [part = 'scan', ...later] = turn.later;
	const next: Turn = { ...turn, later };
	switch (part) {
		case 'head':
			return { ...next, task: beginHead() };
		case 'gaps': {
			const [place, ...gapsLeft] = turn.gapsLeft;
			if (place === undefined || isFull(turn)) return next;
			return { ...turn, gapsLeft, task: beginGap(place, list) };
		}
		case 'tail':
			return isTailDue(list, settings.now) ? { ...next, task: beginTail(list) } : next;
		case 'scan':
			return isFull(turn) && list.polls !== 0 ? next : beginScan(next);
	}
}

/** The batch is full, so further records would only be left over. */
const isFull = ({ wanted, settings }: Turn): boolean => wanted >= settings.maxItems;

function beginScan(turn: Turn): Turn {
	const list = afterHead(turn);
	if (!isPageDue(list, 0, turn.settings)) return { ...turn, list };
	return { ...turn, list, task: { kind: 'scan', read: 0, wanted: 0 } };
}

/** The head was just read, so a scan that begins now continues after it. */
function afterHead({ list, headRead }: Turn): ListState {
	const { scan } = list;
	const { pass } = scan;
	if (headRead.kind !== 'known' || scan.kind === 'first' || pass.at > 0) return list;
	const { at, joint, reached, isLoose } = headRead.reading;
	return { ...list, scan: { ...scan, pass: { ...pass, at, joint, reached, isLoose } } };
}

export function pageWantedBy(task: Task, list: ListState): PageRequest {
	return { offset: offsetOf(task, list), limit: MAX_PAGE };
}

function offsetOf(task: Task, list: ListState): number {
	switch (task.kind) {
		case 'scan':
			return list.scan.pass.at;
		case 'gallop':
			return placeOfGallop(task);
		case 'head':
		case 'gap':
		case 'locate':
		case 'forward':
			return task.reading.at;
		case 'done':
			return 0;
	}
}
