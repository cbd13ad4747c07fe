/** Reads the lists of the watched accounts, through the client, within the time of the poll. */
import { sleep } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import { pollLists, type PollInput, type PollResult } from '../list/turns/pollLists';
import { noAnswer } from './clients';
import { classify } from './failures';
import { throttledForMs } from './pollClient';
import { endpointOf, PAGE_TIMEOUT_MS, readAccountPage, type PollSession } from './pollSession';

const PARALLEL_LISTS = 10;
const MAX_STATUS_LENGTH = 40;

export async function readLists(
	session: PollSession,
	given: Pick<PollInput, 'state' | 'damaged' | 'deadline' | 'ignorePauses'> & {
		readonly accounts: readonly string[];
		/** Receives the statuses that posts have. */
		readonly statuses: Set<string>;
		readonly giveUpAt: number;
	},
): Promise<PollResult> {
	const { settings } = session;
	const { accounts, statuses, deadline, giveUpAt } = given;
	const alarm = new AbortController();
	const { rules } = settings.list;
	const learning = {
		...rules,
		fingerprint: (record: JsonRecord) => {
			const { status } = record;
			const isWord = typeof status === 'string' && status.length <= MAX_STATUS_LENGTH;
			if (settings.event === 'postStatusChanged' && isWord) statuses.add(status);
			return rules.fingerprint(record);
		},
	};
	return await pollLists({
		...given,
		scope: settings.scope,
		formerScope: settings.formerScope,
		lists: accounts.map((account) => ({
			account,
			fetchPage: async ({ offset, limit, deadline: until }) => {
				const timeoutMs = Math.max(1_000, Math.min(PAGE_TIMEOUT_MS, until - Date.now()));
				const page = await readAccountPage(session, { account, offset, limit, timeoutMs });
				const { limit: step, offset: place, has_more: hasMore } = page.pagination;
				return { records: page.data, limit: step, offset: place, hasMore };
			},
		})),
		settings: { ...settings.list, rules: learning },
		parallel: PARALLEL_LISTS,
		deadline,
		expiry: sleep(Math.max(0, giveUpAt - Date.now()), alarm.signal).catch(() => undefined),
		now: Date.now,
		random: Math.random,
		classify,
		unanswered: (account) => noAnswer(endpointOf(settings), account),
		isThrottled: () => throttledForMs(session.client) > 0,
	}).finally(() => alarm.abort());
}
