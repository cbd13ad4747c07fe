/** Can I work? Whether the service is there, accepts the key, and tells the same time. */
import type { Asked } from '../../facts';
import { isGuarded, lifeOf } from '../../alive';
import { httpStatusOf, isAskedToWait, type Evidence } from '../evidence';
import { fatal, needsYou, notChecked, ok, row, unusual, type CheckFinding, type Row } from '../row';
import { hasScope, SCOPES } from '../subject';
import { count, inShort, inWords, saysOf } from '../words';

const PASTE_URL =
	'Open the credential and compare the Base URL with the URL that the service gave you. It usually ends with the version, such as /api/v1.';
const WAIT =
	'Wait a few minutes, then run this again. If nothing changes, ask the service whether it is down.';

type AddressKind =
	| 'answers'
	| 'redirected'
	| 'webPage'
	| 'notFound'
	| 'guarded'
	| 'noHost'
	| 'tls'
	| 'blocked'
	| 'noResponse'
	| 'failing'
	| 'throttled';

function address(evidence: Evidence): Array<CheckFinding<AddressKind>> {
	const [base, subject] = [
		evidence.first('account.getApiInfo'),
		evidence.first('account.getSubject'),
	];
	if (base === undefined || subject === undefined) return [];
	const life = lifeOf(base, subject, evidence.first('post.getAll'));
	if (life === 'alive' || life === 'locked') return [{ kind: 'answers', seen: 'the API responds' }];
	const said = subject.outcome.kind === 'unsent' ? base : subject;
	const found = (kind: AddressKind): Array<CheckFinding<AddressKind>> => [
		{ kind, seen: inShort(said.outcome), says: saysOf([said]) },
	];
	const { outcome } = said;
	if (isAskedToWait(said)) return found('throttled');
	if (life === 'failing') return found('failing');
	if (outcome.kind === 'redirected') return found('redirected');
	if (outcome.kind === 'unsent') return found(outcome.why === 'n8n' ? 'blocked' : 'noResponse');
	if (outcome.kind === 'noResponse') {
		if (outcome.why === 'tls') return found('tls');
		return found(outcome.why === 'unreached' ? 'noHost' : 'noResponse');
	}
	if (isGuarded(base) && isGuarded(subject)) return found('guarded');
	return found(outcome.kind === 'unreadable' ? 'webPage' : 'notFound');
}

type KeyKind = 'accepted' | 'refused' | 'forbidden' | 'unknown';

function key(evidence: Evidence): Array<CheckFinding<KeyKind>> {
	const subject = evidence.first('account.getSubject');
	if (subject === undefined) return [];
	const seen = inShort(subject.outcome);
	const says = saysOf([subject]);
	if (subject.outcome.kind === 'success') return [{ kind: 'accepted', seen: describe(evidence) }];
	if (httpStatusOf(subject) === 401) return [{ kind: 'refused', seen, says }];
	const works = evidence
		.with('reading')
		.some(({ name, outcome }) => (name.endsWith('.getAll') ? outcome.kind === 'success' : false));
	if (works) return [{ kind: 'unknown', seen, says }];
	return httpStatusOf(subject) === 403
		? [{ kind: 'forbidden', seen, says }]
		: [{ kind: 'unknown', seen, says }];
}

/** Whose key it is and what it may do, as far as `/me` says so. */
function describe({ subject: { isAgency, scopes } }: Evidence): string {
	const whose = isAgency === undefined ? 'a key' : isAgency ? "an agency's key" : "a user's key";
	if (scopes === undefined) return `${whose}; /me shows no scopes`;
	if (hasScope(scopes, '*')) return `${whose} with every scope (*)`;
	const held = SCOPES.filter((scope) => hasScope(scopes, scope));
	return `${whose} with ${held.length === 0 ? 'no scope' : inWords(held, 20)}`;
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

function expiry({ subject, asked }: Evidence): Array<CheckFinding<'later' | 'soon' | 'over'>> {
	const { expiresAt } = subject;
	if (expiresAt === undefined) return [];
	const days = Math.ceil((expiresAt - Math.max(...asked.map(({ at }) => at))) / DAY_MS);
	if (days <= 0) return [{ kind: 'over', seen: 'a time in the past' }];
	const about = count(days, 'day');
	return [{ kind: days < SOON_DAYS ? 'soon' : 'later', seen: `in ${about}`, about }];
}

const MOST_CLOCK_SKEW_MS = 60_000;

/** A response from a cache has the date of the original response. */
const isCached = ({ headers }: Asked['attempts'][number]): boolean =>
	Number(headers.age ?? 0) > 0 || /hit/i.test(String(headers['x-cache'] ?? ''));

function clock(evidence: Evidence): Array<CheckFinding<'same' | 'apart' | 'cached'>> {
	const dated = evidence.asked.flatMap(({ at, attempts }) => {
		const [attempt] = attempts;
		const theirs = Date.parse(String(attempt?.headers.date));
		return attempt === undefined || Number.isNaN(theirs) ? [] : { at, attempt, theirs };
	});
	const fresh = dated.filter(({ attempt }) => !isCached(attempt));
	if (fresh.length === 0)
		return dated.length === 0 ? [] : [{ kind: 'cached', seen: 'every response came from a cache' }];
	// The header has whole seconds, so it may be one second behind. It was set at any moment during
	// the request.
	const skews = fresh.map(({ at, attempt, theirs }) => {
		const ahead = Math.max(0, at - theirs - 1_000);
		const behind = Math.max(0, theirs - at - attempt.ms);
		return ahead > behind ? ahead : -behind;
	});
	// An unmarked cache, or one slow response, does not make a clock wrong.
	const [least = 0] = skews.sort((one, other) => Math.abs(one) - Math.abs(other));
	const apart = Math.abs(least);
	const who = apart < 1_000 ? '' : least > 0 ? ', n8n ahead' : ', n8n behind';
	const seen = `${count(Math.round(apart / 1_000), 'second')} apart${who}`;
	return [{ kind: apart <= MOST_CLOCK_SKEW_MS ? 'same' : 'apart', seen }];
}

const SLOW_MS = 5_000;

function speed({ asked }: Evidence): Array<CheckFinding<'fast' | 'slow'>> {
	const times = asked
		.filter(({ outcome }) => outcome.kind === 'success')
		.flatMap(({ attempts }) => attempts.at(-1)?.ms ?? [])
		.sort((one, other) => one - other);
	if (times.length === 0) return [];
	const median = times[Math.floor(times.length / 2)] ?? 0;
	const seen = `half of ${count(times.length, 'response')} within ${median} ms, the slowest ${times.at(-1) ?? 0} ms`;
	return [{ kind: median <= SLOW_MS ? 'fast' : 'slow', seen }];
}

const isTime = (wait: unknown): boolean => /^\s*\d+\s*$|\d\d:\d\d:\d\d/.test(String(wait));
function throttling({ asked }: Evidence): Array<CheckFinding<'timed' | 'untimed' | 'vague'>> {
	const waits = asked
		.flatMap(({ attempts }) => attempts)
		.filter(({ status, headers }) => status === 429 || headers['retry-after'] !== undefined)
		.map(({ headers }) => headers['retry-after']);
	if (waits.length === 0) return [];
	const named = waits.filter((wait) => wait !== undefined);
	const seen = `${count(waits.length, 'response')} asked to wait, ${named.length} with Retry-After`;
	if (named.some((wait) => !isTime(wait))) return [{ kind: 'vague', seen }];
	return [{ kind: named.length > 0 ? 'timed' : 'untimed', seen }];
}

export const CONNECTION: readonly Row[] = [
	row('Base URL', {
		block: 'work',
		find: address,
		words: {
			answers: ok('The API responds at the Base URL.'),
			redirected: fatal(
				'The Base URL redirects to another URL. The node does not follow redirects, because it would send your key there.',
				'Enter the final URL of the API as the Base URL in the credential.',
			),
			webPage: fatal(
				'The Base URL responds, but not with this API.',
				`${PASTE_URL} If it is right, a proxy or a login page sits between n8n and the service.`,
			),
			notFound: fatal('There is no API at the Base URL.', PASTE_URL),
			guarded: fatal(
				'Every request is rejected, even one that needs no key. There seems to be a firewall, a proxy or a login page in front of the service.',
				'Ask the service whether it accepts requests from the IP address of this n8n. Also check the proxy of this n8n, and the API Key in the credential.',
			),
			noHost: fatal(
				'n8n cannot reach the server at the Base URL.',
				`${PASTE_URL} If it is right, check the proxy and the network of this n8n.`,
			),
			tls: fatal(
				'n8n cannot set up an encrypted connection to the service.',
				'Check that the Base URL begins with https:// and names the right host. If the service uses a certificate from your own authority, make n8n trust it (NODE_EXTRA_CA_CERTS).',
			),
			blocked: fatal(
				'n8n does not allow requests to this URL, so nothing was sent.',
				'Check the Base URL. If it is right, ask your n8n administrator to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES, N8N_SSRF_ALLOWED_IP_RANGES).',
			),
			noResponse: fatal(
				'The service does not respond.',
				`${WAIT} Also check the proxy and the network of this n8n.`,
			),
			failing: fatal('The service responds to every request with an error.', WAIT),
			throttled: fatal(
				'The service asks n8n to wait before it responds at all.',
				'Run this again later, or set a higher "Max Wait (Seconds)".',
			),
		},
	}),
	row('Key', {
		block: 'work',
		find: key,
		words: {
			accepted: ok('The service accepts the API key.'),
			refused: fatal(
				'The service does not accept the API key.',
				'Open the credential and enter the API Key again. It may be mistyped, revoked, inactive, or for another Base URL.',
			),
			forbidden: fatal(
				'The service knows the key, but does not let it do anything.',
				'Ask the service whether the billing of the account is active, and what the key may do.',
			),
			unknown: unusual(
				'The service does not say whose key this is. Account > Get fails, and the trigger cannot notice a key of another account.',
			),
		},
	}),
	row('Key expiry', {
		block: 'work',
		find: expiry,
		words: {
			later: ok('The key is valid for at least two more weeks.'),
			soon: needsYou(
				'The key expires in {about}.',
				'Ask the service for a new key before that, and enter it in the credential.',
			),
			over: needsYou(
				'According to /me, the key has expired. The service may reject it at any time.',
				'Ask the service for a new key, and enter it in the credential.',
			),
		},
		unseen: 'The service does not say when the key expires.',
	}),
	row('Clock', {
		block: 'work',
		find: clock,
		words: {
			same: ok('The clocks of n8n and the service agree.'),
			apart: needsYou(
				'The clocks of n8n and the service differ. A post that is scheduled soon may be rejected, or go out at the wrong time.',
				'Check the clock of the machine that runs n8n, and correct it. If it is right, tell the service.',
			),
			cached: notChecked(
				'A cache responds instead of the service, so the time of the service is not known.',
			),
		},
		unseen: 'The responses have no date.',
	}),
	row('Speed', {
		block: 'work',
		find: speed,
		words: {
			fast: ok('The service responds quickly enough.'),
			slow: needsYou(
				'The service is slow. Long lists, and polls of many clients, take minutes.',
				'Poll less often. If items fail, set a higher "Max Wait (Seconds)".',
			),
		},
	}),
	row('Rate limits', {
		block: 'work',
		find: throttling,
		words: {
			timed: ok('The service asked n8n to wait, and said for how long. The node waited.'),
			untimed: ok(
				'The service asked n8n to wait, but did not say for how long. The node chose a pause.',
			),
			vague: unusual(
				'The service asks n8n to wait, but the node cannot read for how long. It chooses a pause.',
			),
		},
		unseen: 'The service did not ask n8n to wait.',
	}),
	row('Encryption', {
		block: 'work',
		find: ({ connection: { isEncrypted } }) => [
			isEncrypted
				? { kind: 'https', seen: 'https' }
				: { kind: 'http', seen: 'http, on this machine' },
		],
		words: {
			https: ok('The connection is encrypted.'),
			http: ok('The service runs on this machine, so the connection needs no encryption.'),
		},
	}),
	row("n8n's own network", {
		block: 'work',
		find: ({ connection: { ownNetwork } }) =>
			ownNetwork === undefined ? [] : [{ kind: ownNetwork, seen: 'http://localhost:9/ was tried' }],
		words: {
			blocked: ok(
				"n8n's SSRF protection is on. No node can reach n8n's own network unless the administrator allows it.",
			),
			open: ok("n8n's SSRF protection is off. Workflows can send requests to n8n's own network."),
		},
		unseen: 'The node did not try this.',
	}),
	row('Service word', {
		block: 'work',
		find: ({ connection: { serviceWord } }) => [
			serviceWord === undefined
				? { kind: 'hidden', seen: 'neither the key nor the credential names it' }
				: { kind: 'shown', seen: 'the key or the credential names it' },
		],
		words: {
			shown: ok("The node knows the service's word, which one header needs."),
			hidden: unusual(
				"The key does not show the service's word. Without it, the node cannot change the text of a published post.",
				'In the credential, turn on Set Words by Hand and enter the Service Word.',
			),
		},
	}),
];
