/**
 * A tool that an agent calls: n8n's "Retry On Fail" gives each try a run index of its own, and the
 * agent may call again by itself. Neither may do a thing twice that may have been done.
 */
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { runAsTool } from '../support/engine';
import { byId, setUpKit, subjectOf, type Parameters } from '../support/kit/index';
import type { RunAsToolOptions, ToolRun } from '../support/runAsTool';

const kit = setUpKit();
const TEXT = "={{ $fromAI('text', '', 'string') }}";
const RANDOM = '={{ "Said at " + Math.random() }}';
const LOST = { kind: 'reset', after: true } as const;
const AMBIGUOUS = { kind: 'error', status: 502, after: true } as const;
const UNKNOWN = 'may have succeeded, so it was not sent again';
const loses = (effect: typeof LOST | typeof AMBIGUOUS) =>
	kit.service.faults.add(effect, { method: 'POST' });

/** A call with each text, one after the other. */
const tool = async (
	parameters: Parameters,
	[text = '', ...further]: string[],
	more: Partial<RunAsToolOptions> = {},
) =>
	await runAsTool({
		...{ ...subjectOf(kit.credentials(parameters)), parameters, args: { text } },
		...{ further: further.map((one) => ({ text: one })), retryOnFail: true, maxTries: 3 },
		...more,
	});
const ONCE = { retryOnFail: false };

const create = { resource: 'post', operation: 'create', text: TEXT };
const options = { maxWaitSeconds: 0, modelMayPublish: true };
const socialAction = () => ({
	...{ resource: 'socialAction', operation: 'create', options },
	workspaceId: kit.service.world.own.workspaceId,
	body: '={{ JSON.stringify({ type: "comment", text: $fromAI("text") }) }}',
});
const update = (postId: string) => ({
	...{ resource: 'post', operation: 'update', postId: byId(postId), options },
	updateFields: { text: TEXT },
});
const published = () =>
	kit.service.world.addPost(kit.service.world.own, { status: 'published', text: 'old' });

const posted = (text: string | RegExp) =>
	kit.service.world.own.posts.toArray().filter((post) => post.text?.match(text)).length;
const keys = () => kit.writes().map(({ headers }) => headers['idempotency-key']);
const failed = ({ answers }: ToolRun) =>
	answers.map(({ errorMessage }) => errorMessage !== undefined);
/** What n8n stores of the node's memory. */
const kept = ({ fullRun }: ToolRun) =>
	fullRun.data.executionData?.contextData['node:Node under test'] as
		{ leadGenPublishingWrites?: { runs: object } } | undefined;
const runsKept = (run: ToolRun) => Object.keys(kept(run)?.leadGenPublishingWrites?.runs ?? {});

describe('Retry On Fail', () => {
	it.each([TEXT, RANDOM])('creates one post whose answer is lost: %s', async (text) => {
		loses(LOST);
		const run = await tool({ ...create, text }, ['Said once']);
		expect([run.timesRun, kit.writes().length]).toEqual([3, 1]);
		expect(run.errorMessage).toMatch(/may have succeeded/);
		expect(posted(text === RANDOM ? /^Said at/ : 'Said once')).toBe(1);
	});

	it.each([
		['a social action', socialAction, true],
		['the text of a published post', () => update(published().id), false],
	])('sends %s again with its key', async (_, parameters, after) => {
		const when = () => kit.writes().length === 1;
		kit.service.faults.add({ ...AMBIGUOUS, after }, { when });
		const run = await tool(parameters(), ['Keyed']);
		expect([run.errorMessage, run.timesRun, kept(run)]).toEqual([undefined, 2, {}]);
		const [key] = keys();
		expect(keys()).toEqual([expect.any(String), key]);
	});

	it('also counts where n8n runs the tool as a node of its own', async () => {
		const node = new LeadGenPublishing();
		node.description = { ...node.description, name: 'leadGenPublishingTool' };
		loses(LOST);
		const retrying = { retryOnFail: true, maxTries: 3 };
		const text = '={{ "Ran at " + Math.random() }}';
		const run = await kit.run({ ...create, text }, { node, ...retrying });
		expect([run.timesRun, kit.writes().length]).toEqual([3, 1]);
		expect(run.error?.message).toContain(UNKNOWN);
	});
});

describe('another call of the agent', () => {
	it('with the same input does not repeat what may have succeeded, with another it may', async () => {
		loses(LOST);
		const run = await tool(create, ['One', 'Another', 'One'], ONCE);
		expect(failed(run)).toEqual([true, false, true]);
		expect(run.answers[2]?.errorMessage).toContain(UNKNOWN);
		expect([kit.writes().length, posted('One')]).toEqual([2, 1]);
	});

	it('is told the same where the node goes on with a failure', async () => {
		loses(LOST);
		const onError = 'continueRegularOutput';
		const run = await tool(create, ['Went on', 'Went on'], { ...ONCE, onError });
		expect(JSON.stringify(run.answers[1]?.response)).toContain(UNKNOWN);
		expect(kit.writes()).toHaveLength(1);
	});

	it('with the same input repeats a social action with its key, until it has succeeded', async () => {
		loses(AMBIGUOUS);
		const run = await tool(socialAction(), ['Again', 'Again', 'Again'], ONCE);
		expect(failed(run)).toEqual([true, false, false]);
		const [first, second, third] = keys();
		expect([second === first, third === first]).toEqual([true, false]);
	});

	it.each([false, true])(
		'after a success, or beside it, is carried out (%s)',
		async (sideBySide) => {
			const text = `Meant twice ${sideBySide}`;
			const run = await tool(create, [text, text], { sideBySide });
			expect([posted(text), runsKept(run)]).toEqual([2, []]);
			if (sideBySide) loses(AMBIGUOUS);
			await tool(socialAction(), [text, text], { sideBySide });
			// Each has a key, and the one whose answer is lost keeps it.
			expect(keys().slice(2)).toHaveLength(sideBySide ? 3 : 2);
			expect(new Set(keys().slice(2)).size).toBe(2);
		},
	);
});

it('n8n stores one run for each call that has failed, and nothing of what it was to do', async () => {
	kit.service.faults.status(400, { method: 'POST', count: Infinity });
	const run = await tool(create, Array<string>(21).fill('Very private'));
	expect([run.timesRun, runsKept(run).length]).toEqual([63, 1]);
	expect(JSON.stringify(kept(run))).not.toContain('private');
	expect(JSON.stringify(kept(run)).length).toBeLessThan(1_500);
	expect(runsKept(await tool(create, ['A', 'B', 'C', 'B', 'C']))).toHaveLength(3);
});
