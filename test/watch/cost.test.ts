/** The cost of polls: requests, and characters of state. */
import { times } from '../support/long';
import { pageOf, refused } from '../support/replies';
import {
	ADA,
	ALL,
	CHOSEN,
	clientOf,
	DAY,
	endlessPageFrom,
	HOUR,
	leads,
	MINUTE,
	numbered,
	nested,
	playedTrigger,
} from './playedTrigger';
import { OWN } from '../support/kit/index';

/** For so long, nothing happens. */
const HOURS = times(2, 24);

type Node = ReturnType<typeof playedTrigger>;
type End = 'head' | 'tail';

const added = (node: Node, ids: readonly string[], end: End): void => {
	const { service } = node;
	if (end === 'head') service.records.unshift(...leads(...ids).reverse());
	else service.records.push(...leads(...ids));
};

/** The number of requests in the following polls, one per minute. */
async function requestsOf(node: Node, polls: number): Promise<number[]> {
	const counts: number[] = [];
	for (let poll = 0; poll < polls; poll++) {
		node.takeAsked();
		await node.outcomes(1);
		counts.push(node.takeAsked().length);
	}
	return counts;
}

/** A trigger that has read its list and knows at which ends it grows. */
async function learned(count: number, ends: readonly End[], parameters = OWN): Promise<Node> {
	const node = playedTrigger({ parameters, ids: numbered(count) });
	await node.outcomes(2);
	for (const end of ends) added(node, [`new at the ${end}`], end);
	const found = (await node.outcomes(5)).flatMap((one) => one ?? []);
	expect(found).toHaveLength(ends.length);
	return node;
}

describe('an idle poll', () => {
	it.each([0, 1, 60, 100])('of a list of %i records makes 1 request', async (count) => {
		const node = playedTrigger({ ids: numbered(count) });
		await node.poll();
		expect(await requestsOf(node, 5)).toEqual([1, 1, 1, 1, 1]);
	});

	it.each<[number, End[]]>([
		[101, ['head']],
		[2_000, []],
		[2_000, ['head']],
		[2_000, ['tail']],
		[2_000, ['head', 'tail']],
		[20_000, ['tail']],
	])('of %i records that appear at the %j makes at most 3 requests', async (count, ends) => {
		const node = await learned(count, ends);
		expect(Math.max(...(await requestsOf(node, 60)))).toBeLessThanOrEqual(3);
	});

	it.each<[End, number]>([
		['head', 1.6],
		['tail', 2.6],
	])(
		`at 2,000 records that appear at the %s makes %d requests at most on average over ${HOURS} hours`,
		async (end, most) => {
			const counts = await requestsOf(await learned(2_000, [end]), (HOURS * HOUR) / MINUTE);
			const sum = counts.reduce((all, one) => all + one, 0);
			expect(sum / counts.length).toBeLessThanOrEqual(most);
			// These include the complete checks of those hours.
			expect(sum).toBeGreaterThanOrEqual(counts.length + (HOURS - 1) * 20);
		},
	);

	it('of 300 clients makes at most 330 requests', async () => {
		const ids = numbered(300, 1_000).map((at) => ADA.replace(/....$/, at));
		const clients = ids.map((id) => clientOf(id));
		const node = playedTrigger({ parameters: ALL, service: { clients } });
		await node.outcomes(3);
		expect(Math.max(...(await requestsOf(node, 5)))).toBeLessThanOrEqual(330);
	});

	it('makes no more after a clock that ran ahead when something was found elsewhere', async () => {
		const node = await learned(950, ['head']);
		node.service.records.splice(450, 0, { id: 'between' });
		await node.outcomes(1, 365 * DAY);
		await node.outcomes(30, -12 * DAY);
		await node.outcomes(30);
		expect(Math.max(...(await requestsOf(node, 10)))).toBeLessThanOrEqual(3);
	});

	it('that compares fields makes at most 3, and rarely that many', async () => {
		const node = await learned(2_000, [], { event: 'leadChanged', watch: 'own' });
		const counts = await requestsOf(node, 30);
		expect(Math.max(...counts)).toBeLessThanOrEqual(3);
		expect(counts.filter((count) => count === 3).length).toBeLessThan(6);
	});

	it('of a list that always announces more makes 3, and only a few more during a check', async () => {
		const node = playedTrigger({ ids: numbered(300) });
		const { records } = node.service;
		node.service.instead = { '/leads': (asked) => endlessPageFrom(records, asked) };
		await node.outcomes(12);
		const counts = await requestsOf(node, 60);
		expect(counts.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(60 * 3.2);
	});

	it('of a list that stays blank makes 3 on average, once enough polls have found it blank', async () => {
		const node = await learned(300, ['head']);
		node.service.instead = { '/leads': pageOf([], { hasMore: true }) };
		const counts = await requestsOf(node, 80);
		const last = counts.slice(-30);
		expect(last.reduce((all, one) => all + one, 0)).toBeLessThanOrEqual(3 * last.length);
	});
});

describe('k new records', () => {
	const OF_LONG_LIST = [1, 20, 99, 100, 101, 250, 1_000].map((k) => [k, 2_000] as const);

	it.each(
		[...OF_LONG_LIST, [300, 150] as const].flatMap(([k, count]) =>
			(['head', 'tail'] as const).map((end) => [k, end, count] as const),
		),
	)(
		'%i at the %s of %i take ⌈k/90⌉ + 1 requests more than an idle poll, once',
		async (k, end, count) => {
			const node = await learned(count, [end]);
			const [idle = 0] = await requestsOf(node, 1);
			const ids = numbered(k, 100_000);
			added(node, ids, end);
			node.takeAsked();
			const [found] = await node.outcomes(1);
			expect(found).toHaveLength(k);
			expect(node.takeAsked().length).toBeLessThanOrEqual(idle + Math.ceil(k / 90) + 1);
			expect(Math.max(...(await requestsOf(node, 3)))).toBeLessThanOrEqual(3);
		},
	);
});

it.each<End>(['head', 'tail'])(
	'a burst of 2,000 at the %s with 25 a batch costs no more than 250 requests, and comes in 80 polls',
	async (end) => {
		const options = { maxItemsPerPoll: 25 };
		const node = await learned(500, [end], { ...OWN, options } as typeof OWN);
		added(node, numbered(2_000, 100_000), end);
		node.takeAsked();
		const polls = await node.outcomes(81);
		expect(node.takeAsked().length).toBeLessThanOrEqual(250);
		const found = polls.flatMap((one) => one ?? []);
		expect([found.length, new Set(found).size]).toEqual([2_000, 2_000]);
	},
);

it('a complete check of 5,000 records ends within the hours of the option', async () => {
	const options = { completeCheckEvery: 2 };
	const node = playedTrigger({ parameters: { ...OWN, options }, ids: numbered(5_000) });
	await node.outcomes(3);
	node.takeLogs('');
	await node.outcomes(4, HOUR);
	const ended = node.takeLogs('debug').filter((text) => text.includes('complete check'));
	expect(ended.length).toBeGreaterThanOrEqual(1);
});

describe('the state', () => {
	const stateOf = ({ host }: Node) => JSON.stringify(host.data).length;
	const sizeAt = async (parameters: typeof OWN, count: number) =>
		stateOf(await learned(count, [], parameters));

	it.each([
		['new leads', 11, OWN],
		['new leads of a keyword', 11, { ...OWN, filters: { keyword: 'guide' } }],
		['activity', 11, { ...OWN, event: 'newActivity' }],
		['posts', 28, { ...OWN, event: 'postStatusChanged' }],
		['changed leads', 28, { ...OWN, event: 'leadChanged' }],
	])('of %s takes at most %i characters a record', async (_, most, parameters) => {
		const [few, many] = [await sizeAt(parameters, 1_000), await sizeAt(parameters, 3_000)];
		expect((many - few) / 2_000).toBeLessThanOrEqual(most + 0.01);
	});

	it('takes at most 1.5 KB in addition, whatever has gone wrong', async () => {
		const options = { afterRestart: 'redeliverLast' };
		const node = playedTrigger({ parameters: { ...OWN, options }, ids: [] });
		await node.outcomes(2);
		node.add('b');
		await node.outcomes(1);
		node.useKey('x_live_other');
		node.service.records.push({ deep: nested(600), id: 'c' }, {});
		await node.outcomes(3);
		node.service.instead = { '/leads': refused(500, 'internal_error') };
		await node.outcomes(3);
		expect(stateOf(node)).toBeLessThan(1_500);
	});

	it('takes at most 400 characters for each further client, whatever has gone wrong', async () => {
		const sizeOf = async (count: number) => {
			const clientIds = numbered(count, 1_000).map((at) => ADA.replace(/....$/, at));
			const node = playedTrigger({
				parameters: { ...CHOSEN, clientIds },
				service: { records: [] },
			});
			await node.outcomes(2);
			node.service.instead = { '/leads': refused(500, 'internal_error') };
			await node.outcomes(3);
			return stateOf(node);
		};
		expect(((await sizeOf(60)) - (await sizeOf(20))) / 40).toBeLessThanOrEqual(400);
	});
});
