/**
 * Records created since the last known time are new: after damage, after a filter was changed and
 * changed back, and with *Start From*. The records here show when they were created.
 */
import type { IDataObject } from 'n8n-workflow';

import { pageFrom } from '../support/replies';
import {
	ADA,
	ALL,
	advance,
	BOB,
	CAT,
	clientOf,
	DAY,
	HOUR,
	MINUTE,
	numbered,
	playedTrigger,
	type Asked,
	type Outcome,
} from './playedTrigger';
import { OWN } from '../support/kit/index';

type Node = ReturnType<typeof playedTrigger>;

const created = (id: string, ago = 0, more: IDataObject = {}): IDataObject => ({
	id,
	created_at: new Date(Date.now() - ago).toISOString(),
	...more,
});
/** More than fit on a page. */
const old = (count = 250): IDataObject[] => numbered(count).map((id) => created(id, 10 * DAY));

/** A trigger that has read the whole list and delivered a record. */
async function watchingSince(given: Parameters<typeof playedTrigger>[0] = {}): Promise<Node> {
	const node = playedTrigger({ service: { records: old() }, ...given });
	await node.outcomes(2);
	node.service.records.unshift(created('first'));
	expect(await node.outcomes(2)).toEqual([['first'], null]);
	return node;
}

/** The delivered records, in any order, and the reports. */
function summed(outcomes: readonly Outcome[]): { ids: unknown[]; errors: string[] } {
	const ids = outcomes.flatMap((one) => (Array.isArray(one) ? one : [])).sort();
	return { ids, errors: outcomes.filter((one) => typeof one === 'string') };
}

describe('damage to what is stored', () => {
	const DAMAGED: ReadonlyArray<[string, (watch: IDataObject) => IDataObject | string]> = [
		['is no state', () => 'damaged'],
		['lacks its lists', ({ lists: _, ...rest }) => rest],
		['has another checksum', (watch) => ({ ...watch, sum: 'other' })],
		['is of another version', (watch) => ({ ...watch, v: 1 })],
	];

	describe.each([false, true])('where n8n forgets polls without items: %s', (forgets) => {
		it.each(DAMAGED)('new records come, old ones do not: it %s', async (_, damage) => {
			const node = await watchingSince({ forgets });
			node.restart();
			node.host.data = { ...node.host.data, watch: damage(node.host.data.watch as IDataObject) };
			node.service.records.unshift(created('since'));
			node.service.records.splice(120, 0, created('import', DAY), created('between'));
			const { ids, errors } = summed(await node.outcomes(4));
			// What came since the last complete check comes again.
			expect(ids).toEqual(['between', 'first', 'since']);
			expect(errors).toEqual([
				expect.stringMatching(
					/stored state of the trigger was damaged\. Records that were created/,
				),
			]);
			node.service.records.unshift(created('later'));
			expect(await node.outcomes(2)).toEqual([['later'], null]);
		});
	});

	it('new records come if the whole state is lost, which cannot be reported', async () => {
		const node = await watchingSince();
		node.restart();
		const { horizon } = node.host.data;
		node.host.data = { horizon };
		node.service.records.unshift(created('since'));
		expect(summed(await node.outcomes(4))).toEqual({ ids: ['first', 'since'], errors: [] });
	});

	it('if the times are lost, too, nothing old comes, and that is reported', async () => {
		const node = await watchingSince();
		node.restart();
		node.host.data = { watch: 'damaged', horizon: 'damaged' };
		node.service.records.unshift(created('since'));
		const { ids, errors } = summed(await node.outcomes(4));
		expect(ids).toEqual([]);
		expect(errors).toEqual([expect.stringMatching(/records that arrived since the last poll/)]);
		node.service.records.unshift(created('later'));
		expect(await node.outcomes(2)).toEqual([['later'], null]);
	});

	it('if only the times are lost, everything continues', async () => {
		const node = await watchingSince();
		node.restart();
		node.host.data = { ...node.host.data, horizon: 'damaged' };
		node.service.records.unshift(created('since'));
		expect(summed(await node.outcomes(4))).toEqual({ ids: ['since'], errors: [] });
	});
});

describe('a time in the future', () => {
	const YEAR = 366 * DAY;

	it('does not make a record new', async () => {
		const records = numbered(250).map((id) => created(id, -YEAR));
		const node = playedTrigger({ service: { records } });
		expect(summed(await node.outcomes(4))).toEqual({ ids: [], errors: [] });
		node.service.records.unshift(created('later'), created('planned', -YEAR));
		expect(summed(await node.outcomes(2))).toEqual({ ids: ['later', 'planned'], errors: [] });
	});

	it('does not make later changes old', async () => {
		const version = (name: string, ago = 0): IDataObject => ({
			...{ id: 'a', name, created_at: new Date(Date.now() - DAY).toISOString() },
			updated_at: new Date(Date.now() - ago).toISOString(),
		});
		const parameters = { ...OWN, event: 'leadChanged' };
		const node = playedTrigger({ parameters, service: { records: [version('one', HOUR)] } });
		await node.outcomes(2);
		for (const [name, ago] of [
			['two', -YEAR],
			['three', 0],
			['four', 0],
		] as const) {
			node.service.records = [version(name, ago)];
			expect(await node.outcomes(1)).toEqual([['a']]);
		}
	});
});

/** The service itself knows *Has Email*. */
const filtered =
	(node: Node) =>
	(asked: Asked): ReturnType<typeof pageFrom> => {
		const { has_email: wanted } = asked.query;
		const { records } = node.service;
		const shown = records.filter(({ email }) => wanted === undefined || wanted === Boolean(email));
		return pageFrom(shown, asked);
	};

describe.each<[string, IDataObject, IDataObject]>([
	['keyword', { keyword: 'rare' }, { latest_keyword: 'rare' }],
	['hasEmail', { hasEmail: true }, { email: 'a@a.example' }],
])('the filter "%s" changed and changed back', (_, filters, matching) => {
	it.each([
		[false, false],
		[false, true],
		[true, false],
		[true, true],
	])('brings what came in between, once (forgets: %s, restarts: %s)', async (forgets, restarts) => {
		const node = await watchingSince({ forgets });
		node.service.instead = { '/leads': filtered(node) };
		const publishWith = async (given: IDataObject): Promise<Outcome[]> => {
			if (restarts) node.restart();
			node.host.parameters = { ...OWN, filters: given };
			node.host.stored = node.host.parameters;
			advance(MINUTE);
			const items = await node.publish();
			return [items?.map(({ id }) => id) ?? null, ...(await node.outcomes(3))];
		};
		expect(summed(await publishWith(filters))).toEqual({ ids: [], errors: [] });
		const fitting = ['fitting', 'fitting too'];
		node.service.records.unshift(
			created('other'),
			...fitting.map((id) => created(id, 0, matching)),
		);
		node.service.records.splice(100, 0, created('import', 5 * DAY));
		expect(summed(await node.outcomes(3))).toEqual({ ids: fitting, errors: [] });
		advance(2 * DAY);
		expect(summed(await publishWith({}))).toEqual({ ids: ['other'], errors: [] });
		// What came under other filters in between does not come again.
		node.service.records.unshift(created('fitting too late', 0, matching));
		expect(summed(await node.outcomes(3))).toEqual({ ids: ['fitting too late'], errors: [] });
		expect(summed(await publishWith(filters))).toEqual({ ids: [], errors: [] });
		expect(summed(await publishWith({}))).toEqual({ ids: [], errors: [] });
		node.service.records.unshift(created('later'));
		expect(await node.outcomes(2)).toEqual([['later'], null]);
	});
});

it('a change that came under other filters does not come again, and the next one does', async () => {
	const records = (status: string, more: IDataObject = {}): IDataObject[] =>
		['a', 'b'].map((id) => ({ ...created(id, DAY), source: 'comment', status, ...more }));
	const changedTo = (status: string): IDataObject[] =>
		records(status, { updated_at: new Date().toISOString() });
	const given = (filters: IDataObject) => ({ ...OWN, event: 'activityChanged', filters });
	const parameters = given({ source: 'comment' });
	const node = playedTrigger({ parameters, service: { records: records('new') } });
	const publishWith = async (filters: IDataObject): Promise<ReturnType<typeof summed>> => {
		node.host.parameters = node.host.stored = given(filters);
		const items = await node.publish();
		return summed([items?.map(({ id }) => id) ?? null, ...(await node.outcomes(3))]);
	};
	await node.outcomes(3);
	expect(await publishWith({})).toEqual({ ids: [], errors: [] });
	node.service.records = changedTo('matched');
	expect(await node.outcomes(1)).toEqual([['a', 'b']]);
	expect(await publishWith({ source: 'comment' })).toEqual({ ids: [], errors: [] });
	node.service.records = changedTo('sent');
	expect(await node.outcomes(1)).toEqual([['a', 'b']]);
});

describe('Start From', () => {
	const startingFrom = (ago: number, more: IDataObject = {}): IDataObject => ({
		...OWN,
		options: { startFrom: new Date(Date.now() - ago).toISOString(), ...more },
	});
	const ofEachDay = (): IDataObject[] =>
		[1, 2, 3, 4, 5].map((day) => created(`day ${day}`, day * DAY - HOUR));

	it.each([false, true])(
		'what was created after it comes, and nothing before it',
		async (forgets) => {
			const records = [...ofEachDay(), ...old()];
			const parameters = startingFrom(3 * DAY);
			const node = playedTrigger({ parameters, forgets, service: { records } });
			expect(summed(await node.outcomes(5)).ids).toEqual(['day 1', 'day 2', 'day 3']);
			node.service.records.unshift(created('later'));
			expect(await node.outcomes(2)).toEqual([['later'], null]);
		},
	);

	it('nothing comes again: published again, after a restart, and with an earlier date only what is earlier', async () => {
		const records = [...ofEachDay(), ...old()];
		const node = playedTrigger({ parameters: startingFrom(3 * DAY), service: { records } });
		await node.outcomes(5);
		expect(await node.publish()).toBeNull();
		expect(await node.outcomes(2)).toEqual([null, null]);
		node.restart();
		expect(await node.outcomes(3)).toEqual([null, null, null]);
		node.host.parameters = startingFrom(5 * DAY);
		const earlier = [await node.publish(), ...(await node.outcomes(3))].flat();
		const ids = JSON.stringify(earlier).match(/day \d/g) ?? [];
		expect([...new Set(ids)].sort()).toEqual(['day 4', 'day 5']);
	});

	it('wins over *Emit Existing*', async () => {
		const parameters = startingFrom(2 * DAY, { emitExisting: true });
		const node = playedTrigger({ parameters, service: { records: ofEachDay() } });
		expect(summed(await node.outcomes(4)).ids).toEqual(['day 1', 'day 2']);
	});

	it('is in the time zone of the workflow, if it names none', async () => {
		const records = [created('after', 10 * MINUTE), created('before', 30 * MINUTE)];
		// In Zurich, it is nine o'clock, so it was 20 minutes ago.
		expect(new Date().toISOString()).toBe('2027-01-15T08:00:00.000Z');
		const parameters = { ...OWN, options: { startFrom: '2027-01-15T08:40:00' } };
		const node = playedTrigger({ parameters, service: { records } });
		expect(summed(await node.outcomes(3)).ids).toEqual(['after']);
	});

	it('holds for each client, also for one that joins later', async () => {
		const parameters = { ...startingFrom(2 * DAY), ...ALL };
		const lists = {
			[`/clients/${ADA}/leads`]: [created('Ada 1', DAY), created('Ada 3', 3 * DAY)],
			[`/clients/${BOB}/leads`]: [created('Bob 3', 3 * DAY)],
			[`/clients/${CAT}/leads`]: [created('Cat 1', DAY), created('Cat 3', 3 * DAY)],
		};
		const node = playedTrigger({ parameters, service: { lists } });
		expect(summed(await node.outcomes(3)).ids).toEqual(['Ada 1']);
		node.service.clients.push(clientOf(CAT, 'Cat'));
		expect(summed(await node.outcomes(3)).ids).toEqual(['Cat 1']);
	});

	it('without times of creation, nothing old comes, and that is reported once', async () => {
		const records = numbered(150).map((id): IDataObject => ({ id }));
		const node = playedTrigger({ parameters: startingFrom(3 * DAY), service: { records } });
		const { ids, errors } = summed(await node.outcomes(5));
		expect(ids).toEqual([]);
		expect(errors).toEqual([expect.stringMatching(/^"Start From" has no effect/)]);
		node.add('later');
		expect(await node.outcomes(2)).toEqual([['later'], null]);
	});

	it('holds for the other records if one shows no time, and the report is about that one', async () => {
		const records = [created('after', DAY), { id: 'undated' }, created('before', 9 * DAY)];
		const node = playedTrigger({ parameters: startingFrom(3 * DAY), service: { records } });
		const { ids, errors } = summed(await node.outcomes(5));
		expect(ids).toEqual(['after']);
		expect(errors).toEqual([
			'"Start From" has no effect on records that show no creation time (so far: 1). The trigger delivers such records if they appear from now on. To get existing ones, turn on "Emit Existing" instead.',
		]);
	});
});
