/** Promise 8: a field that changes for every record in each poll costs no page, and hides no edit. */
import type { Play } from '../play';
import type { Fields, Order } from '../records';
import { DAY } from '../virtualTime';
import type { World } from '../world';

/** How a field looks in the answer to this request. */
type Looks = (request: number, fields: Fields) => Fields;

const SIGNED_LINK: Looks = (request, { network_profile_url: url }) => ({
	network_profile_url: `${String(url)}?signature=${request}`,
});
const COUNTER: Looks = (request, { name }) => ({ name: `${String(name)} (${request})` });

function show(play: Play, looks: Looks | undefined): void {
	const { service } = play;
	service.alter = (page) => ({
		...page,
		records: page.records.map((text) => {
			const fields = JSON.parse(text) as Fields;
			return JSON.stringify({ ...fields, ...looks?.(service.requests, fields) });
		}),
	});
}

/** Polls with an edit now and then. Nothing else may come. */
async function onlyEdits(play: Play, polls: number): Promise<void> {
	const before = { ...play.ledger.counts };
	await play.metering(async () => {
		await play.polls(polls, (at) => {
			if (at % 10 === 0) play.change(play.some(), { qualification_status: `edited ${at}` });
		});
		await play.polls(65);
	});
	const { counts } = play.ledger;
	for (const name of ['falselyNew', 'twice', 'untrue', 'unnamed'] as const)
		play.mustHold(`only edits come (${name})`, counts[name] === before[name]);
}

const changingFields = (
	what: 'a signed link' | 'a counter',
	{ size, order, filters = {} }: { size: number; order: Order; filters?: Fields },
): World => ({
	name: `${what} changes in every poll, ${size} leads, ${order}${'keyword' in filters ? ', a keyword' : ''}`,
	about: 'Promise 8: it is reported once and left out. Edits of other fields are delivered.',
	trigger: { event: 'leadChanged' },
	filters: filters as World['filters'],
	modes: ['L', 'D-', 'D+'],
	seeds: 1,
	service: { order, times: { created: true, updated: true } },
	story: async (play) => {
		play.existing(size, { fields: { latest_keyword: 'guide' } });
		await play.baseline(80);
		show(play, what === 'a signed link' ? SIGNED_LINK : COUNTER);
		await play.polls(5);
		await onlyEdits(play, 60);
		await play.restart();
		await onlyEdits(play, 20);
	},
	// Until it is left out, nothing shows that these are no edits.
	bounds: { falselyNew: 3 * Math.min(size, 1_000), untrue: Infinity, meanRequests: 3 },
	errors: [
		{
			says: what === 'a signed link' ? /"profile_url" keeps changing/ : /"name" keeps changing/,
			atLeast: 1,
			atMost: 1,
		},
	],
});

const steadyAgain: World = {
	name: 'a link that was signed is the same again for three days',
	about: 'Promise 8: a field that is steady again counts again, without a flood.',
	trigger: { event: 'leadChanged' },
	every: 20,
	seeds: 1,
	service: { times: { created: true, updated: true } },
	story: async (play) => {
		play.existing(300);
		await play.baseline(40);
		show(play, SIGNED_LINK);
		await play.polls(10);
		show(play, undefined);
		await play.minutes((3 * DAY) / 60_000);
		const before = { ...play.ledger.counts };
		for (let edit = 0; edit < 5; edit++) {
			const url = `https://network.example/in/edited-${edit}`;
			play.change(play.some(), { network_profile_url: url }, { within: 10 });
			await play.polls(10);
		}
		const { counts } = play.ledger;
		const came = counts.changesDelivered - before.changesDelivered;
		play.mustHold('edits of the link come', came === 5);
		play.mustHold('and nothing else', counts.falselyNew === before.falselyNew);
	},
	bounds: { falselyNew: 900 },
	errors: [{ says: /"profile_url" keeps changing/, atLeast: 1, atMost: 1 }],
};

/** Many leads are edited at once, several times, but not the same ones again and again. */
const editedInTurn: World = {
	name: '1,500 leads get another qualification, 100 in each poll, ordered by update',
	about: 'Promise 8: edits of whole pages are edits, if each poll shows other records.',
	trigger: { event: 'leadChanged' },
	modes: ['L', 'D+'],
	options: { maxItemsPerPoll: 25 },
	seeds: 1,
	service: { order: 'updated', times: { updated: true } },
	story: async (play) => {
		play.existing(1_500);
		await play.baseline(80);
		const rows = play.chance.shuffled([...play.list().rows]);
		await play.polls(15, (at) => {
			for (const row of rows.slice(100 * at, 100 * (at + 1)))
				play.change(row, { qualification_status: 'contacted' }, { within: 70 });
		});
		await play.polls(130);
	},
};

export const CHANGING_FIELDS: readonly World[] = [
	changingFields('a signed link', { size: 50, order: 'newest' }),
	changingFields('a signed link', { size: 2_000, order: 'newest' }),
	changingFields('a signed link', { size: 2_000, order: 'updated' }),
	changingFields('a signed link', { size: 500, order: 'uuid', filters: { keyword: 'guide' } }),
	changingFields('a counter', { size: 50, order: 'oldest' }),
	changingFields('a counter', { size: 2_000, order: 'oldest' }),
	steadyAgain,
	editedInTurn,
];
