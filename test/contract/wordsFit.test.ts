/** Every code and reason of part 7, at every request of every operation, gets fitting words. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { labelsOf } from '../../nodes/LeadGenPublishing/operations/describe';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import type { Effect } from '../../fake-service/faults';
import { REASONS, type Reason } from '../../fake-service/index';
import { runPoll } from '../support/engine';
import { operationNames, prepare, type OperationName } from './everyOperation';
import { shareOf } from '../support/long';
import { byId, misfits, setUpKit, triggerLabels, type Parameters } from '../support/kit/index';

const kit = setUpKit();
const error = (more: Omit<Extract<Effect, { kind: 'error' }>, 'kind'>): Effect => ({
	kind: 'error',
	message: 'Words of the service.',
	...more,
});

const ANSWERS: ReadonlyArray<readonly [string, Effect]> = [
	...[400, 401, 403, 404, 405, 409, 422, 429, 500, 501, 502, 503, 418].map(
		(status) => [`HTTP ${status}`, error({ status })] as const,
	),
	['HTTP 429 with Retry-After', error({ status: 429, retryAfter: 1 })],
	...(Object.keys(REASONS) as Reason[]).map(
		(reason) => [reason, error({ ...REASONS[reason], reason })] as const,
	),
	['a reason that nobody knows', error({ status: 409, reason: 'brand_new' })],
	['a code that nobody knows', error({ status: 400, code: 'brand_new' })],
	['no words of its own', error({ status: 409, message: '' })],
	['words with marks at the end', error({ status: 409, message: ' Is it so? ' })],
	['words with a colon at the end', error({ status: 409, message: 'Not so: ' })],
	['no answer', { kind: 'reset' }],
	['a web page', { kind: 'html', status: 200 }],
	['nothing', { kind: 'empty' }],
	['a redirect', { kind: 'redirect', status: 307 }],
	['a denial', { kind: 'raw', status: 200, body: '{"data":{"deleted":false}}' }],
];

type Target = readonly [request: string, match: { method?: RegExp; host?: 'storage' }];
const TARGETS: readonly Target[] = [
	['every request', {}],
	['what it changes', { method: /POST|PATCH|DELETE/ }],
	['the storage', { host: 'storage' }],
];

/** Operations without "Max Wait (Seconds)" would wait for these to pass. */
const TRANSIENT = /429|50[0-4]|^no answer$|^nothing$|rate_limited|mismatch/;

const cases = operationNames
	.flatMap((name) => {
		const [resource, value] = name.split('.');
		const operation = findOperation(resource, value);
		const isRead = operation.kind === 'read';
		const waits = labelsOf(operation).includes('Max Wait (Seconds)');
		const answers = ANSWERS.filter(
			([answer]) => (waits || !TRANSIENT.test(answer)) && (!isRead || !(answer in REASONS)),
		);
		return TARGETS.filter(
			([, { method, host }]) =>
				(host === undefined || name === 'media.upload') &&
				// Other writes send one request.
				(method === undefined || name === 'post.update' || name === 'post.delete'),
		).map((target) => ({ name, request: target[0], target, answers }));
	})
	.map((one, index) => ({ ...one, answers: shareOf(one.answers, { nth: 4, index }) }));

/** Every failed item. The kit checks the words of each. */
async function fail(
	name: OperationName,
	{ effect, target: [, { method, host }] }: { effect: Effect; target: Target },
): Promise<number> {
	const { own } = kit.service.world;
	const { parameters, items } = await prepare(kit.service, name, {});
	const options = { ...(parameters.options as object | undefined), maxWaitSeconds: 0 };
	const { id } = kit.service.world.addPost(own, { status: 'published' });
	const ofPublished: Readonly<Partial<Record<OperationName, Parameters[]>>> = {
		'post.delete': [{ confirmPublished: true }],
		'post.update': [{ updateFields: { text: 'Newer' } }, { updateFields: { notes: 'New' } }],
	};
	const variants = (ofPublished[name] ?? []).map((more) => ({ postId: byId(id), ...more }));
	let failed = 0;
	for (const variant of [{}, ...variants]) {
		kit.service.faults.clear();
		kit.service.faults.add(effect, {
			count: Infinity,
			...(host === undefined ? {} : { host }),
			...(method === undefined ? {} : { when: (request) => method.test(request.method) }),
		});
		const { outputs, error: thrown } = await kit.run(
			{ ...parameters, options, ...variant },
			{ items, onError: 'continueErrorOutput' },
		);
		if (thrown !== undefined) throw thrown;
		failed += outputs[1]?.length ?? 0;
	}
	return failed;
}

it.each(cases)('$name has fitting words when $request is rejected', async (one) => {
	for (const [, effect] of one.answers) await fail(one.name, { ...one, effect });
});

it.each(operationNames)('%s really fails then', async (name) => {
	const effect = error({ status: 409 });
	expect(await fail(name, { effect, target: ['every request', {}] })).toBeGreaterThan(0);
});

it.each(['manual', 'trigger'] as const)(
	'the trigger (%s) has fitting words for any code or reason',
	async (mode) => {
		const { baseUrl, world } = kit.service;
		const said: string[] = [];
		const wrong: string[] = [];
		for (const [answer, effect] of ANSWERS) {
			if (TRANSIENT.test(answer) || answer in REASONS) continue;
			for (const watch of ['own', 'allClients']) {
				kit.service.faults.clear();
				kit.service.faults.add(effect, { count: Infinity });
				const { error: thrown } = await runPoll({
					node: LeadGenPublishingTrigger,
					credentialType: LeadGenPublishingApi,
					credentials: { baseUrl, apiKey: world.keys.agency },
					parameters: { event: 'newLead', watch, clientIds: [world.clientA.id] },
					mode,
				});
				if (thrown === undefined) continue;
				const { message, description } = thrown as Error & { description?: string };
				const text = [message, description].filter(Boolean).join(' ');
				said.push(text);
				const problems = misfits(
					{ error: message, message: text, details: {} },
					{ labels: triggerLabels, reading: true },
				).filter((problem) => !problem.includes('not retryable'));
				wrong.push(...problems.map((problem) => `${answer}, ${watch}: ${problem}: ${text}`));
			}
		}
		expect(wrong).toEqual([]);
		expect(said.length).toBeGreaterThan(10);
	},
);
