/** How much of a list is read for records that the node filters, on n8n's engine. */
import { byId, setUpKit, type Parameters } from '../support/kit/index';
import { runAsTool } from '../support/runAsTool';
import { MODES, subjectOf, type Mode } from '../support/kit/action';

const kit = setUpKit();
afterEach(() => {
	kit.service.settings.leadTimestamps = true;
	kit.service.settings.likelyShapes = false;
});

const PLACES = { own: () => kit.service.world.own, client: () => kit.service.world.clientB };
const as = (mode: Mode): Parameters =>
	mode === 'own' ? {} : { actAs: 'client', clientId: byId(PLACES.client().id) };
const leads = (filters: Parameters, more: Parameters = {}) => ({
	...{ resource: 'lead', operation: 'getAll', simplify: false, filters },
	...more,
});
const pages = () => kit.service.requests.map(({ query }) => [query.offset, query.limit]);
const hintsOf = (run: Awaited<ReturnType<typeof kit.run>>) =>
	Object.values(run.runData)
		.flat()
		.flatMap(({ hints = [] }) => hints.map(({ message }) => message));

/** 260 leads, of which those at these places of the list have the keyword. */
const KEYWORD = 'rare';
const SIZE = 260;
function fill(mode: Mode, places: readonly number[]): string[] {
	const { world } = kit.service;
	const account = PLACES[mode]();
	for (const { id } of account.leads.page({ limit: 10_000, offset: 0, order: 'newest' }).records)
		world.removeLead(account, id);
	const ids: string[] = [];
	for (let place = SIZE - 1; place >= 0; place -= 1) {
		const isRare = places.includes(place);
		const lead = world.addLead(account, { latest_keyword: isRare ? KEYWORD.toUpperCase() : 'x' });
		if (isRare) ids.unshift(lead.id);
	}
	return ids;
}

describe.each(MODES)('for the %s account', (mode) => {
	it('one lead takes one page if it is on it', async () => {
		const [first] = fill(mode, [40, 50, 240]);
		const run = await kit.run(leads({ keyword: KEYWORD }, { ...as(mode), limit: 1 }));
		expect(run.outputs[0]?.map(({ json }) => json.id)).toEqual([first]);
		expect(pages()).toEqual([['0', '100']]);
		expect(hintsOf(run)).toContain('The node read 100 leads and returned 1.');
	});

	it('the limit counts what matches, and ends the reading', async () => {
		const ids = fill(mode, [40, 50, 140, 240]);
		const run = await kit.run(leads({ keyword: KEYWORD }, { ...as(mode), limit: 3 }));
		expect(run.outputs[0]?.map(({ json }) => json.id)).toEqual(ids.slice(0, 3));
		expect(hintsOf(run)).toContain('The node read 200 leads and returned 3.');
		// One page may have been asked for ahead.
		expect(pages().slice(0, 2)).toEqual([
			['0', '100'],
			['100', '100'],
		]);
		expect(pages().length).toBeLessThanOrEqual(3);
	});

	it('all of them are found at the end of the list', async () => {
		const ids = fill(mode, [0, 259]);
		const run = await kit.run(leads({ keyword: KEYWORD }, { ...as(mode), returnAll: true }));
		expect(run.outputs[0]?.map(({ json }) => json.id)).toEqual(ids);
		expect(hintsOf(run)).toContain('The node read 260 leads and returned 2.');
	});

	it('a page size of the user stays as it is', async () => {
		fill(mode, [3]);
		const options = { customFields: { limit: 7 } };
		await kit.items(leads({ keyword: KEYWORD }, { ...as(mode), limit: 1, options }));
		expect(pages()).toEqual([['0', '7']]);
	});

	it('a time that no lead shows is an error of the item, and of no other', async () => {
		fill(mode, [3]);
		kit.service.settings.leadTimestamps = false;
		const filters = { createdAfter: '={{ $json.after }}' };
		const run = await kit.run(leads(filters, { ...as(mode), limit: 5 }), {
			items: [{ json: { after: '2020-01-01T00:00:00Z' } }, { json: { after: '' } }],
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]?.[0]?.json).toMatchObject({
			error: expect.stringMatching(
				/"Filters > Created After" cannot be applied: none of the 260 leads /,
			) as string,
		});
		expect(run.outputs[0]).toHaveLength(5);
	});
});

it('several items are counted together', async () => {
	fill('own', [1, 2]);
	const run = await kit.run(leads({ keyword: '={{ $json.keyword }}' }, { returnAll: true }), {
		items: [{ json: { keyword: KEYWORD } }, { json: { keyword: 'none' } }],
	});
	expect(hintsOf(run)).toContain('The node read 520 leads and returned 2.');
});

it('posts are filtered in the shapes of a summary, too', async () => {
	kit.service.settings.likelyShapes = true;
	const { world } = kit.service;
	const due = new Date(Date.now() + 86_400_000).toISOString();
	const { id } = world.addPost(world.own, {
		...{ text: 'The spring launch', status: 'scheduled', scheduled_at: due },
	});
	const filters = { statuses: ['scheduled'], search: 'SPRING', scheduledAfter: '={{ $now }}' };
	const posts = { resource: 'post', operation: 'getAll', returnAll: true, filters };
	expect((await kit.records(posts)).map((post) => post.id)).toEqual([id]);
});

it('an agent that asks for one lead gets one', async () => {
	const [first] = fill('own', [140, 150]);
	const parameters = {
		...{ resource: 'lead', operation: 'getAll', limit: 1, output: 'simplified' },
		filters: { search: '={{ $fromAI("search", "", "string") }}', keyword: KEYWORD },
	};
	const id = first ?? '';
	const run = await runAsTool({
		...subjectOf(kit.credentials(parameters)),
		parameters,
		args: { search: id },
	});
	expect(run.errorMessage).toBeUndefined();
	expect(run.response).toEqual([expect.objectContaining({ id })]);
});
