/** What a poll leaves in n8n's log. */
import type { IPollFunctions } from 'n8n-workflow';

import { logPoll, nameOf } from '../../../nodes/LeadGenPublishing/watch/n8n/pollLog';
import type { PollReading } from '../../../nodes/LeadGenPublishing/watch/n8n/reading';
import { startService, type FakeService } from '../../../fake-service/index';
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

describe('a poll', () => {
	const linesOf = (notices: readonly string[], reading: Partial<PollReading>) => {
		const lines: string[] = [];
		const log = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
		const functions = { logger: { debug: log('debug'), warn: log('warn') } };
		logPoll(functions as unknown as IPollFunctions, notices, {
			...{ failures: [], requests: 0, completedChecks: [], ...reading },
		} as unknown as PollReading);
		return lines;
	};
	const failure = { kind: 'server', message: 'It broke.' };

	it('warns of what is to be told, and of each list that failed', () => {
		const failures = [
			{ account: 'a', ...failure },
			{ account: 'own2', ...failure, tolerated: 2 },
		];
		const since = Date.UTC(2030, 0, 1);
		const completedChecks = [
			{ account: 'own', since },
			{ account: 'a', since },
		];
		expect(linesOf(['one', 'two'], { failures, requests: 7, completedChecks })).toEqual([
			'warn: one',
			'warn: two',
			'warn: The list of a failed (server): It broke.',
			'warn: The list of the own account failed (server): It broke. It may pass by itself, so this poll does not fail (2 in a row).',
			'debug: Requests for the lists: 7; the complete check of the own account that began at 2030-01-01T00:00:00.000Z has ended; the complete check of a that began at 2030-01-01T00:00:00.000Z has ended',
		]);
	});

	it.each([
		[{ full_name: 'Ada', business_name: 'Ada Ltd' }, 'Ada'],
		[{ full_name: ' ', business_name: 'Ada Ltd' }, 'Ada Ltd'],
		[{ full_name: 7, business_name: '' }, undefined],
		[{}, undefined],
	])('calls the client %j %p', (names, expected) => {
		expect(nameOf({ user_id: 'a', ...names })).toBe(expected);
		expect(nameOf(undefined)).toBeUndefined();
	});
});
