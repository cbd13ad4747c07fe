/**
 * What the stored state holds beside the lists. None of it names a record but the mark. The
 * mark and whose the key is have checksums of their own; what does not read as it should is left out, and the lists stay. Pure.
 */
import { checksum } from './checksum';
import type { Departures } from './departed';
import type { Identity } from './identity';
import { isRecord } from './isRecord';
import type { DeliveryMark } from './redelivery';
import { isPendingFailure, type PendingFailure, type WatchState } from './state';

/** Whose the credential is, as digests. */
export interface OwnAccount {
	readonly credential: string;
	/** The list of the account that the credential belongs to now. */
	readonly list: string;
	/** Who the lists are of; null where the service does not tell. */
	readonly owners: Readonly<Record<string, Identity | null>>;
}

export interface Extras {
	readonly own?: OwnAccount;
	readonly mark?: DeliveryMark;
	readonly departures: Departures;
	/** Words that posts have had for a status, so that a former one can be named. */
	readonly statuses: readonly string[];
	/** Said once, by the next poll that delivers nothing. */
	readonly news: readonly PendingFailure[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isIdentity = (value: unknown): value is Identity =>
	isRecord(value) &&
	isText(value.kind) &&
	isText(value.digest) &&
	typeof value.lasting === 'boolean';

function readOwn(value: unknown): OwnAccount | undefined {
	if (!isRecord(value) || !isText(value.credential) || !isText(value.list)) return undefined;
	const owners = Object.entries(isRecord(value.owners) ? value.owners : {}).filter(
		(pair): pair is [string, Identity | null] => pair[1] === null || isIdentity(pair[1]),
	);
	const own = {
		credential: value.credential,
		list: value.list,
		owners: Object.fromEntries(owners),
	};
	return value.sum === sumOfOwn(own) ? own : undefined;
}

const sumOfOwn = ({ credential, list, owners }: OwnAccount): string =>
	checksum(JSON.stringify([credential, list, owners]));

/**
 * As stored. Another list's name would be read as another account for good, so whose the key is
 * has a checksum; where it does not fit, the records decide.
 */
export const sealExtras = ({ own, ...rest }: Extras): unknown => ({
	...(own === undefined ? {} : { own: { ...own, sum: sumOfOwn(own) } }),
	...rest,
});

function readDepartures(value: unknown): Departures {
	const { away, forgotten } = isRecord(value) ? value : {};
	const times = Object.entries(isRecord(away) ? away : {}).filter(
		(pair): pair is [string, number] => Number.isFinite(pair[1]),
	);
	return {
		away: Object.fromEntries(times),
		forgotten: Array.isArray(forgotten) ? forgotten.filter(isText) : [],
	};
}

export function readExtras({ extras }: WatchState): Extras {
	const { own, mark, departures, statuses, news } = isRecord(extras) ? extras : {};
	const readable = readOwn(own);
	return {
		...(readable === undefined ? {} : { own: readable }),
		// Whoever opens it looks at its checksum.
		...(isRecord(mark) ? { mark: mark as unknown as DeliveryMark } : {}),
		departures: readDepartures(departures),
		statuses: Array.isArray(statuses) ? statuses.filter(isText) : [],
		news: Array.isArray(news) ? news.filter(isPendingFailure) : [],
	};
}
