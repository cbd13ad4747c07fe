/** What a poll leaves in n8n's log. */
import { startService, type FakeService } from '../../service/index';
import { pollRegistration, stopInstance } from '../../support/engine';
import { triggerOf } from '../../support/kit/index';

let service: FakeService;

beforeEach(async () => {
	service = await startService({ sample: 'none' });
});
afterEach(async () => await service.close());
afterAll(async () => await stopInstance());

it('says how many requests the lists took, and which complete check has ended', async () => {
	service.world.seedLeads(service.world.own, 250);
	const options = { completeCheckEvery: 0 };
	const parameters = { event: 'newLead', watch: 'own', options };
	const node = pollRegistration({ ...triggerOf(service, { parameters }), durability: 'durable' });
	await node.activate();
	const told: string[] = [];
	for (let poll = 0; poll < 4; poll++) {
		service.clearLog();
		const { logs } = await node.tick();
		const lines = logs.filter(({ level }) => level === 'debug').map(({ message }) => message);
		const line = lines.find((text) => text.startsWith('Requests for the lists: '));
		const asked = service.requests.filter(({ path }) => path.endsWith('/leads')).length;
		expect(line).toContain(`Requests for the lists: ${asked}`);
		told.push(line ?? '');
	}
	const ended = told.filter((line) =>
		/; the complete check of the own account that began at \d{4}-.*Z has ended$/.test(line),
	);
	expect(ended).toHaveLength(1);
});
