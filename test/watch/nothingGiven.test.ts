/**
 * For the trigger, too, an expression that gives nothing is no instruction: either the poll fails
 * with an error that names the parameter, or it polls as without the parameter.
 */
import type { INodeProperties } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { startService, type FakeService } from '../../fake-service/index';
import { runPoll } from '../support/runPoll';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => await service.close());

type Parameters = Record<string, unknown>;

const { properties } = new LeadGenPublishingTrigger().description;
const GIVEN: Parameters = { watch: 'clients', simplify: false };
const FILTERS: Readonly<Record<string, Parameters>> = {
	newLead: {
		hasEmail: true,
		keyword: 'GUIDE',
		onlyWithIntent: true,
		qualificationStatus: 'qualified',
	},
	newActivity: { keyword: 'GUIDE', source: 'comment' },
};
const OPTIONS: Parameters = {
	afterRestart: 'redeliverLast',
	completeCheckEvery: 5,
	emitExisting: true,
	maxItemsPerPoll: 3,
	share: '1 of 1',
	simplify: false,
};

interface Spot {
	event: string;
	field: INodeProperties;
	group?: string;
}
const spots: Array<[string, Spot]> = Object.keys(FILTERS).flatMap((event) =>
	properties
		.filter(({ displayOptions, type }) => {
			const events = displayOptions?.show?.event;
			return type !== 'notice' && (events === undefined || events.includes(event));
		})
		.flatMap((field): Spot[] => [
			{ event, field },
			...(field.type === 'collection' ? (field.options ?? []) : []).map((member) => ({
				event,
				field: member as INodeProperties,
				group: field.name,
			})),
		])
		.map((spot): [string, Spot] => [
			`${event}: ${spot.group === undefined ? '' : `${spot.group}.`}${spot.field.name}`,
			spot,
		]),
);

let polls = 0;
async function outcome({ event, field, group }: Spot, value?: string) {
	const put = (record: Parameters): Parameters => {
		const { [field.name]: _old, ...rest } = record;
		return value === undefined ? rest : { ...rest, [field.name]: value };
	};
	const whole: Parameters = {
		...{ event, ...GIVEN, clientIds: [service.world.clientA.id] },
		...{ filters: FILTERS[event], options: OPTIONS },
	};
	const parameters =
		group === undefined ? put(whole) : { ...whole, [group]: put(whole[group] as Parameters) };
	service.clearLog();
	// What a process remembers of a trigger belongs to its node.
	polls += 1;
	const { items, error } = await runPoll({
		node: LeadGenPublishingTrigger,
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: service.world.keys.agency },
		parameters,
		workflowId: `workflow-${polls}`,
		nodeId: `node-${polls}`,
	});
	return {
		error: error?.message,
		sent: service.requests.map(({ url }) => url),
		items: (items ?? []).map(({ json: { detected_at: _when, ...json } }) => json),
	};
}

it.each(spots)('%s', async (_, spot) => {
	const absent = await outcome(spot);
	expect(absent.error ?? absent.sent.length).toBeTruthy();
	for (const nothing of ['undefined', 'null', '""', '"  "']) {
		const given = await outcome(spot, `={{ ${nothing} }}`);
		if (given.error === undefined) expect([nothing, given]).toEqual([nothing, absent]);
		else {
			expect(given.error).toContain(`${spot.field.displayName}"`);
			expect(given.sent).toEqual([]);
		}
	}
});

it('what chooses an account is never left to nothing', async () => {
	for (const [, spot] of spots.filter(([, { field }]) =>
		['watch', 'clientIds'].includes(field.name),
	))
		for (const nothing of ['undefined', 'null', '""', '"  "', '[null, ""]'])
			expect((await outcome(spot, `={{ ${nothing} }}`)).error).toContain(spot.field.displayName);
});

it.each([
	['text that says false', 'hasEmail', '={{ "false" }}', /has_email=false/],
	['text that says true', 'hasEmail', '={{ "true" }}', /has_email=true/],
])('a filter of %s is that filter', async (_, name, value, expected) => {
	const spot = spots.find(([label]) => label === `newLead: filters.${name}`)?.[1];
	expect(spot).toBeDefined();
	if (spot !== undefined) expect((await outcome(spot, value)).sent.join()).toMatch(expected);
});

it('a filter that is none is an error', async () => {
	const spot = spots.find(([label]) => label === 'newLead: filters.onlyWithIntent')?.[1];
	if (spot !== undefined)
		expect((await outcome(spot, '={{ "maybe" }}')).error).toContain(
			'"Filters > Only With Intent" must be true or false',
		);
});
