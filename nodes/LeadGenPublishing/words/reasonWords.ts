/**
 * Words for the service's reasons: parts 7.2 to 7.4 of the API document. A row may be a function if
 * the words depend on the request.
 */
import type { Answered } from '../api/failure';
import { isThrottled } from '../api/policy';
import { knownReason, type KnownReason } from '../api/policyTables';
import { instantOf } from '../records/storedValue';
import { shownTime } from './shownTime';
import {
	has,
	isGiven,
	RUN_AGAIN,
	waitLonger,
	words,
	type FailureWords,
	type OfService,
	type WordsFor,
} from './words';

type AnsweredFacts = OfService<Answered>;

const REFRESH = 'Run Network Organization > Refresh';

export const slowDown = (facts: AnsweredFacts): FailureWords => ({
	what: 'The service asks n8n to slow down',
	next: [waitLonger(facts)],
	again: 'Run this again later.',
});

/** A key belongs to exactly one request. The remedy depends on who made the key. */
const usedKey = (facts: AnsweredFacts): FailureWords => ({
	what: 'This idempotency key was already used for a different request',
	next: [
		isGiven(facts, 'uniqueKey')
			? 'Enter a different "Unique Key". This value was already used for different content.'
			: isGiven(facts, 'idempotencyKey')
				? 'Enter a different "Idempotency Key", or remove it. A key belongs to exactly one request.'
				: 'Start a new execution instead of retrying this one, so that the node generates a new key.',
	],
});

/** The sign that a published post can be changed or deleted again. */
const untilItCanBe = ({ endpoint: name }: AnsweredFacts): string =>
	`Post > Get reports that it can be ${name === 'post.delete' ? 'deleted' : 'edited'}`;

function otherBoostedPost(facts: AnsweredFacts): FailureWords {
	const time = instantOf(facts.serviceDetails?.earliest_scheduled_at);
	const from = time === undefined ? undefined : shownTime(time, facts.panel);
	const canMove = has(facts, 'onTeamBoostConflict') && !isGiven(facts, 'onTeamBoostConflict');
	return {
		what: 'Another boosted post of the same workspace is too close to this time',
		// A post that is published, or is to be at once, has no time that could be moved.
		next:
			facts.postNow === 'toBeScheduled'
				? [
						`Schedule the post ${from ? `for ${from} or later` : 'later'}, or turn off Team Boost for it in the service dashboard.`,
						canMove &&
							'To let the node use the time that the service offers, set "On Team Boost Conflict" to Reschedule.',
					]
				: [
						`Turn off Team Boost for it in the service dashboard, or wait ${from ? `until ${from}` : 'an hour'}, ${RUN_AGAIN}`,
					],
	};
}

const REASON_WORDS: Readonly<Record<KnownReason, WordsFor>> = {
	// 7.2 published post mutation
	provider_state_refreshed: words(
		'The text of the post was changed on the network. Review it before you change it',
		`Review the current text of the post, ${RUN_AGAIN}`,
	),
	stale_provider_version: (facts) => ({
		what: 'The post has changed since it was read, so this version is out of date',
		next: [
			'Read the post with Post > Get, and run this again with the new ETag.',
			has(facts, 'onStaleVersion') &&
				'To let the node do this once, set "On Stale Version" to Retry With Fresh ETag.',
		],
	}),
	mutation_in_progress: (facts) => ({
		what: 'Another change to this post was in progress',
		next: [
			facts.settled
				? 'It has finished. Run this again.'
				: `Wait until ${untilItCanBe(facts)}, ${RUN_AGAIN}`,
			// Only requests after which the node reads the post wait for it to settle.
			facts.settled === false && waitLonger(facts),
		],
	}),
	idempotency_conflict: usedKey,
	provider_ambiguous: ({ write }) => ({
		what: `The service cannot tell whether the network completed ${write?.what}`,
		next: [write?.check ? `${write.check}.` : 'You can safely run this again.'],
		against: write?.check && 'Do not repeat it before you know the outcome.',
		saysUnknown: true,
	}),
	team_boost_spacing_conflict: otherBoostedPost,
	provider_attachment_identity_unavailable: (facts) => ({
		what: 'The service cannot identify the attachments of this post right now',
		next: [
			// An earlier attempt may have changed it.
			!facts.uncertain && 'The post was not changed.',
			`Run this again once ${untilItCanBe(facts)}.`,
		],
	}),
	provider_attachment_mismatch: ({ endpoint: name }) => ({
		what: `The network responded with attachments that do not match${name === 'post.update' ? '; the text may have been updated' : ''}`,
		next: ['Check the post with Post > Get.'],
		again: 'Then run it again without changes.',
		saysUnknown: name === 'post.update' ? true : undefined,
	}),
	write_forbidden: words('This key may only read the post', 'Use a key that may change posts.'),
	// 7.3 Fast Response
	invalid_fast_response_config: words(
		'The Fast Response settings are not allowed',
		'Use an interval of 2, 5 or 10 minutes and a duration of 30 or 60 minutes.',
	),
	fast_response_requires_schedule: words(
		'Fast Response requires a scheduled post',
		'Schedule the post first, then start Fast Response.',
	),
	boost_window_conflict: words(
		'Another post of this account already occupies that time window',
		'Stop the other Fast Response, or wait until its window has ended, then start this one.',
	),
	idempotency_key_reused: usedKey,
	post_not_boost_eligible: words(
		'This post cannot be boosted',
		'Choose another post, or check its state with Post > Get.',
	),
	account_paused: words(
		'The account is paused',
		`Resume the account in the dashboard, ${RUN_AGAIN}`,
	),
	// 7.4 company actors
	pod_consent_required: words(
		'The owner of the company actor has not consented to the pod',
		`Ask the owner to consent in the dashboard, ${RUN_AGAIN}`,
	),
	rate_limited: slowDown,
	not_connected: words(
		'No usable network account is connected',
		`Connect the network account in the dashboard, ${RUN_AGAIN}`,
	),
	organization_not_found: ({ endpoint: name }) => ({
		what: 'The organization is not known for this account',
		next: [
			name !== 'networkOrganization.refresh' && `${REFRESH}, ${RUN_AGAIN}`,
			'If it stays unknown, it does not belong to the connected network account.',
		],
	}),
	organization_permission_denied: words(
		'The connected account has no permission for this page',
		`Have an administrator of the page grant the permission. ${REFRESH} after that.`,
	),
	organization_stale: words(
		'The stored permissions of the organization are missing or older than 24 hours, or the network no longer shows the organization',
		`${REFRESH}, ${RUN_AGAIN}`,
		'If it keeps failing, check on the social network whether the page still exists.',
	),
	organization_provider_rejected: {
		what: 'The network rejected the action',
		next: ['Change the action.'],
		against:
			'The same action will be rejected again. The service disables actions that are rejected repeatedly.',
	},
	organization_duplicate: words(
		'The organization is already enrolled in this workspace',
		'You can use the existing enrollment.',
	),
	identifier_unpinned: words(
		"The owner's personal URL on the network cannot be confirmed, so consent cannot be completed",
		'Have the owner reconnect the network account in the dashboard and consent again.',
	),
};

/** Undefined if the document does not list the reason, or if its words do not fit a read. */
export function wordsOfReason(facts: AnsweredFacts): FailureWords | undefined {
	const name = knownReason(facts.reason);
	if (name === undefined) return undefined;
	const row = REASON_WORDS[name];
	if (typeof row !== 'function') return row;
	// Words that depend on what was to be changed do not fit a read.
	return facts.write !== undefined || isThrottled(facts) ? row(facts) : undefined;
}
