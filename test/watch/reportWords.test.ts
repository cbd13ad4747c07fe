/**
 * The words of everything that the trigger reports, as an error workflow gets them: whose list it is,
 * what happened, that the trigger goes on, and what to do. `triggerWords` has what an action would say.
 */
import type { NodeApiError } from 'n8n-workflow';

import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { CLIENT_LIST, OWN } from '../../nodes/LeadGenPublishing/feed/names';
import {
	announce,
	ANNOUNCEMENT_KINDS,
	type ListFailure,
} from '../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import { classify } from '../../nodes/LeadGenPublishing/watch/classify';
import { toPollError } from '../../nodes/LeadGenPublishing/watch/pollErrors';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { someFacts, type SomeFacts } from '../support/facts';

const DAY_S = 24 * 3_600;
const LONG_NAME = 'Ada '.repeat(1_250);

const session = {
	functions: { getNode: () => ({ id: '1', name: 'Trigger', type: 'x', parameters: {} }) },
	settings: { event: 'newLead' },
	known: {
		...emptyKnowledge(),
		names: new Map([['ada', { user_id: 'ada', full_name: LONG_NAME }]]),
	},
} as unknown as PollSession;

const failedWith = (account: string, facts: SomeFacts): ListFailure => {
	const error = new ApiFailure(someFacts({ endpoint: 'lead.getAll', ...facts }));
	return { account, error, isAfterHead: false, ...classify(error) };
};
const saidOf = (failures: readonly ListFailure[], accounts: readonly string[]) => {
	const { message, description } = toPollError(session, failures, accounts) as NodeApiError;
	return { message, description: description ?? '' };
};

/** Failures of requests, and whether they pass without anybody doing something. */
const FAILURES: ReadonlyArray<readonly [string, SomeFacts, 'passes' | 'stays']> = [
	['a fault of the service', { status: 500, code: 'internal_error' }, 'passes'],
	['a service that is down', { status: 503, code: 'unavailable' }, 'passes'],
	['no response', { kind: 'unreachable' }, 'passes'],
	['a request to wait', { status: 429, code: 'rate_limited', retryAfterMs: 90_000 }, 'passes'],
	['a web page', { kind: 'unreadable', status: 502, problem: 'noData' }, 'passes'],
	['a refused key', { status: 401, code: 'unauthorized' }, 'stays'],
	['a missing scope', { status: 403, code: 'forbidden' }, 'stays'],
	['an unknown path', { status: 404, code: 'not_found' }, 'stays'],
	['a rejected request', { status: 400, code: 'bad_request' }, 'stays'],
];
const LISTS: ReadonlyArray<readonly [account: string, who: RegExp]> = [
	[OWN, /your own account/],
	['ada', /Ada Ada .*… \(ada\)/],
	[CLIENT_LIST, /list of clients|list clients/],
];

describe.each(LISTS)('the list %s', (account, who) => {
	it.each(FAILURES)('that fails with %s', (_, facts, ends) => {
		for (const accounts of [[account], [account, 'other']]) {
			const { message, description } = saidOf([failedWith(account, facts)], accounts);
			const said = `${message} ${description}`;
			expect(said).toMatch(who);
			expect(message).toMatch(/could not be read|does not list clients/);
			// A person at an action would run it again. The trigger does that itself.
			expect(said).not.toMatch(/run (this|it) again|try again|retry after/i);
			expect(description).toMatch(/The trigger tries again on its own/);
			expect(description).toMatch(/Everything that arrives in the meantime is delivered then\./);
			expect(description.includes('You do not have to do anything.')).toBe(ends === 'passes');
			const hasOthers = accounts.some((one) => one !== account);
			expect(description.includes('The other lists are watched as usual.')).toBe(hasOthers);
			expect(message.length).toBeLessThan(500);
		}
	});
});

it.each<[number, string]>([
	[1, '1 second'],
	[90, '90 seconds'],
	[900, '15 minutes'],
	[DAY_S, '24 hours'],
	[1e9, '24 hours'],
])('a service that asks to wait %s s: the trigger says how long it waits', (seconds, words) => {
	const facts = { status: 429, code: 'rate_limited', retryAfterMs: seconds * 1_000 } as const;
	const { message, description } = saidOf([failedWith(OWN, facts)], [OWN]);
	expect(description).toContain(`on its own after ${words}, as the service asks.`);
	expect(message).not.toMatch(/\d s\b/);
});

it('of a list whose later pages fail says that its first page is watched, and names no other', () => {
	const failure = { ...failedWith(OWN, { status: 500 }), isAfterHead: true };
	const { description } = saidOf([failure], [OWN]);
	expect(description).toContain('The first page is still watched.');
	expect(description).not.toContain('other lists');
});

it('a decision of the trigger itself keeps its words and its remedy', () => {
	const error = new InputError('The API key was replaced. The next poll asks again.', 'Wait.');
	const failure = { account: OWN, error, ...classify(error) };
	const { message, description } = saidOf([failure], []);
	expect(message).toBe('The API key was replaced. The next poll asks again.');
	expect(description).toMatch(/^Wait\.\nThe trigger tries again on its own\./);
});

/** What the reader can do, beside what happened. */
const REMEDIES =
	/Report this to|Remove th|Compare the list|Ask the |set "|turn on "|update by ID|Narrow|enter the earlier key|use "Changed Fields"/;

describe('announcements', () => {
	const more: Partial<Record<string, string>> = {
		'no-clients': 'No client is listed. Ask the client for a grant.',
		'no-effect': '"Start From"',
		'changing-field': '"sources"',
		'other-account': 'Its existing clients count as known.',
	};

	it.each(ANNOUNCEMENT_KINDS)(
		'%s says what happened, what to do, and that the trigger goes on',
		(kind) => {
			const news = announce(kind, { account: 'ada', count: 3, more: more[kind] ?? '' });
			const { message, description } = saidOf([news], ['ada']);
			expect(message).toMatch(/^Ada Ada .*… \(ada\): \S.*\.$/);
			expect(message).toMatch(REMEDIES);
			expect(description).toMatch(/The trigger keeps polling\.$/);
		},
	);

	it('of many clients name ten of them, and count the others', () => {
		const ended = Array.from({ length: 50 }, (_, at) =>
			announce('grant-ended', { account: `c${at}` }),
		);
		const held = Array.from({ length: 50 }, (_, at) =>
			announce('held-back', { account: `c${at}`, count: at + 2 }),
		);
		const { message } = saidOf(ended, []);
		expect(message).toMatch(/^c0, c1, .* c9, and 40 more: The grant has ended/);
		expect(message.match(/The grant has ended/g)).toHaveLength(1);
		expect(saidOf(held, []).message.match(/appeared after/g)).toHaveLength(10);
		expect(saidOf(held, []).message).toMatch(/and 40 more$/);
	});
});
