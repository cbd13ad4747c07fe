/**
 * The error of a poll: whose list failed, what each cause means, whether it may pass, and what the
 * reader can do. A person at an action would run it again; the trigger does that itself.
 * `failures.test.ts` plays causes through the trigger, and `triggerWords` has what an action would say.
 */
import type { NodeApiError } from 'n8n-workflow';

import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import { CLIENT_LIST, OWN } from '../../nodes/LeadGenPublishing/feed/names';
import {
	announce,
	ANNOUNCEMENT_KINDS,
	type ListFailure,
} from '../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { classify, isRefusal, refusesOffset } from '../../nodes/LeadGenPublishing/watch/classify';
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import { clientListError, toPollError } from '../../nodes/LeadGenPublishing/watch/pollErrors';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
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

const failure = (facts: SomeFacts): ApiFailure =>
	new ApiFailure(someFacts({ endpoint: 'lead.getAll', ...facts }));
const failedWith = (account: string, facts: SomeFacts): ListFailure => {
	const error = failure(facts);
	return { account, error, isAfterHead: false, ...classify(error) };
};
const errorOf = (
	failures: readonly ListFailure[],
	accounts: readonly string[] = ['ada', 'b', 'c'],
) => toPollError(session, failures, accounts) as NodeApiError;
const saidOf = (failures: readonly ListFailure[], accounts?: readonly string[]) => {
	const { message, description } = errorOf(failures, accounts);
	return { message, description: description ?? '' };
};
const linesOf = (...failures: ListFailure[]): string[] => saidOf(failures).description.split('\n');

const OUTAGE = { status: 503, code: 'unavailable' } as const;
const FORBIDDEN = { status: 403, code: 'forbidden' } as const;
/** Everything that can happen to a list, its name, and whether it passes without anybody doing something. */
const CAUSES: ReadonlyArray<readonly [string, SomeFacts, kind: string, ends: 'passes' | 'stays']> =
	[
		['a fault of the service', { status: 500, code: 'internal_error' }, 'internal_error', 'passes'],
		['a service that is down', OUTAGE, 'unavailable', 'passes'],
		['no response', { kind: 'unreachable' }, 'unreachable', 'passes'],
		[
			...([
				'a request to wait',
				{ status: 429, code: 'rate_limited', retryAfterMs: 90_000 },
			] as const),
			...(['rate-limited', 'passes'] as const),
		],
		['a web page', { kind: 'unreadable', status: 502, problem: 'noData' }, 'unreadable', 'passes'],
		['a refused key', { status: 401, code: 'unauthorized' }, 'unauthorized', 'stays'],
		['a missing scope', FORBIDDEN, 'forbidden', 'stays'],
		['an unknown path', { status: 404, code: 'not_found' }, 'not_found', 'stays'],
		['a rejected request', { status: 400, code: 'bad_request' }, 'bad_request', 'stays'],
	];
const LISTS: ReadonlyArray<readonly [account: string, who: RegExp]> = [
	[OWN, /your own account/],
	['ada', /Ada Ada .*… \(ada\)/],
	[CLIENT_LIST, /list of clients|list clients/],
];

describe.each(CAUSES)('%s', (_, facts, kind, ends) => {
	it('has its name, and is or is not a refusal', () => {
		const { retryAfterMs } = facts;
		const lasting = ends === 'stays';
		expect(classify(failure(facts))).toMatchObject({ kind, lasting, retryAfterMs });
		expect(isRefusal(failure(facts))).toBe(lasting);
	});

	it.each(LISTS)(
		'of the list %s says what happened, what to do, and that the trigger goes on',
		(account, who) => {
			for (const accounts of [[account], [account, 'other']]) {
				const { message, description } = saidOf([failedWith(account, facts)], accounts);
				const said = `${message} ${description}`;
				expect(said).toMatch(who);
				expect(message).toMatch(/could not be read|does not list clients/);
				expect(said).not.toMatch(/run (this|it) again|try again|retry after/i);
				expect(description).toMatch(/The trigger tries again on its own/);
				expect(description).toMatch(/arrive in the meantime/);
				expect(description.includes('do not have to do anything')).toBe(ends === 'passes');
				expect(description.includes('other lists')).toBe(accounts.length > 1);
				expect(message.length).toBeLessThan(500);
			}
		},
	);
});

it('failures that differ in more than their text have different causes', () => {
	const one = { ...FORBIDDEN, reason: 'account_paused' };
	const others: SomeFacts[] = [
		{ ...one, status: 401 },
		{ ...one, code: 'unauthorized' },
		{ ...one, reason: undefined },
		{ ...one, reason: 'network_not_connected' },
		{ ...one, problem: 'noEnvelope' },
		{ ...one, endpoint: 'activity.getAll' },
		{ ...one, agency: true },
		{ kind: 'unreachable', problem: 'hostNotFound' },
		{ kind: 'unreachable', problem: 'timedOut' },
	];
	const causeOf = (facts: SomeFacts): string => classify(failure(facts)).cause;
	const causes = [one, ...others].map(causeOf);
	expect(new Set(causes).size).toBe(causes.length);
	const ofText = { serviceMessage: 'Paused until tomorrow', requestId: 'req_2' };
	expect([one, ...others].map((facts) => causeOf({ ...facts, ...ofText }))).toEqual(causes);
});

it('an error that is not a failed request is permanent, and keeps its own message', () => {
	const expected = { kind: 'failed', message: 'Out of memory', cause: 'node', lasting: true };
	expect(classify(new Error('Out of memory'))).toEqual(expected);
	expect(classify('text').message).toBe('text');
	expect(isRefusal(new Error('x'))).toBe(false);
});

it('an offset is refused by a status that is about the request, and by no missing response', () => {
	const all = [400, 404, 413, 416, 422, 401, 403, 429, 500];
	const refusing = all.filter((status) => refusesOffset(failure({ status, code: 'some_code' })));
	expect(refusing).toEqual([400, 404, 413, 416, 422]);
	expect(refusesOffset(failure({ kind: 'unreachable' }))).toBe(false);
	expect(refusesOffset(new Error('x'))).toBe(false);
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
	const { description } = saidOf([{ ...failedWith(OWN, OUTAGE), isAfterHead: true }], [OWN]);
	expect(description).toContain('The first page is still watched.');
	expect(description).not.toContain('other lists');
});

it('a decision of the trigger itself keeps its words and its remedy', () => {
	const error = new InputError('The API key was replaced. The next poll asks again.', 'Wait.');
	const { message, description } = saidOf([{ account: OWN, error, ...classify(error) }], []);
	expect(message).toBe(error.message);
	expect(description).toMatch(/^Wait\.\nThe trigger tries again/);
});

describe('of several lists', () => {
	it('each has a line with its code, an advice is given once, and the others are watched', () => {
		const ofBoth = (facts: SomeFacts) => linesOf(failedWith('ada', facts), failedWith('b', facts));
		expect(ofBoth(OUTAGE)).toEqual([
			expect.stringMatching(/^Ada .*… \(ada\): .* \(unavailable\)$/),
			expect.stringMatching(/^b: .* \(unavailable\)$/),
			expect.stringMatching(/^The other lists are watched/),
		]);
		expect(ofBoth(FORBIDDEN)).toEqual([
			...[expect.anything(), expect.anything()],
			expect.stringMatching(/ scope leads:read/),
			expect.stringMatching(/^The other lists are watched/),
		]);
	});

	it('ten are named in the message and have a line, and the others are counted', () => {
		const of = (count: number) =>
			Array.from({ length: count }, (_, index) => failedWith(`id ${index}`, OUTAGE));
		const { message } = errorOf(of(3));
		expect(message).toMatch(/ of 3 accounts .*: id 0, id 1, id 2\. /);
		const many = saidOf(of(12));
		expect(many.message).toMatch(/ of 12 accounts .*: id 0, .*, id 9, and 2 more\. /);
		expect(many.message.length).toBeLessThanOrEqual(800);
		const lines = many.description.split('\n').slice(0, -1);
		expect(lines.slice(9)).toEqual([expect.stringMatching(/^id 9: /), 'and 2 more']);
		expect(linesOf(...of(10)).slice(0, -1)).toHaveLength(10);
	});

	it.each<[string, SomeFacts, failed: string[], accounts: string[], object | undefined]>([
		['the only list, permanently', FORBIDDEN, ['b'], ['b'], { cause: 'configuration-invalid' }],
		['two lists, permanently', FORBIDDEN, ['b', 'c'], ['b', 'c'], undefined],
		['one of two lists', FORBIDDEN, ['b'], ['b', 'c'], undefined],
		['the only list, for a while', OUTAGE, ['b'], ['b'], undefined],
	])(
		'n8n waits for a person only if nothing can be read: %s',
		(_, facts, failed, accounts, cause) => {
			const failures = failed.map((account) => failedWith(account, facts));
			expect(errorOf(failures, accounts).failure).toEqual(cause);
		},
	);

	it('n8n waits for a person if the key may not list clients', () => {
		const error = clientListError(session, failure(FORBIDDEN)) as NodeApiError;
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
	});
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

	it('end with what is said of a failure, if something has failed too', () => {
		const noId = announce('no-id', { account: 'ada', count: 1 });
		const last = linesOf(noId, failedWith('b', OUTAGE)).at(-1);
		expect(last).toBe(linesOf(failedWith('b', OUTAGE)).at(-1));
	});

	it('say whose list they are about, unless it is the own one or concerns all', () => {
		const messageOf = (account?: string) => errorOf([announce('no-id', { account })]).message;
		const [ofAll, ofOwn, ofClient] = [messageOf(), messageOf(OWN), messageOf('b')];
		expect([ofOwn, ofClient]).toEqual([ofAll, `b: ${ofAll}`]);
	});

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
