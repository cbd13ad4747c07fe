/**
 * What is unusual about the world of a history: how the service responds, what happens to its
 * lists, and how often n8n polls. Most histories have one peculiarity, so that a promise that
 * breaks in one world differs from one that breaks in all.
 */
import { Chance } from '../random';

export const WORLDS = [
	'usual',
	/** Half of a list is deleted at once, or a third from one end. */
	'bulk deletions',
	/** The service answers with fewer records than asked for, and says so. */
	'small pages',
	/**
	 * Records that the service leaves out of its pages still take a place in them. Pages have at
	 * least 20 places, because nothing would link a page that shows only its first record to the next
	 * one.
	 */
	'thin pages',
	/** A poll has time for one to four pages. */
	'slow answers',
	/** Offsets above a limit are refused. */
	'refused offsets',
	'a poll an hour',
	'a poll a day',
	/** Every page is empty and announces more: from the beginning, or once a list is known. */
	'blank for ever',
	/**
	 * Some entries are nested too deep to be read, or are not records. Pages of three or five would
	 * often show at most one good record, so a reader could not tell whether the next page begins
	 * where this one ended.
	 */
	'unreadable records',
] as const;
export type WorldName = (typeof WORLDS)[number];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SECOND = 1_000;

export interface WorldShape {
	readonly name: WorldName;
	/** The most records of a page. Undefined: the usual number. */
	readonly caps?: readonly number[];
	readonly sizes?: readonly number[];
	readonly thin?: boolean;
	readonly strange?: boolean;
	/** The highest offset that the service accepts. */
	readonly reach?: number;
	/** How long n8n gives a poll, and how long a page takes. */
	readonly budget: number;
	readonly pageMs: number;
	readonly pollEvery: number;
	/** The round of the history from which all pages are blank; 0: there has never been a record. */
	readonly blankFrom?: number;
	/** Deletions in bulk, for each list and round. */
	readonly bulk: number;
	/** Whether a poll can read what it needs to deliver news at once. */
	readonly isPrompt: boolean;
}

const USUAL: WorldShape = {
	...{ name: 'usual', budget: 300 * SECOND, pageMs: 0, pollEvery: 20 * MINUTE },
	...{ bulk: 0, isPrompt: true },
};

/** Drawn from a sequence of its own: the rest of a history is the same in every world. */
function shapeOf(name: WorldName, chance: Chance): WorldShape {
	const shape = { ...USUAL, name };
	switch (name) {
		case 'usual':
			return shape;
		case 'bulk deletions':
			return { ...shape, bulk: 0.25, caps: [8, 20, 100], sizes: [30, 120, 250, 450] };
		case 'small pages':
			return { ...shape, caps: [3, 4, 7, 13, 20] };
		case 'thin pages':
			return { ...shape, thin: true, caps: [20, 100], sizes: [30, 120, 250, 450] };
		case 'slow answers':
			return {
				...{ ...shape, budget: 36 * SECOND, isPrompt: false },
				pageMs: chance.pick([9, 12, 17, 30]) * SECOND,
				...{ caps: [20, 100], sizes: [30, 120, 250, 450] },
			};
		case 'refused offsets':
			return {
				...{ ...shape, reach: chance.pick([20, 50, 100, 200]) },
				...{ caps: [8, 20, 100], sizes: [30, 120, 250, 450] },
			};
		case 'a poll an hour':
			return { ...shape, pollEvery: HOUR };
		case 'a poll a day':
			return { ...shape, pollEvery: 24 * HOUR };
		case 'blank for ever': {
			const blankFrom = chance.pick([0, 3, 6]);
			return { ...shape, blankFrom, ...(blankFrom === 0 ? { sizes: [0] } : {}) };
		}
		case 'unreadable records':
			return { ...shape, strange: true, caps: [8, 20, 100] };
	}
}

/**
 * With 20 minutes between two polls, a poll reads so many pages of the complete check that nobody
 * could see whether the tail is read.
 */
const INTERVALS = [MINUTE, 5 * MINUTE, 20 * MINUTE] as const;
export type Interval = (typeof INTERVALS)[number];

/** Half of all histories are usual ones. The interval has a sequence of its own, too. */
export function worldOf(
	seed: number,
	interval: Interval = new Chance(seed * 69069 + 5).pick(INTERVALS),
): WorldShape {
	const chance = new Chance(seed * 40503 + 7);
	const usual = chance.happens(0.5);
	const shape = shapeOf(usual ? 'usual' : chance.pick(WORLDS.slice(1)), chance);
	return shape.pollEvery === USUAL.pollEvery ? { ...shape, pollEvery: interval } : shape;
}
