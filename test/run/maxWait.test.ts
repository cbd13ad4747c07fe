/** "Max Wait (Seconds)" is a deadline over requests and pauses together; a real service hangs here. */
import { byId, setUpKit } from '../support/kit/index';
import type { Effect, Match } from '../../fake-service/index';

const kit = setUpKit({ sample: 'none' });

/** Machines are slow, so only orders of magnitude count: without a deadline it would be minutes. */
const SOON = 20_000;
const always = (effect: Effect, match: Match = {}) =>
	kit.service.faults.add(effect, { count: Infinity, ...match });
const timed = async (parameters: Record<string, unknown>, seconds: number) => {
	const start = Date.now();
	const failure = await kit.failure({ ...parameters, options: { maxWaitSeconds: seconds } });
	return { failure, ms: Date.now() - start };
};
const post = (status: string) =>
	byId(kit.service.world.addPost(kit.service.world.own, { status: status as never }).id);
const read = () => ({ resource: 'post', operation: 'get', postId: post('draft') });

describe('a service that hangs', () => {
	it.each([
		['a list', () => ({ resource: 'lead', operation: 'getAll', returnAll: true }), false],
		['a create', () => ({ resource: 'post', operation: 'create', text: 'Hangs' }), true],
	] as const)('%s ends in time', async (_, parameters, isOpen) => {
		const asked = parameters();
		always({ kind: 'hang' });
		const { failure, ms } = await timed(asked, 2);
		expect(ms).toBeGreaterThan(1_000);
		expect(ms).toBeLessThan(SOON);
		expect(failure.error).toContain('No complete answer came from the service (timed out)');
		expect(failure.details.outcome).toBe(isOpen ? 'unknown' : undefined);
	});

	// A tenth of the time is kept for the look; a machine that stalls for longer needs more of it.
	it('in the middle of several requests leaves the later ones what is left', async () => {
		always({ kind: 'hang' }, { method: 'DELETE' });
		const methods = () => kit.sent().map((line) => line.split(' ')[0]);
		for (const seconds of [3, 10, 30]) {
			const parameters = { resource: 'post', operation: 'delete', postId: post('draft') };
			kit.service.clearLog();
			const { failure, ms } = await timed(parameters, seconds);
			expect(ms).toBeLessThan(seconds * 1_000 + SOON);
			expect(failure.details.outcome).toBe('unknown');
			if (methods().length > 2) break;
		}
		// The post is read, deleted, and looked at again: there was time for that.
		expect(methods()).toEqual(['GET', 'DELETE', 'GET']);
	});

	it('in the middle of its answer, a blank at a time, ends in time as well', async () => {
		const parameters = read();
		always({ kind: 'drip', ms: 300 });
		const { failure, ms } = await timed(parameters, 2);
		expect(ms).toBeLessThan(SOON);
		expect(failure.error).toContain('No complete answer came from the service (timed out)');
	});
});

describe('a service that fails', () => {
	it('is asked again until the time is up, and no longer', async () => {
		const parameters = read();
		always({ kind: 'error', status: 503 });
		const { ms } = await timed(parameters, 3);
		expect(ms).toBeLessThan(SOON);
		expect(kit.service.requests.length).toBeGreaterThan(1);
		expect(kit.service.requests.length).toBeLessThan(9);
	});
});

describe('a long list', () => {
	const all = { resource: 'lead', operation: 'getAll', returnAll: true };
	const fill = () => {
		const { own } = kit.service.world;
		kit.service.world.seedLeads(own, 2_500 - own.leads.size);
	};

	it('that goes well may take as long as it takes', async () => {
		fill();
		kit.service.latency.global = 1_000;
		const start = Date.now();
		const records = await kit
			.records({ ...all, options: { maxWaitSeconds: 3 } })
			.finally(() => (kit.service.latency.global = 0));
		expect(records).toHaveLength(2_500);
		expect(Date.now() - start).toBeGreaterThan(3_000);
	});

	it('whose pages fail in turn ends when that has taken too long in sum', async () => {
		fill();
		let asked = 0;
		// Each page comes, but only after two failures; none of them takes long by itself.
		always({ kind: 'error', status: 503 }, { when: () => ++asked % 3 !== 0 });
		const { failure, ms } = await timed(all, 3);
		expect(ms).toBeLessThan(SOON);
		expect(failure.details).toMatchObject({ http_status: 503, retryable: true });
		expect(kit.service.requests.length).toBeLessThan(60);
	});
});
