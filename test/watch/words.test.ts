/**
 * What n8n shows about the trigger when a workflow is published or tested, and what the panel says
 * about changes, compared with what the trigger does.
 */
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { startService, type FakeService } from '../../fake-service/index';
import { pollRegistration } from '../support/engine';
import { idsOf, OWN, triggerOf } from '../support/kit/index';

const { description } = new LeadGenPublishingTrigger();
const text = JSON.stringify(description.properties);

describe('when it is published', () => {
	let service: FakeService;
	beforeEach(async () => (service = await startService({ sample: 'none' })));
	afterEach(async () => await service.close());

	const publish = async (options: Record<string, unknown>) => {
		const { world } = service;
		world.addLead(world.own);
		const trigger = triggerOf(service, { parameters: { ...OWN, options } });
		const node = pollRegistration({ ...trigger, durability: 'inMemory' });
		const first = idsOf(await node.activate());
		const later = world.addLead(world.own);
		return { first, second: idsOf(await node.tick()), later: later.id };
	};

	it('says that the first poll only notes what is there, unless the option that changes it is on', async () => {
		const { activationMessage } = description;
		expect(activationMessage).toMatch(/^The first poll only notes what is there/);
		expect(activationMessage).toMatch(/the workflow starts with what comes after it\.$/);
		const { first, second, later } = await publish({});
		expect(first).toEqual([]);
		expect(second).toEqual([later]);
	});

	it('names that option as the panel does', async () => {
		const [, label] =
			/unless ([A-Z][A-Za-z ]*) is on/.exec(description.activationMessage ?? '') ?? [];
		expect(text).toContain(`"displayName":"${label}","name":"emitExisting"`);
		const { first, second, later } = await publish({ emitExisting: true });
		expect(first).toHaveLength(1);
		expect(second).toEqual([later]);
	});
});

it('says, while it waits, that the service sends no events and is asked', () => {
	const { eventTriggerDescription, polling } = description;
	expect(polling).toBe(true);
	expect(eventTriggerDescription).toMatch(/^Waiting for something new in the service\./);
	expect(eventTriggerDescription).toMatch(/sends no events, so it is asked at each poll time\.$/);
});

it('promises a change for the next poll only on the page that is looked at', () => {
	const notice = description.properties.find(({ name }) => name === 'delayNotice');
	expect(notice?.displayName).toMatch(/A change of an older record can take as many hours/);
	expect(notice?.displayOptions?.show).toEqual({ event: ['leadChanged', 'postStatusChanged'] });
});
