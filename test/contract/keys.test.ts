/**
 * Two equal items mean two writes: each request has its own idempotency key, because the service
 * would otherwise treat the second as a repetition. With a unique key, they mean one write, in any
 * execution.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { HOUR, inMs, setUpKit, type Parameters } from '../support/kit/index';
import { operationNames, prepare } from './everyOperation';
import { operations, withMembers } from './forms';

const kit = setUpKit();
const keyed = endpointNames.filter((name) => ENDPOINTS[name].keyed);

/** Parameters in addition to those of every run: actions need their own times. */
const FURTHER: Readonly<Partial<Record<(typeof keyed)[number], Parameters>>> = {
	'post.delete': { confirmPublished: true },
	'socialAction.create': { body: '={{ $json }}' },
};

it.each(keyed)('%s', async (name) => {
	const { parameters, path } = await prepare(kit.service, name);
	// Changes of a published post have a key.
	const post = kit.service.world.own.posts.get(path.split('/')[2] ?? '');
	if (post !== undefined && name !== 'post.startFastResponse') post.status = 'published';
	kit.service.faults.add(
		{ kind: 'error', status: 400 },
		{ method: ENDPOINTS[name].method, count: Infinity },
	);
	const items = [1, 2].map((hours) => ({ json: { due_at: inMs(hours * HOUR) } }));
	const more = { items, onError: 'continueErrorOutput' } as const;
	await kit.run({ ...parameters, ...FURTHER[name] }, more);
	const keys = kit.writes().map(({ headers }) => headers['idempotency-key']);
	expect(keys).toHaveLength(2);
	expect(keys).not.toContain(undefined);
	expect(new Set(keys).size).toBe(2);
});

const offersUniqueKey = ({ operation }: (typeof operations)[number]): boolean =>
	withMembers(operation.fields).some(({ name }) => name === 'uniqueKey');
const offering = operations.filter(offersUniqueKey).map(({ name }) => name);
const unique = operationNames.filter((name) => offering.includes(name));

it.each(keyed.filter((name) => unique.includes(name)))('%s with a unique key', async (name) => {
	const { parameters } = await prepare(kit.service, name);
	const { method } = ENDPOINTS[name];
	kit.service.faults.add({ kind: 'error', status: 400 }, { method, count: Infinity });
	const onError = 'continueErrorOutput' as const;
	for (const executionId of ['1001', '1002'])
		await kit.run(
			{ ...parameters, options: { uniqueKey: `row of ${name}` } },
			{ executionId, onError },
		);
	const keys = kit.writes().map(({ headers }) => headers['idempotency-key']);
	expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it.each(unique)(
	'%s rejects a unique key if one part of its template has no value',
	async (name) => {
		const { parameters } = await prepare(kit.service, name);
		const isOption = !('uniqueKey' in parameters);
		const withKey = (uniqueKey: string): Parameters => ({
			...parameters,
			...(isOption ? { options: { uniqueKey } } : { uniqueKey }),
		});
		const { error } = await kit.failure(withKey(`=${name}-{{ 'a' }}-{{ $json.nothing }}`));
		expect(error).toContain('returned no value: {{ $json.nothing }}');
		expect(kit.writes()).toEqual([]);
		await kit.item(withKey(`=${name}-{{ 'a' }}-{{ 'b' }}`));
		expect(kit.writes()).not.toEqual([]);
	},
);
