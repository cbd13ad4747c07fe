/** Whether the service is there, lets us in, and tells the same time. */
import { isRecord } from '../../../../api/schemas';
import { check, type Check, type Finding } from '../check';
import {
	count,
	inShort,
	inWords,
	isAnswered,
	wordsOf,
	type Asked,
	type Evidence,
} from '../evidence';

const subjectOf = (evidence: Evidence): Asked | undefined => evidence.of('account.getSubject')[0];

function address(evidence: Evidence): Finding | undefined {
	const [base, subject] = [evidence.of('account.getApiInfo')[0], subjectOf(evidence)];
	if (base === undefined || subject === undefined) return undefined;
	const failed = subject.failure ?? base.failure;
	if (failed === undefined) return { result: 'holds', seen: 'the base and the subject answer' };
	// A refusal in the service's own envelope comes from the service.
	const isService = [base, subject].some((one) => {
		const { kind, status = 0 } = one.failure ?? {};
		return isAnswered(one) || (kind === 'answered' && status < 500 && status !== 404);
	});
	if (!isService) return { result: 'failed', seen: inShort(failed), words: wordsOf(failed) };
	return base.failure === undefined
		? { result: 'holds', seen: 'the base answers' }
		: { result: 'differs', seen: `the base: ${inShort(base.failure)}` };
}

function encryption({ connection, asked }: Evidence): Finding {
	const refused = asked.find(({ failure }) => failure?.seen?.includes('TLS') === true)?.failure;
	if (refused !== undefined)
		return { result: 'failed', seen: refused.seen ?? '', words: wordsOf(refused) };
	return connection.isEncrypted
		? { result: 'holds', seen: 'https' }
		: { result: 'not seen', seen: 'http, on this machine' };
}

function key(evidence: Evidence): Finding | undefined {
	const subject = subjectOf(evidence);
	if (subject === undefined) return undefined;
	const { failure } = subject;
	if (failure === undefined) return { result: 'holds', seen: 'accepted' };
	if (failure.kind === 'unreadable' && failure.status === 200 && evidence.asked.length > 2)
		return { result: 'differs', seen: failure.seen ?? inShort(failure) };
	return failure.status === 401 || failure.status === 403
		? { result: 'failed', seen: inShort(failure), words: wordsOf(failure) }
		: undefined;
}

const keyWord = ({ connection }: Evidence): Finding =>
	connection.keyWord === undefined
		? { result: 'differs', seen: 'the key begins with no word of the service' }
		: { result: 'holds', seen: 'the key begins with it' };

const MOST_CLOCK_SKEW_MS = 60_000;

/** The header has whole seconds, so it is up to one behind; and the answer took its time. */
function clock({ asked }: Evidence): Finding | undefined {
	for (const { at, attempts } of asked) {
		const { headers, ms = 0 } = attempts[0] ?? {};
		const theirs = typeof headers?.date === 'string' ? Date.parse(headers.date) : NaN;
		if (Number.isNaN(theirs)) continue;
		const ahead = Math.max(0, at - theirs - 1_000);
		const behind = Math.max(0, theirs - at - ms);
		const apart = Math.max(ahead, behind);
		return {
			result: apart > MOST_CLOCK_SKEW_MS ? 'differs' : 'holds',
			seen: `${count(Math.round(apart / 1_000), 'second')} apart${apart < 1_000 ? '' : ahead > 0 ? ', n8n ahead' : ', n8n behind'}`,
		};
	}
	return undefined;
}

/** An answer that was given by the service itself has both. */
function requestIds({ asked }: Evidence): Finding | undefined {
	const answers = asked.flatMap(({ body, attempts }) => {
		const sent = attempts.at(-1);
		return isRecord(body) && 'data' in body && sent !== undefined ? [{ body, sent }] : [];
	});
	if (answers.length === 0) return undefined;
	const without = answers.filter(({ body }) => typeof body.request_id !== 'string').length;
	const others = answers.filter(({ body, sent }) => body.request_id !== sent.requestId).length;
	return {
		result: others > 0 ? 'differs' : 'holds',
		seen: `${count(answers.length, 'answer')}, ${without} without an ID, ${others - without} with another`,
	};
}

const SLOW_MS = 5_000;

function speed({ asked }: Evidence): Finding | undefined {
	const times = asked.filter(isAnswered).flatMap(({ attempts }) => attempts.slice(-1));
	const sorted = times.map(({ ms }) => ms).sort((one, other) => one - other);
	const [median, slowest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
	if (median === undefined || slowest === undefined) return undefined;
	return {
		result: median > SLOW_MS ? 'differs' : 'holds',
		seen: `half of ${count(sorted.length, 'answer')} within ${median} ms, the slowest ${slowest} ms`,
	};
}

function throttling({ asked }: Evidence): Finding | undefined {
	const throttled = asked
		.flatMap(({ attempts }) => attempts)
		.filter(({ status, headers }) => status === 429 || headers['retry-after'] !== undefined);
	if (throttled.length === 0) return undefined;
	const waits = throttled.map(({ headers }) => headers['retry-after']);
	const isTime = (wait: unknown) =>
		wait === undefined || /^\s*\d|\d\d:\d\d:\d\d/.test(String(wait));
	return {
		result: waits.every(isTime) ? 'holds' : 'differs',
		seen: `${count(throttled.length, 'answer')} asked to wait, ${waits.filter((wait) => wait !== undefined).length} with Retry-After`,
	};
}

/** A request that is refused on purpose shows what a refusal looks like. */
function refusals(evidence: Evidence): Finding | undefined {
	const refused = evidence.asked.flatMap(({ failure }) =>
		failure?.status !== undefined && failure.status >= 400 && failure.status < 500 ? [failure] : [],
	);
	if (refused.length === 0) return undefined;
	const bare = refused.filter(({ kind, seen }) => kind !== 'answered' || seen !== undefined);
	return {
		result: bare.length > 0 ? 'differs' : 'holds',
		seen: `${count(refused.length, 'refusal')}: ${inWords(refused.map(inShort))}; ${bare.length} without the documented envelope`,
	};
}

export const CONNECTION: readonly Check[] = [
	check('Address', {
		needs: [],
		reads: address,
		holds: 'The Base URL is the address of the API v1.',
		differs: [
			'The service is there, but the base itself does not answer as documented. Only Account > Get API Info needs it.',
			'',
		],
	}),
	check('Encryption', {
		needs: [],
		reads: encryption,
		holds: 'The connection is encrypted, and the certificate is accepted.',
		differs: ['The connection is not encrypted as it should be.', 'Correct the Base URL.'],
		notSeen: ['The service runs on this machine, so nothing is encrypted.', ''],
	}),
	check('Key', {
		needs: [],
		reads: key,
		holds: 'The service accepts the API key.',
		differs: [
			'The key is accepted, but what the service says of its owner has not the documented shape.',
			'Report it, with this report.',
		],
		notSeen: ['The service did not get as far as the key.', 'See to the address first.'],
	}),
	check('Word: service', {
		needs: [],
		reads: keyWord,
		holds: "The key shows the service's word, which the header of an etag needs.",
		differs: [
			"The key does not show the service's word, which the header of an etag needs when a published post is changed.",
			'Unless it is there already: in the credential, turn on Set Words by Hand and enter the Service Word.',
		],
	}),
	check('Clock', {
		needs: [],
		reads: clock,
		holds: 'Service and n8n have the same time.',
		differs: [
			'Service and n8n have different times, so a post scheduled for soon may be refused, or go out at another moment.',
			'Set the clock of the machine that n8n runs on.',
		],
		notSeen: ['No answer said what time the service has.', ''],
	}),
	check('Request IDs', {
		needs: [],
		reads: requestIds,
		holds:
			'Answers repeat the request ID, so that an error can be found in the logs of the service.',
		differs: [
			'Answers do not repeat the request ID that was sent; errors show the one that the service gives, or ours.',
			'',
		],
	}),
	check('Speed', {
		needs: [],
		reads: speed,
		holds: 'Answers come fast enough.',
		differs: [
			'Answers are slow: long lists and polls of many clients take minutes.',
			'Poll less often, and raise "Max Wait (Seconds)" where items fail.',
		],
	}),
	check('Throttling', {
		needs: [],
		reads: throttling,
		holds: 'The service asked to slow down, and the node waited.',
		differs: [
			"The service asks to slow down with a time that cannot be read, so pauses are the node's own.",
			'',
		],
		notSeen: ['The service did not ask to slow down.', ''],
	}),
	check('Refusals', {
		needs: [],
		reads: refusals,
		holds: 'Refusals come in the documented envelope, with a code.',
		differs: [
			'Refusals come without the documented envelope, so errors go by their status alone.',
			'',
		],
		notSeen: ['Nothing was refused.', ''],
	}),
];
