/** Nothing that reads a text from outside takes more than a moment, however long and dull it is. */
import {
	allowedDomainsFor,
	leadsAstray,
	normaliseBaseUrl,
	reachOf,
	signRequest,
} from '../../nodes/LeadGenPublishing/api/addresses';
import { readAnswer } from '../../nodes/LeadGenPublishing/api/answer';
import { messageOf } from '../../nodes/LeadGenPublishing/api/errors';
import { isAccessible } from '../../nodes/LeadGenPublishing/api/grant';
import { keyProblem, newRequestId, isUuid } from '../../nodes/LeadGenPublishing/api/identifiers';
import { networkCode, preventedBy } from '../../nodes/LeadGenPublishing/api/networkFailure';
import { statusOfReason } from '../../nodes/LeadGenPublishing/api/reasons';
import { idInAddress, isAddress, routeOf } from '../../nodes/LeadGenPublishing/api/endpoints';
import { readRetryAfter } from '../../nodes/LeadGenPublishing/api/retry';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';
import {
	documentedReason,
	isWord,
	profileUrlField,
	serviceWordIn,
} from '../../nodes/LeadGenPublishing/api/wire';

const BASE = 'https://api.example.com/api/v1';
const KEY = 'svc_live_0123456789abcdef';
const answer = (response: object) =>
	readAnswer(response, {
		...({ name: 'post.get', list: false, secrets: [KEY], now: 0 } as const),
		requestId: 'n8n:1',
	});

const READERS: Record<string, (text: string) => unknown> = {
	scrubText: (text) => scrubText(text, [KEY]),
	scrubDetails: (text) => scrubDetails({ [text]: text, deep: [{ a: text }] }, [KEY]),
	'scrubText for a long secret': (text) => scrubText(text, [text.slice(0, 1_000)]),
	normaliseBaseUrl: (text) => normaliseBaseUrl(BASE + text),
	signRequest: (text) => signRequest({ url: `${BASE}/${text}` }, { baseUrl: BASE, apiKey: KEY }),
	leadsAstray,
	routeOf: (text) => routeOf('post.get', { params: { id: text } }),
	isUuid,
	isAddress,
	idInAddress: (text) => idInAddress(`https://${text}`, 'postId'),
	reachOf,
	readTarget: (text) =>
		readTarget({ upload_url: `https://x.example.com/${text}?${text}` }, { baseUrl: BASE }),
	allowedDomainsFor: (text) =>
		allowedDomainsFor(BASE, { allowedHttpRequestDomains: 'domains', allowedDomains: text }),
	'an answer': (text) => answer({ statusCode: 500, headers: { 'x-request-id': text }, body: text }),
	'an error envelope': (text) =>
		answer({
			statusCode: 409,
			headers: {},
			body: { error: { code: text, message: text, details: { reason: text } } },
		}),
	'the words of an error': (text) =>
		messageOf({
			...({ kind: 'answered', endpoint: 'post.get', agency: false, retryable: false } as const),
			...{ attempts: 1, uncertain: false, status: 400, serviceMessage: text.slice(0, 2_001) },
		}),
	readRetryAfter: (text) => readRetryAfter({ 'retry-after': text, date: text }, 0),
	keyProblem,
	newRequestId: (text) => newRequestId(text, 1),
	statusOfReason,
	documentedReason,
	isWord,
	serviceWordIn,
	profileUrlField: (text) => profileUrlField({ [`${text}_profile_url`]: text, [text]: text }),
	isAccessible: (text) => isAccessible({ grant: { status: text } }),
	networkCode: (text) => networkCode(Object.assign(new Error(text), { code: text })),
	preventedBy: (text) => preventedBy(new Error(text), [KEY]),
};

const PIECES =
	'a|A|0| |\n|.|/|\\|-|_|@|%|;|:|=|&|"|{|é|\ud83d|a.|a@|%2|%25|%2e|%41|\\u0041|&amp;|_live_|a_live_|/me|/v1/|Bearer |key=|0-|-a'
		.split('|')
		.flatMap((piece) => [piece, `${piece}\u0001`]);
const LENGTH = 100_000;
const MAX_MS = 50;

it.each(Object.keys(READERS))('%s', (name) => {
	const read = READERS[name] ?? (() => undefined);
	const ms = (text: string): number => {
		const from = performance.now();
		try {
			read(text);
		} catch {
			// Refused is read as well.
		}
		return performance.now() - from;
	};
	const slow = PIECES.flatMap((piece) => {
		const [same, mark] = piece.endsWith('\u0001') ? [piece.slice(0, -1), 'x!'] : [piece, ''];
		const text = same.repeat(Math.ceil(LENGTH / same.length)).slice(0, LENGTH) + mark;
		// The best of several, since the machine may be doing something else.
		let best = ms(text);
		for (let again = 0; again < 3 && best > MAX_MS; again += 1) best = Math.min(best, ms(text));
		return best > MAX_MS ? [`${JSON.stringify(piece)}: ${Math.round(best)} ms`] : [];
	});
	expect(slow).toEqual([]);
});
