/** Words for a request that was not sent, or that got no complete response. */
import type { Failed, AskedToWait, OutOfTime, Prevented, Unreachable } from '../api/failure';
import { classOf } from '../api/policy';
import { seenWords } from './problemWords';
import { shownTime } from './shownTime';
import { has, type FailureWords, type InPanel } from './words';
import { writeDescriptionOf } from './writeDescriptions';

const SSRF_NEXT = [
	'Check the Base URL in the credential.',
	'If it is right, ask your n8n administrator to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES). Then run it again.',
];

/** The request was not sent, so the service is unchanged. */
export function wordsOfNotSent(facts: InPanel<Prevented | AskedToWait | OutOfTime>): FailureWords {
	const isOut = writeDescriptionOf(facts.endpoint) === undefined ? 'Not read' : 'Not sent';
	switch (facts.kind) {
		case 'prevented':
			return {
				what: `n8n did not send the request (${seenWords(facts)})`,
				next:
					facts.problem === 'ssrfProtection'
						? SSRF_NEXT
						: ['Check the credential and the proxy of n8n, then run it again.'],
			};
		case 'heldBack':
			return wordsOfHeldBack(facts, isOut);
		case 'outOfTime':
			return {
				what: `${isOut}, because this item ran out of time before its turn`,
				next: [
					'Run it again.',
					has(facts, 'maxWaitSeconds') &&
						'To give each item more time, increase "Max Wait (Seconds)".',
				],
			};
	}
}

function wordsOfHeldBack(facts: InPanel<AskedToWait>, isOut: string): FailureWords {
	const { notBefore, panel, host } = facts;
	// If the service named no time, the pause is the node's own choice.
	const time = notBefore && shownTime(Date.parse(notBefore), panel);
	const who = host === 'storage' ? 'the storage for uploads' : 'the service';
	return {
		what: `${isOut}, because ${who} ${time ? `asked to wait until ${time}` : 'is throttling requests'}`,
		next: [
			`Run it again ${time ? 'after that time' : 'later'}.`,
			has(facts, 'maxWaitSeconds') &&
				'To let the node wait instead, increase "Max Wait (Seconds)".',
		],
	};
}

interface Side {
	readonly host: string;
	readonly again: string;
	readonly check: string;
}
const STORAGE: Side = {
	host: 'storage for uploads',
	again: 'Run the upload again',
	check: 'the proxy',
};
const SERVICE: Side = {
	host: 'service',
	again: 'Try again',
	check: 'the Base URL in the credential, the proxy',
};

export function wordsOfNoResponse(facts: Failed<Unreachable>): FailureWords {
	const { host, again, check } = facts.endpoint === 'media.upload' ? STORAGE : SERVICE;
	const seen = seenWords(facts) ?? 'no response';
	const causes = `${check} and n8n's internet connection`;
	return classOf(facts) === 'neverSent'
		? {
				what: `The ${host} could not be reached (${seen})`,
				next: [`Check ${causes}.`],
				again: `${again} after that.`,
			}
		: {
				what: `No complete response came from the ${host} (${seen})`,
				next: [`If it keeps failing, check ${causes}.`],
				again: `${again} later.`,
			};
}
