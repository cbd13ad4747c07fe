/** The simulator notices the mistakes of a trigger. Each trigger here has one fault, or none. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { playWorld, type Played } from './playWorld';
import type { TriggerClass } from './playedNode';
import { BASE_URL } from './playedService';
import type { World } from './world';

type Fault =
	| 'none'
	| 'forgets one'
	| 'repeats'
	| 'delivers what exists'
	| 'comes late'
	| 'reads too much'
	| 'throws'
	| 'blames the credential'
	| 'gives one key to all'
	| 'grows';

interface Page {
	readonly data: IDataObject[];
}

/** Reads up to a hundred records in each poll, and remembers their IDs. */
const triggerWith = (fault: Fault): TriggerClass =>
	class {
		description = { properties: [] };

		async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
			const data = this.getWorkflowStaticData('node');
			const read = async (): Promise<IDataObject[]> => {
				const { body } = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					'leadGenPublishingApi',
					{ url: `${BASE_URL}/leads`, qs: { limit: 100, offset: 0 } },
				)) as { body: string };
				return (JSON.parse(body) as Page).data;
			};
			const records = await read();
			if (fault === 'reads too much') for (let more = 0; more < 5; more++) await read();
			const known = data.known as string[] | undefined;
			const unknown = records.filter(({ id }) => known?.includes(String(id)) !== true);
			const polls = Number(data.polls ?? 0) + 1;
			const isWaiting = fault === 'comes late' && polls % 20 !== 0 && known !== undefined;
			const remembered = isWaiting ? known : [...(known ?? []), ...unknown.map(({ id }) => id)];
			Object.assign(data, {
				polls,
				known: fault === 'repeats' && polls % 7 === 0 ? remembered.slice(0, -1) : remembered,
				...(fault === 'grows' ? { more: `${String(data.more ?? '')}${'.'.repeat(500)}` } : {}),
			});
			if (polls === 12 && fault === 'throws') throw new Error('Something else');
			if (polls === 12 && fault === 'blames the credential')
				throw Object.assign(new Error('expected'), { failure: { cause: 'credential-invalid' } });
			const isFirst = known === undefined && fault !== 'delivers what exists';
			const news = isFirst || isWaiting ? [] : fault === 'forgets one' ? unknown.slice(1) : unknown;
			if (news.length === 0) return null;
			const keyOf = (id: unknown): string =>
				fault === 'gives one key to all' ? 'key' : String(id);
			return [news.map((record) => ({ json: { ...record, dedupe_key: keyOf(record.id) } }))];
		}
	};

const WORLD: World = {
	name: 'a short list',
	about: 'All promises',
	story: async (play) => {
		play.existing(20);
		await play.publish();
		await play.polls(40, (at) => {
			if (at % 5 === 0) play.add(2);
		});
		await play.idlePolls(10);
	},
	bounds: { idleRequests: 3, stateExcess: 3_000 },
	errors: [{ says: /expected/ }],
};

const playWith = async (fault: Fault): Promise<Played> =>
	await playWorld(WORLD, triggerWith(fault), { seed: 1, mode: 'L' });

it('finds nothing in a trigger without a fault', async () => {
	const played = await playWith('none');
	expect(played.broken).toEqual([]);
	expect(played.counts).toMatchObject({ due: 16, delivered: 16 });
	expect(Math.max(...played.minutesLate)).toBe(0);
});

it.each<[Fault, RegExp]>([
	['forgets one', /missed is 8/],
	['repeats', /twice is/],
	['delivers what exists', /oldAsNew is 20/],
	['comes late', /late is/],
	['reads too much', /idleRequests is 6/],
	['throws', /an error that nobody expects: Something else/],
	['blames the credential', /permanentErrors is 1/],
	['gives one key to all', /keyClashes is/],
	['grows', /stateExcess is/],
])('notices that a trigger %s', async (fault, broken) => {
	const played = await playWith(fault);
	expect(played.broken.join('\n')).toMatch(broken);
});

it('plays the same seed in the same way', async () => {
	const [one, other] = [await playWith('repeats'), await playWith('repeats')];
	expect({ ...one, tookMs: 0 }).toEqual({ ...other, tookMs: 0 });
});
