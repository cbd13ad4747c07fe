/**
 * What the trigger says of a rejection recommends only what its own panel has. `words/words.test.ts`
 * has the words of all operations.
 */
import type { Effect } from '../../fake-service/effect';
import { runPoll } from '../support/engine';
import { misfits, setUpKit, triggerLabels, triggerOf } from '../support/kit/index';

const kit = setUpKit();
const error = (more: Omit<Extract<Effect, { kind: 'error' }>, 'kind'>): Effect => ({
	kind: 'error',
	message: 'Words of the service.',
	...more,
});

const REJECTIONS: ReadonlyArray<readonly [string, Effect]> = [
	...[400, 401, 403, 404, 405, 409, 422, 501, 418].map(
		(status) => [`HTTP ${status}`, error({ status })] as const,
	),
	['an unknown reason', error({ status: 409, reason: 'brand_new' })],
	['an unknown code', error({ status: 400, code: 'brand_new' })],
	['no words of its own', error({ status: 409, message: '' })],
	['words with marks at the end', error({ status: 409, message: ' Is it so? ' })],
	['words with a colon at the end', error({ status: 409, message: 'Not so: ' })],
	['a web page', { kind: 'html', status: 200 }],
	['a redirect', { kind: 'redirect', status: 307 }],
	['a denial', { kind: 'raw', status: 200, body: '{"data":{"deleted":false}}' }],
];

describe.each(['manual', 'trigger'] as const)('a poll (%s)', (mode) => {
	it.each(REJECTIONS)('has fitting words for %s', async (_, effect) => {
		const { world } = kit.service;
		kit.service.faults.add(effect, { count: Infinity });
		for (const watch of ['own', 'allClients']) {
			// Another node each time: one that was rejected pauses.
			const node = triggerOf(kit.service, {
				parameters: { event: 'newLead', watch },
				key: world.keys.agency,
			});
			const { error: thrown } = await runPoll({ ...node, mode });
			const { message = '', description = '' } = (thrown ?? {}) as Partial<Error> & {
				description?: string;
			};
			const said = `${message} ${description}`.trim();
			const problems = misfits(
				{ error: message, message: said, details: {} },
				{ labels: triggerLabels, reading: true },
			).filter((problem) => !problem.includes('not retryable'));
			expect([said, problems]).toEqual([expect.stringMatching(/\w/), []]);
		}
	});
});
