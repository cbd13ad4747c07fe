/**
 * What the trigger's parameters mean, and that a value that none can mean is refused by its name
 * before anything is sent.
 */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { isInShare, parseShare } from '../../nodes/LeadGenPublishing/watch/accounts';
import { TRIGGER_PROPERTIES } from '../../nodes/LeadGenPublishing/watch/properties';
import { readSettings } from '../../nodes/LeadGenPublishing/watch/settings';
import { ADA as PLAYED, playedTrigger } from './playedTrigger';

const [ADA, BOB, CAT] = ['11', '12', '1a'].map(
	(end) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${end}`,
) as [string, string, string];
const HOUR = 3_600_000;

/** `stored` are the parameters as they are stored: expressions as their text. */
const settingsOf = (parameters: IDataObject, stored: IDataObject = parameters) =>
	readSettings({
		getNodeParameter: (name: string, _: unknown, options?: { rawExpressions?: boolean }) =>
			(options?.rawExpressions === true ? stored : parameters)[name] ?? null,
	} as unknown as IPollFunctions);
const OWN = { event: 'newLead', watch: 'own' };
const CLIENTS = { event: 'newLead', watch: 'clients', clientIds: [ADA] };
const idsOf = (given: IDataObject) => {
	const { watched } = settingsOf({ ...CLIENTS, ...given });
	return watched.kind === 'clients' ? watched.ids : [];
};

it('nothing but what is watched need be given', () => {
	expect(settingsOf(OWN)).toMatchObject({
		...{ event: 'newLead', watched: { kind: 'own' }, filters: {}, simplify: true },
		...{ scope: 'yElw3A-VF5V', redeliversLast: false, emitExisting: false, maxItems: 1_000 },
		...{ checkEvery: undefined, rules: { kind: 'new', width: 0 } },
	});
});

it('each option means what it says', () => {
	const options = { emitExisting: true, maxItemsPerPoll: 2.9, completeCheckEvery: 0.5 };
	const given = { ...OWN, event: 'leadChanged', simplify: false };
	expect(
		settingsOf({ ...given, options: { ...options, afterRestart: 'redeliverLast' } }),
	).toMatchObject({
		...{ simplify: false, redeliversLast: true, emitExisting: true, maxItems: 2 },
		...{ checkEvery: HOUR / 2, rules: { kind: 'change', width: 11 } },
	});
	const less = { afterRestart: 'continue', completeCheckEvery: 0, maxItemsPerPoll: 1 };
	expect(settingsOf({ ...given, options: less })).toMatchObject({
		...{ redeliversLast: false, checkEvery: 0, maxItems: 1 },
	});
});

it('a filter counts if it holds something', () => {
	const filtersOf = (filters: IDataObject) => settingsOf({ ...OWN, filters }).filters;
	const whole = { hasEmail: false, keyword: ' GUIDE ', source: 'comment' };
	expect(filtersOf({ ...whole, onlyWithIntent: true, qualificationStatus: 'open' })).toEqual({
		...{ hasEmail: false, keyword: 'GUIDE', source: 'comment' },
		...{ onlyWithIntent: true, qualificationStatus: 'open' },
	});
	expect(filtersOf({ hasEmail: 'true', onlyWithIntent: 'no' })).toEqual({ hasEmail: true });
	const none = { hasEmail: '', keyword: null, source: undefined, qualificationStatus: ' ' };
	expect(filtersOf({ ...none, onlyWithIntent: false })).toEqual({});
});

describe('who is watched', () => {
	it('is the own account, whatever clients were chosen before', () => {
		expect(settingsOf({ ...OWN, clientIds: [ADA] }).watched).toEqual({ kind: 'own' });
	});

	it('are all clients, or a share of them', () => {
		const all = { event: 'newLead', watch: 'allClients' };
		for (const share of [undefined, null, '', '  '])
			expect(settingsOf({ ...all, options: { share } }, all).watched).toEqual({
				kind: 'allClients',
			});
		expect(settingsOf({ ...all, options: { share: ' 2  OF 12 ' } }).watched).toEqual({
			...{ kind: 'allClients', share: { part: 2, of: 12 } },
		});
	});

	it('are the chosen clients, each once and in small letters', () => {
		expect(idsOf({ clientIds: [BOB, ADA, CAT] })).toEqual([BOB, ADA, CAT]);
		expect(idsOf({ clientIds: [CAT.toUpperCase(), BOB, CAT, ` ${BOB}`] })).toEqual([CAT, BOB]);
		expect(idsOf({ clientIds: `${ADA}, ${BOB}` })).toEqual([ADA, BOB]);
	});

	it('are those of the chosen clients that fall into the share', () => {
		const clientIds = [ADA, BOB, CAT];
		const [first, second] = ['1 of 2', '2 of 2'].map((share) =>
			idsOf({ clientIds, options: { share } }),
		);
		expect([...(first ?? []), ...(second ?? [])].sort()).toEqual(clientIds);
		expect(idsOf({ clientIds, options: { share: '1 of 1' } })).toEqual(clientIds);
	});
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

	it('is about as large as any other', () => {
		const clients = Array.from({ length: 3_000 }, (_, at) => `0000-${at}`);
		for (const part of [1, 2, 3]) {
			const mine = clients.filter((client) => isInShare(client, { part, of: 3 }));
			expect(Math.abs(mine.length - 1_000)).toBeLessThan(100);
		}
	});

	/** If an update changed it, clients would move to other triggers unnoticed. */
	it('stays the same in later versions', () => {
		const clients = [
			'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			'00000000-0000-4000-8000-000000000000',
			'ffffffff-ffff-4fff-bfff-ffffffffffff',
		];
		const of = (client: string) =>
			[1, 2, 3, 4, 5].find((part) => isInShare(client, { part, of: 5 }));
		expect(clients.map(of)).toEqual([5, 1, 4]);
		expect(parseShare('100 of 100')).toEqual({ part: 100, of: 100 });
	});
});

const SHARES = [
	...['0 of 3', '4 of 3', '1 of 0', '1 of 101', '1/3', 'one of three', '1 of 3 of 5', '-1 of 3'],
	...['1.5 of 3', 'x1 of 3', '1of3', 3, { part: 1 }, ['1 of 3']],
];
const option = (name: string, value: unknown) => ({ ...CLIENTS, options: { [name]: value } });
const filter = (name: string, value: unknown) => ({ ...OWN, filters: { [name]: value } });

it.each<[string, Record<string, unknown>]>([
	...['team', 7, {}, null, ''].map((watch): [string, object] => ['Watch', { ...OWN, watch }]),
	...['newPost', 'toString', null].map((event): [string, object] => [
		'Trigger On',
		{ ...OWN, event },
	]),
	...[['x'], 'a, b', [ADA, 7], [], '', null, [null, '']].map((clientIds): [string, object] => [
		'Client Names or IDs',
		{ ...CLIENTS, clientIds },
	]),
	...['never', 'redeliverlast', 1].map((value): [string, object] => [
		'After a Restart',
		option('afterRestart', value),
	]),
	...[-1, 'often', [6], -0.01].map((value): [string, object] => [
		'Complete Check Every (Hours)',
		option('completeCheckEvery', value),
	]),
	...[0, -5, 0.9, 'many', {}].map((value): [string, object] => [
		'Max Items per Poll',
		option('maxItemsPerPoll', value),
	]),
	...['perhaps', 2].map((value): [string, object] => [
		'Emit Existing',
		option('emitExisting', value),
	]),
	...['perhaps', []].map((simplify): [string, object] => ['Simplify', { ...OWN, simplify }]),
	...SHARES.map((value): [string, object] => ['Share of Clients', option('share', value)]),
	...['often', {}].map((value): [string, object] => ['Has Email', filter('hasEmail', value)]),
	...['often', 3].map((value): [string, object] => [
		'Only With Intent',
		filter('onlyWithIntent', value),
	]),
	['Keyword', filter('keyword', { a: 1 })],
	['Source', filter('source', { a: 1 })],
	['Qualification Status', filter('qualificationStatus', { a: 1 })],
] as Array<[string, Record<string, unknown>]>)('"%s" is named for %j', (label, parameters) => {
	expect(() => settingsOf(parameters as IDataObject)).toThrow(`${label}"`);
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

/** An expression that gives nothing is no instruction: it is refused, or the same as no parameter. */
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
	/** Whatever differs between what the trigger was given and what it would be without. */
	async function outcome({ event, group, name }: (typeof spots)[number], value?: unknown) {
		const put = (record: IDataObject, given: unknown): IDataObject => {
			const { [name]: _, ...rest } = record;
			return given === undefined ? rest : { ...rest, [name]: given as string };
		};
		const whole: IDataObject = {
			...{ event, watch: 'clients', simplify: false, clientIds: [PLAYED] },
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
			// What chooses an account is never left to nothing.
			if (['watch', 'clientIds', 'share'].includes(spot.name)) expect(sent).toEqual([]);
		}
	});

	it('does not leave clients without a word where they are given', () => {
		const own = { ...OWN, clientIds: [ADA] };
		expect(() => settingsOf(own, { ...own, watch: '={{ "own" }}' })).toThrow(
			'The parameter "Watch" is "own", although clients are given in "Client Names or IDs"',
		);
	});
});

describe('n8n shows', () => {
	const { activationMessage, eventTriggerDescription, hints, polling } =
		new LeadGenPublishingTrigger().description;

	it('how late a change may be, and that a test event is only some records', () => {
		const notice = TRIGGER_PROPERTIES.find(({ name }) => name === 'delayNotice');
		expect(notice?.displayName).toMatch(/A change of an older record can take as many hours/);
		expect(notice?.displayName).toMatch(/^[^.:]*Complete Check Every \(Hours\)[^.:]*\.$/);
		expect(notice?.displayOptions?.show).toEqual({ event: ['leadChanged', 'postStatusChanged'] });
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('Max Items per Poll') as string, location: 'outputPane' },
		]);
	});

	it('that the first poll only notes what is there, and that the service is asked', () => {
		expect(activationMessage).toMatch(/^The first poll only notes what is there/);
		expect(activationMessage).toMatch(/the workflow starts with what comes after it\.$/);
		const [, label] = /unless ([A-Z][A-Za-z ]*) is on/.exec(activationMessage ?? '') ?? [];
		expect(JSON.stringify(TRIGGER_PROPERTIES)).toContain(
			`"displayName":"${label}","name":"emitExisting"`,
		);
		expect(polling).toBe(true);
		expect(eventTriggerDescription).toMatch(/^Waiting for something new in the service\./);
		expect(eventTriggerDescription).toMatch(/sends no events, so it is asked at each poll time\.$/);
	});
});
