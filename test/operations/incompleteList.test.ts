/** "On Incomplete List": a list that may lack records is no result where it is said so. */
import { asLastPage } from '../../fake-service/distort';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
const fail = { onIncompleteList: 'fail' };
const LISTS = ['client', 'lead'] as const;

/** Every list goes on for ever, without anything new after its first page. */
const endWithoutEnd = () => kit.service.faults.add({ kind: 'neverEnding' }, { count: Infinity });

describe.each(LISTS)('a list (%s) that announces more and gives none', (resource) => {
	const getAll = { resource, operation: 'getAll', returnAll: true };

	it('is returned as far as it was read', async () => {
		endWithoutEnd();
		const read = await kit.records(getAll);
		expect(read.length).toBeGreaterThan(0);
		expect(await kit.records({ ...getAll, options: { onIncompleteList: 'return' } })).toEqual(read);
	});

	it('is an error where it must be complete', async () => {
		endWithoutEnd();
		const failure = await kit.failure({ ...getAll, options: fail });
		expect(failure.error).toContain('incomplete: the service announced more');
		expect(failure.message).toContain('"On Incomplete List"');
		expect(failure.details).toMatchObject({ code: 'incomplete_list', retryable: true });
	});

	it('is a result like any other if it comes to its end', async () => {
		const all = await kit.records(getAll);
		expect(await kit.records({ ...getAll, options: fail })).toEqual(all);
	});
});

describe('a list of leads that must be complete', () => {
	const getAll = { resource: 'lead', operation: 'getAll', returnAll: true, options: fail };

	it('may have one blank page that is full when it is requested again', async () => {
		kit.service.faults.add({ kind: 'emptyPage' });
		expect((await kit.records(getAll)).length).toBe(kit.service.world.own.leads.size);
	});

	it('is read from its beginning if its first answer was for another place', async () => {
		kit.service.faults.add({ kind: 'change', change: asLastPage });
		expect((await kit.records(getAll)).length).toBe(kit.service.world.own.leads.size);
	});

	it('is none if a page in its middle stays blank, though its end is reached', async () => {
		const { world, faults } = kit.service;
		world.seedLeads(world.own, 30);
		const isSecond = ({ query }: { query: Record<string, string> }) => query.offset === '10';
		faults.add({ kind: 'emptyPage' }, { when: isSecond, count: Infinity });
		const small = {
			...getAll,
			options: { ...getAll.options, customFields: '{"limit": 10}' },
		};
		const failure = await kit.failure(small);
		expect(failure.details).toMatchObject({ code: 'incomplete_list' });
		const lenient = await kit.records({
			...small,
			options: { customFields: '{"limit": 10}' },
		});
		expect(lenient.length).toBeGreaterThan(0);
		expect(lenient.length).toBeLessThan(world.own.leads.size);
	});

	it('does not take its neighbours along', async () => {
		const { clientA, clientB } = kit.service.world;
		const items = [clientA, clientB].map(({ id }) => ({ json: { id } }));
		kit.service.faults.add({ kind: 'neverEnding' }, { clientId: clientA.id, count: Infinity });
		const clientId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const { outputs } = await kit.run(
			{ ...getAll, actAs: 'client', clientId },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(new Set(outputs[0]?.map(({ json }) => json.client_id))).toEqual(new Set([clientB.id]));
		expect(outputs[1]?.map(({ json }) => json.details)).toMatchObject([{ client_id: clientA.id }]);
	});
});
