/**
 * Each event of the trigger, and each of its filters: its place in the panel and on the pages, what it
 * delivers, and what it leaves out. The types of `CASES` and `FILTERED` name what a new one needs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	EVENTS,
	WATCH_EVENTS,
	type WatchEvent,
} from '../../nodes/LeadGenPublishing/feed/events/events';
import type { FilterName } from '../../nodes/LeadGenPublishing/feed/events/filters';
import { TRIGGER_PROPERTIES } from '../../nodes/LeadGenPublishing/watch/properties';
import { OWN } from '../support/kit/index';
import { refused } from '../support/replies';
import { ADA, advance, MINUTE, watching, type playedTrigger } from './playedTrigger';

type Node = ReturnType<typeof playedTrigger>;

/** A record before and after the event. A new one was not there before. */
type Life = readonly [before: IDataObject | 'absent', after: IDataObject];

const CASES: Readonly<Record<WatchEvent, { happens: Life; doesNot: Life }>> = {
	newLead: {
		happens: ['absent', { name: 'Ada' }],
		doesNot: [{ name: 'Ada' }, { name: 'Bob' }],
	},
	leadChanged: {
		happens: [{ name: 'Ada' }, { name: 'Bob' }],
		doesNot: [
			{ name: 'Ada', headline: 'a' },
			{ name: 'Ada', headline: 'b' },
		],
	},
	newActivity: {
		happens: ['absent', { content: 'Hello' }],
		doesNot: [{ content: 'Hello' }, { content: 'Bye' }],
	},
	activityChanged: {
		happens: [{ status: 'new' }, { status: 'matched' }],
		doesNot: [
			{ status: 'new', content: 'Hello' },
			{ status: 'new', content: 'Bye' },
		],
	},
	clientChanged: {
		happens: ['absent', { status: 'active' }],
		doesNot: [
			{ status: 'active', full_name: 'Ada' },
			{ status: 'active', full_name: 'Ada Marlowe' },
		],
	},
	postStatusChanged: {
		happens: [{ status: 'draft' }, { status: 'published' }],
		doesNot: [
			{ status: 'draft', text: 'a' },
			{ status: 'draft', text: 'b' },
		],
	},
};

/** The default change, so that each event happens. */
const BEFORE = { name: 'Ada', status: 'draft' };
const AFTER = { name: 'Bob', status: 'published' };
const hasWork = (work: string | null) => ({ emails: { work, submitted: null, personal: null } });
const both = (fields: IDataObject): Life => [
	{ ...BEFORE, ...fields },
	{ ...AFTER, ...fields },
];

const FILTERED: Readonly<Record<FilterName, { value: unknown; passes: Life; fails: Life }>> = {
	hasEmail: { value: true, passes: both(hasWork('a@a.example')), fails: both(hasWork(null)) },
	source: { value: 'comment', passes: both({ source: 'comment' }), fails: both({ source: 'dm' }) },
	keyword: {
		value: 'guide',
		passes: both({ latest_keyword: 'guide', keyword: 'guide' }),
		fails: both({ latest_keyword: 'other', keyword: 'other' }),
	},
	onlyWithIntent: {
		value: true,
		passes: both({ has_intent: true }),
		fails: both({ has_intent: false }),
	},
	qualificationStatus: {
		value: 'qualified',
		passes: both({ qualification_status: 'qualified' }),
		fails: both({ qualification_status: 'open' }),
	},
	changedFields: {
		value: ['email'],
		passes: [
			{ ...BEFORE, ...hasWork('a@a.example') },
			{ ...BEFORE, ...hasWork('b@b.example') },
		],
		fails: [BEFORE, AFTER],
	},
	newStatuses: {
		value: ['published'],
		passes: [BEFORE, AFTER],
		fails: [BEFORE, { ...AFTER, status: 'scheduled' }],
	},
};

/** A trigger that has polled, and what makes the event happen. */
async function begin(event: WatchEvent, [before, after]: Life, filters: IDataObject = {}) {
	const isOfClients = EVENTS[event].resource === 'client';
	const shown = (fields: IDataObject): IDataObject =>
		isOfClients
			? { user_id: ADA, ...fields, grant: { status: fields.status } }
			: { id: 'a', ...fields };
	const held = (life: Life[0]) => ({
		[isOfClients ? 'clients' : 'records']: life === 'absent' ? [] : [shown(life)],
	});
	const service = held(before);
	const node = await watching({ parameters: { ...OWN, event, filters }, service });
	const happen = (): void => void Object.assign(node.service, held(after));
	const expected = isOfClients ? { user_id: ADA, account: 'client' } : { id: 'a', account: 'own' };
	return { node, happen, expected: { ...expected, event } };
}

/** Whether an event is delivered, and the requests. */
async function play(event: WatchEvent, life: Life, filters: IDataObject = {}) {
	const { node, happen, expected } = await begin(event, life, filters);
	happen();
	const items = (await node.poll()) ?? [];
	for (const item of items) expect(item).toMatchObject(expected);
	return { isDelivered: items.length > 0, queries: node.takeAsked().map(({ query }) => query) };
}

/** What can happen to a trigger, with what is delivered meanwhile. None of it loses or repeats an event. */
type Trouble = (node: Node) => Promise<IDataObject[] | null> | Promise<void> | void;

const TROUBLES: ReadonlyArray<readonly [string, Trouble]> = [
	['a restart', (node) => node.restart()],
	['publishing again', async (node) => await node.publish()],
	[
		'five polls that fail',
		async (node) => {
			node.service.instead = { s: refused(503), y: refused(503) };
			await node.outcomes(5);
			node.service.instead = {};
		},
	],
	[
		'a test event',
		async (node) => {
			node.host.mode = 'manual';
			await node.outcome();
			node.host.mode = 'trigger';
		},
	],
];

/** New records were not there before. */
const lifeFor = (event: WatchEvent, [before, after]: Life): Life => [
	EVENTS[event].compares === undefined ? 'absent' : before,
	after,
];

const linesOf = (page: string): string[] =>
	readFileSync(join(__dirname, '..', '..', page), 'utf8').split('\n');
/** How the line about an event begins. */
const NAMED: ReadonlyArray<[page: string, begin: (name: string) => string]> = [
	['README.md', (name) => `| *${name}* `],
	['docs/trigger.md', (name) => `| *${name}* `],
	['docs/items.md', (name) => `## ${name}`],
];

const optionsOf = (name: string, event?: WatchEvent): INodeProperties[] =>
	TRIGGER_PROPERTIES.filter(
		(one) =>
			one.name === name &&
			(event === undefined || one.displayOptions?.show?.event?.includes(event)),
	).flatMap(({ options = [] }) => options as INodeProperties[]);

describe.each(WATCH_EVENTS)('%s', (event) => {
	const option = optionsOf('event').find((one) => 'value' in one && one.value === event);
	const filters = optionsOf('filters', event);

	it('is delivered when it happens, but not when something else happens', async () => {
		expect((await play(event, CASES[event].happens)).isDelivered).toBe(true);
		expect((await play(event, CASES[event].doesNot)).isDelivered).toBe(false);
	});

	it.each(TROUBLES)('comes once, with %s before and after it', async (_, trouble) => {
		const { node, happen, expected } = await begin(event, CASES[event].happens);
		happen();
		const meanwhile = (await trouble(node)) ?? [];
		const items = async () => {
			advance(10 * MINUTE);
			return (await node.poll().catch(() => null)) ?? [];
		};
		const came = [...meanwhile, ...(await items()), ...(await items()), ...(await items())];
		expect(came).toEqual([expect.objectContaining(expected)]);
		expect((await trouble(node)) ?? []).toEqual([]);
		expect([...(await items()), ...(await items())]).toEqual([]);
	});

	it('is in the panel, with its filters and no others', () => {
		expect(option).toBeDefined();
		const files = 'FILTERS of watch/properties.ts, EVENTS of feed/events/events.ts';
		const inPanel = filters.map(({ name }) => name).sort();
		const inTable = [...EVENTS[event].filters].sort();
		expect({ files, filters: inPanel }).toEqual({ files, filters: inTable });
	});

	it.each(NAMED)('has its line in %s', (page, begin) => {
		const name = option?.name ?? '';
		expect(linesOf(page).filter((line) => line.startsWith(begin(name)))).toHaveLength(1);
	});

	it.each(EVENTS[event].filters)(
		'the filter %s lets some through, and not others',
		async (filter) => {
			const { value, passes, fails } = FILTERED[filter];
			const given = { [filter]: value } as IDataObject;
			expect((await play(event, lifeFor(event, passes), given)).isDelivered).toBe(true);
			const other = await play(event, lifeFor(event, fails), given);
			const isAsked = EVENTS[event].asked.some((name) => name === filter);
			if (!isAsked) expect(other.isDelivered).toBe(false);
			// The service leaves out the others itself.
			for (const query of other.queries) expect(Object.keys(query)).toHaveLength(isAsked ? 1 : 0);
		},
	);
});

it.each(Object.keys(FILTERED))('the filter %s is in the table of docs/trigger.md', (filter) => {
	const labels = WATCH_EVENTS.flatMap((event) => optionsOf('filters', event));
	const label = labels.find(({ name }) => name === filter)?.displayName;
	if (label === undefined) throw new Error(`FILTERS of watch/properties.ts lacks ${filter}`);
	const rows = linesOf('docs/trigger.md').filter((line) => line.startsWith('| *'));
	expect(rows.join('\n')).toContain(`*${label}*`);
});
