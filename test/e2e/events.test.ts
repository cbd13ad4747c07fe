// The events that are changes, each of their filters, and Start From: what must come, what must not, and
// what happened while n8n was down.

import { setTimeout as pause } from 'node:timers/promises';

import type { Account, Activity, Lead, Post } from '../../fake-service';
import type { JsonRecord, StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { until } from '../../scripts/n8n/waiting';
import type { Ground } from './ground';
import {
	cameTo,
	closeGround,
	MODES,
	openEmptyGround,
	publishTrigger,
	settled,
	type Mode,
} from './triggers';

const START_MS = 900_000;
const DAY = 24 * 3_600_000;
const PATIENCE_MS = 120_000;
/** Ten triggers that poll every five seconds would keep a small machine too busy. */
const EVERY_TEN_SECONDS = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** A change of each field that can be chosen, and how an item names what has changed. */
const CHANGES = {
	email: {
		change: { emails: { submitted: null, work: 'ada@new.example', personal: null } },
		shownAs: 'emails',
	},
	intent: { change: { has_intent: true }, shownAs: 'has_intent' },
	keyword: { change: { latest_keyword: 'AUDIT' }, shownAs: 'latest_keyword' },
	profile: { change: { name: 'Ada Renamed' }, shownAs: 'name' },
	qualification: { change: { qualification_status: 'qualified' }, shownAs: 'qualification_status' },
} as const satisfies Record<string, { change: Partial<Lead>; shownAs: string }>;
type Field = keyof typeof CHANGES;
const FIELDS = Object.keys(CHANGES) as Field[];

/** Each field is watched by one trigger, and must not reach the two others. */
const CHOSEN: Readonly<Record<string, readonly Field[]>> = {
	'a change of the email': ['email'],
	'a change of keyword or profile': ['keyword', 'profile'],
	'a change of intent or qualification': ['intent', 'qualification'],
};

const PLAIN_LEAD: Partial<Lead> = {
	emails: { submitted: null, work: 'ada@old.example', personal: null },
	has_intent: false,
	latest_keyword: 'GUIDE',
	qualification_status: 'pending',
};

/** What a trigger is expected to deliver: in this order, and nothing else. */
interface Expected {
	readonly id: string;
	readonly says?: JsonRecord;
}

/** A client has no other ID than that of its account. */
const idOf = ({ id, user_id }: JsonRecord): unknown => id ?? user_id;

describe.each(Object.keys(MODES) as Mode[])('in an n8n that keeps its state %s', (mode) => {
	let ground: Ground;
	const triggers = new Map<string, StoredWorkflow>();
	const expected = new Map<string, Expected[]>();
	const expectIn = (name: string, ...come: readonly Expected[]): void =>
		void expected.set(name, [...(expected.get(name) ?? []), ...come]);

	async function publish(
		name: string,
		parameters: JsonRecord,
		key: 'own' | 'agency' = 'own',
	): Promise<void> {
		const common = { watch: 'own', pollTimes: EVERY_TEN_SECONDS };
		const given = { name, key, parameters: { ...parameters, ...common } };
		triggers.set(name, await publishTrigger(ground, given));
		expectIn(name);
	}

	const TRIGGERS_ON = {
		'/leads': 2 + Object.keys(CHOSEN).length,
		'/activity': 2,
		'/posts': 1,
		'/clients': 2,
	};
	const existing: { leads: Lead[]; activity: Activity[]; posts: Post[] } = {
		...{ leads: [], activity: [], posts: [] },
	};

	beforeAll(async () => {
		ground = await openEmptyGround(mode);
		const { world } = ground.service;
		const { own } = world;
		const longAgo = new Date(Date.now() - 10 * DAY).toISOString();
		for (let count = 0; count < 2 * FIELDS.length + 1; count++)
			existing.leads.push(world.addLead(own, { ...PLAIN_LEAD, created_at: longAgo }));
		for (let count = 0; count < 6; count++)
			existing.activity.push(world.addActivity(own, { status: 'new', created_at: longAgo }));
		for (let count = 0; count < 6; count++)
			existing.posts.push(world.addPost(own, { status: 'scheduled' }));
		const yesterday = new Date(Date.now() - DAY).toISOString();
		const sinceStart = world.addLead(own, { ...PLAIN_LEAD, created_at: yesterday });

		await publish('any change of a lead', { event: 'leadChanged' });
		for (const [name, changedFields] of Object.entries(CHOSEN))
			await publish(name, { event: 'leadChanged', filters: { changedFields } });
		await publish('any change of activity', { event: 'activityChanged' });
		const toThese = { newStatuses: 'matched, sent' };
		await publish('activity to a status', { event: 'activityChanged', filters: toThese });
		const published = { newStatuses: ['published'] };
		await publish('a post to a status', { event: 'postStatusChanged', filters: published });
		await publish('any change of a client', { event: 'clientChanged' }, 'agency');
		const gone = { newStatuses: 'gone' };
		await publish('a client that is gone', { event: 'clientChanged', filters: gone }, 'agency');
		const startFrom = new Date(Date.now() - 2 * DAY).toISOString();
		await publish('since a date', { event: 'newLead', options: { startFrom } });
		expectIn('since a date', { id: sinceStart.id, says: { event: 'newLead' } });
		await settled(ground, TRIGGERS_ON);
	}, START_MS);

	afterAll(async () => await closeGround(ground), 60_000);

	/** One lead for each field, and one whose change is of no field that counts. */
	function changeLeads(leads: readonly Lead[], other: Lead): void {
		const { world } = ground.service;
		for (const [at, field] of FIELDS.entries()) {
			const { change, shownAs } = CHANGES[field];
			const { id } = world.patchLead(world.own, leads[at]?.id ?? '', change);
			const says = { event: 'leadChanged', changed_fields: [shownAs] };
			expectIn('any change of a lead', { id, says });
			for (const [name, chosen] of Object.entries(CHOSEN))
				if (chosen.includes(field)) expectIn(name, { id, says });
		}
		world.patchLead(world.own, other.id, { headline: `Seen at ${Date.now()}` });
	}

	function changeActivity([one, two, three]: readonly Activity[]): void {
		const { world } = ground.service;
		const change = (activity: Activity | undefined, given: Partial<Activity>) =>
			world.patchActivity(world.own, activity?.id ?? '', given).id;
		const previous_status = one?.status;
		const says = { event: 'activityChanged', previous_status, changed_fields: ['status'] };
		const matched = { id: change(one, { status: 'matched' }), says };
		const ignored = { id: change(two, { status: 'ignored' }), says };
		change(three, { content: 'Edited' });
		expectIn('any change of activity', matched, ignored);
		expectIn('activity to a status', matched);
	}

	function changePosts([one, two, three]: readonly Post[]): void {
		const { world } = ground.service;
		const change = (post: Post | undefined, given: Partial<Post>) =>
			world.patchPost(world.own, post?.id ?? '', given).id;
		const says = { event: 'postStatusChanged', previous_status: 'scheduled' };
		const published = { id: change(one, { status: 'published' }), says };
		change(two, { status: 'publishing' });
		change(three, { notes: 'Edited' });
		expectIn('a post to a status', published);
	}

	/** One client joins, and one is gone. The fake service lists and shows no client without a grant. */
	function changeClients(name: string, leaver: Account): void {
		const { world } = ground.service;
		const joiner = world.addClient(world.agency, name);
		const event = 'clientChanged';
		const joins = { event, status: 'active', previous_status: null, client_name: name };
		expectIn('any change of a client', { id: joiner.id, says: joins });
		world.revokeGrant(world.agency, leaver);
		const left = { id: leaver.id, says: { event, status: 'gone', previous_status: 'active' } };
		expectIn('any change of a client', left);
		expectIn('a client that is gone', left);
	}

	function addRecords(): void {
		const { world } = ground.service;
		// A new lead is no change. New activity is one for the trigger that names its status.
		expectIn('since a date', { id: world.addLead(world.own, PLAIN_LEAD).id });
		const { id } = world.addActivity(world.own, { status: 'matched' });
		expectIn('activity to a status', { id });
	}

	/** Until all that is expected has come; then nothing else may follow. */
	async function everythingCame(): Promise<void> {
		const counts = async () =>
			await Promise.all(
				[...triggers].map(async ([name, workflow]) => {
					const came = await cameTo(ground, workflow);
					return came.length - (expected.get(name)?.length ?? 0);
				}),
			);
		const isComplete = async () => (await counts()).every((more) => more >= 0);
		await until(isComplete, { everyMs: 1_000, patienceMs: PATIENCE_MS });
		await settled(ground, TRIGGERS_ON);
		await pause(2_000);
		const keys: unknown[] = [];
		for (const [name, workflow] of triggers) {
			const items = (await cameTo(ground, workflow)).map(({ item }) => item);
			keys.push(...items.map(({ dedupe_key }) => `${name} ${String(dedupe_key)}`));
			const wanted = expected.get(name) ?? [];
			const ids = items.map(idOf).sort();
			expect([name, ids]).toEqual([name, wanted.map(({ id }) => id).sort()]);
			for (const { id, says = {} } of wanted)
				expect(items.find((item) => idOf(item) === id)).toMatchObject(says);
		}
		expect(new Set(keys).size).toBe(keys.length);
	}

	it('nothing comes before a change, but what was created since the date', everythingCame);

	it('each change comes to the triggers that watch for it, and to no other', async () => {
		const { leads, activity, posts } = existing;
		changeLeads(leads.slice(0, FIELDS.length), leads.at(-1) as Lead);
		changeActivity(activity.slice(0, 3));
		changePosts(posts.slice(0, 3));
		changeClients('Cleo Newcomer', ground.service.world.clientB);
		addRecords();
		await everythingCame();
	});

	it('what changed while n8n was down comes once, and nothing from before comes again', async () => {
		const { leads, activity, posts } = existing;
		await ground.n8n.kill();
		changeLeads(leads.slice(FIELDS.length, 2 * FIELDS.length), leads.at(-1) as Lead);
		changeActivity(activity.slice(3));
		changePosts(posts.slice(3));
		changeClients('Dan Latecomer', ground.service.world.clientC);
		addRecords();
		await ground.restart();
		await everythingCame();
	});

	it('published again, each goes on where it was', async () => {
		for (const workflow of triggers.values()) await ground.api.deactivate(workflow);
		addRecords();
		for (const workflow of triggers.values()) await ground.api.activate(workflow);
		await everythingCame();
	});
});
