/**
 * Post > Create with a Unique Key against a script instead of a service, on a clock that only waiting
 * moves: how long a post is looked for, what a process remembers, and what is never taken for it.
 */
import { ApiFailure, InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type {
	BoundApi,
	EarlierAttempt,
	ItemCall,
	Tally,
} from '../../nodes/LeadGenPublishing/operations/define';
import { Turns } from '../../nodes/LeadGenPublishing/operations/createOnce/turns';
import { create } from '../../nodes/LeadGenPublishing/operations/post/create';
import { failing, failure, itemScene } from './itemScene';

const lost = (): ApiFailure =>
	failure(0, { kind: 'unreachable', endpoint: 'post.create', uncertain: true });

interface Creation {
	key?: string;
	parameters?: JsonRecord;
	options?: JsonRecord;
	/** What comes of the request; the post as sent unless given. */
	answer?: JsonRecord | Error;
	maxWaitMs?: number;
	isDryRun?: boolean;
	earlier?: Partial<EarlierAttempt>;
}

let scenes = 0;

/** A service whose list shows what the test says, and whose log is what was asked of it. */
function scene() {
	scenes += 1;
	const ownKey = `row-${scenes}`;
	const marker = `[unique-key: ${ownKey}]`;
	/** Of the list: how long it takes, how often it can be read, and how often it lacks posts. */
	const lists = { takeMs: 0, readable: Infinity, incomplete: 0 };
	let now = 1_900_000_000_000;
	const log: string[] = [];
	const said: string[] = [];
	const identities: string[] = [];
	const listed: Array<{ from: number; post: JsonRecord }> = [];
	const readable = new Map<string, JsonRecord>();
	const sent: JsonRecord[] = [];

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
			const { key = ownKey, options, maxWaitMs = 0, isDryRun = false, earlier } = creation;
			const { call } = itemScene({
				...{ text: 'Hello', status: 'draft', ...creation.parameters },
				options: { uniqueKey: key, ...options },
			});
			const send = (body: JsonRecord): { data: JsonRecord } => {
				log.push('send');
				sent.push(body);
				const { answer = { id: 'new', ...body } } = creation;
				if (answer instanceof Error) throw answer;
				return { data: answer };
			};
			const callApi = async (
				name: string,
				{ params, body = {} }: { params?: { id: string }; body?: JsonRecord },
			) => await Promise.resolve(name === 'post.get' ? read(params?.id) : send(body));
			const work = earlier === undefined ? create.run : create.resume;
			return (await work?.({
				...call,
				api: { ...call.api, maxWaitMs, now: () => now, list, call: callApi, wait },
				...{ isDryRun, earlier },
				recognisedBy: (identity: string) => identities.push(identity),
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
		...{ key: ownKey, marker, lists, said, identities, readable, sent, run, post },
		/** In a run of its own. */
		make: async (creation?: Creation) => await run()(creation),
		now: () => now,
		passes: (ms: number) => void (now += ms),
		/** The list shows it from now on, or later. */
		shows: (shown: JsonRecord, afterMs = 0) =>
			void listed.push({ from: now + afterMs, post: shown }),
		/** A post with the key exists, in the list and to be read. */
		holds: (more: JsonRecord = {}) => {
			listed.push({ from: now, post: post(more) });
			readable.set('x', post(more));
		},
		forgets: () => void listed.splice(0),
		/** What was asked since this was looked at last. */
		asked: () => log.splice(0),
	};
}

type Stage = ReturnType<typeof scene>;
const pausesOf = (asked: readonly string[]): number =>
	asked.reduce((sum, one) => sum + (one.startsWith('wait ') ? Number(one.slice(5)) : 0), 0);
const rejected = async (work: Promise<unknown>): Promise<Error & { details?: JsonRecord }> =>
	await work.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: unknown) => error as Error,
	);

/** A scene in which the answer to a creation was lost, and nothing has appeared. */
async function afterLoss() {
	const stage = scene();
	await failing(stage.make({ answer: lost() }));
	const [identity = ''] = stage.identities;
	stage.asked();
	return { ...stage, identity };
}

describe('an answer that is lost', () => {
	const UNCHECKED = 'It could not be checked afterwards whether the post exists.';
	it.each<[string, number, (stage: Stage) => void, string]>([
		[
			'until the time ends',
			60_000,
			() => undefined,
			'It was looked for 9 times and had not appeared.',
		],
		['once without time', 0, () => undefined, 'It was looked for once and had not appeared.'],
		[
			'as long where the list takes long',
			2_000,
			({ lists }) => void (lists.takeMs = 5_000),
			'It was looked for 2 times and had not appeared.',
		],
		['where the list breaks', 2_000, ({ lists }) => void (lists.readable = 1), UNCHECKED],
		[
			'where the service does not show notes',
			1_000,
			({ shows, readable }) => {
				shows({ id: 'x', text: 'Hello' }, 1);
				readable.set('x', { id: 'x', text: 'Hello' });
			},
			`${UNCHECKED} The service does not show the notes of all posts`,
		],
	])('has the post looked for, %s', async (_, maxWaitMs, happen, found) => {
		const stage = scene();
		happen(stage);
		const { facts } = await failing(stage.make({ answer: lost(), maxWaitMs }));
		expect(pausesOf(stage.asked())).toBe(maxWaitMs);
		expect(facts).toMatchObject({ recognisable: true, uncertain: true });
		expect(facts.found).toContain(found);
		expect(facts.found).not.toContain('Nothing was sent');
	});

	it('has it looked for with growing pauses', async () => {
		const stage = scene();
		await failing(stage.make({ answer: lost(), maxWaitMs: 60_000 }));
		const pauses = [1_000, 2_000, 4_000, 8_000, ...Array<number>(4).fill(10_000), 5_000];
		expect(stage.asked()).toEqual([
			...['list', 'send'],
			...pauses.flatMap((ms) => [`wait ${ms}`, 'list']),
		]);
	});

	it('is the post once it appears, also for the next item', async () => {
		const stage = scene();
		const make = stage.run();
		stage.shows(stage.post(), 2_500);
		expect(await make({ answer: lost(), maxWaitMs: 60_000 })).toEqual(stage.post());
		expect(stage.asked()).toEqual(['list', 'send', 'wait 1000', 'list', 'wait 2000', 'list']);
		expect(await make()).toEqual({ ...stage.post(), already_existed: true });
		expect(stage.asked()).toEqual([]);
		expect(stage.said).toEqual([
			'1 post already existed, returned as stored and not created again.',
		]);
	});

	it('is remembered if the execution is cancelled meanwhile, but not if nothing was sent', async () => {
		const stage = scene();
		await rejected(stage.make({ answer: new Error('cancelled') }));
		stage.asked();
		stage.passes(1_000);
		await stage.make({ maxWaitMs: 9_000 });
		expect(pausesOf(stage.asked())).toBe(9_000);
		const other = scene();
		await rejected(other.make({ answer: new InputError('Held back', '') }));
		other.asked();
		await other.make({ maxWaitMs: 10_000 });
		expect(other.asked()).toEqual(['list', 'send']);
	});
});

describe('the next attempt after a lost answer', () => {
	it.each<[string, { maxWaitMs: number; passed: number }, number]>([
		['ten seconds at least', { maxWaitMs: 7_200, passed: 3_000 }, 7_000],
		['as long as the item may take', { maxWaitMs: 27_000, passed: 3_000 }, 27_000],
		['a minute at most', { maxWaitMs: 100_000, passed: 0 }, 60_000],
		['only for the rest of that time', { maxWaitMs: 9_000, passed: 4_000 }, 6_000],
		['not at all later on', { maxWaitMs: 9_000, passed: 10_000 }, 0],
		['no longer when the clock was set back', { maxWaitMs: 90_000, passed: -50_000 }, 60_000],
	])('looks for the post %s, and sends it then', async (_, { maxWaitMs, passed }, expected) => {
		const stage = await afterLoss();
		stage.passes(passed);
		const make = stage.run();
		expect(await make({ maxWaitMs })).toMatchObject({ id: 'new' });
		const asked = stage.asked();
		expect([pausesOf(asked), asked[0], asked.at(-1)]).toEqual([expected, 'list', 'send']);
		// However long it is, it is looked for each ten seconds.
		expect(asked.filter((one) => Number(one.slice(5)) > 10_000)).toEqual([]);
	});

	it('sends nothing where the item may not wait so long, and says when to run it again', async () => {
		const stage = await afterLoss();
		stage.passes(3_000);
		const error = await rejected(stage.make({ maxWaitMs: 2_000 }));
		expect(error.message).toMatch(/^It is not known whether the post was created/);
		expect(error).toMatchObject({
			remedy: expect.stringMatching(/^Run the node again in 5 seconds/) as string,
			details: { outcome: 'unknown', retryable: true },
		});
		expect(stage.asked()).toEqual(['list', 'wait 1000', 'list', 'wait 1000', 'list']);
	});

	it('returns the post that has appeared', async () => {
		const stage = await afterLoss();
		stage.shows(stage.post(), 2_000);
		expect(await stage.make({ maxWaitMs: 10_000 })).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual(['list', 'wait 1000', 'list', 'wait 2000', 'list']);
	});

	it('sends nothing while the list cannot be read, or lacks posts', async () => {
		const stage = await afterLoss();
		stage.lists.readable = 1;
		const { facts } = await failing(stage.make({ maxWaitMs: 10_000 }));
		expect(facts.found).toMatch(/checked first whether the post already exists, so nothing was/);
		stage.lists.readable = Infinity;
		stage.lists.incomplete = Infinity;
		expect(await rejected(stage.make({ maxWaitMs: 10_000 }))).toMatchObject({
			details: { code: 'incomplete_list' },
		});
		expect(stage.asked()).not.toContain('send');
	});

	it('of which the execution knows is awaited from the later of both losses, and settled', async () => {
		for (const [ofExecution, expected] of [
			[-6_000, 7_000],
			[-1_000, 9_000],
		] as const) {
			const stage = await afterLoss();
			stage.passes(3_000);
			let settled = 0;
			const earlier = {
				mayHaveSucceeded: () => true,
				settled: () => void (settled += 1),
				recognisedBy: stage.identity,
				lostAt: stage.now() + ofExecution,
			};
			await stage.make({ earlier, maxWaitMs: 9_000 });
			expect([pausesOf(stage.asked()), settled]).toEqual([expected, 1]);
		}
	});

	it('of which the execution knows finds its own post, whatever is to be done with others', async () => {
		const stage = await afterLoss();
		stage.shows(stage.post({ text: 'Edited' }));
		stage.readable.set('x', stage.post({ text: 'Edited' }));
		const earlier = {
			...{ mayHaveSucceeded: () => true, settled: () => undefined },
			recognisedBy: stage.identity,
		};
		const fail = { options: { ifExists: 'fail' } };
		expect(await stage.make({ earlier, ...fail })).toEqual(stage.post({ text: 'Edited' }));
		await expect(stage.make(fail)).rejects.toThrow('already exists');
		const other = { ...earlier, recognisedBy: 'something else' };
		stage.asked();
		expect(await stage.make({ earlier: other })).toBeUndefined();
		expect(stage.asked()).toEqual([]);
	});
});

describe('what another run of this process has created', () => {
	it('is read by its ID where the list does not show it', async () => {
		const stage = scene();
		await stage.make({ answer: stage.post() });
		stage.readable.set('x', stage.post({ told: 1 }));
		stage.asked();
		expect(await stage.make()).toEqual({ ...stage.post({ told: 1 }), already_existed: true });
		expect(stage.asked()).toEqual(['list', 'read']);
		// Without its notes it is known by its ID all the same.
		stage.readable.set('x', { id: 'x', text: 'Hello' });
		expect(await stage.make()).toMatchObject({ id: 'x', already_existed: true });
	});

	it('is awaited for ten seconds if it is not found, and created anew then', async () => {
		for (const [passed, expected] of [
			[0, 10_000],
			[4_000, 6_000],
			[10_000, 0],
			[-3_600_000, 10_000],
		] as const) {
			const stage = scene();
			await stage.make({ answer: stage.post() });
			stage.passes(passed);
			stage.asked();
			expect(await stage.make({ maxWaitMs: 10_000 })).toMatchObject({ id: 'new' });
			const asked = stage.asked();
			expect([pausesOf(asked), asked.at(-1)]).toEqual([expected, 'send']);
		}
	});

	it('is not created anew where the item may not wait so long', async () => {
		const stage = scene();
		await stage.make({ answer: stage.post() });
		stage.asked();
		await expect(stage.make({ maxWaitMs: 3_000 })).rejects.toThrow('not known whether');
		expect(pausesOf(stage.asked())).toBe(3_000);
	});

	it('is created anew if someone has taken its key away', async () => {
		const stage = scene();
		await stage.make({ answer: stage.post() });
		stage.readable.set('x', stage.post({ notes: 'Another note' }));
		stage.asked();
		await stage.make();
		expect(stage.asked()).toEqual(['list', 'read', 'send']);
	});

	it('has a list that is older read again, but not the one of the same run', async () => {
		const stage = scene();
		const older = stage.run();
		await older({ key: `${stage.key}-other` });
		stage.passes(1);
		const newer = stage.run();
		await newer({ answer: {} });
		stage.shows(stage.post());
		stage.asked();
		expect(await older()).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual(['list']);
		expect(await newer()).toMatchObject({ already_existed: true });
		expect(stage.asked()).toEqual([]);
	});

	it('and found after it was lost has such a list read again as well', async () => {
		const stage = await afterLoss();
		const older = stage.run();
		await older({ key: `${stage.key}-other` });
		stage.passes(1);
		stage.shows(stage.post());
		await stage.make({ maxWaitMs: 10_000 });
		expect(await older()).toMatchObject({ id: 'x', already_existed: true });
	});

	it('is taken as it is by the same run, though its notes were changed', async () => {
		const stage = scene();
		const make = stage.run();
		await make({ answer: stage.post() });
		stage.readable.set('x', stage.post({ notes: 'Another note' }));
		expect(await make()).toMatchObject({ notes: 'Another note', already_existed: true });
	});

	it('is the answer itself for an item of the same run that cannot read it yet', async () => {
		const stage = scene();
		const make = stage.run();
		await make({ answer: { id: 'x', told: 1 } });
		expect(await make()).toEqual({ id: 'x', told: 1, already_existed: true });
		stage.readable.set('x', stage.post());
		expect(await make()).toEqual({ ...stage.post(), already_existed: true });
	});
});

describe('the list', () => {
	it('is read a second time where it announces more than it gives; if that is no better, nothing is sent', async () => {
		const stage = scene();
		stage.lists.incomplete = 1;
		await stage.make();
		expect(stage.asked()).toEqual(['list', 'list', 'send']);
		const other = scene();
		other.lists.incomplete = Infinity;
		const make = other.run();
		for (let item = 0; item < 2; item += 1)
			expect(await rejected(make())).toMatchObject({
				message: expect.stringContaining('announced more than it gave') as string,
				details: { code: 'incomplete_list', retryable: true },
			});
		expect(other.asked()).toEqual(['list', 'list']);
		// What it does show exists.
		other.shows(other.post());
		expect(await other.make()).toMatchObject({ id: 'x', already_existed: true });
	});

	it.each<[string, JsonRecord, JsonRecord | undefined, string[]]>([
		['shows notes', { notes: 'Mine' }, undefined, ['list', 'send']],
		['shows that there are none', { notes: null }, undefined, ['list', 'send']],
		['shows no notes, but a read does', {}, { notes: 'Mine' }, ['list', 'read', 'send']],
		['shows none of a post that is gone', {}, undefined, ['list', 'read', 'send']],
	])('that %s lets a post with the same text be created', async (_, shown, read, expected) => {
		const stage = scene();
		stage.shows({ id: 'a', text: 'Hello', status: 'draft', ...shown });
		if (read !== undefined) stage.readable.set('a', { id: 'a', text: 'Hello', ...read });
		expect(await stage.make()).toMatchObject({ id: 'new' });
		expect(stage.asked()).toEqual(expected);
	});

	it('whose posts show notes nowhere is no answer, and an empty one is', async () => {
		const stage = scene();
		const bare = { id: 'a', text: 'Hello' };
		stage.shows(bare);
		stage.readable.set('a', bare);
		expect(await rejected(stage.make())).toMatchObject({
			message: expect.stringContaining('does not show the notes') as string,
			details: { code: 'not_recognisable' },
		});
		expect(stage.asked()).toEqual(['list', 'read']);
		stage.forgets();
		await stage.make();
		expect(stage.asked()).toEqual(['list', 'send']);
	});

	it('is not read post by post where it has more than a thousand', async () => {
		const stage = scene();
		for (let id = 0; id <= 1_000; id += 1) stage.shows({ id: `p${id}` });
		await expect(stage.make()).rejects.toThrow('does not show the notes');
		expect(stage.asked()).toEqual(['list']);
	});

	it('is read again by the next item where that failed', async () => {
		const stage = scene();
		stage.lists.readable = 0;
		const make = stage.run();
		await failing(make());
		stage.lists.readable = Infinity;
		expect(await make()).toMatchObject({ id: 'new' });
	});

	it('may cut notes: then the post is read, and the key found', async () => {
		for (const cut of ['Approved by', 'Approved…', 'Other ...', 'Approved by all\n[unique-k']) {
			const stage = scene();
			const notes = `Approved by all\n${stage.marker}`;
			stage.shows(stage.post({ notes: cut }));
			stage.readable.set('x', stage.post({ notes }));
			const parameters = { additionalFields: { notes: 'Approved by all' } };
			expect(await stage.make({ parameters })).toMatchObject({ notes, already_existed: true });
			// Notes that only begin alike are read as well, once.
			stage.readable.set('x', stage.post({ notes: cut.startsWith('Approved by all') ? '' : cut }));
			stage.asked();
			await stage.make({ parameters, key: `${stage.key}-b` });
			expect(stage.asked().at(-1)).toBe('send');
		}
	});

	it('and a read that both cut notes within the key are no answer', async () => {
		const stage = scene();
		const post = stage.post({ notes: stage.marker.slice(0, -2) });
		stage.shows(post);
		stage.readable.set('x', post);
		// What another post shows does not change that.
		stage.shows(stage.post({ id: 'y', notes: 'Other…' }));
		stage.readable.set('y', stage.post({ id: 'y', notes: 'Other notes' }));
		await expect(stage.make()).rejects.toThrow('does not show the notes');
		expect(stage.asked()).toEqual(['list', 'read', 'read']);
	});

	it('may show a summary: then the post is read, and the next one taken if it is gone', async () => {
		const stage = scene();
		for (const id of ['gone', 'x']) stage.shows({ id, notes: stage.marker });
		stage.readable.set('x', stage.post());
		expect(await stage.make()).toEqual({ ...stage.post(), already_existed: true });
		expect(stage.asked()).toEqual(['list', 'read', 'read']);
	});

	it('may have several posts with the key', async () => {
		const stage = scene();
		for (const id of ['a', 'b']) stage.shows(stage.post({ id }));
		expect(await stage.make()).toMatchObject({ id: 'a' });
		expect(stage.said.at(-1)).toBe('Items for which more than one post exists: 1.');
	});
});

describe('an existing post', () => {
	const at = (minute: number, rest = ':00.000Z') => `2040-01-01T10:0${minute}${rest}`;
	const scheduled = { status: 'scheduled', scheduledAt: at(0) };
	const stored = { status: 'scheduled', scheduled_at: at(0) };
	const withImages = { additionalFields: { images: ['https://x.example/a.png'] } };

	it.each<[string, JsonRecord, JsonRecord]>([
		['a text that is spelled otherwise', { text: 'A & B' }, { text: ' A &amp; B\n' }],
		['what was published since', scheduled, { status: 'published', scheduled_at: null }],
		['what it does not show', withImages, {}],
	])('is the same with %s', async (_, parameters, more) => {
		const stage = scene();
		stage.holds(more);
		expect(await stage.make({ parameters })).toMatchObject({ already_existed: true });
		expect(stage.said.join()).not.toContain('differ');
	});

	it.each<[string, JsonRecord, JsonRecord]>([
		['text', {}, { text: 'Other' }],
		['status', {}, { status: 'scheduled' }],
		['status', scheduled, { ...stored, status: 'draft' }],
		['scheduled time', scheduled, { ...stored, scheduled_at: at(1) }],
		['images', withImages, { images: [] }],
		['images', {}, { images: ['https://x.example/a.png'] }],
		['document', {}, { document_url: 'https://x/a.pdf' }],
		['document', { additionalFields: { documentUrl: 'https://x/a.pdf' } }, { document_url: null }],
		['text, status', {}, { text: 'Other', status: 'published' }],
	])('that differs in %s is an error, unless it is asked for', async (names, parameters, more) => {
		const stage = scene();
		stage.holds(more);
		for (const options of [{}, { ifExists: 'returnIfSame' }]) {
			const error = await rejected(stage.make({ parameters, options }));
			expect(error.message).toBe(
				`A post with this Unique Key already exists (x), but differs in: ${names}. Nothing was created`,
			);
			expect(error.details).toMatchObject({ code: 'already_exists', post_id: 'x' });
		}
		const options = { ifExists: 'return' };
		expect(await stage.make({ parameters, options })).toMatchObject({ already_existed: true });
		expect(stage.said).toContain(
			'Existing posts that differ from the item: 1. Use Update to change them.',
		);
		expect(stage.sent).toEqual([]);
	});

	it('is returned although its time is past now, while none is created for such a time', async () => {
		const past = '2029-01-01T10:00:00.000Z';
		const parameters = { status: 'scheduled', scheduledAt: past };
		const stage = scene();
		await expect(stage.make({ parameters })).rejects.toThrow('is not in the future');
		stage.shows(stage.post({ status: 'published', scheduled_at: past }));
		expect(await stage.make({ parameters })).toMatchObject({ already_existed: true });
		expect(stage.sent).toEqual([]);
	});

	it('may be later than asked for where it may be rescheduled, but not earlier', async () => {
		const options = { onTeamBoostConflict: 'reschedule' };
		for (const [minute, isSame] of [
			[5, true],
			[0, false],
		] as const) {
			const stage = scene();
			const more = { ...stored, scheduled_at: at(minute) };
			stage.holds(more);
			const parameters = { ...scheduled, scheduledAt: at(2) };
			const work = stage.make({ parameters, options });
			if (isSame) expect(await work).toMatchObject({ already_existed: true });
			else await expect(work).rejects.toThrow('differs in: scheduled time');
		}
	});
});

describe('a dry run', () => {
	it('says which items would get an existing post, or that of an earlier item', async () => {
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
			'The post already exists (x), so it would be returned, and nothing would be sent.',
		]);
	});
});

describe('turns', () => {
	const clock = () => {
		let now = 0;
		const waiting: Array<() => void> = [];
		const api = {
			now: () => now,
			wait: async (ms: number) => {
				now += ms;
				await new Promise<void>((resolve) => waiting.push(resolve));
			},
		} as unknown as BoundApi;
		return {
			turn: { api, deadline: 1_000, what: 'post' },
			go: () => waiting.splice(0).forEach((on) => on()),
		};
	};
	const settled = () => new Promise(setImmediate);

	it('are awaited no longer than the item may wait', async () => {
		const turns = new Turns();
		const { turn, go } = clock();
		void turns.take('a', turn, async () => await new Promise(() => undefined));
		const second = rejected(turns.take('a', turn, async () => await Promise.resolve()));
		for (let pause = 0; pause < 20; pause += 1) {
			go();
			await settled();
		}
		expect(await second).toMatchObject({
			message: expect.stringContaining('did not end within "Max Wait (Seconds)"') as string,
			details: { code: 'being_created', retryable: true },
		});
		expect(turn.api.now()).toBe(1_000);
	});

	it('remember the ten thousand keys used last, and those in use', async () => {
		const turns = new Turns();
		const { turn } = clock();
		let end = (): void => undefined;
		const inUse = turns.take('in use', turn, async (memory) => {
			memory.lostAt = 1;
			await new Promise<void>((resolve) => (end = resolve));
		});
		const mark = async (key: string) =>
			await turns.take(key, turn, async (memory) => await Promise.resolve((memory.lostAt = 1)));
		const use = async (key: string) =>
			await turns.take(key, turn, async ({ lostAt }) => await Promise.resolve(lostAt));
		for (let index = 0; index < 9_999; index += 1) await mark(`key ${index}`);
		expect(await use('key 0')).toBe(1);
		await mark('one more');
		expect([await use('key 0'), await use('key 2'), await use('key 1')]).toEqual([1, 1, undefined]);
		end();
		await inUse;
		expect(await use('in use')).toBe(1);
	});
});
