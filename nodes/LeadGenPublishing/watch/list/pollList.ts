/**
 * Reads one list in one poll. Nothing is decided here: when the number of records that may be
 * delivered is known, `settleList` selects them and makes the new state.
 */
import type { ListRules } from './events';
import { openList, type ListState } from '../store/listState';
import { freshProgress, timesUpTo } from '../store/progress';
import { SeenSet } from '../store/seen';
import type { CheckPace } from './pace';
import { readPages, type ListReading } from './plan';
import { PageReader, type FetchListPage } from './reader';

export interface ListSettings {
	rules: ListRules;
	emitExisting: boolean;
	maxItems: number;
	pace: CheckPace;
	maxRequests: number;
	maxRecords?: number;
}

export interface ListReport {
	readonly reading: ListReading;
	readonly seen: SeenSet;
	readonly stored: ListState | undefined;
	/** `stored` could not be read. */
	readonly damaged: boolean;
	/** If this is its first scan, it delivers nothing, whatever the settings. */
	readonly silent: boolean;
	readonly requests: number;
	readonly withoutId: number;
	readonly now: number;
}

export async function pollList(input: {
	stored: ListState | undefined;
	fetchPage: FetchListPage;
	settings: ListSettings;
	/** The whole state was damaged: this list may have been watched before. */
	silent?: boolean;
	deadline: number;
	now: () => number;
}): Promise<ListReport> {
	const { stored, fetchPage, settings, deadline } = input;
	const { rules, maxRequests, maxItems, pace } = settings;
	const now = input.now();
	const opened = openList(stored, rules.width);
	const damaged = opened.kind === 'damaged';
	const { seen, progress } =
		opened.kind === 'ok'
			? opened.value
			: { seen: SeenSet.empty(rules.width), progress: freshProgress(now) };
	const reader = new PageReader({
		...{ fetchPage, maxRequests, deadline, now: input.now },
		acceptsElsewhere: progress.elsewhere,
	});
	// After damage, "Emit Existing" would deliver existing records a second time.
	const silent = damaged || input.silent === true || progress.quietly === true;
	const reading = await readPages({
		...{ seen, rules, reader, pace, now, maxItems },
		progress: timesUpTo(now, progress),
		emitExisting: settings.emitExisting && !silent,
	});
	const { requests, withoutId } = reader;
	return { reading, seen, stored, damaged, silent, requests, withoutId, now };
}
