/** What all steps of one poll share. */
import type { IPollFunctions } from 'n8n-workflow';

import type { Client } from '../../api/client';
import type { Account } from '../../api/route';
import { OWN_ACCOUNT } from '../../api/route';
import type { JsonRecord } from '../../api/schemas';
import type { ItemClient } from '../../output/addFields';
import type { Simplification } from '../../output/simplification';
import { isOwn } from '../store/accountNames';
import { askedFilters, EVENTS } from '../list/events';
import type { TriggerSettings } from './settings';

/** A client that hangs must not delay the items of the others. */
export const PAGE_TIMEOUT_MS = 10_000;

const ENDPOINTS = {
	lead: 'lead.getAll',
	activity: 'activity.getAll',
	post: 'post.getAll',
} as const;

export type Simplifications = Readonly<Record<keyof typeof ENDPOINTS, Simplification>>;

export interface PollSession {
	readonly functions: IPollFunctions;
	readonly client: Client;
	readonly settings: TriggerSettings;
	readonly simplifications: Simplifications;
	/** Clients by ID, as far as they were listed. */
	readonly clients: Map<string, ItemClient>;
}

export const endpointOf = ({ event }: TriggerSettings) => ENDPOINTS[EVENTS[event].resource];

export interface PageRequest {
	readonly account: string;
	readonly offset: number;
	readonly limit: number;
	readonly timeoutMs?: number;
	readonly givenUp?: AbortSignal;
}

/** Reads one page of a watched list. */
export async function readAccountPage({ client, settings }: PollSession, request: PageRequest) {
	const { account, ...rest } = request;
	return await client.page(endpointOf(settings), {
		...rest,
		account: accountFor(account),
		query: queryOf(settings),
	});
}

const accountFor = (account: string): Account =>
	isOwn(account) ? OWN_ACCOUNT : { kind: 'client', clientId: account };

/** The filters that the service applies: records that do not match are on no page. */
export function queryOf({ event, filters }: TriggerSettings): JsonRecord {
	return Object.fromEntries(
		askedFilters(event, filters).map((name) => [QUERY_NAMES[name], filters[name]]),
	);
}

const QUERY_NAMES = { hasEmail: 'has_email', source: 'source' } as const;
