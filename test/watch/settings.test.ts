/**
 * The meaning of the trigger's parameters. A wrong value is rejected with the parameter's name
 * before anything is sent.
 */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeProperties, NodeOperationError } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { TRIGGER_PROPERTIES } from '../../nodes/LeadGenPublishing/watch/properties';
import { isInShare } from '../../nodes/LeadGenPublishing/feed/lists/share';
import { OWN } from '../support/kit/index';
import { ADA, ALL, BOB, CAT, numbered, playedTrigger } from './playedTrigger';

const CLIENTS = { event: 'newLead', watch: 'clients', clientIds: [ADA] };

/** What the first poll reads, apart from names. */
async function read(parameters: IDataObject) {
	const node = playedTrigger({ parameters });
	expect(await node.outcome()).toBeNull();
	return node.asked.filter(({ path }) => path.endsWith('/leads'));
}

it.each<[IDataObject, string[]]>([
	[{ ...OWN, clientIds: [ADA] }, ['']],
	[{ clientIds: [CAT.toUpperCase(), BOB, CAT, ` ${BOB}`] }, [BOB, CAT]],
	[{ clientIds: `${ADA}, ${BOB}` }, [ADA, BOB]],
	[{ clientIds: [ADA], options: { share: ' 1  OF 1 ' } }, [ADA]],
	...[undefined, '', '  '].map((share): [IDataObject, string[]] => [
		{ ...ALL, options: { share } },
		[ADA, BOB],
	]),
])('%j watches each of %j once', async (given, expected) => {
	const asked = await read({ ...CLIENTS, ...given });
	expect(asked.map(({ path }) => path.split('/').at(-2)).sort()).toEqual(expected);
});

it.each<[IDataObject, IDataObject]>([
	[{ hasEmail: 'true', onlyWithIntent: 'no', keyword: 'guide' }, { has_email: true }],
	[{ hasEmail: '', keyword: null, source: undefined, qualificationStatus: ' ' }, {}],
])('the filters %j ask the service for %j', async (filters, query) => {
	expect((await read({ ...OWN, filters })).map((asked) => asked.query)).toEqual([query]);
});

describe('a share', () => {
	it.each([2, 3, 7, 100])('of %i gives every client to exactly one', (of) => {
		for (let index = 0; index < 200; index++) {
			const client = randomUUID();
			const mine = Array.from({ length: of }, (_, part) => ({ part: part + 1, of })).filter(
				(share) => isInShare(client, share) && isInShare(client.toUpperCase(), share),
			);
			expect(mine).toHaveLength(1);
		}
	});

	it('is about as large as the others', () => {
		for (const part of [1, 2, 3]) {
			const mine = numbered(3_000).filter((at) => isInShare(`0000-${at}`, { part, of: 3 }));
			expect(Math.abs(mine.length - 1_000)).toBeLessThan(100);
		}
	});

	/** If an update changed it, clients would move to other triggers unnoticed. */
	it('stays the same in later versions', () => {
		const clients = [
			ADA,
			'00000000-0000-4000-8000-000000000000',
			'ffffffff-ffff-4fff-bfff-ffffffffffff',
		];
		const of = (client: string) =>
			[1, 2, 3, 4, 5].find((part) => isInShare(client, { part, of: 5 }));
		expect(clients.map(of)).toEqual([5, 1, 4]);
	});
});

const NO_SHARES = [
	...['0 of 3', '4 of 3', '1 of 0', '1 of 101', '1/3', 'one of three', '1 of 3 of 5', '-1 of 3'],
	...['1.5 of 3', 'x1 of 3', '1of3', 3, { part: 1 }, ['1 of 3']],
];
/** Wrong values for all of them. */
const WRONG: ReadonlyArray<[label: string, place: string, values: readonly unknown[]]> = [
	['Watch', 'watch', ['team', 7, {}, null, '']],
	['Trigger On', 'event', ['newPost', 'toString', null]],
	['Client Names or IDs', 'clientIds', [['x'], 'a, b', [ADA, 7], [], '', null, [null, '']]],
	['Simplify', 'simplify', ['perhaps', []]],
	['After a Restart', 'options.afterRestart', ['never', 'redeliver', 1]],
	['Complete Check Every (Hours)', 'options.completeCheckEvery', [-1, 'often', [6], -0.01]],
	['Max Items per Poll', 'options.maxItemsPerPoll', [0, -5, 0.9, 'many', {}]],
	['Emit Existing', 'options.emitExisting', ['perhaps', 2]],
	['Share of Clients', 'options.share', NO_SHARES],
	['Has Email', 'filters.hasEmail', ['often', {}]],
	['Only With Intent', 'filters.onlyWithIntent', ['often', 3]],
	['Keyword', 'filters.keyword', [{ a: 1 }]],
	['Source', 'filters.source', [{ a: 1 }]],
	['Qualification Status', 'filters.qualificationStatus', [{ a: 1 }]],
	['Changed Fields', 'filters.changedFields', ['headline', ['email', 'x'], [7], { a: 1 }]],
	['New Statuses', 'filters.newStatuses', [{ a: 1 }, [{ a: 1 }], true]],
	['Start From', 'options.startFrom', ['yesterday', '2999-01-01T00:00:00Z', {}]],
];

it.each(
	WRONG.flatMap(([label, place, values]) => values.map((value) => [label, place, value] as const)),
)('"%s" is named for %s: %j', async (label, place, value) => {
	const [name = '', member] = place.split('.');
	const given = { [name]: member === undefined ? value : { [member]: value } };
	const node = playedTrigger({ parameters: { ...CLIENTS, ...given } as IDataObject });
	const error = await node.poll().catch((thrown: unknown) => thrown);
	const { message, description } = error as NodeOperationError;
	// The problem and the remedy.
	expect(message.split(`${label}"`)[1]).toMatch(/^ \w+ \w+/);
	expect(description).toMatch(/\w+ \w+/);
	// A trigger has no items, and polls again by itself.
	expect(description).not.toMatch(/\bitem\b|run the node/);
	expect(node.asked).toEqual([]);
});

const MEMBERS = TRIGGER_PROPERTIES.flatMap(({ name: group, type, options = [] }) =>
	type !== 'collection'
		? []
		: (options as INodeProperties[]).map(({ name, displayName }) => ({ group, name, displayName })),
);

it.each(MEMBERS)('$group.$name is read by the name that the form has', async (member) => {
	const { group, name, displayName } = member;
	const node = playedTrigger({ parameters: { ...CLIENTS, [group]: { [name]: { a: [1] } } } });
	expect(await node.outcome()).toContain(`${displayName}"`);
	expect(node.asked).toEqual([]);
});

it('"Client Names or IDs" that is missing is called empty', async () => {
	const node = playedTrigger({ parameters: { event: 'newLead', watch: 'clients' } });
	expect(await node.outcome()).toBe('The parameter "Client Names or IDs" is empty');
});

it('"Start From" may be a little ahead of the clock of n8n', async () => {
	const at = (ms: number) => ({ startFrom: new Date(Date.now() + ms).toISOString() });
	const outcome = async (ms: number) =>
		await playedTrigger({ parameters: { ...OWN, options: at(ms) } }).outcome();
	expect(await outcome(30_000)).toBeNull();
	expect(await outcome(90_000)).toContain('is in the future');
});

/**
 * An expression that gives nothing is not an instruction: it is rejected, or equals no parameter.
 */
describe('an expression that gives nothing', () => {
	const FILTERS: Readonly<Record<string, IDataObject>> = {
		newLead: { hasEmail: true, keyword: 'x', onlyWithIntent: true, qualificationStatus: 'x' },
		newActivity: { keyword: 'x', source: 'comment' },
	};
	const OPTIONS = {
		...{ afterRestart: 'redeliverLast', completeCheckEvery: 5, emitExisting: true },
		...{ maxItemsPerPoll: 3, share: '1 of 1' },
	};
	const spots = Object.keys(FILTERS).flatMap((event) =>
		TRIGGER_PROPERTIES.filter(({ displayOptions, type }) => {
			const events = displayOptions?.show?.event;
			return type !== 'notice' && (events === undefined || events.includes(event));
		}).flatMap(({ name, displayName, type, options = [] }) => [
			{ event, group: undefined, name, displayName },
			...(type === 'collection' ? (options as INodeProperties[]) : []).map((member) => ({
				...{ event, group: name, name: member.name, displayName: member.displayName },
			})),
		]),
	);
	/** The differences between the settings with and without the parameter. */
	async function outcome({ event, group, name }: (typeof spots)[number], value?: unknown) {
		const put = (record: IDataObject, given: unknown): IDataObject => {
			const { [name]: _, ...rest } = record;
			return given === undefined ? rest : { ...rest, [name]: given as string };
		};
		const whole: IDataObject = {
			...{ event, watch: 'clients', simplify: false, clientIds: [ADA] },
			...{ filters: FILTERS[event], options: OPTIONS },
		};
		const given = (one: unknown): IDataObject =>
			group === undefined
				? put(whole, one)
				: { ...whole, [group]: put(whole[group] as IDataObject, one) };
		const stored = given(value === undefined ? undefined : '={{ $json.nothing }}');
		const node = playedTrigger({ parameters: given(value), stored });
		const shown = await node.outcome();
		return { shown, sent: node.asked.map(({ path, query }) => ({ path, query })) };
	}

	it.each(spots)('$event: $group $name', async (spot) => {
		const absent = await outcome(spot);
		for (const nothing of [null, '', '  ']) {
			const { shown, sent } = await outcome(spot, nothing);
			if (typeof shown === 'string') {
				expect(shown).toContain(`${spot.displayName}"`);
				expect(sent).toEqual([]);
			} else expect({ nothing, shown, sent }).toEqual({ nothing, ...absent });
			// An account is never chosen by an empty value.
			if (['watch', 'clientIds', 'share'].includes(spot.name)) expect(sent).toEqual([]);
		}
	});

	it('of clients alone is the own account, whose clients are none', async () => {
		const parameters = { ...OWN, clientIds: [] };
		const node = playedTrigger({ parameters, stored: { ...parameters, watch: '={{ "own" }}' } });
		expect(await node.outcome()).toBeNull();
		expect(node.asked.map(({ path }) => path)).toContain('/leads');
	});

	it('never ignores given clients silently', async () => {
		const parameters = { ...OWN, clientIds: [ADA] };
		const node = playedTrigger({ parameters, stored: { ...parameters, watch: '={{ "own" }}' } });
		expect(await node.outcome()).toBe(
			'The parameter "Watch" is "own", but "Client Names or IDs" is filled in',
		);
	});
});

describe('n8n shows', () => {
	const { activationMessage, eventTriggerDescription, hints, polling } =
		new LeadGenPublishingTrigger().description;

	it('how late a change may be, and that a test event is only some records', () => {
		const notice = TRIGGER_PROPERTIES.find(({ name }) => name === 'delayNotice');
		expect(notice?.displayName).toMatch(
			/^Most changes are found within five polls\. In a long list, .* until the next complete check: up to an hour/,
		);
		expect(notice?.displayOptions?.show).toEqual({
			event: ['activityChanged', 'leadChanged', 'postStatusChanged'],
		});
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('Max Items per Poll') as string, location: 'outputPane' },
		]);
	});

	it('that the first poll only notes existing records, and that the trigger polls the service', () => {
		expect(activationMessage).toMatch(/^The first poll only records what already exists/);
		expect(activationMessage).toMatch(/Records that arrive later start the workflow\.$/);
		const [, label] =
			/unless ([A-Z][A-Za-z]* [A-Z][A-Za-z]*) or/.exec(activationMessage ?? '') ?? [];
		expect(JSON.stringify(TRIGGER_PROPERTIES)).toContain(
			`"displayName":"${label}","name":"emitExisting"`,
		);
		expect(polling).toBe(true);
		expect(eventTriggerDescription).toMatch(/^Waiting for new data\./);
		expect(eventTriggerDescription).toMatch(
			/does not send events, so the trigger checks it at each poll time\.$/,
		);
	});
});
