/**
 * Post > Create with a Unique Key against a script instead of a service, on a clock that only waiting
 * moves: how long a post is looked for, what a process remembers, and what is never taken for it.
 */
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { BoundApi, ItemCall, Tally } from '../../nodes/LeadGenPublishing/item/itemCall';
import { Turns } from '../../nodes/LeadGenPublishing/once/unique/keyMemory';
import { createPost } from '../../nodes/LeadGenPublishing/operations/post/create';
import { earlierAttempt, failure, itemScene, type Earlier } from './itemScene';

interface Creation {
	key?: string;
	parameters?: JsonRecord;
	options?: JsonRecord;
	/** What comes of the request; the post as sent unless given. */
	answer?: JsonRecord | Error;
	maxWaitMs?: number;
	isDryRun?: boolean;
	/** What an earlier attempt has sent whose outcome is unknown. */
	earlier?: Earlier['request'];
}

let scenes = 0;

/** A service whose list shows what the test says, and whose log is what was asked of it. */
function scene() {
	scenes += 1;
	const ownKey = `row-${scenes}`;
	const marker = `[unique-key: ${ownKey}]`;
	/** How long the list takes, how often it can be read or lacks posts, and who answers for posts. */
	const lists = { takeMs: 0, readable: Infinity, incomplete: 0, isProxied: false };
	let now = 1_900_000_000_000;
	const log: string[] = [];
	const said: string[] = [];
	const identities: string[] = [];
	const listed: Array<{ from: number; post: JsonRecord }> = [];
	const readable = new Map<unknown, JsonRecord>();

	const list = async () => {
		log.push('list');
		now += lists.takeMs;
		lists.readable -= 1;
		lists.incomplete -= 1;
		if (lists.readable < 0) throw failure(500, { endpoint: 'post.getAll', uncertain: false });
		const records = listed.filter(({ from }) => from <= now).map(({ post }) => post);
		return await Promise.resolve({ records, isComplete: lists.incomplete < 0 });
	};
	const read = (id = ''): { data: JsonRecord } => {
		log.push('read');
		if (lists.isProxied) throw failure(404, { problem: 'webPage', uncertain: false });
		const data = readable.get(id);
		if (data === undefined) throw failure(404, { uncertain: false });
		return { data };
	};
	const wait = async (ms: number) => {
		log.push(`wait ${ms}`);
		now += ms;
		await Promise.resolve();
	};

	const run = () => {
		const shared = new Map<string, unknown>();
		return async (creation: Creation = {}) => {
			const { key = ownKey, options, maxWaitMs = 0, isDryRun = false } = creation;
			const { call } = itemScene({
				...{ text: 'Hello', status: 'draft', ...creation.parameters },
				options: { uniqueKey: key, ...options },
			});
			const send = (body: JsonRecord): { data: JsonRecord } => {
				log.push('send');
				const { answer = { id: 'new', ...body } } = creation;
				if (answer instanceof Error) throw answer;
				return { data: answer };
			};
			const callApi = async (
				name: string,
				{ params, body = {} }: { params?: { id: string }; body?: JsonRecord },
			) => await Promise.resolve(name === 'post.get' ? read(params?.id) : send(body));
			const earlier = creation.earlier && earlierAttempt({ request: creation.earlier });
			const work = earlier === undefined ? createPost.run : createPost.resume;
			return (await work?.({
				...call,
				api: {
					...call.api,
					accountId: ownKey,
					maxWaitMs,
					now: () => now,
					list,
					call: callApi,
					wait,
				},
				...{ isDryRun, earlier },
				recognisedBy: (identity: string) => identities.push(identity),
				settled: () => void log.push('settled'),
				notice: (message: string) => said.push(message),
				count: ({ counts, say }: Tally) => said.push(...say(counts)),
				shared: <T>(name: string, make: () => T): T => {
					if (!shared.has(name)) shared.set(name, make());
					return shared.get(name) as T;
				},
			} as unknown as ItemCall)) as JsonRecord | undefined;
		};
	};
	const post = (more: JsonRecord = {}): JsonRecord => ({
		...{ id: 'x', text: 'Hello', status: 'draft', notes: marker },
		...more,
	});
	return {
		...{ key: ownKey, marker, lists, said, identities, readable, run, post },
		/** In a run of its own. */
		make: async (creation?: Creation) => await run()(creation),
		now: () => now,
		passes: (ms: number) => void (now += ms),
		/** The list shows it from now on, or later. */
		shows: (shown: JsonRecord, afterMs = 0) =>
			void listed.push({ from: now + afterMs, post: shown }),
		/** A post exists, in the list and to be read. */
		holds: (shown: JsonRecord, read = shown) => {
			listed.push({ from: now, post: shown });
			readable.set(shown.id, read);
		},
		/** What was asked since this was looked at last. */
		asked: () => log.splice(0),
	};
}
type Stage = ReturnType<typeof scene>;
type Make = Stage['make'];

/** The ID of the post, and that it existed before; or all that the error tells. */
const outcomeOf = async (work: Promise<JsonRecord | undefined>): Promise<string> =>
	await work.then(
		(record) =>
			record === undefined
				? 'nothing'
				: `${String(record.id)}${record.already_existed === true ? ' existed' : ''}`,
		(error: unknown) => {
			const { message, remedy, details, facts } = error as Record<string, JsonRecord | undefined>;
			const { found, recognisable, uncertain } = facts ?? {};
			const flags = { ...details, recognisable, uncertain };
			return [message, remedy, found, JSON.stringify(flags)].join(' ');
		},
	);
/** What was asked; pauses, and what is looked at after each of them, are summed up. */
const summed = (asked: readonly string[]): string =>
	asked
		.join(', ')
		.replaceAll(/wait \d+(?:, (?:list|read|wait \d+))*/g, (part) =>
			String([...part.matchAll(/\d+/g)].reduce((sum, [ms]) => sum + Number(ms), 0)),
		);

const LOST = failure(0, { kind: 'unreachable', endpoint: 'post.create', uncertain: true });
const BARE = { id: 'x', text: 'Hello' };
const EDITED = { text: 'Edited' };
const OTHER_NOTE = { notes: 'Another note' };
const DRAFT = { id: 'a', text: 'Hello', status: 'draft' };

/** What may happen before an item: in runs of its own, or in the run that it gives, where the item goes on. */
const HAPPENS: Readonly<Record<string, (stage: Stage) => unknown>> = {
	lost: async ({ make }) => await outcomeOf(make({ answer: LOST })),
	made: async ({ make, post }) => await make({ answer: post() }),
	cancelled: async ({ make }) => await outcomeOf(make({ answer: new Error('cancelled') })),
	'held back': async ({ make }) => await outcomeOf(make({ answer: new InputError('Held', '') })),
	shown: ({ shows, post }) => shows(post()),
	'shown in 2 s': ({ shows, post }) => shows(post(), 2_000),
	'shown twice': ({ shows, post }) => ['a', 'b'].forEach((id) => shows(post({ id }))),
	edited: ({ holds, post }) => holds(post(EDITED)),
	'to be read': ({ readable, post }) => void readable.set('x', post()),
	'to be read without notes': ({ readable }) => void readable.set('x', BARE),
	'notes changed': ({ readable, post }) => void readable.set('x', post(OTHER_NOTE)),
	'notes shown nowhere': ({ holds }) => holds(BARE),
	'bare in 1 ms': ({ shows, readable }) => {
		shows(BARE, 1);
		readable.set('x', BARE);
	},
	'other note': ({ shows }) => shows({ ...DRAFT, notes: 'Mine' }),
	'no note': ({ holds }) => holds({ ...DRAFT, notes: null }),
	'note in a read': ({ holds }) => holds(DRAFT, { ...DRAFT, notes: 'Mine' }),
	'bare and gone': ({ shows }) => shows(DRAFT),
	'notes of scheduled posts': ({ shows }) => shows({ id: 'b', status: 'scheduled', notes: 'Mine' }),
	'bare drafts': ({ holds }) => ['a', 'c', 'd'].forEach((id) => holds({ ...DRAFT, id })),
	'a bare draft with it': ({ holds, post }) => holds({ ...BARE, status: 'draft' }, post()),
	'a summary': ({ shows, holds, post, marker }) => {
		shows({ id: 'gone', notes: marker });
		holds({ id: 'x', notes: marker }, post());
	},
	'cut in the key': ({ holds, post, marker }) => {
		holds(post({ notes: marker.slice(0, -2) }));
		holds(post({ id: 'y', notes: 'Other…' }), post({ id: 'y', notes: 'Other notes' }));
	},
	'behind a proxy': ({ lists }) => void (lists.isProxied = true),
	'list slow': ({ lists }) => void (lists.takeMs = 5_000),
	'list once': ({ lists }) => void (lists.readable = 1),
	'list broken': ({ lists }) => void (lists.readable = 0),
	'list mended': ({ lists }) => void (lists.readable = Infinity),
	'list incomplete once': ({ lists }) => void (lists.incomplete = 1),
	'list incomplete': ({ lists }) => void (lists.incomplete = Infinity),
	'same run: another key': async ({ run, key }) => await inRun(run(), { key: `${key}-other` }),
	'same run: the item': async ({ run }) => await inRun(run()),
	'same run: made': async ({ run, post }) => await inRun(run(), { answer: post() }),
	'same run: made without ID': async ({ run }) => await inRun(run(), { answer: {} }),
	'same run: lost': async ({ run }) => await inRun(run(), { answer: LOST, maxWaitMs: 60_000 }),
	'found again': async ({ make }) => await make({ maxWaitMs: 10_000 }),
};
async function inRun(make: Make, creation?: Creation): Promise<Make> {
	await outcomeOf(make(creation));
	return make;
}

/** Items that are not as usual; more words of the table. */
const ITEMS: Readonly<Record<string, (stage: Stage) => Creation>> = {
	lost: () => ({ answer: LOST }),
	fail: () => ({ options: { ifExists: 'fail' } }),
	return: () => ({ options: { ifExists: 'return' } }),
	ours: ({ identities }) => ({ earlier: { recognisedBy: identities[0] } }),
	'ours, 6 s ago': ({ identities, now }) => ({
		earlier: { recognisedBy: identities[0], endedAt: now() - 6_000 },
	}),
	'ours, 1 s ago': ({ identities, now }) => ({
		earlier: { recognisedBy: identities[0], endedAt: now() - 1_000 },
	}),
	other: () => ({ earlier: { recognisedBy: 'something else' } }),
};
/** Seconds pass. The item may wait so many ms. Where it existed, that is said, and nothing else. */
const TABLE = String.raw`
an answer that is lost
has the post looked for until the time ends | | lost 60000 | list, send, 60000 | /for it 9 times and did not find it\./
has it looked for once without time | | lost | list, send, list | /for it once and did not find it\./
has it looked for as long where the list takes long | list slow | lost 2000 | list, send, 2000 | /for it 2 times and did not find it\./
stays in doubt where the list breaks | list once | lost 2000 | list, send, 2000 | /^(?!.*Nothing was sent).*could not check afterwards whether the post exists\./
stays in doubt where the service does not show notes | bare in 1 ms | lost 1000 | list, send, 1000 | /afterwards whether the post exists\. The service does not show the notes of all posts/
is the post once it appears | shown in 2 s | lost 60000 | list, send, 3000 | x
is the post for the next item as well | shown in 2 s, same run: lost | | | x existed
is remembered if the execution is cancelled meanwhile | cancelled, 1 s | 9000 | list, 9000, send | new
is none if nothing was sent | held back | 10000 | list, send | new

the next attempt after a lost answer
looks for the post ten seconds at least | lost, 3 s | 7200 | list, 7000, send | new
looks as long as the item may take | lost, 3 s | 27000 | list, 27000, send | new
looks a minute at most | lost | 100000 | list, 60000, send | new
looks only for the rest of that time | lost, 4 s | 9000 | list, 6000, send | new
does not wait later on | lost, 10 s | 9000 | list, send | new
waits no longer when the clock was set back | lost, -50 s | 90000 | list, 60000, send | new
sends nothing where the item may not wait so long | lost, 3 s | 2000 | list, 2000 | /^It is not known whether the post was created/
returns the post that has appeared | lost, shown in 2 s | 10000 | list, 3000 | x existed
sends nothing while the list cannot be read | lost, list once | 10000 | list, 1000 | /could not check whether the post already exists, so it created nothing/
sends nothing while the list lacks posts | lost, list incomplete | 10000 | list, list | /announced more records than it returned.*"code":"incomplete_list".*"retryable":true/
waits from the loss that this process knows if that was later | lost, 3 s | ours, 6 s ago 9000 | list, 7000, settled, send | new
waits from that of the execution if that was later | lost, 3 s | ours, 1 s ago 9000 | list, 9000, settled, send | new
of the execution finds its post, whatever is done with others | lost, shown | ours fail | list, settled | x
of the execution says what differs from a corrected item | lost, edited | ours | list, read, settled | /^An earlier attempt .* which differs from the item in: text\. Nothing was changed/
of the execution says so as well if an existing one is an error | lost, edited | ours fail | list, read, settled | /which differs from the item in: text/
of the execution returns it as it is if asked to | lost, edited | ours return | list, read, settled | x existed different
of another execution does with it what is to be done | lost, edited | fail | list, read | /already exists/
does nothing if the earlier one was for something else | lost, edited | other | | nothing

what another run of this process has created
is read by its ID where the list does not show it | made, to be read | | list, read | x existed
is known by its ID without its notes | made, to be read without notes | | list, read | x existed
is awaited for ten seconds if it is not found | made | 10000 | list, read, 10000, send | new
is awaited for the rest of ten seconds | made, 4 s | 10000 | list, read, 6000, send | new
is created anew if it is older | made, 10 s | 10000 | list, read, send | new
is awaited as long if the clock was set back | made, -3600 s | 10000 | list, read, 10000, send | new
is not created anew where the item may not wait so long | made | 3000 | list, read, 3000 | /not known whether/
is created anew if someone has taken its key away | made, notes changed | | list, read, send | new
is taken as it is by the same run, though its notes were changed | same run: made, notes changed | | read | x existed
has a list that is older read again | same run: another key, 1 s, made, shown | | list | x existed
does not have the list of the same run read again | 1 s, same run: made without ID, shown | | | undefined existed
and found after it was lost has such a list read again | lost, same run: another key, 1 s, shown, found again | | list | x existed

the list
is read a second time where it announces more than it gives | list incomplete once | | list, list, send | new
that is no better then is no answer | list incomplete | | list, list | /announced more records than it returned.*"code":"incomplete_list".*"retryable":true/
is not read again for that by the next item | list incomplete, same run: the item | | | /announced more records than it returned.*"code":"incomplete_list".*"retryable":true/
that lacks posts tells of what it does show | list incomplete, shown | | list, list | x existed
that shows the notes of a post with the same text lets one be created | other note | | list, send | new
that shows empty notes does so if a read shows that they are empty | no note | | list, read, send | new
that shows the notes of one draft is believed where it shows none of others | other note, bare drafts | | list, send | new
that shows no notes does so if a read shows them | note in a read | | list, read, send | new
that shows no notes does so if the post is gone | bare and gone | | list, read, send | new
that shows them for another status is read to its end | notes of scheduled posts, a bare draft with it | | list, read | x existed
that shows them for another status alone is read post by post | notes of scheduled posts, bare drafts | | list, read, read, read, send | new
whose posts show notes nowhere is no answer | notes shown nowhere | | list, read | /does not show the notes/
is read again by the next item where that failed | list broken, same run: the item, list mended | | list, send | new
that cuts notes within the key is no answer if a read does, too | cut in the key | | list, read, read | /does not show the notes/
may show a summary: then the post is read, and the next one if it is gone | a summary | | list, read, read | x existed
is no answer where only a proxy says that its post is gone | a summary, behind a proxy | | list, read | /could not check whether the post already exists, so it created nothing/
may have several posts with the key | shown twice | | list | a existed several
`;
const EXISTED =
	'1 post already existed. The node returned them as stored and did not create them again.';
const REPEATED =
	'Items with the same key as an earlier item of this run: 1. Each returns the post of that item.';
const DIFFERENT = 'Existing posts that differ from the item: 1. Use Update to change them.';
/** A time that is computed differs in each run. */
const KEPT_ITS_TIME = 'Existing posts that keep their time: 1.';
const SEVERAL = 'Items for which more than one post exists: 1.';

describe.each(
	TABLE.trim()
		.split('\n\n')
		.map((part) => part.split('\n')),
)('%s', (_, ...lines) => {
	const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()));
	it.each(rows)('%s', async (...[, happens = '', item = '', asked, outcome = '']) => {
		const stage = scene();
		let make: Make = stage.make;
		for (const word of happens === '' ? [] : happens.split(', ')) {
			const seconds = /^(-?\d+) s$/.exec(word)?.[1];
			if (seconds !== undefined) stage.passes(Number(seconds) * 1_000);
			else if (word.startsWith('same run')) make = (await happening(word, stage)) as Make;
			else await happening(word, stage);
		}
		stage.asked();
		stage.said.splice(0);
		const [, word = '', more = '', ms = 0] = /^(\D.*?)?( fail| return)? ?(\d+)?$/.exec(item) ?? [];
		const creation = { ...ITEMS[word]?.(stage), ...ITEMS[more.trim()]?.(stage) };
		const came = await outcomeOf(make({ ...creation, maxWaitMs: Number(ms) }));
		const log = stage.asked();
		const [, error] = /^\/(.*)\/$/.exec(outcome) ?? [];
		expect(summed(log)).toBe(asked);
		if (error === undefined) expect(came).toBe(outcome.replace(/ several| different/, ''));
		else {
			expect(came).toMatch(RegExp(error));
			expect(came).toMatchSnapshot();
		}
		const isOfThisRun = /same run: (made|lost)/.test(happens);
		// However long it is, it is looked for each ten seconds.
		expect(log.filter((one) => Number(one.slice(5)) > 10_000)).toEqual([]);
		expect(stage.said).toEqual([
			...(/^\w+ existed/.test(outcome) ? [isOfThisRun ? REPEATED : EXISTED] : []),
			...(outcome.endsWith('several') ? [SEVERAL] : []),
			...(outcome.endsWith('different') ? [DIFFERENT] : []),
		]);
	});
});
async function happening(word: string, stage: Stage): Promise<unknown> {
	const happen = HAPPENS[word];
	if (happen === undefined) throw new Error(`Nothing is called "${word}"`);
	return await happen(stage);
}

it('a post whose answer was lost is looked for with growing pauses', async () => {
	const { make, asked } = scene();
	await outcomeOf(make({ answer: LOST, maxWaitMs: 60_000 }));
	const pauses = [1_000, 2_000, 4_000, 8_000, ...Array<number>(4).fill(10_000), 5_000];
	expect(asked()).toEqual(['list', 'send', ...pauses.flatMap((ms) => [`wait ${ms}`, 'list'])]);
});

it('an item of the same run gets the answer itself where the post cannot be read yet', async () => {
	const stage = scene();
	const make = stage.run();
	await make({ answer: { id: 'x', told: 1 } });
	expect(await make()).toEqual({ id: 'x', told: 1, already_existed: true });
	stage.readable.set('x', stage.post());
	expect(await make()).toEqual({ ...stage.post(), already_existed: true });
});

it.each(['Approved by', 'Approved…', 'Other ...', 'Approved by all\n[unique-k'])(
	'a list that shows %j as notes is completed by reads',
	async (cut) => {
		const stage = scene();
		const notes = `Approved by all\n${stage.marker}`;
		stage.holds(stage.post({ notes: cut }), stage.post({ notes }));
		const parameters = { additionalFields: { notes: 'Approved by all' } };
		expect(await stage.make({ parameters })).toMatchObject({ notes, already_existed: true });
		// Notes that only begin alike are read as well, once.
		stage.readable.set('x', stage.post({ notes: cut.startsWith('Approved by all') ? '' : cut }));
		stage.asked();
		await stage.make({ parameters, key: `${stage.key}-b` });
		expect(stage.asked().at(-1)).toBe('send');
	},
);

describe('an existing post', () => {
	const at = (minute: number) => `2040-01-01T10:0${minute}:00.000Z`;
	const scheduled = { status: 'scheduled', scheduledAt: at(0) };
	const stored = { status: 'scheduled', scheduled_at: at(0) };
	const withImages = { additionalFields: { images: ['https://x.example/a.png'] } };
	const past = '2029-01-01T10:00:00.000Z';
	const rescheduled = { onTeamBoostConflict: 'reschedule' };
	const DETAILS = { code: 'already_exists', parameter: 'uniqueKey', post_id: 'x' };
	const FIELD_OF: Readonly<Record<string, string>> = {
		...{ 'scheduled time': 'scheduled_at', document: 'document_url' },
	};
	const ADVICE =
		'Nothing was created For another post, use another "Unique Key". To change the existing one, use Post > Update. To keep it unchanged, set "If Exists" to Return.';
	const made = async (creation: Creation, more?: JsonRecord) => {
		const stage = scene();
		if (more !== undefined) stage.holds(stage.post(more));
		const outcome = await outcomeOf(stage.make(creation));
		expect(stage.asked()).not.toContain('send');
		return { outcome, said: stage.said };
	};

	it.each<[string, Creation, JsonRecord]>([
		[
			'a text that is spelled otherwise',
			{ parameters: { text: 'A & B' } },
			{ text: ' A &amp; B\n' },
		],
		[
			'what was published since',
			{ parameters: scheduled },
			{ status: 'published', scheduled_at: null },
		],
		['what it does not show', { parameters: withImages }, {}],
		[
			'a time that is past',
			{ parameters: { ...scheduled, scheduledAt: past } },
			{ status: 'published', scheduled_at: past },
		],
		[
			'a later time, where it may be rescheduled',
			{ parameters: scheduled, options: rescheduled },
			{ ...stored, scheduled_at: at(5) },
		],
	])('is the same with %s', async (_, creation, more) => {
		expect(await made(creation, more)).toEqual({ outcome: 'x existed', said: [EXISTED] });
	});

	it('is not created for a time that is past', async () => {
		const { outcome } = await made({ parameters: { ...scheduled, scheduledAt: past } });
		expect(outcome).toMatchSnapshot();
	});

	it.each<[string, JsonRecord, JsonRecord, JsonRecord?]>([
		['text', {}, { text: 'Other' }],
		['status', {}, { status: 'scheduled' }],
		['status', scheduled, { ...stored, status: 'draft' }],
		['scheduled time', scheduled, { ...stored, scheduled_at: at(1) }],
		['scheduled time', { ...scheduled, scheduledAt: at(2) }, stored, rescheduled],
		['images', withImages, { images: [] }],
		['images', {}, { images: ['https://x.example/a.png'] }],
		['document', {}, { document_url: 'https://x/a.pdf' }],
		['document', { additionalFields: { documentUrl: 'https://x/a.pdf' } }, { document_url: null }],
		['text, status', {}, { text: 'Other', status: 'published' }],
	])('that differs in %s is an error, unless it is asked for', async (...row) => {
		const [names, parameters, more, options] = row;
		for (const ifExists of [undefined, 'returnIfSame']) {
			const { outcome } = await made({ parameters, options: { ...options, ifExists } }, more);
			const differs = names.split(', ').map((one) => FIELD_OF[one] ?? one);
			expect(outcome).toBe(
				`A post with this Unique Key already exists (x), but differs in: ${names}. ${ADVICE}  ${JSON.stringify({ ...DETAILS, differs })}`,
			);
		}
		expect(await made({ parameters, options: { ...options, ifExists: 'return' } }, more)).toEqual({
			outcome: 'x existed',
			said: [EXISTED, names === 'scheduled time' ? KEPT_ITS_TIME : DIFFERENT],
		});
	});
});

it('a dry run says which items would get an existing post, or that of an earlier item', async () => {
	const stage = scene();
	const make = stage.run();
	expect(await make({ isDryRun: true, answer: { planned: 1 } })).toEqual({ planned: 1 });
	expect(await make({ isDryRun: true })).toEqual({});
	const fail = { isDryRun: true, options: { ifExists: 'fail' } };
	await expect(make(fail)).rejects.toThrow('already exists. Nothing was created');
	stage.shows(stage.post());
	expect(await stage.make({ isDryRun: true })).toEqual({});
	await expect(stage.make(fail)).rejects.toThrow('already exists (x)');
	expect(stage.asked()).toEqual(['list', 'send', 'list', 'list']);
	expect(stage.identities).toEqual([]);
	expect(stage.said).toEqual([
		'An earlier item of this run creates the same post, so nothing would be sent for this one.',
		'The post already exists (x), so the node would return it without sending anything.',
	]);
});

const LOST_AT_1 = { kind: 'lost', what: 'creation', at: 1 } as const;

describe('turns', () => {
	function clock() {
		let now = 0;
		const waiting: Array<() => void> = [];
		const pauses: number[] = [];
		const wait = async (ms: number) => {
			now += ms;
			pauses.push(ms);
			await new Promise<void>((resolve) => waiting.push(resolve));
		};
		const api = { now: () => now, wait } as unknown as BoundApi;
		const go = () => waiting.splice(0).forEach((on) => on());
		return { turn: { api, deadline: 1_000, what: 'post' }, go, pauses };
	}

	it('are awaited no longer than the item may wait, and seldomer with the time', async () => {
		const turns = new Turns();
		const { turn, go, pauses } = clock();
		void turns.take('a', turn, async () => await new Promise(() => undefined));
		const second = outcomeOf(turns.take('a', turn, async () => await Promise.resolve({})));
		for (let pause = 0; pause < 20; pause += 1) {
			go();
			await new Promise(setImmediate);
		}
		expect(await second).toMatch(
			/did not finish within "Max Wait \(Seconds\)".*"code":"being_created".*"retryable":true/,
		);
		expect(pauses).toEqual([20, 40, 80, 160, 320, 380]);
	});

	it('remember the ten thousand keys used last, and those in use', async () => {
		const turns = new Turns();
		const { turn } = clock();
		let end = (): void => undefined;
		const inUse = turns.take('in use', turn, async (memory) => {
			memory.state = LOST_AT_1;
			await new Promise<void>((resolve) => (end = resolve));
		});
		const mark = async (key: string) =>
			await turns.take(
				key,
				turn,
				async (memory) => await Promise.resolve((memory.state = LOST_AT_1)),
			);
		const use = async (key: string) =>
			await turns.take(key, turn, async ({ state }) => await Promise.resolve(state.kind));
		for (let index = 0; index < 9_999; index += 1) await mark(`key ${index}`);
		expect(await use('key 0')).toBe('lost');
		await mark('one more');
		expect([await use('key 0'), await use('key 2'), await use('key 1')]).toEqual([
			...['lost', 'lost', 'nothingKnown'],
		]);
		end();
		await inUse;
		expect(await use('in use')).toBe('lost');
	});
});

describe('the notes of a new post, as its creation shows them', () => {
	const KEPT: readonly string[] = [];
	const EMPTY = [expect.stringContaining('shows empty notes for a new post')];
	const CHANGED = [expect.stringContaining('has changed the notes of a new post')];
	it.each<[string, (marker: string) => JsonRecord, unknown]>([
		['carry the key: nothing is said', (marker) => ({ notes: marker }), KEPT],
		['have it below text: nothing is said', (marker) => ({ notes: `Mine\n${marker}` }), KEPT],
		['are not shown: nothing is said', () => ({}), KEPT],
		['are an empty text: a warning', () => ({ notes: '' }), EMPTY],
		['are null: a warning', () => ({ notes: null }), EMPTY],
		['are blank: a warning', () => ({ notes: ' \n' }), EMPTY],
		['are another text: a warning', () => ({ notes: 'Mine' }), CHANGED],
		['are cut within the key: a warning', (marker) => ({ notes: marker.slice(0, -2) }), CHANGED],
		['are no text: a warning', () => ({ notes: { text: 'Mine' } }), CHANGED],
	])('%s', async (_, notesOf, expected) => {
		const { make, said, marker } = scene();
		await make({ answer: { id: 'new', text: 'Hello', ...notesOf(marker) } });
		expect(said).toEqual(expected);
	});
});
