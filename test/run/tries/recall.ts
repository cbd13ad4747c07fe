/**
 * A result that is too large to be kept with the execution: when n8n runs all items again, it is
 * read again, and nothing is sent twice.
 */
import { keyFrom } from '../../../nodes/LeadGenPublishing/api/identifiers';
import { RESOURCES } from '../../../nodes/LeadGenPublishing/operations/index';
import type { NodeRun } from '../../support/engine';
import { byId, setUpKit, type Parameters } from '../../support/kit/index';

const kit = setUpKit({ sample: 'none' });

/** More than is kept, and nothing of it repeats itself. */
const LARGE = Array.from({ length: 30_000 }, (_, part) => keyFrom('large', part)).join('');

interface Case {
	/** For each item, what its expressions take. */
	readonly items: () => Array<Record<string, string>>;
	readonly parameters: Parameters;
	readonly method: 'POST' | 'PATCH';
	readonly shows: Parameters;
}

const magnetIds = () =>
	[0, 1].map(() => ({ id: kit.service.world.addLeadMagnet(kit.service.world.own).id }));
const postIds = () =>
	[0, 1].map(() => ({
		id: kit.service.world.addPost(kit.service.world.own, { status: 'draft' }).id,
	}));
const nothing = () => [{}, {}];

const CASES: Readonly<Record<string, Case>> = {
	'leadMagnet.update': {
		items: magnetIds,
		parameters: {
			leadMagnetId: byId('={{ $json.id }}'),
			updateFields: { resourceName: 'Another name' },
		},
		method: 'PATCH',
		shows: { resource_name: 'Another name' },
	},
	'leadMagnet.create': {
		items: nothing,
		parameters: {
			deliveryMode: 'external_link',
			keyword: '={{ "GUIDE" + $itemIndex }}',
			resourceName: 'A name',
			resourceLink: 'https://example.com/guide',
		},
		method: 'POST',
		shows: { resource_name: 'A name' },
	},
	'post.update': {
		items: postIds,
		parameters: { postId: byId('={{ $json.id }}'), updateFields: { notes: 'Another note' } },
		method: 'PATCH',
		shows: { notes: 'Another note' },
	},
	'post.create': {
		items: nothing,
		parameters: { text: '={{ "A text " + $itemIndex }}' },
		method: 'POST',
		shows: { text: 'A text 0' },
	},
};

/** The first item is carried out, with a large answer; the second one has to be tried again. */
async function runTwice(name: string, { items, parameters, method }: Case): Promise<NodeRun> {
	const [resource = '', operation] = name.split('.');
	const { faults } = kit.service;
	faults.add(
		{
			kind: 'change',
			change: ({ data, ...envelope }) => ({
				...envelope,
				data: { ...(data as object), large: LARGE },
			}),
		},
		{ method },
	);
	faults.rateLimit(0, { method });
	return await kit.run(
		{ resource, operation, ...parameters, options: { maxWaitSeconds: 0 } },
		{ items: items().map((json) => ({ json })), retryOnFail: true, maxTries: 2 },
	);
}
const hintsOf = ({ runData }: NodeRun) =>
	(runData['Node under test']?.[0]?.hints ?? []).map(({ message }) => message);
const sentTo = (method: string) => kit.service.requests.filter((one) => one.method === method);
/** The reads of single records. */
const reads = () => sentTo('GET').filter(({ path }) => /^\/[a-z-]+\/[\da-f-]{36}$/.test(path));

describe.each(Object.entries(CASES))('%s', (name, given) => {
	it('is sent once, and read again', async () => {
		const run = await runTwice(name, given);
		expect(run.error).toBeUndefined();
		expect(run.timesRun).toBe(2);
		const statuses = sentTo(given.method).map(({ status }) => (status === 201 ? 200 : status));
		expect(statuses).toEqual([200, 429, 200]);
		const [first, second] = (run.outputs[0] ?? []).map(({ json }) => json);
		expect(first).toMatchObject(given.shows);
		// The read does not give what was added to the answer alone.
		expect('large' in (first ?? {})).toBe(false);
		expect(second?.id).not.toBe(first?.id);
		expect(reads().filter(({ path }) => path.endsWith(String(first?.id)))).not.toEqual([]);
	});
});

describe('where it cannot be read again', () => {
	const given = CASES['leadMagnet.update'] as Case;
	const onRead = { method: 'GET', path: /^\/lead-magnets\/./ };

	it('for good, the item has its ID, and a hint says so', async () => {
		kit.service.faults.status(404, onRead);
		const run = await runTwice('leadMagnet.update', given);
		expect(run.error).toBeUndefined();
		const [first] = (run.outputs[0] ?? []).map(({ json }) => json);
		expect(Object.keys(first ?? {})).toEqual(['id']);
		expect(hintsOf(run)).toEqual([expect.stringMatching(/contains only its ID/)]);
	});

	it('for a while, the item fails, and says that it was carried out', async () => {
		kit.service.faults.status(503, { ...onRead, count: Infinity });
		const run = await runTwice('leadMagnet.update', given);
		expect(run.error?.message).toMatch(
			/An earlier attempt has carried out the change; only its record could not be read again/,
		);
		expect(sentTo('PATCH')).toHaveLength(2);
	});
});

describe('every write whose results can be read again', () => {
	const known = RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}.${operation.value}`, operation] as const),
	).filter(([, { recall }]) => recall !== undefined);

	it.each(known)('%s gives the record, or what its deletion gives', async (name, { recall }) => {
		const asked: string[] = [];
		const api = {
			call: async (endpoint: string, { params }: { params: { id: string } }) => {
				asked.push(`${endpoint} ${params.id}`);
				return await Promise.resolve({ data: { id: params.id, found: true } });
			},
		};
		const result = await recall?.('the-id', { api } as never);
		const [resource] = name.split('.');
		const isGone = /\.(delete|archive)$/.test(name);
		expect(result).toEqual(
			isGone ? { deleted: true, id: 'the-id' } : { id: 'the-id', found: true },
		);
		expect(asked).toEqual(isGone ? [] : [`${resource}.get the-id`]);
	});
});
