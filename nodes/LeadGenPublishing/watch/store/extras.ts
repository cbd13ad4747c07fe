/**
 * What the stored state holds beside the lists. Only the delivery mark refers to records. The mark
 * and the owner of the credential have checksums of their own; invalid parts are left out, and the
 * lists stay. Pure.
 */
import { checksum } from './checksum';
import type { Departures } from './departed';
import { MAX_VALUES, type Identity } from './identity';
import { isRecord } from '../../api/schemas';
import type { DeliveryMark } from './redelivery';
import { isPendingFailure, type PendingFailure, type WatchState } from './state';

/** The account that the credential belongs to, as digests. */
export interface OwnAccount {
	readonly credential: string;
	/** The list of the account that the credential belongs to now. */
	readonly list: string;
	/** The owner of each list; null if the service does not tell. */
	readonly owners: Readonly<Record<string, Identity | null>>;
}

export interface Extras {
	readonly own?: OwnAccount;
	readonly mark?: DeliveryMark;
	/** The state was damaged, and no poll has known since which accounts are watched. */
	readonly damaged?: true;
	readonly departures: Departures;
	/** Statuses that posts have had, so that a previous one can be named. */
	readonly statuses: readonly string[];
	/** Reported once, by the next poll that delivers nothing. */
	readonly news: readonly PendingFailure[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isIdentity = (value: unknown): value is Identity =>
	isRecord(value) &&
	isText(value.kind) &&
	isText(value.digest) &&
	typeof value.lasting === 'boolean' &&
	(value.others === undefined ||
		(Array.isArray(value.others) &&
			value.others.length < MAX_VALUES &&
			value.others.every(isText)));

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
 * As stored. A damaged list name would be taken for another account for good, so the owner has a
 * checksum; if it does not match, the records decide.
 */
export const sealExtras = ({ own, ...rest }: Extras): unknown => ({
	...(own === undefined ? {} : { own: { ...own, sum: sumOfOwn(own) } }),
	...rest,
});

function readDepartures(value: unknown): Departures {
	const { away, at, forgotten } = isRecord(value) ? value : {};
	const times = Object.entries(isRecord(away) ? away : {}).filter(
		(pair): pair is [string, number] => Number.isFinite(pair[1]),
	);
	return {
		away: Object.fromEntries(times),
		...(Number.isFinite(at) ? { at: at as number } : {}),
		forgotten: Array.isArray(forgotten) ? forgotten.filter(isText) : [],
	};
}

export function readExtras({ extras }: WatchState): Extras {
	const { own, mark, damaged, departures, statuses, news } = isRecord(extras) ? extras : {};
	const readable = readOwn(own);
	return {
		...(readable === undefined ? {} : { own: readable }),
		// Its checksum is verified when it is opened.
		...(isRecord(mark) ? { mark: mark as unknown as DeliveryMark } : {}),
		...(damaged === true ? { damaged } : {}),
		departures: readDepartures(departures),
		statuses: Array.isArray(statuses) ? statuses.filter(isText) : [],
		news: Array.isArray(news) ? news.filter(isPendingFailure) : [],
	};
}
