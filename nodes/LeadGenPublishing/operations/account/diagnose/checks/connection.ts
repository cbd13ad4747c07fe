/** Whether the service is there, lets us in, and tells the same time. */
import { endpoint } from '../../../../api/endpoints';
import { classOfStatus } from '../../../../api/policy';
import type { Problem } from '../../../../api/problems';
import { isRecord } from '../../../../api/schemas';
import { seenWords } from '../../../../words/problemWords';
import { check, failedBy, holdsIf, REPORT_IT, type Check, type Finding } from '../check';
import { count, inShort, inWords, isAnswered, type Asked } from '../evidence';

function address(subject: Asked, base: Asked | undefined): Finding {
	// What was held back says less than what was sent.
	const sent = subject.attempts.length > 0 ? subject : base;
	const failed = sent?.failure ?? subject.failure ?? base?.failure;
	if (base === undefined || failed === undefined)
		return { result: 'holds', seen: 'the base and the subject answer' };
	// A refusal in the service's own envelope comes from the service.
	const isService = [base, subject].some((one) => {
		const { kind, status = 0 } = one.failure ?? {};
		return isAnswered(one) || (kind === 'answered' && status < 500 && status !== 404);
	});
	if (!isService) return failedBy(failed);
	if (base.failure === undefined) return { result: 'holds', seen: 'the base answers' };
	// What may pass says nothing of how the base answers otherwise.
	const seen = `the base: ${inShort(base.failure)}`;
	return base.failure.retryable ? failedBy(base.failure, seen) : { result: 'differs', seen };
}

function key({ failure }: Asked, asked: readonly Asked[]): Finding | undefined {
	if (failure === undefined) return { result: 'holds', seen: 'accepted' };
	const { kind, status } = failure;
	if (kind === 'unreadable' && status === 200 && asked.length > 2)
		return { result: 'differs', seen: seenWords(failure) ?? inShort(failure) };
	return status === 401 || status === 403 ? failedBy(failure) : undefined;
}

const ABOUT_TLS = new Set<Problem | undefined>(['certificateRejected', 'noTls', 'tlsFailed']);
const MOST_CLOCK_SKEW_MS = 60_000;
const SLOW_MS = 5_000;
const isTime = (wait: unknown): boolean =>
	wait === undefined || /^\s*\d|\d\d:\d\d:\d\d/.test(String(wait));

export const CONNECTION: readonly Check[] = [
	check('Address', {
		looksAt: (evidence) => evidence.of('account.getSubject'),
		finds: ([subject], evidence) => address(subject, evidence.of('account.getApiInfo')[0]),
		holds: 'The Base URL is the address of the API v1.',
		differs:
			'The service is there, but the base itself does not answer as documented. Only Account > Get API Info needs it.',
	}),
	check('Encryption', {
		looksAt: (evidence) => [evidence],
		finds: ([{ asked, connection }]) => {
			const refused = asked.find(({ failure }) => ABOUT_TLS.has(failure?.problem))?.failure;
			if (refused !== undefined) return failedBy(refused, seenWords(refused));
			return connection.isEncrypted
				? { result: 'holds', seen: 'https' }
				: { result: 'not seen', seen: 'http, on this machine' };
		},
		holds: 'The connection is encrypted, and the certificate is accepted.',
		notSeen: ['The service runs on this machine, so nothing is encrypted.', ''],
	}),
	check('Key', {
		looksAt: (evidence) => evidence.of('account.getSubject'),
		finds: ([subject], { asked }) => key(subject, asked),
		holds: 'The service accepts the API key.',
		differs:
			'The key is accepted, but what the service says of its owner has not the documented shape.',
		next: REPORT_IT,
		notSeen: ['The service did not get as far as the key.', 'See to the address first.'],
	}),
	check('Word: service', {
		looksAt: ({ connection }) => [connection.keyWord !== undefined],
		finds: ([isShown]) =>
			holdsIf(isShown, `the key begins with ${isShown ? 'it' : 'no word of the service'}`),
		holds: "The key shows the service's word, which the header of an etag needs.",
		differs:
			"The key does not show the service's word, which the header of an etag needs when a published post is changed.",
		next: 'Unless it is there already: in the credential, turn on Set Words by Hand and enter the Service Word.',
	}),
	check('Clock', {
		looksAt: ({ asked }) =>
			asked.flatMap(({ at, attempts }) => {
				const { headers, ms = 0 } = attempts[0] ?? {};
				const theirs = typeof headers?.date === 'string' ? Date.parse(headers.date) : NaN;
				return Number.isNaN(theirs) ? [] : { at, ms, theirs };
			}),
		finds: ([{ at, ms, theirs }]) => {
			// The header has whole seconds, so it is up to one behind; and the answer took its time.
			const ahead = Math.max(0, at - theirs - 1_000);
			const apart = Math.max(ahead, theirs - at - ms, 0);
			const who = apart < 1_000 ? '' : ahead > 0 ? ', n8n ahead' : ', n8n behind';
			const seen = `${count(Math.round(apart / 1_000), 'second')} apart${who}`;
			return holdsIf(apart <= MOST_CLOCK_SKEW_MS, seen);
		},
		differs:
			'Service and n8n have different times, so a post scheduled for soon may be refused, or go out at another moment.',
		next: 'Set the clock of the machine that n8n runs on.',
	}),
	check('Request IDs', {
		// An answer that was given by the service itself has both.
		looksAt: ({ asked }) =>
			asked.flatMap(({ name, body, attempts }) => {
				const sent = attempts.at(-1)?.requestId;
				// The others may come without the envelope in which it stands.
				const isShown = isRecord(body) && endpoint(name).answer !== 'undocumented';
				return isShown && sent ? { sent, came: body.request_id } : [];
			}),
		finds: (answers) => {
			const without = answers.filter(({ came }) => typeof came !== 'string').length;
			const others = answers.filter(({ sent, came }) => came !== sent).length;
			const seen = `${count(answers.length, 'answer')}, ${without} without an ID, ${others - without} with another`;
			return holdsIf(others === 0, seen);
		},
		differs:
			'Answers do not repeat the request ID that was sent; errors show the one that the service gives, or ours.',
	}),
	check('Speed', {
		looksAt: ({ asked }) =>
			asked
				.filter(isAnswered)
				.flatMap(({ attempts }) => attempts.at(-1)?.ms ?? [])
				.sort((one, other) => one - other),
		finds: (times) => {
			const [median = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
			const seen = `half of ${count(times.length, 'answer')} within ${median} ms, the slowest ${slowest} ms`;
			return holdsIf(median <= SLOW_MS, seen);
		},
		differs: 'Answers are slow: long lists and polls of many clients take minutes.',
		next: 'Poll less often, and raise "Max Wait (Seconds)" where items fail.',
	}),
	check('Throttling', {
		looksAt: ({ asked }) =>
			asked
				.flatMap(({ attempts }) => attempts)
				.filter(
					({ status, headers }) =>
						classOfStatus(status ?? 0) === 'throttled' || headers['retry-after'] !== undefined,
				)
				.map(({ headers }) => ({ wait: headers['retry-after'] })),
		finds: (asks) => {
			const named = asks.filter(({ wait }) => wait !== undefined).length;
			const seen = `${count(asks.length, 'answer')} asked to wait, ${named} with Retry-After`;
			const areTimes = asks.every(({ wait }) => isTime(wait));
			return holdsIf(areTimes, seen);
		},
		differs:
			"The service asks to slow down with a time that cannot be read, so pauses are the node's own.",
	}),
	check('Refusals', {
		// A request that is refused on purpose shows what a refusal looks like.
		looksAt: ({ asked }) =>
			asked
				.flatMap(({ failure }) => failure ?? [])
				.filter(({ status = 0 }) => status >= 400 && status < 500),
		finds: (refused) => {
			const bare = refused.filter(
				({ kind, problem }) => kind !== 'answered' || problem !== undefined,
			);
			const causes = inWords(refused.map(inShort));
			const seen = `${count(refused.length, 'refusal')}: ${causes}; ${bare.length} without the documented envelope`;
			return holdsIf(bare.length === 0, seen);
		},
		differs: 'Refusals come without the documented envelope, so errors go by their status alone.',
	}),
];
