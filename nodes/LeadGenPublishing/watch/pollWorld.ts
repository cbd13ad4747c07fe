/** What a poll gets of n8n, its clock and the service. */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Delivery } from '../feed/delivery';
import { isOfClients } from '../feed/events/events';
import type { ListPage } from '../feed/list/page';
import { OWN } from '../feed/names';
import { announce, type ListFailure } from '../feed/reports/listFailure';
import type { KnownBefore, Whose, World } from '../feed/world';
import { showsNoZone } from '../records/times';
import { askSubject, watchedAccounts } from './accounts';
import { classify, isRefusal, refusesOffset } from './classify';
import { changedClients, pageOfClient } from './clientChanges';
import { refreshNames } from './clientList';
import { itemsOf } from './items';
import { watchOwnAccount } from './ownAccount';
import { isUnattended, type ProcessMemory } from './processMemory';
import { readAccountPage, type PollSession } from './session';

const MAX_STATUS_LENGTH = 40;

/** A poll that n8n makes on schedule. */
export interface Scheduled extends PollSession {
	readonly remembered: ProcessMemory;
	readonly isActivating: boolean;
	/** Digest of the key and its URL. */
	readonly credential: string;
}

interface Given {
	readonly stored: IDataObject;
	readonly ms: number;
	/** When nothing may be awaited any more. */
	readonly giveUpAt: number;
	readonly ignoresPauses: boolean;
}

export function worldOf(
	session: Scheduled,
	{ stored, ms, giveUpAt, ignoresPauses }: Given,
): World<INodeExecutionData> {
	const { settings, functions, remembered, isActivating } = session;
	const { event, filtersName, queryName, redeliversLast } = settings;
	const statuses = new Set<string>();
	return {
		event,
		filtersName,
		queryName,
		list: settings,
		isOfClients: isOfClients(event),
		redeliversLast,
		process: remembered.id,
		stored: { state: stored.watch, horizon: stored.horizon },
		ms,
		ignoresPauses,
		now: Date.now,
		random: Math.random,
		newSequence: randomUUID,
		whoseLists: async (before) => await whoseLists(session, before),
		fetchPage: async (account, request) => {
			const page = isOfClients(event)
				? pageOfClient(session, account)
				: await readAccountPage(session, { account, ...request });
			noteStatuses(page, statuses);
			remembered.showsNoZone ||= page.records.some(showsNoZone);
			return page;
		},
		classify,
		refusesOffset,
		isSilent: (open, accounts) =>
			isActivating && !(isHopeless(open, accounts) && !isUnattended(functions)),
		statuses,
		itemsOf: async (delivered, words) => {
			await refreshNames(session, { accounts: namedIn(session, delivered), giveUpAt });
			return itemsOf(session, delivered, words);
		},
	};
}

/** The accounts whose names are needed: those of the items, and chosen ones once, when published. */
function namedIn(
	{ settings: { watched }, isActivating }: Scheduled,
	delivered: readonly Delivery[],
): string[] {
	const chosen = isActivating && watched.kind === 'clients' ? watched.ids : [];
	return [...delivered.map(({ account }) => account), ...chosen];
}

/** Words that records have as their status, so that a previous one can be named. */
function noteStatuses({ records }: ListPage, statuses: Set<string>): void {
	for (const { status } of records)
		if (typeof status === 'string' && status.length <= MAX_STATUS_LENGTH) statuses.add(status);
}

/**
 * Whether no list can be read and waiting does not help, so that the person who publishes the
 * workflow should know. After a restart, nobody would see the error, and n8n would deactivate the
 * workflow.
 */
function isHopeless(open: readonly ListFailure[], accounts: readonly string[]): boolean {
	const isRead = (account: string): boolean => !open.some((one) => one.account === account);
	return open.length > 0 && open.every(({ error }) => isRefusal(error)) && !accounts.some(isRead);
}

async function whoseLists(session: Scheduled, before: KnownBefore): Promise<Whose> {
	const { withoutEffect } = session.settings;
	const whose = await whoseOf(session, before);
	const more = withoutEffect.map((label) => `"${label}"`).join(' and ');
	const news = [
		...whose.news,
		...(more === '' ? [] : [announce('no-effect', { count: withoutEffect.length, more })]),
		...(session.remembered.showsNoZone === true ? [announce('no-time-zone')] : []),
	];
	return { ...whose, news };
}

async function whoseOf(session: Scheduled, before: KnownBefore): Promise<Whose> {
	const { lists, until: giveUpAt, mayAsk, own } = before;
	const { event, watched } = session.settings;
	const { credential } = session;
	if (isOfClients(event))
		return await changedClients(session, { lists, own, credential, giveUpAt, mayAsk });
	if (watched.kind === 'own') return await whoseOwn(session, before);
	return await watchedAccounts(session, { lists, giveUpAt, mayAsk });
}

const whoseOwn = async (session: Scheduled, before: KnownBefore): Promise<Whose> =>
	await watchOwnAccount(before, {
		credential: session.credential,
		askSubject: async () => await askSubject(session),
		readFirstPage: async () =>
			await readAccountPage(session, { account: OWN, offset: 0, until: before.until }),
	});
