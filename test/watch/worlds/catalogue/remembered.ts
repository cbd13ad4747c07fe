/**
 * Promises 1, 2, 4, 7 and 11: what was delivered is remembered with the record, and not derived from
 * a time, two checks, or a page elsewhere.
 */
import { ok, pageOf, refused } from '../../../support/replies';
import type { Play } from '../play';
import type { Order, Row } from '../records';
import { DAY, HOUR, MINUTE } from '../virtualTime';
import type { World } from '../world';

/** They must come from now on. */
function expectAll(play: Play, rows: readonly Row[], within: number): void {
	for (const row of rows) {
		row.newness = 'must';
		play.expectNew(row, within);
	}
}

/** The service still counts these records, and leaves them out of its pages. */
function erase(play: Play, rows: readonly Row[]): void {
	const hidden = new Set(rows.map(({ id }) => id));
	play.service.alter = (page) => ({
		...page,
		records: page.records.filter((text) => !hidden.has(String((JSON.parse(text) as Row).id))),
	});
}

const erased = (order: Order, at: number): World => ({
	name: `120 leads in a row are erased, ${order} first, from ${at} on`,
	about: 'Promise 1: an empty page that announces more is not the end of the list.',
	trigger: { event: 'leadChanged' },
	modes: ['L', 'D+'],
	seeds: 1,
	service: { order },
	story: async (play) => {
		play.existing(2_000);
		erase(play, play.list().rows.slice(at, at + 120));
		await play.baseline(80);
		const seen = play.list().rows.filter((_, place) => place < at || place >= at + 120);
		for (let edit = 0; edit < 19; edit++)
			play.change(play.chance.pick(seen), { name: `Edited ${edit}` }, { within: 65 });
		await play.polls(130);
	},
});

const manyErased: World = {
	name: '1,500 of 2,000 leads are erased, and imports come anywhere',
	about: 'Promise 1: pages that show few records or none are read to the end of the list.',
	modes: ['L'],
	seeds: 2,
	service: { order: 'uuid' },
	story: async (play) => {
		const rows = play.existing(2_000);
		erase(play, play.chance.shuffled(rows).slice(0, 1_500));
		await play.baseline(200);
		// Pages with few records move past each other, so one complete check more may be needed.
		play.add(20, { within: 130 });
		await play.polls(200);
	},
};

const manyHoles: World = {
	...manyErased,
	name: 'three holes of 300 erased leads, and imports come anywhere',
	story: async (play) => {
		play.existing(2_000);
		const { rows } = play.list();
		erase(
			play,
			[200, 800, 1_500].flatMap((at) => rows.slice(at, at + 300)),
		);
		await play.baseline(200);
		play.add(20, { within: 70 });
		await play.polls(200);
	},
};

const oneRecord: World = {
	name: 'a single lead on a page that ignores the offset, and always more',
	about: 'Promises 1 and 8: the first reading ends, and costs no fifty requests in each poll.',
	seeds: 1,
	service: { paging: { ignoresOffset: true, alwaysMore: true } },
	story: async (play) => {
		play.existing(1);
		await play.baseline(20);
		await play.metering(async () => {
			await play.polls(60, (at) => void (at % 5 === 0 && at < 55 && play.add(1)));
		});
	},
	bounds: { meanRequests: 5 },
	errors: [{ says: /same records at every offset/, atMost: 1 }],
};

const JOINED = { says: /count as existing/, atLeast: 1, atMost: 3 } as const;

const joins = (created: boolean): World => ({
	name: `a client joins with an empty list, and 800 old leads come${created ? '' : ', no creation time'}`,
	about: 'Promise 4: old leads do not start the workflow on the first day, and this is reported.',
	trigger: { watch: 'allClients' },
	modes: ['L', 'D+'],
	seeds: 1,
	service: { clients: 2, times: { created } },
	story: async (play) => {
		play.existing(50, { list: play.client(0) });
		const [, joined] = play.service.clients;
		if (joined !== undefined) joined.status = undefined;
		await play.baseline(20);
		if (joined !== undefined) joined.status = 'active';
		await play.polls(10);
		play.existing(800, { list: play.client(1) });
		await play.polls(100);
		play.add(3, { list: play.client(1), within: 5 });
		await play.polls(10);
	},
	errors: [JOINED],
});

const emptyAtFirst = (created: boolean): World => ({
	name: `published during three empty polls, 1,500 leads${created ? '' : ', no creation time'}`,
	about: 'Promise 4: the same at publication.',
	modes: ['L', 'D-', 'D+'],
	options: created ? {} : { maxItemsPerPoll: 25 },
	seeds: 1,
	service: { times: { created } },
	story: async (play) => {
		await play.publish();
		await play.polls(3);
		play.existing(1_500);
		await play.polls(100);
		play.add(2);
		await play.polls(6);
	},
	errors: [JOINED],
});

const wrongEnd = (created: boolean): World => ({
	name: `has_more is wrongly false at the start, 1,400 more leads${created ? '' : ', no creation time'}`,
	about: 'Promise 4: exactly one full page without more is doubtful.',
	seeds: 1,
	service: { times: { created } },
	story: async (play) => {
		play.existing(1_500);
		play.service.alter = (page) => ({ ...page, hasMore: false });
		await play.publish();
		await play.polls(3);
		play.service.alter = (page) => page;
		await play.polls(100);
		play.add(2);
		await play.polls(6);
	},
	errors: [JOINED],
});

const emitted = (created: boolean): World => ({
	name: `Emit Existing, and a filter is set and taken away${created ? '' : ', no creation time'}`,
	about: 'Promise 11: a changed filter repeats nothing that was delivered.',
	options: { emitExisting: true },
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	service: { times: { created } },
	story: async (play) => {
		play.add(311, { createdAgo: 10 * DAY, within: 10 });
		await play.publish();
		await play.polls(70);
		for (const filters of [{ keyword: 'guide' }, {}, { hasEmail: true }, {}]) {
			play.parameters.filters = filters;
			await play.publish('update');
			await play.polls(70);
		}
		play.add(2);
		await play.polls(5);
	},
});

const inBurst = (created: boolean): World => ({
	name: `a filter is set in the middle of a burst${created ? '' : ', no creation time'}`,
	about: 'Promise 11: what is waiting is delivered if it matches, and nothing comes twice.',
	options: { maxItemsPerPoll: 25 },
	modes: ['L', 'D+'],
	seeds: 1,
	service: { times: { created } },
	story: async (play) => {
		play.existing(200);
		await play.baseline(130);
		play.add(150, { fields: { latest_keyword: 'guide' }, within: 5 });
		await play.polls(3);
		play.parameters.filters = { keyword: 'guide' };
		await play.publish('update');
		await play.polls(20);
		play.parameters.filters = {};
		await play.publish('update');
		await play.polls(80);
	},
});

const afterFailures: World = {
	name: 'a filter is set after later pages had failed for three days',
	about: 'Promise 11: what came meanwhile does not come again.',
	every: 5,
	seeds: 1,
	service: { times: { created: true } },
	story: async (play) => {
		play.existing(300);
		await play.baseline(130);
		play.service.instead.push(({ offset, path }) =>
			path === '/leads' && offset > 0 ? refused(500) : undefined,
		);
		await play.polls(3 * 288, (at) => void (at % 48 === 0 && play.add(1)));
		play.service.instead = [];
		play.parameters.filters = { onlyWithIntent: true };
		await play.publish('update');
		await play.polls(20);
		play.parameters.filters = {};
		await play.publish('update');
		await play.polls(30);
	},
	errors: [{ says: /Later pages|to the end/, atMost: 75 }],
};

const notMetYet = (what: 'a filter is set and taken away' | 'damage'): World => ({
	name: `${what}, before the complete check has seen three new leads of 2,000`,
	about: 'Promise 4: known completely means the start of the last complete check that ended.',
	modes: ['L', 'D-', 'D+'],
	seeds: 2,
	service: { order: 'uuid', times: { created: true } },
	story: async (play) => {
		play.existing(2_000);
		await play.baseline(200);
		const rows = play.add(3, { within: 140 });
		await play.polls(2);
		// What came since the last complete check may be repeated after damage.
		if (what === 'damage') for (const row of rows) play.ledger.allowRepeats([{ id: row.id }]);
		if (what === 'damage') await play.damage('records');
		else {
			play.parameters.filters = { keyword: 'rare' };
			await play.publish('update');
			await play.polls(2);
			play.parameters.filters = {};
			await play.publish('update');
		}
		await play.polls(140);
	},
	errors: what === 'damage' ? [{ says: /damaged/ }] : [],
});

const lateEmail: World = {
	name: 'Has Email: addresses are found minutes after the lead, on the first day',
	about: 'Promise 4: with Has Email, the creation time holds back during the first reading only.',
	filters: { hasEmail: true },
	modes: ['L', 'D+'],
	seeds: 1,
	service: { times: { created: true } },
	story: async (play) => {
		const none = { emails: { submitted: null, work: null, personal: null } };
		const some = { emails: { submitted: 'a@example.com', work: null, personal: null } };
		play.existing(60);
		const without = play.existing(60, { fields: none });
		await play.publish();
		for (const row of without) {
			await play.polls(1);
			play.change(row, some);
			row.newness = 'must';
			play.expectNew(row, 60);
		}
		await play.polls(65);
		for (const row of without.slice(0, 5)) play.change(row, none);
		await play.polls(65);
		for (const row of without.slice(0, 5)) play.change(row, some);
		await play.polls(65);
	},
};

const commonCause: World = {
	name: 'twenty clients answer 403 for six hours',
	about: 'Promise 7: one cause is one report an hour.',
	trigger: { watch: 'allClients' },
	modes: ['L', 'D-'],
	seeds: 1,
	service: { clients: 20 },
	story: async (play) => {
		for (let at = 0; at < 20; at++) play.existing(20, { list: play.client(at) });
		await play.baseline(20);
		play.service.instead.push(({ path }) =>
			path.endsWith('/leads') ? refused(403, 'forbidden') : undefined,
		);
		await play.polls(360);
	},
	errors: [{ says: /20 accounts/, atLeast: 6, atMost: 7 }],
};

const nothingAsked: World = {
	name: 'the expression of Chosen Clients is empty for three hours',
	about: 'Promise 7: also if nothing could be asked, one report an hour.',
	trigger: { watch: 'clients' },
	seeds: 1,
	service: { clients: 1 },
	story: async (play) => {
		play.choose(0);
		play.existing(20, { list: play.client(0) });
		await play.baseline(10);
		play.parameters.clientIds = [];
		await play.polls(180);
		play.choose(0);
		play.add(1, { list: play.client(0) });
		await play.polls(5);
	},
	errors: [{ says: /Client Names or IDs/, atLeast: 3, atMost: 4 }],
};

const deepPages: World = {
	name: 'deep pages always fail, no creation time',
	about: 'Promise 3: known are the records of the first reading of the head.',
	seeds: 1,
	story: async (play) => {
		play.existing(500);
		play.service.instead.push(({ offset, path }) =>
			path === '/leads' && offset > 0 ? refused(500) : undefined,
		);
		await play.publish();
		await play.polls(10);
		await play.polls(120, (at) => void (at % 10 === 0 && play.add(1)));
		await play.polls(5);
	},
	errors: [{ says: /Later pages/, atLeast: 1, atMost: 4 }],
};

const turnedOn = (options: 'emitExisting' | 'startFrom'): World => ({
	name: `${options} is turned on later`,
	about: 'Promise 11: it acts once, when it is turned on, and repeats nothing.',
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	service: { times: { created: true } },
	story: async (play) => {
		const old = play.existing(200, { createdAgo: 20 * DAY });
		const late = play.existing(150, { createdAgo: 5 * DAY });
		await play.baseline(70);
		play.add(3);
		await play.polls(10);
		const from = new Date(play.time.now - 8 * DAY).toISOString();
		play.parameters.options =
			options === 'emitExisting' ? { [options]: true } : { [options]: from };
		expectAll(play, options === 'emitExisting' ? [...old, ...late] : late, 10);
		await play.publish('update');
		await play.polls(70);
		await play.restart();
		play.add(2);
		await play.polls(70);
	},
});

const editedAtOnce = (edits: number, size: number): World => ({
	name: `${edits} of ${size} leads are edited at once, ordered by update`,
	about: 'Promise 3: a page of changes counts as news, as many pages as one batch needs.',
	trigger: { event: 'leadChanged' },
	modes: ['L', 'D+'],
	seeds: 1,
	service: { order: 'updated', times: { updated: true } },
	story: async (play) => {
		play.existing(size);
		await play.baseline(130);
		for (const row of play.chance.shuffled([...play.list().rows]).slice(0, edits))
			play.change(row, { qualification_status: 'contacted' }, { within: 5 });
		await play.polls(70);
	},
});

const listedTwice: World = {
	name: 'a client is listed twice, its revoked grant first',
	about: 'Promise 1: an active grant counts, wherever it is listed.',
	trigger: { watch: 'allClients' },
	seeds: 1,
	service: { clients: 2 },
	story: async (play) => {
		for (const at of [0, 1]) play.existing(20, { list: play.client(at) });
		const row = (at: number, status: string) => ({
			user_id: play.clientId(at),
			full_name: `Client Number${at + 1}`,
			grant: { id: `${status} ${at}`, status },
		});
		play.service.instead.push(({ path }) =>
			path === '/clients'
				? pageOf([row(0, 'revoked'), row(1, 'active'), row(0, 'active')])
				: path === `/clients/${play.clientId(0)}`
					? ok(row(0, 'active'))
					: undefined,
		);
		await play.baseline(10);
		play.add(2, { list: play.client(0) });
		await play.polls(10);
	},
};

const firstSeenMatched: World = {
	name: 'New Statuses: a comment is matched when it is first seen',
	about: 'With New Statuses, a record that is first seen with a named status counts.',
	trigger: { event: 'activityChanged' },
	filters: { newStatuses: 'matched' },
	modes: ['L', 'D+'],
	seeds: 1,
	story: async (play) => {
		play.existing(60, { fields: { status: 'matched' } });
		await play.baseline(10);
		const poll = async (status: string): Promise<number> => {
			play.existing(1, { fields: { status } });
			play.time.pass(MINUTE);
			return (await play.n8n.poll()).items.length;
		};
		play.mustHold('a matched comment comes', (await poll('matched')) === 1);
		play.mustHold('another one does not', (await poll('received')) === 0);
	},
};

const noEffect: World = {
	name: 'Emit Existing on Lead Changed',
	about: 'Promise 11: an option that has no effect says so.',
	trigger: { event: 'leadChanged' },
	options: { emitExisting: true },
	seeds: 1,
	story: async (play) => {
		play.existing(20);
		await play.baseline(3 * (HOUR / MINUTE));
	},
	errors: [{ says: /"Emit Existing" has no effect/, atLeast: 1, atMost: 1 }],
};

export const REMEMBERED: readonly World[] = [
	erased('oldest', 900),
	erased('newest', 0),
	erased('newest', 1_880),
	manyErased,
	manyHoles,
	oneRecord,
	joins(true),
	joins(false),
	emptyAtFirst(true),
	emptyAtFirst(false),
	wrongEnd(true),
	wrongEnd(false),
	emitted(true),
	emitted(false),
	inBurst(true),
	inBurst(false),
	afterFailures,
	notMetYet('a filter is set and taken away'),
	notMetYet('damage'),
	lateEmail,
	commonCause,
	nothingAsked,
	deepPages,
	turnedOn('emitExisting'),
	turnedOn('startFrom'),
	editedAtOnce(250, 450),
	editedAtOnce(350, 2_000),
	listedTwice,
	firstSeenMatched,
	noEffect,
];
