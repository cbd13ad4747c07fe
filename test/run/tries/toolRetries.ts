/**
 * A tool that an agent calls: n8n's "Retry On Fail" gives each try a run index of its own, and the
 * agent may call again by itself. Neither may do a thing twice that may have been done.
 */
import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { LeadGenPublishing } from '../../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { runAsTool } from '../../support/engine';
import { byId, setUpKit, subjectOf } from '../../support/kit/index';
import type { ToolRun } from '../../support/runAsTool';

const kit = setUpKit();
const fromAi = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const RANDOM = '={{ "Said at " + Math.random() }}';
const LOST = { kind: 'reset', after: true } as const;
const UNKNOWN = 'may have succeeded, so it was not sent again';

interface Calls {
	further?: readonly IDataObject[];
	sideBySide?: boolean;
	retryOnFail?: boolean;
	onError?: 'continueRegularOutput';
}

const tool = async (
	parameters: Record<string, unknown>,
	args: IDataObject = {},
	more: Calls = {},
) =>
	await runAsTool({
		...subjectOf(kit.credentials(parameters)),
		...{ parameters, args, retryOnFail: true, maxTries: 3, ...more },
	});

const create = { resource: 'post', operation: 'create', text: fromAi('text') };
const socialAction = () => ({
	resource: 'socialAction',
	operation: 'create',
	workspaceId: kit.service.world.own.workspaceId,
	body: '={{ JSON.stringify({ type: "comment", text: $fromAI("text") }) }}',
	options: { maxWaitSeconds: 0, modelMayPublish: true },
});
const update = (postId: string) => ({
	...{ resource: 'post', operation: 'update', postId: byId(postId) },
	updateFields: { text: fromAi('text') },
	options: { maxWaitSeconds: 0, modelMayPublish: true },
});
const published = () =>
	kit.service.world.addPost(kit.service.world.own, { status: 'published', text: 'old' });

const posted = (text: string | RegExp) =>
	kit.service.world.own.posts.toArray().filter((post) => post.text?.match(text)).length;
const writes = () => kit.service.requests.filter(({ method }) => method !== 'GET');
const keys = () => writes().map(({ headers }) => headers['idempotency-key']);
/** What n8n stores of the node's memory. */
const kept = ({ fullRun }: ToolRun) =>
	fullRun.data.executionData?.contextData['node:Node under test'] as
		{ leadGenPublishingWrites?: { runs: object } } | undefined;
const runsKept = (run: ToolRun) => Object.keys(kept(run)?.leadGenPublishingWrites?.runs ?? {});

describe('Retry On Fail', () => {
	it.each([
		['as the model says', fromAi('text')],
		['with a text that is another one in each try', RANDOM],
	])('creates one post whose answer is lost, %s', async (_, text) => {
		kit.service.faults.add(LOST, { method: 'POST' });
		const run = await tool({ ...create, text }, { text: 'Said once' });
		expect(run.timesRun).toBe(3);
		expect(run.errorMessage).toMatch(/may have succeeded/);
		expect(writes()).toHaveLength(1);
		expect(posted(text === RANDOM ? /^Said at/ : 'Said once')).toBe(1);
	});

	it('finds a post by its unique key', async () => {
		const options = { uniqueKey: randomUUID(), maxWaitSeconds: 0 };
		kit.service.faults.add(LOST, { method: 'POST' });
		const when = () => writes().length > 0;
		kit.service.faults.add({ kind: 'error', status: 500 }, { method: 'GET', when });
		const run = await tool({ ...create, options }, { text: 'With a key' });
		expect(run.errorMessage).toBeUndefined();
		expect([run.timesRun, writes().length, posted('With a key')]).toEqual([2, 1, 1]);
		expect(runsKept(run)).toEqual([]);
	});

	it.each([
		['a social action', socialAction, true],
		['the text of a published post', () => update(published().id), false],
	])('sends %s again with its key', async (_, parameters, after) => {
		const when = () => writes().length === 1;
		kit.service.faults.add({ kind: 'error', status: 502, after }, { when });
		const run = await tool(parameters(), { text: 'Keyed' });
		expect([run.errorMessage, run.timesRun]).toEqual([undefined, 2]);
		const [key] = keys();
		expect(keys()).toEqual([key, key]);
		expect(key).toBeDefined();
		expect(kept(run)).toEqual({});
	});

	it.each(['provider_state_refreshed', 'stale_provider_version'] as const)(
		'does not write over a text that has to be reviewed (%s), nor does another call',
		async (reason) => {
			const { id } = published();
			kit.service.faults.reason(reason, { method: 'PATCH' });
			const run = await tool(update(id), { text: 'new' }, { further: [{ text: 'new' }] });
			expect(run.timesRun).toBe(6);
			expect(run.answers.map(({ errorMessage }) => errorMessage)).toEqual([
				expect.stringContaining(reason),
				expect.stringContaining(reason),
			]);
			expect(writes()).toHaveLength(1);
			expect(kit.service.world.own.posts.get(id)?.text).toBe('old');
		},
	);

	it('also counts where n8n runs the tool as a node of its own', async () => {
		const node = new LeadGenPublishing();
		node.description = { ...node.description, name: 'leadGenPublishingTool' };
		kit.service.faults.add(LOST, { method: 'POST' });
		const retrying = { retryOnFail: true, maxTries: 3 };
		const run = await kit.run({ ...create, text: RANDOM }, { node, ...retrying });
		expect([run.timesRun, writes().length]).toEqual([3, 1]);
		expect(run.error?.message).toContain(UNKNOWN);
	});
});

describe('another call of the agent', () => {
	const calls = async (
		parameters: Record<string, unknown>,
		[args, ...further]: string[],
		more: Calls = {},
	) =>
		await tool(
			parameters,
			{ text: args },
			{ further: further.map((text) => ({ text })), retryOnFail: false, ...more },
		);

	it('with the same input does not repeat what may have succeeded', async () => {
		kit.service.faults.add(LOST, { method: 'POST' });
		const run = await calls(create, ['Called twice', 'Called twice']);
		expect(run.answers[1]?.errorMessage).toContain(UNKNOWN);
		expect([writes().length, posted('Called twice')]).toEqual([1, 1]);
	});

	it('is told the same where the node goes on with a failure', async () => {
		kit.service.faults.add(LOST, { method: 'POST' });
		const onError = 'continueRegularOutput';
		const run = await calls(create, ['Went on', 'Went on'], { onError });
		expect(JSON.stringify(run.answers[1]?.response)).toContain(UNKNOWN);
		expect(writes()).toHaveLength(1);
	});

	it('with the same input repeats a social action with its key', async () => {
		kit.service.faults.add({ kind: 'error', status: 502, after: true }, { method: 'POST' });
		const run = await calls(socialAction(), ['Again', 'Again', 'Again']);
		expect(run.answers.map(({ errorMessage }) => errorMessage === undefined)).toEqual([
			...[false, true, true],
		]);
		const [first, second, third] = keys();
		expect(second).toBe(first);
		// The one that has succeeded is over: this was meant to happen once more.
		expect(third).not.toBe(first);
	});

	it('with other input has nothing to do with the failure before', async () => {
		kit.service.faults.add(LOST, { method: 'POST' });
		const run = await calls(create, ['One', 'Another', 'One']);
		expect(run.answers.map(({ errorMessage }) => errorMessage === undefined)).toEqual([
			...[false, true, false],
		]);
		expect(writes()).toHaveLength(2);
	});

	it('with the same input after a success is carried out', async () => {
		const run = await calls(create, ['Meant twice', 'Meant twice']);
		expect([posted('Meant twice'), runsKept(run)]).toEqual([2, []]);
		await calls(socialAction(), ['Twice', 'Twice']);
		expect(new Set(keys().slice(2)).size).toBe(2);
	});

	it('at the same time is carried out beside the first one', async () => {
		const run = await calls(create, ['Parallel', 'Parallel'], { sideBySide: true });
		expect([posted('Parallel'), runsKept(run)]).toEqual([2, []]);
		kit.service.faults.add({ kind: 'error', status: 502, after: true }, { method: 'POST' });
		const sideBySide = { sideBySide: true, retryOnFail: true };
		await calls(socialAction(), ['Parallel', 'Parallel'], sideBySide);
		// Each has a key, and the one whose answer is lost keeps it.
		expect(keys().slice(2)).toHaveLength(3);
		expect(new Set(keys().slice(2)).size).toBe(2);
	});
});

it('n8n stores one run for each call that has failed, and nothing of what it was to do', async () => {
	kit.service.faults.status(400, { method: 'POST', count: Infinity });
	const again = Array.from({ length: 20 }, () => ({ text: 'Very private' }));
	const run = await tool(create, { text: 'Very private' }, { further: again });
	expect([run.timesRun, runsKept(run).length]).toEqual([63, 1]);
	expect(JSON.stringify(kept(run))).not.toContain('private');
	expect(JSON.stringify(kept(run)).length).toBeLessThan(1_500);
	const others = ['B', 'C', 'B', 'C'].map((text) => ({ text }));
	expect(runsKept(await tool(create, { text: 'A' }, { further: others }))).toHaveLength(3);
});
