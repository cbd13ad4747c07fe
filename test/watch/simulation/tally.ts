/** The counts of one seeded history. */
import { ENDINGS, type Mode } from '../worlds/playedN8n';
import type { Order } from './simulatedList';
import { WORLDS, type WorldName } from './worlds';

export const RARE_EVENTS = [
	'blank poll',
	'damaged state',
	'clock back a year',
	'clock on a year',
	'clock back a minute',
	...ENDINGS,
	'two polls could overlap',
	'older state',
	'another key of the same account',
	'key of another account',
	'first key again',
	'list started over for want of a known record',
	'restart beside a revoked list',
	'batch taken up again',
	'lost batch delivered again',
	...WORLDS.slice(1),
	'half or a third of a list deleted',
	'page cut off by the time of the poll',
	'first scan of several slow polls',
	'refused offset',
	'record that cannot be read',
] as const;
type RareEvent = (typeof RARE_EVENTS)[number];

type Story = 'new' | 'held' | 'change';

const NO_COUNTS = {
	delivered: 0,
	missed: 0,
	twice: 0,
	/** In calm histories that grow at the head or at the tail: not delivered by the next poll, or by the fifth. */
	late: 0,
	/**
	 * In calm histories whose lists show new records anywhere: not delivered within the hour of a
	 * complete check and two polls.
	 */
	overdue: 0,
	/** In the list before the first scan began, but delivered as new. */
	oldAsNew: 0,
	/** The same in lists sorted by last update or without order, where a scan may miss records. */
	movedIntoView: 0,
	/** In a place that the service refused to show until the first scan was complete. */
	cameIntoReach: 0,
	/** At the end in a place that the service refuses to show. */
	outOfReach: 0,
	/** Delivered before its list started over, and again since the scan after that missed it. */
	afterNewScan: 0,
	/** Caused by a crash in the modes without durable cursors. */
	gapMissed: 0,
	gapTwice: 0,
	/** Lost in as many crashes as a batch is delivered at most. */
	givenUp: 0,
	/** Delivered again because the trigger is set to do so after a restart. */
	repeated: 0,
	/** Records in all batches that were in flight at such a crash. */
	inFlight: 0,
	/** Appeared between a first scan that n8n had not stored and the crash that lost it. */
	rebaselined: 0,
	/** Expected when a stored state was damaged, and counted as existing by the next scan. */
	damagedAway: 0,
	/**
	 * Expected when a key was replaced, and counted as existing because no known record identified
	 * its owner.
	 */
	swappedAway: 0,
	/** Expected when many records appeared at once in a list that had been empty. */
	heldBack: 0,
	/** Expected when an account had not been watched for a month. */
	departedAway: 0,
	/** Polls that failed, so that n8n shows their report. */
	failed: 0,
	/** Of these, polls that reported a cause again within the hour. */
	failedTooOften: 0,
	requests: 0,
	idleRequests: 0,
	idlePolls: 0,
	/** Of polls of lists that have been blank for five polls. */
	blankRequests: 0,
	blankPolls: 0,
	stateChars: 0,
	remembered: 0,
};
export type Counts = typeof NO_COUNTS;

export interface Tally extends Counts {
	seed: number;
	world: WorldName;
	order: Order;
	mode: Mode;
	story: Story;
	calm: boolean;
	/** The last batch is delivered again after a restart. */
	redelivers: boolean;
	/** How often rare events happened, by kind. */
	rare: Record<RareEvent, number>;
}

/** Each promise, and what breaks it. */
const BROKEN: Readonly<Record<string, (tally: Tally) => boolean>> = {
	'nothing is missed': ({ missed }) => missed > 0,
	'nothing is delivered twice': ({ twice }) => twice > 0,
	'what is added at the head is delivered by the next poll, at the tail by the fifth': ({ late }) =>
		late > 0,
	'what appears anywhere is delivered within an hour and two polls': ({ overdue }) => overdue > 0,
	'nothing is delivered that was there before, where the list keeps an order of its own': ({
		oldAsNew,
	}) => oldAsNew > 0,
	'one cause is one report an hour': ({ failedTooOften }) => failedTooOften > 0,
	'there is no crash gap with durable cursors': ({ mode, gapMissed, gapTwice }) =>
		mode === 'D+' && gapMissed + gapTwice > 0,
	'no batch is lost where the last one is delivered again after a restart': ({
		redelivers,
		gapMissed,
	}) => redelivers && gapMissed > 0,
	'no more is lost or repeated than the batches in flight': ({ gapMissed, gapTwice, inFlight }) =>
		gapMissed + gapTwice > inFlight,
};

export const brokenBy = (tally: Tally): string[] =>
	Object.keys(BROKEN).filter((promise) => BROKEN[promise]?.(tally));

export const noCounts = (): Counts => ({ ...NO_COUNTS });

export const nothingRare = (): Tally['rare'] =>
	Object.fromEntries(RARE_EVENTS.map((kind) => [kind, 0])) as Tally['rare'];
