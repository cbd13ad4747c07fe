/** When the grant of a client counts as ended. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { emptyKnowledge } from '../../nodes/LeadGenPublishing/watch/clients';
import { grantsOf } from '../../nodes/LeadGenPublishing/watch/grants';
import type { PollSession } from '../../nodes/LeadGenPublishing/watch/session';

const DAY = 24 * 3_600_000;

const answered = (status: number): ApiFailure =>
	new ApiFailure({
		kind: 'answered',
		status,
		endpoint: 'client.get',
		agency: true,
		attempts: 1,
		uncertain: false,
	});

/** A sequence of lists, each without a client that is watched. */
function lists(answer: JsonRecord | ApiFailure, inactive: readonly string[] = []) {
	const known = emptyKnowledge();
	known.inactive = new Set(inactive);
	const looks: string[] = [];
	const session = {
		known,
		client: {
			call: async (_: string, { params }: { params: { clientId: string } }) => {
				looks.push(params.clientId);
				if (answer instanceof ApiFailure) throw answer;
				return await Promise.resolve({ data: answer });
			},
		},
	} as unknown as PollSession;
	return {
		looks,
		next: async (active: readonly string[] = ['other'], before = ['gone', 'other']) => {
			return await grantsOf(session, { before, active });
		},
	};
}

const KEPT = { kept: ['gone'], ended: [] };
const ENDED = { kept: [], ended: ['gone'] };

beforeEach(() => void jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void jest.useRealTimers());

it('it is missing from two lists in a row, and the service confirms it', async () => {
	const { next, looks } = lists({ grant: { status: 'revoked' } });
	expect(await next()).toEqual(KEPT);
	expect(looks).toEqual([]);
	expect(await next()).toEqual(ENDED);
	expect(looks).toEqual(['gone']);
});

it('it is missing, listed, and missing again, in one list each', async () => {
	const { next, looks } = lists({ grant: { status: 'revoked' } });
	for (const active of [['other'], ['other', 'gone'], ['other']])
		expect((await next(active)).ended).toEqual([]);
	expect(looks).toEqual([]);
});

it('it is listed as not active, which is checked at once', async () => {
	const { next } = lists({ grant: { status: 'revoked' } }, ['gone']);
	expect(await next()).toEqual(ENDED);
});

it.each([403, 404])('the service refuses to show it (%i)', async (status) => {
	const { next } = lists(answered(status), ['gone']);
	expect(await next()).toEqual(ENDED);
});

it.each<[string, JsonRecord | ApiFailure]>([
	['says that it is active', { grant: { status: 'active' } }],
	['shows no grant', {}],
	['does not answer', answered(503)],
	['asks to wait', answered(429)],
])('it goes on being watched where the service %s', async (_, answer) => {
	const { next } = lists(answer);
	for (let list = 0; list < 6; list++) expect(await next()).toEqual(KEPT);
});

it.each<[string, JsonRecord | ApiFailure, number]>([
	['every second time once the service says that it is active', { grant: { status: 'active' } }, 3],
	['each time from the second one on as long as the service says nothing', answered(503), 5],
])('if it is missing from six lists, it is checked %s', async (_, answer, count) => {
	const { next, looks } = lists(answer);
	for (let list = 0; list < 6; list++) await next();
	expect(looks).toHaveLength(count);
});

it('once that is confirmed, it is not checked again within a day', async () => {
	const { next, looks } = lists({ grant: { status: 'revoked' } }, ['gone']);
	await next();
	jest.advanceTimersByTime(DAY - 1);
	expect(await next()).toEqual(ENDED);
	expect(looks).toHaveLength(1);
	jest.advanceTimersByTime(1);
	expect(await next()).toEqual(ENDED);
	expect(looks).toHaveLength(2);
});

it('one that is listed as active again is a client as before', async () => {
	const { next } = lists({ grant: { status: 'revoked' } }, ['gone']);
	expect(await next()).toEqual(ENDED);
	expect(await next(['gone', 'other'])).toEqual({ kept: [], ended: [] });
});

it('one poll checks at most five clients, and the others stay', async () => {
	const many = Array.from({ length: 12 }, (_, at) => `client ${at}`);
	const { next, looks } = lists({ grant: { status: 'revoked' } }, many);
	const sizes: number[] = [];
	for (let poll = 0; poll < 3; poll++) sizes.push((await next([], many)).kept.length);
	expect(sizes).toEqual([7, 2, 0]);
	expect(looks).toHaveLength(12);
});
