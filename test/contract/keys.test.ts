/**
 * Two items that ask for the same mean it twice: each request has an idempotency key of its own, for
 * the service would otherwise take the second for a repetition of the first.
 */
import { ENDPOINTS, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { HOUR, inMs, setUpKit, type Parameters } from '../support/kit/index';
import { prepare } from './everyOperation';

const kit = setUpKit();
const keyed = endpointNames.filter((name) => ENDPOINTS[name].keyed);

/** Beside what every run of it needs: actions need times of their own. */
const FURTHER: Readonly<Partial<Record<(typeof keyed)[number], Parameters>>> = {
	'post.delete': { confirmPublished: true },
	'socialAction.create': { body: '={{ $json }}' },
};

it.each(keyed)('%s', async (name) => {
	const { parameters, path } = await prepare(kit.service, name);
	// A key goes along with changes of what is published.
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
