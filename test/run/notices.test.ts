/** What stands beside the output: said once, in sum, and without a word of a record. */
import { Notices } from '../../nodes/LeadGenPublishing/run/notices';
import { byId, type Parameters, setUpKit } from '../support/kit/index';
import type { RunNodeOptions } from '../support/engine';

const kit = setUpKit();
const LEADS = { resource: 'lead', operation: 'getAll' };
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ json: { index } }));

const hintsOf = async (parameters: Parameters, more: Partial<RunNodeOptions> = {}) => {
	const { runData, error } = await kit.run(parameters, more);
	expect(error).toBeUndefined();
	return (runData['Node under test']?.[0]?.hints ?? []).map(({ message, type }) => ({
		message,
		type,
	}));
};
const messages = async (parameters: Parameters, more: Partial<RunNodeOptions> = {}) =>
	(await hintsOf(parameters, more)).map(({ message }) => message);

const WITHOUT = /^Leads read: 1,000\. Without any email address: \d+\.$/;

describe('of a list', () => {
	it('tell how many leads have no address', async () => {
		const { own } = kit.service.world;
		kit.service.world.seedLeads(own, 1_100);
		const told = await messages({ ...LEADS, limit: 1_000 });
		expect(told).toEqual([expect.stringMatching(WITHOUT)]);
		const names = own.leads.toArray().map(({ name }) => name);
		expect(names.filter((name) => told.join().includes(name))).toEqual([]);
	});

	it('sum up over the items instead of repeating themselves', async () => {
		const told = await messages({ ...LEADS, limit: 100 }, { items: items(10) });
		expect(told).toEqual([expect.stringMatching(WITHOUT)]);
	});

	it('do not tell what the filter asked for', async () => {
		const filters = { hasEmail: false };
		expect(await messages({ ...LEADS, returnAll: true, filters })).toEqual([]);
	});

	it.each([
		['its own account', {}, 'For those of a client, set "Act As" to "Client".'],
		['a filter', { filters: { hasEmail: true } }, 'Check the filters, "Custom Fields" included.'],
	])('say where to look when nothing was found with %s', async (_, more, remedy) => {
		const nothing = { data: [], pagination: { limit: 50, offset: 0, has_more: false } };
		kit.service.faults.add({ kind: 'change', change: (one) => ({ ...one, ...nothing }) });
		const [told, ...others] = await messages({ ...LEADS, ...more });
		expect(others).toEqual([]);
		expect(told).toContain('No leads found.');
		expect(told).toContain(remedy);
	});

	it("do not send a client's workflow to the client", async () => {
		const nothing = { data: [], pagination: { limit: 50, offset: 0, has_more: false } };
		kit.service.faults.add({ kind: 'change', change: (one) => ({ ...one, ...nothing }) });
		expect(await messages({ ...LEADS, ...kit.as('client') })).toEqual(['No leads found.']);
	});
});

describe('of failures that n8n continues after', () => {
	const read = { resource: 'post', operation: 'get', postId: byId('={{ $json.id }}') };
	const mixed = () => {
		const { id } = kit.service.world.addPost(kit.service.world.own);
		return [id, '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', id].map((one) => ({ json: { id: one } }));
	};

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s, tell how many failed',
		async (onError) => {
			expect(await hintsOf(read, { items: mixed(), onError })).toEqual([
				{ message: '1 of 3 items failed. See "message" in each of them.', type: 'warning' },
			]);
		},
	);

	it('say nothing when there is only one item, which says it itself', async () => {
		const items = mixed().slice(1, 2);
		expect(await hintsOf(read, { items, onError: 'continueRegularOutput' })).toEqual([]);
	});
});

it('nothing breaks where n8n has no place for hints', () => {
	const notices = new Notices({});
	expect(() => notices.say('A sentence')).not.toThrow();
	expect(() => notices.end({ failed: 1, size: 2 })).not.toThrow();
});

describe('beside the output', () => {
	const told = (say: (notices: Notices) => void) => {
		const hints: unknown[] = [];
		const notices = new Notices({ addExecutionHints: (...given) => void hints.push(...given) });
		say(notices);
		return hints;
	};
	const location = 'outputPane';

	it('each sentence stands once, with what was said of it', () => {
		const hints = told((notices) => {
			notices.say('One');
			notices.say('Other', { type: 'warning' });
			notices.say('One', { type: 'warning' });
		});
		expect(hints).toEqual([
			{ message: 'One', location },
			{ message: 'Other', location, type: 'warning' },
		]);
	});

	it('numbers of several items stand in sum, in the end', () => {
		const say = (sums: Readonly<Record<string, number>>) => [JSON.stringify(sums)];
		const hints = told((notices) => {
			notices.count({ counts: { read: 2, without: 0 }, say });
			notices.count({ counts: { read: 3, other: 1 }, say });
			notices.end({ failed: 0, size: 2 });
		});
		expect(hints).toEqual([{ message: '{"read":5,"without":0,"other":1}', location }]);
	});

	it.each([
		[0, 5, 0],
		[1, 1, 0],
		[1, 2, 1],
		[2, 2, 1],
	])('of %i failures among %i items there are %i sentences', (failed, size, count) => {
		expect(told((notices) => notices.end({ failed, size }))).toHaveLength(count);
	});
});
