/** How a poll and its accounts are called, and what of the poll goes to n8n's log. */
import type { IPollFunctions } from 'n8n-workflow';

import type { ItemClient } from '../../output/addFields';
import { isOwn } from '../store/accountNames';
import { loggerOf } from './processMemory';
import type { PollReading } from './reading';

export const RECORDS = { lead: 'leads', activity: 'activity', post: 'posts' };

export function nameOf(client: ItemClient | undefined): string | undefined {
	const names = [client?.full_name, client?.business_name];
	return names.find((name): name is string => typeof name === 'string' && name.trim() !== '');
}

export function logPoll(
	functions: IPollFunctions,
	notices: readonly string[],
	{ failures, requests, completedChecks }: PollReading,
): void {
	const logger = loggerOf(functions);
	for (const text of notices) logger?.warn(text);
	for (const { account, kind, message, tolerated } of failures) {
		const times =
			tolerated === undefined
				? ''
				: ` It may pass by itself, so this poll does not fail (${tolerated} in a row).`;
		logger?.warn(`The list of ${whose(account)} failed (${kind}): ${message}${times}`);
	}
	const ended = completedChecks.map(
		({ account, since }) =>
			`the complete check of ${whose(account)} that began at ${new Date(since).toISOString()} has ended`,
	);
	logger?.debug([`Requests for the lists: ${requests}`, ...ended].join('; '));
}

const whose = (account: string): string => (isOwn(account) ? 'the own account' : account);
