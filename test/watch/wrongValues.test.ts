/** A value that a parameter of the trigger cannot mean is refused by its name, before anything is sent. */
import { startService, type FakeService } from '../../fake-service/index';
import { runPoll } from '../support/runPoll';
import { triggerOf } from '../support/kit/index';

let service: FakeService;
beforeAll(async () => {
	service = await startService({ sample: 'none' });
});
afterAll(async () => await service.close());

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const OWN = { event: 'newLead', watch: 'own' };
const CLIENTS = { event: 'newLead', watch: 'clients', clientIds: [ID] };
const option = (name: string, value: string) => ({
	...CLIENTS,
	options: { [name]: `={{ ${value} }}` },
});
const filter = (name: string, value: string) => ({
	...OWN,
	filters: { [name]: `={{ ${value} }}` },
});

const SHARES = [
	'0 of 3',
	'4 of 3',
	'1 of 0',
	'1 of 101',
	'1/3',
	'one of three',
	'1 of 3 of 5',
	'-1 of 3',
	'1.5 of 3',
];

it.each([
	...['"team"', '7', '({})'].map(
		(value) => ['Watch', { ...OWN, watch: `={{ ${value} }}` }] as const,
	),
	...['"newPost"', '"toString"'].map(
		(value) => ['Trigger On', { ...OWN, event: `={{ ${value} }}` }] as const,
	),
	...['["x"]', '"a, b"', `["${ID}", 7]`, '[]', '""'].map(
		(value) => ['Client Names or IDs', { ...CLIENTS, clientIds: `={{ ${value} }}` }] as const,
	),
	['Watch', { ...OWN, watch: '={{ "own" }}', clientIds: [ID] }] as const,
	...['"never"', '"redeliverlast"', '1'].map(
		(value) => ['After a Restart', option('afterRestart', value)] as const,
	),
	...['-1', '"often"', '[6]', '-0.01'].map(
		(value) => ['Complete Check Every (Hours)', option('completeCheckEvery', value)] as const,
	),
	...['0', '-5', '0.9', '"many"', '({})'].map(
		(value) => ['Max Items per Poll', option('maxItemsPerPoll', value)] as const,
	),
	...['"perhaps"', '2'].map((value) => ['Emit Existing', option('emitExisting', value)] as const),
	...['"perhaps"', '[]'].map(
		(value) => ['Simplify', { ...OWN, simplify: `={{ ${value} }}` }] as const,
	),
	...[...SHARES.map((share) => `"${share}"`), '3', '({})'].map(
		(value) => ['Share of Clients', option('share', value)] as const,
	),
	...['"often"', '({})'].map((value) => ['Has Email', filter('hasEmail', value)] as const),
	...['"often"', '3'].map(
		(value) => ['Only With Intent', filter('onlyWithIntent', value)] as const,
	),
	...['Keyword', 'Qualification Status'].map((label) => {
		const name = label === 'Keyword' ? 'keyword' : 'qualificationStatus';
		return [label, filter(name, '({ a: 1 })')] as const;
	}),
])('"%s": %j', async (label, parameters) => {
	service.clearLog();
	const run = await runPoll(triggerOf(service, { parameters: parameters as never }));
	expect(run.error?.message).toContain(`${label}"`);
	expect(service.requests).toEqual([]);
});

it.each(['1 of 1', ' 2 OF 3 ', '100 of 100', '1  of  2'])('"%s" is a share', async (share) => {
	const { clientA, keys } = service.world;
	const parameters = { ...CLIENTS, clientIds: [clientA.id], options: { share } };
	const run = await runPoll(triggerOf(service, { parameters, key: keys.agency }));
	expect(run.error).toBeUndefined();
});
