/** Promise 4: created since then means new. */
import type { Play } from '../play';
import type { ServiceShape } from '../playedService';
import type { Order, Row } from '../records';
import { DAY, HOUR, MINUTE, START } from '../virtualTime';
import { PRINTED_ONLY, type World } from '../world';

interface Shown {
	readonly created: boolean;
}

/**
 * The same world with and without a creation time. Without one, no trigger can keep the promise.
 */
function both(make: (shown: Shown) => World): World[] {
	return [true, false].map((created) => {
		const world = make({ created });
		return created
			? world
			: {
					...world,
					name: `${world.name}, no creation time`,
					bounds: PRINTED_ONLY,
					errors: [{ says: /./ }],
				};
	});
}

const HELD_BACK = /appeared after the list was first read/;

const shape = ({ created }: Shown, more: ServiceShape = {}): ServiceShape => ({
	...more,
	times: { created },
});

/** They must come from now on. */
function expectAll(play: Play, rows: readonly Row[], within: number): void {
	for (const row of rows) {
		row.newness = 'must';
		play.expectNew(row, within);
	}
}

const FILTERS = {
	keyword: { filter: { keyword: 'rare' }, fields: { latest_keyword: 'rare' } },
	hasEmail: { filter: { hasEmail: true }, fields: {} },
} as const;

const WITHOUT = {
	keyword: { latest_keyword: 'usual' },
	hasEmail: { emails: { submitted: null, work: null, personal: null } },
} as const;

const setAndUnset =
	(filter: keyof typeof FILTERS, days: number, matching: boolean) => (shown: Shown) => ({
		name: `the filter ${filter} is set and unset after ${days} days${matching ? ', matching leads meanwhile' : ''}`,
		about: 'Promise 4: what came in between is delivered once, and nothing else.',
		modes: ['L', 'D-', 'D+'] as const,
		every: 10,
		seeds: 1,
		service: shape(shown),
		story: async (play: Play) => {
			play.existing(300, { fields: WITHOUT[filter] });
			await play.baseline(10);
			play.add(3);
			await play.polls(10);
			play.parameters.filters = FILTERS[filter].filter;
			await play.publish('update');
			await play.polls(20);
			const rows = play.add(3, { fields: WITHOUT[filter], newness: 'may' });
			if (matching) play.add(2, { fields: FILTERS[filter].fields });
			await play.polls(days * 144);
			play.parameters.filters = {};
			expectAll(play, rows, 30);
			await play.publish('update');
			await play.polls(40);
			play.add(2);
			await play.polls(20);
		},
		errors: [{ says: /./, atMost: 0 }],
	});

/** A first reading that takes several polls. */
const duringFirstReading = (order: Order, size: number) => (shown: Shown) => ({
	name: `20 leads arrive during a first reading of several polls, ${order}`,
	about: 'Promise 4: a record created after publishing is new, also during the first reading.',
	modes: ['L', 'D-', 'D+'] as const,
	seeds: 2,
	service: shape(shown, { order, latencyMs: 6_000 }),
	story: async (play: Play) => {
		play.existing(size);
		await play.publish();
		await play.polls(20, () => void play.add(1, { within: 70 }));
		await play.polls(80);
		play.add(2, { within: order === 'uuid' || order === 'shuffled' ? 60 : 5 });
		await play.polls(70);
	},
	// A first reading of a shuffled list misses records.
	errors: [{ says: HELD_BACK }],
});

const restartAfterDay = (kind: 'a day after' | 'in the middle of') => (shown: Shown) => ({
	name: `a restart ${kind} a first reading of several polls`,
	about: 'Promise 4: leads of the downtime come, although n8n has stored nothing since.',
	modes: ['L', 'D-', 'D+'] as const,
	seeds: 2,
	every: 10,
	service: shape(shown, { latencyMs: 6_000 }),
	story: async (play: Play) => {
		play.existing(2_500);
		await play.publish();
		await play.polls(kind === 'a day after' ? 144 : 1);
		play.time.pass(30 * MINUTE);
		play.add(5, { within: 60 });
		await play.restart();
		await play.polls(70);
		play.add(1);
		await play.polls(10);
	},
});

const damaged = (what: 'records' | 'all') => (shown: Shown) => ({
	name: `damage of ${what === 'all' ? 'all that is stored' : 'the records that are remembered'}`,
	about: 'Promise 4: after damage nothing old comes; what was created since then does.',
	modes: ['L', 'D-', 'D+'] as const,
	seeds: 4,
	service: shape(shown),
	story: async (play: Play) => {
		play.existing(400);
		await play.baseline(130);
		play.add(3);
		await play.polls(10);
		play.add(3, what === 'all' ? { newness: 'may' } : { within: 60 });
		await play.damage(what);
		await play.polls(130);
		play.add(2);
		await play.polls(10);
	},
	// The three leads since the last complete check come again, with the same `dedupe_key`.
	bounds: { twice: 3 },
	errors: [{ says: /damage/i, atLeast: 1 }],
});

const imports = (order: Order, size: number) => (shown: Shown) => ({
	name: `bulk imports of old leads, ${order}, ${size} leads`,
	about: 'Promise 4: held back and reported for a day and two complete checks, new afterwards.',
	modes: ['L', 'D+'] as const,
	seeds: 2,
	service: shape(shown, { order }),
	story: async (play: Play) => {
		play.existing(size);
		await play.publish();
		await play.polls(2);
		// A list that shows its creation time shows that these are old.
		play.add(40, { createdAgo: 90 * DAY, newness: 'never' });
		await play.polls(1_500);
		play.add(40, { createdAgo: 90 * DAY });
		await play.polls(70);
		play.add(3);
		await play.polls(70);
	},
	errors: [{ says: HELD_BACK, atLeast: 1 }],
});

const wrongClock =
	(name: string, ahead: number, more: ServiceShape = {}) =>
	(shown: Shown) => ({
		name: `n8n's clock is ${name}`,
		about: "Promise 4: compared with the service's Date, not with n8n's clock.",
		modes: ['L', 'D+'] as const,
		seeds: 2,
		service: shape(shown, { latencyMs: 6_000, ...more }),
		story: async (play: Play) => {
			play.time.n8nIsAhead = ahead;
			play.existing(1_500, { createdAgo: HOUR });
			await play.publish();
			await play.polls(10, () => void play.add(1, { within: 60 }));
			await play.polls(70);
			play.time.pass(20 * MINUTE);
			play.add(3, { within: 60 });
			await play.restart();
			await play.polls(65);
			play.add(1);
			await play.polls(6);
		},
	});

export const CREATION: readonly World[] = [
	...both(setAndUnset('keyword', 2, false)),
	...both(setAndUnset('hasEmail', 2, false)),
	...both(setAndUnset('keyword', 2, true)),
	...both(setAndUnset('hasEmail', 2, true)),
	...both(setAndUnset('keyword', 40, false)),
	...both(duringFirstReading('newest', 2_500)),
	...both(duringFirstReading('oldest', 2_500)),
	...both(duringFirstReading('uuid', 2_500)),
	...both(duringFirstReading('shuffled', 600)),
	...both(restartAfterDay('a day after')),
	...both(restartAfterDay('in the middle of')),
	...both(damaged('records')),
	...both(damaged('all')),
	...both(imports('newest', 400)),
	...both(imports('oldest', 1_500)),
	...both(imports('uuid', 1_500)),
	...both(wrongClock('a day ahead', DAY)),
	...both(wrongClock('a day behind', -DAY)),
	...both(wrongClock('an hour ahead', HOUR)),
	{
		...wrongClock('a day ahead', DAY, { hidesDate: true })({ created: true }),
		name: "n8n's clock is a day ahead, and no answer has a Date",
		bounds: PRINTED_ONLY,
		errors: [{ says: HELD_BACK }],
	},
	{
		name: 'the clock jumps by a day and back',
		about: 'Promise 10: no clock stops the trigger.',
		modes: ['L', 'D+'],
		seeds: 2,
		service: { times: { created: true } },
		story: async (play) => {
			play.existing(400);
			await play.baseline(70);
			for (const ahead of [DAY, 0, -DAY, 400 * DAY, 0]) {
				play.time.n8nIsAhead = ahead;
				await play.polls(40, (at) => {
					if (at % 5 === 0) play.add(1, { within: 5 });
				});
			}
		},
	},
	{
		name: 'Start From three days ago',
		about: 'Promise 4: Start From sets by hand since when a record is new.',
		options: { startFrom: new Date(START - 3 * DAY).toISOString() },
		needs: ['startFrom'],
		modes: ['L', 'D-', 'D+'],
		seeds: 2,
		service: { times: { created: true } },
		story: async (play) => {
			play.existing(300);
			for (let day = 1; day <= 5; day++)
				play.add(4, {
					createdAgo: day * DAY - HOUR,
					newness: day <= 3 ? 'must' : 'never',
					within: 10,
				});
			await play.publish();
			await play.polls(70);
			play.add(2);
			await play.polls(10);
			await play.restart();
			await play.polls(10);
		},
	},
];
