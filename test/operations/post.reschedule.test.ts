/** A post that Team Boost refuses is sent again at the time offered: only then, and not for ever. */
import { ApiFailure, type FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { NoticeDetails } from '../../nodes/LeadGenPublishing/fields/notice';
import type { ItemCall } from '../../nodes/LeadGenPublishing/operations/define';
import { sendRescheduling } from '../../nodes/LeadGenPublishing/operations/post/reschedule';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

const AT = '2030-01-31T09:30:00.000Z';
const LATER = '2030-01-31T10:30:00.000Z';
const LAST = '2030-01-31T11:30:00.000Z';

const OFFER = { earliest_scheduled_at: LATER };
const conflict = (serviceDetails?: JsonRecord, more: Partial<FailureFacts> = {}) =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 409 },
		...{ reason: 'team_boost_spacing_conflict', retryable: false, attempts: 1, uncertain: false },
		...{ serviceDetails, ...more },
	});

async function sending(
	answers: ReadonlyArray<ApiFailure | JsonRecord>,
	{ allowed = true, scheduledAt = AT as unknown } = {},
) {
	const sent: JsonRecord[] = [];
	const said: Array<[string, NoticeDetails | undefined]> = [];
	const options = { onTeamBoostConflict: allowed ? 'reschedule' : 'fail' };
	const outcome = await sendRescheduling(
		{
			input: new Values((name) => (name === 'options' ? options : undefined)),
			notice: (message: string, details?: NoticeDetails) => said.push([message, details]),
			functions: { getTimezone: () => 'UTC' },
		} as unknown as ItemCall,
		{
			post: { status: 'scheduled', scheduled_at: scheduledAt },
			body: { text: 'a', scheduled_at: AT },
			send: async (body) => {
				sent.push(body);
				const answer = answers[sent.length - 1] ?? { id: 'x' };
				return await (answer instanceof ApiFailure
					? Promise.reject(answer)
					: Promise.resolve(answer));
			},
		},
	).catch((error: unknown) => error);
	return { sent: sent.map(({ scheduled_at: time }) => time), said, outcome, bodies: sent };
}

it('is sent as it is, and nothing is said, where the service takes it', async () => {
	const { bodies, said, outcome } = await sending([]);
	expect([bodies, said, outcome]).toEqual([[{ text: 'a', scheduled_at: AT }], [], { id: 'x' }]);
});

it('is sent again with the time offered, and the user is told which', async () => {
	const { bodies, said, outcome } = await sending([conflict({ earliest_scheduled_at: LATER })]);
	expect(bodies[1]).toEqual({ text: 'a', scheduled_at: LATER });
	expect(outcome).toEqual({ id: 'x' });
	expect(said).toEqual([
		[
			`A post was rescheduled to 2030-01-31 10:30 (UTC), to keep apart from another boosted post`,
			{
				group: {
					key: 'rescheduled',
					summary: '{count} posts were rescheduled, to keep apart from other boosted posts',
					label: '2030-01-31 10:30 (UTC)',
				},
			},
		],
	]);
});

it.each<[string, JsonRecord, string]>([
	['the end of what is blocked', { blocked_until: LATER }, LATER],
	['the earliest of both', { earliest_scheduled_at: LATER, blocked_until: LAST }, LATER],
	['the one that is later', { earliest_scheduled_at: AT, blocked_until: LAST }, LAST],
	['the one that is a time', { earliest_scheduled_at: 7, blocked_until: LAST }, LAST],
	['a time of another zone', { earliest_scheduled_at: '2030-01-31T11:30:00+01:00' }, LATER],
])('takes %s', async (_, details, expected) => {
	expect((await sending([conflict(details)])).sent).toEqual([AT, expected]);
});

it('takes any time where the one of the post is not known', async () => {
	const refusal = conflict({ earliest_scheduled_at: '2001-01-01T00:00:00.000Z' });
	const { sent } = await sending([refusal], { scheduledAt: null });
	expect(sent).toEqual([AT, '2001-01-01T00:00:00.000Z']);
});

it.each<[string, ApiFailure, boolean]>([
	['it was not asked to', conflict({ earliest_scheduled_at: LATER }), false],
	['no time is offered', conflict(), true],
	['the time is not later', conflict({ earliest_scheduled_at: AT, blocked_until: AT }), true],
	['the time is none', conflict({ earliest_scheduled_at: 'soon' }), true],
	['something else is wrong', conflict(OFFER, { reason: 'provider_ambiguous' }), true],
	['the post may have been created', conflict(OFFER, { uncertain: true }), true],
])('is sent once where %s', async (_, refusal, allowed) => {
	const { sent, said, outcome } = await sending([refusal], { allowed });
	expect([sent, said]).toEqual([[AT], []]);
	expect(outcome).toEqual(new ApiFailure({ ...refusal.facts, scheduled: true }));
});

it('is sent three times at most, each time later than before', async () => {
	const offers = [LATER, LAST, '2030-01-31T12:30:00.000Z'];
	const refusals = offers.map((time) => conflict({ earliest_scheduled_at: time }));
	const { sent, said, outcome } = await sending(refusals);
	expect([sent, said]).toEqual([[AT, LATER, LAST], []]);
	expect(outcome).toEqual(refusals[2]);
	// The same offer twice is no later one.
	const same = [LATER, LATER].map((time) => conflict({ earliest_scheduled_at: time }));
	expect((await sending(same)).sent).toEqual([AT, LATER]);
});
