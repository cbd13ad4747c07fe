/** Reads stored progress. Promise: it is trusted only if every part of it is valid. */
import { isRecord } from '../../api/schemas';
import { CHECK_KINDS, type Progress } from './progress';

type Guard = (value: unknown) => boolean;

/** Longer than any list, and far from the limit of exact integers. */
const MAX_OFFSET = 1e9;
const MAX_ANCHORS = 8;
const MAX_SHORT_SIZES = 3;

const isCount: Guard = (value) =>
	Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_OFFSET;
const isSize: Guard = (value) => isCount(value) && value !== 0;
const isHash: Guard = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Guard = (value) => Number.isFinite(value) && (value as number) >= 0;
const isFlag: Guard = (value) => typeof value === 'boolean';
const isTrue: Guard = (value) => value === true;
const isGrowth: Guard = (value) => value === 'head' || value === 'tail' || value === 'both';
const isKind: Guard = (value) => CHECK_KINDS.some((kind) => kind === value);
const arrayOf =
	(is: Guard, most: number): Guard =>
	(value) =>
		Array.isArray(value) && value.length <= most && value.every(is);
const optional =
	(is: Guard): Guard =>
	(value) =>
		value === undefined || is(value);
const objectOf =
	(shape: Readonly<Record<string, Guard>>): Guard =>
	(value) =>
		isRecord(value) && Object.entries(shape).every(([name, is]) => is(value[name]));

const PLACE = {
	next: isCount,
	anchors: arrayOf(isHash, MAX_ANCHORS),
	restarts: isCount,
	blanks: optional(isCount),
	shortSizes: optional(arrayOf(isSize, MAX_SHORT_SIZES)),
	idle: optional(isCount),
	inPages: optional(isTrue),
};
const SCAN = { ...PLACE, pages: isCount, passes: isCount, news: isFlag };
const CHECK = {
	...PLACE,
	kind: isKind,
	since: isTime,
	pages: isCount,
	foundElsewhere: optional(isTrue),
	doubtful: optional(isTrue),
	marks: optional(isTrue),
};

const isProgress = objectOf({
	end: isCount,
	limit: isSize,
	first: optional(isHash),
	last: optional(isHash),
	grows: optional(isGrowth),
	grewLately: optional(isGrowth),
	agreed: optional(objectOf({ end: isGrowth, checks: isCount })),
	waiting: optional(isCount),
	baseline: optional(objectOf(SCAN)),
	check: objectOf(CHECK),
	quietly: optional(isTrue),
	searching: optional(isTime),
	doubts: optional(isCount),
	believes: optional(isTrue),
	elsewhere: optional(isTrue),
	repeats: optional(isTrue),
	nearlyFull: optional(isTrue),
	fullToldAt: optional(isTime),
});

/** Undefined unless all of it is valid. */
export const readProgress = (value: unknown): Progress | undefined =>
	isProgress(value) ? (value as Progress) : undefined;
