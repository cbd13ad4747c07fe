import type { INodeExecutionData } from 'n8n-workflow';

import { dueTimesOf } from '../../nodes/LeadGenPublishing/operations/pacing/dueTimes';
import { byId, HOUR, inMs, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const create = (parameters: Record<string, unknown> = {}) => ({
	resource: 'socialAction',
	operation: 'create',
	workspaceId: kit.service.world.own.workspaceId,
	body: '={{ $json }}',
	...parameters,
});
const items = (...bodies: Array<INodeExecutionData['json']>) => ({
	items: bodies.map((json) => ({ json })),
});
const at = (minutes: number) => inMs(HOUR + minutes * 60_000);

it('creates an action with a key of its own', async () => {
	const body = { type: 'comment', text: 'Hi', scheduled_at: at(0) };
	const { json } = await kit.item(create(), items(body));
	expect(json).toMatchObject({ id: expect.any(String), status: 'queued' });
	const [request] = kit.service.requests;
	expect(request).toMatchObject({
		method: 'POST',
		path: `/workspaces/${kit.service.world.own.workspaceId}/social-actions`,
		status: 201,
		json: body,
	});
	expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
});

it('sends the same action again under the same key after a failure, and makes it once', async () => {
	const before = kit.service.world.socialActions.length;
	kit.service.faults.add({ kind: 'error', status: 502, after: true });
	await kit.item(create(), items({ type: 'dm' }));
	const keys = kit.service.requests.map(({ headers }) => headers['idempotency-key']);
	expect(keys).toHaveLength(2);
	expect(new Set(keys).size).toBe(1);
	expect(kit.service.world.socialActions).toHaveLength(before + 1);
});

it('is not sent where the expression of its body gives nothing', async () => {
	for (const body of ['={{ $json.nothing }}', '={{ null }}', '={{ "" }}']) {
		const { error } = await kit.failure(create({ body }));
		expect(error).toContain('The parameter "Body" is an expression that gives nothing');
	}
	expect(kit.service.requests).toEqual([]);
});

it('puts what the service refuses on the error output', async () => {
	kit.service.faults.status(403);
	const run = await kit.run(create(), {
		...items({ type: 'dm' }),
		onError: 'continueErrorOutput',
	});
	expect(run.outputs[1]?.[0]?.json.details).toMatchObject({ http_status: 403, code: 'forbidden' });
});

it.each([
	['a body that is empty', { body: '{}' }, /"Body" is empty/],
	['a body that is no JSON', { body: '{' }, /"Body" is not valid JSON/],
	['a workspace that is no UUID', { workspaceId: 'mine' }, /"Workspace ID" is not an ID/],
])('refuses %s before anything is sent', async (_, parameters, expected) => {
	const { error } = await kit.failure(create({ body: '{"a": 1}', ...parameters }));
	expect(error).toMatch(expected);
	expect(kit.service.requests).toHaveLength(0);
});

describe('several actions in one run', () => {
	const paced = (minutes: number[]) =>
		items(...minutes.map((minute) => ({ type: 'dm', scheduled_at: at(minute) })));

	it('are sent in order when their times are irregular', async () => {
		const run = await kit.run(create(), paced([0, 7, 23, 31]));
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(kit.service.requests).toHaveLength(4);
		const keys = kit.service.requests.map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(4);
	});

	it.each<[string, number[], RegExp]>([
		['due at the same time', [0, 7, 0], /due at the same time/],
		['due at equal intervals', [0, 10, 20], /exactly equal intervals/],
		['due at equal intervals, in another order', [20, 0, 10], /exactly equal intervals/],
		['hourly with a night in between', [0, 60, 120, 180, 900], /exactly equal intervals/],
	])('are refused, all of them, when %s', async (_, minutes, expected) => {
		const run = await kit.run(create(), {
			...paced(minutes),
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]).toHaveLength(minutes.length);
		for (const { json } of run.outputs[1] ?? []) {
			expect(json.error).toMatch(expected);
			expect(json.message).toContain('Schedule > Spread');
			expect(json.details).toMatchObject({ code: 'unpaced', retryable: false });
		}
		expect(kit.service.requests).toHaveLength(0);
	});

	it('stop the run before the first one is sent', async () => {
		const run = await kit.run(create(), paced([0, 7, 7]));
		expect(run.error?.message).toMatch(/None of them was sent/);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('are refused without any due time, with two ways out', async () => {
		const run = await kit.run(create(), {
			...items({ type: 'dm' }, { type: 'like' }),
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]?.[0]?.json.message).toMatch(/Schedule > Spread.*Due Time Field.*Loop/);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('are looked at by the field that the user names', async () => {
		const bodies = items({ slot: at(0) }, { slot: at(9) });
		const run = await kit.run(create({ options: { dueTimeField: 'slot' } }), bodies);
		expect(run.outputs[0]).toHaveLength(2);
	});

	it('do not get in the way of another workspace', async () => {
		const [own, other] = [kit.service.world.own, kit.service.world.stranger];
		const due = at(0);
		const run = await kit.run(create({ workspaceId: '={{ $json.to }}' }), {
			...items(
				{ to: own.workspaceId, scheduled_at: due },
				{ to: other.workspaceId, scheduled_at: due },
			),
			onError: 'continueErrorOutput',
		});
		// Both were sent: neither workspace has two actions at one time.
		expect(run.outputs[0]).toHaveLength(1);
		expect(kit.answered()).toEqual(['POST 201', 'POST 403']);
	});
});

describe('due times that may well be meant', () => {
	const told = async (bodies: Array<INodeExecutionData['json']>) => {
		const run = await kit.run(create(), {
			...items(...bodies),
			onError: 'continueErrorOutput',
		});
		const hints = run.runData['Node under test']?.[0]?.hints ?? [];
		return {
			sent: run.outputs[0]?.length,
			errors: (run.outputs[1] ?? []).map(({ json }) => String(json.error)),
			hints: hints.map(({ message }) => message),
		};
	};
	// Monday, 2 January 2090; the workflow counts in the time of New York.
	const day = (time: string, date = '2090-01-02') => ({ type: 'dm', due_at: `${date}T${time}` });

	it('get no word inside of working hours', async () => {
		expect(await told([day('09:00'), day('12:11'), day('16:59')])).toEqual({
			sent: 3,
			errors: [],
			hints: [],
		});
	});

	it('outside of working hours are counted', async () => {
		const { sent, hints } = await told([
			day('08:59'),
			day('12:11'),
			day('17:00'),
			day('10:00', '2090-01-07'),
			day('10:03Z'),
		]);
		expect(sent).toBe(5);
		expect(hints).toEqual([expect.stringMatching(/working hours.*America\/New_York.*: 4 of 5\./)]);
	});

	it('in a form that cannot be read are counted, and never alike', async () => {
		const due = (due_at: string) => ({ type: 'dm', due_at });
		const { sent, hints } = await told([due('02.01.2090 10:00'), due('next Monday')]);
		expect(sent).toBe(2);
		expect(hints).toEqual([expect.stringMatching(/cannot read: 2\./)]);
		const same = await told([due('02.01.2090 10:00'), due('02.01.2090 10:00')]);
		expect(same.sent).toBe(0);
		expect(same.errors[0]).toMatch(/due at the same time/);
	});

	it('are the same in whatever zone they are written', async () => {
		const { sent, errors } = await told([
			day('10:00'),
			day('15:00:00Z'),
			{ type: 'dm', due_at: '2090-01-02 20:30+0530' },
		]);
		expect(sent).toBe(0);
		expect(errors).toHaveLength(3);
	});

	it('in a pattern that repeats itself are refused', async () => {
		const { sent, errors } = await told(
			['09:00', '09:10', '09:30', '09:40', '10:00'].map((time) => day(time)),
		);
		expect(sent).toBe(0);
		expect(errors[0]).toMatch(/pattern that repeats itself\. None of them was sent/);
	});

	it('of Schedule > Spread are neither refused nor remarked upon', async () => {
		const spread = await kit.run(
			{
				resource: 'schedule',
				operation: 'spread',
				start: '2090-01-02T00:00:00',
				options: { seed: 'pacing' },
			},
			{ items: Array.from({ length: 60 }, () => ({ json: { type: 'dm' } })) },
		);
		const bodies = (spread.outputs[0] ?? []).map(({ json }) => json);
		expect(await told(bodies)).toEqual({ sent: 60, errors: [], hints: [] });
	});
});

describe('follow-ups of posts', () => {
	const post = (followups: unknown, more = {}) => ({
		resource: 'post',
		operation: 'create',
		text: 'A post',
		additionalFields: { followups },
		...more,
	});
	const due = (...times: string[]) =>
		times.map((time) => ({ text: 'And?', due_at: `2090-01-02T${time}:00-05:00` }));

	it('that share one time are refused, with each other', async () => {
		const { error, message, details } = await kit.failure(post(due('10:00', '10:00')));
		expect(error).toMatch(/Several follow-ups are due at the same time\. None of them was sent/);
		expect(message).toContain('Schedule > Spread');
		expect(details).toMatchObject({ code: 'unpaced', parameter: 'followups' });
		expect(kit.service.requests).toEqual([]);
	});

	it.each([
		['additionalFields', post('={{ $json.followups }}')],
		[
			'customFields',
			post(undefined, { options: { customFields: '={{ { followups: $json.followups } }}' } }),
		],
	])('and across items, given in %s', async (_, parameters) => {
		const run = await kit.run(parameters, {
			items: [due('10:00'), due('11:07', '10:00')].map((followups) => ({ json: { followups } })),
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]).toHaveLength(2);
		expect(kit.service.requests).toEqual([]);
	});

	it('in an update, too', async () => {
		const { id } = kit.service.world.addPost(kit.service.world.own);
		const { error } = await kit.failure({
			resource: 'post',
			operation: 'update',
			postId: byId(id),
			updateFields: { followups: due('10:00', '10:10', '10:20') },
		});
		expect(error).toMatch(/exactly equal intervals/);
		expect(kit.service.requests).toEqual([]);
	});

	it('of different accounts may share one', async () => {
		const { clientA, clientB, keys } = kit.service.world;
		const run = await kit.run(
			kit.as('client', post(due('10:00'), { clientId: byId('={{ $json.client }}') })),
			{
				items: [clientA, clientB].map(({ id }) => ({ json: { client: id } })),
				credentials: { baseUrl: kit.service.baseUrl, apiKey: keys.agency },
			},
		);
		expect(run.outputs[0]).toHaveLength(2);
	});

	it('without a due time, and apart from each other, are sent', async () => {
		await kit.item(post([{ text: 'And?' }, { text: 'Well?' }]));
		await kit.item(post({ first: due('10:00')[0], second: due('10:07')[0] }));
		expect(kit.answered()).toEqual(['POST 201', 'POST 201']);
	});
});

describe('the due time in a body', () => {
	const time = '2030-01-31T09:30:00Z';
	const ms = Date.parse(time);

	it.each<[string, Record<string, unknown>, number[]]>([
		['scheduled_at', { scheduled_at: time }, [ms]],
		['due_at', { due_at: time }, [ms]],
		['camel case', { sendAt: time }, [ms]],
		['seconds', { run_at: ms / 1000 }, [ms]],
		['milliseconds', { run_at: ms }, [ms]],
		['one level down', { action: { scheduled_at: time } }, [ms]],
		['in a list', { steps: [{ due_at: time }, { due_at: ms }] }, [ms, ms]],
		['named twice', { scheduled_at: time, post: { publish_at: time } }, [ms]],
		['clearer among others', { at: '2031-01-01', due_at: time }, [ms]],
		['not a time', { scheduled_at: 'soon', format: 'x', data: time }, []],
		['of something else', { created_at: time, expires_at: time }, []],
		['two levels down', { a: { b: { due_at: time } } }, []],
	])('%s', (_, body, expected) => {
		expect(dueTimesOf(body, { timeZone: 'UTC' }).times).toEqual(expected);
	});
});
