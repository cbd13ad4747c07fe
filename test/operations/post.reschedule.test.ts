/** A post that Team Boost refuses is sent again at the time offered: only then, and not for ever. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { failure, itemScene } from './itemScene';
import type { SomeFacts } from '../support/facts';

const AT = '2030-01-31T09:30:00.000Z';
const [LATER, LAST, LATEST] = [1, 2, 3].map((hours) =>
	new Date(Date.parse(AT) + hours * 3_600_000).toISOString(),
);

const conflict = (serviceDetails?: JsonRecord, more: SomeFacts = {}): ApiFailure =>
	failure(409, { reason: 'team_boost_spacing_conflict', serviceDetails, ...more });
const offering = (earliest_scheduled_at: unknown) => conflict({ earliest_scheduled_at });

async function sending(answers: readonly ApiFailure[], { option = 'reschedule', at = AT } = {}) {
	const parameters = { text: 'a', status: 'scheduled', scheduledAt: at };
	const { call, sent, said } = itemScene(
		{ ...parameters, options: { onTeamBoostConflict: option } },
		{ answers: { 'post.create': [...answers, { id: 'x' }] } },
	);
	const outcome: unknown = await createPost.run(call).catch((error: unknown) => error);
	return { times: sent.map(({ body }) => body?.scheduled_at), bodies: sent, said, outcome };
}

it('is sent as it is, and nothing is said, where the service takes it', async () => {
	const { times, said, outcome } = await sending([]);
	expect([times, said, outcome]).toEqual([[AT], [], { id: 'x' }]);
});

it('is sent again with the time offered, and the user is told which', async () => {
	const { bodies, said, outcome } = await sending([offering(LATER)]);
	expect(bodies[1]?.body).toEqual({ ...bodies[0]?.body, scheduled_at: LATER });
	expect(outcome).toEqual({ id: 'x' });
	expect(said).toEqual([
		`A post was rescheduled to 2030-01-31 10:30 (UTC) to keep its distance from another boosted post.`,
	]);
});

it.each<[string, JsonRecord, string | undefined]>([
	['the end of what is blocked', { blocked_until: LATER }, LATER],
	['the earliest of both', { earliest_scheduled_at: LATER, blocked_until: LAST }, LATER],
	['the one that is later', { earliest_scheduled_at: AT, blocked_until: LAST }, LAST],
	['the one that is a time', { earliest_scheduled_at: 7, blocked_until: LAST }, LAST],
	['a time of another zone', { earliest_scheduled_at: '2030-01-31T11:30:00+01:00' }, LATER],
	// Read by the clock of the machine, it would be another time, and one after a comma none.
	['a time without a zone as UTC', { earliest_scheduled_at: '2030-01-31T10:30:00,000' }, LATER],
	[
		'the next second of a time with a fraction, which may be finer than the clock of this process',
		{ earliest_scheduled_at: '2030-01-31T10:29:59.000001+00:00' },
		LATER,
	],
])('takes %s', async (_, details, expected) => {
	expect((await sending([conflict(details)])).times).toEqual([AT, expected]);
});

const OFFER = { earliest_scheduled_at: LATER };
it.each<[string, ApiFailure, string?]>([
	['it was not asked to', offering(LATER), 'fail'],
	['no time is offered', conflict()],
	['the time is not later', conflict({ earliest_scheduled_at: AT, blocked_until: AT })],
	['the time is none', offering('soon')],
	['something else is wrong', conflict(OFFER, { reason: 'provider_ambiguous' })],
	['the post may have been created', conflict(OFFER, { uncertain: true })],
])('is sent once where %s', async (...[, refusal, option]) => {
	const { times, said, outcome } = await sending([refusal], { option });
	expect([times, said]).toEqual([[AT], []]);
	expect(outcome).toEqual(new ApiFailure({ ...refusal.facts, postNow: 'toBeScheduled' }));
});

it('is sent three times at most, each time later than before', async () => {
	const refusals = [LATER, LAST, LATEST].map(offering);
	const { times, said, outcome } = await sending(refusals);
	expect([times, said]).toEqual([[AT, LATER, LAST], []]);
	expect(outcome).toEqual(refusals[2]);
	// The same offer twice is no later one.
	expect((await sending([LATER, LATER].map(offering))).times).toEqual([AT, LATER]);
});
