/**
 * A canary key goes through every operation and every kind of failure, and must not appear in
 * anything that is stored or shown: items, errors, logs, the stored execution, and hosts other than
 * the API's. The same holds for upload URLs and their tokens.
 */
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { WORDS, type Effect } from '../../fake-service/index';
import { listSearch, runAsTool, runPoll, testCredential, type NodeRun } from '../support/engine';
import { operationNames, prepare } from './everyOperation';
import { setUpKit, subjectOf } from '../support/kit/index';

const kit = setUpKit();
const CANARY = `${WORDS.service}_live_CANARY-yellow-bird-0123456789`;
/** What is left when a scrubber hides only the prefix. */
const PIECE = 'yellow-bird-01234';

beforeAll(() => {
	const { world } = kit.service;
	world.addKey(world.own, CANARY, ['*']);
	world.addKey(world.agency, `${CANARY}-agency`, ['*']);
});

const credentials = (agency = false) => ({
	baseUrl: kit.service.baseUrl,
	apiKey: agency ? `${CANARY}-agency` : CANARY,
});

const everything = ({ outputs, error, logs, stored, fullRun, contextData }: NodeRun): string => {
	const shown = error && { ...error, message: error.message, stack: error.stack };
	return (
		JSON.stringify([outputs, shown, logs, stored, contextData]) +
		String(fullRun.data.resultData.error)
	);
};

/** Neither stored nor seen by another host. */
function expectNoTrace(run: NodeRun, secrets: readonly string[] = []): void {
	const kept = everything(run);
	for (const secret of [CANARY, PIECE, ...secrets]) expect(kept).not.toContain(secret);
	const elsewhere = [kit.service.storageRequests, kit.service.redirected];
	expect(JSON.stringify(elsewhere)).not.toContain(PIECE);
	expect(JSON.stringify(kit.service.storageRequests)).not.toMatch(/authorization|bearer/i);
}

const arrived = () =>
	kit.service.requests.some(({ headers }) => headers.authorization?.includes(CANARY));

describe('every operation', () => {
	it.each(operationNames)('%s leaves no trace', async (name) => {
		const agency = name.startsWith('client.');
		const { parameters, items } = await prepare(kit.service, name);
		const run = await kit.run(parameters, { items, credentials: credentials(agency) });
		expect(run.error).toBeUndefined();
		// The test would prove nothing if the key had not been used.
		expect(arrived()).toBe(name !== 'account.getApiInfo');
		expectNoTrace(run);
	});
});

/** The service, a proxy or a storage that repeats what it was sent. */
const parrot = `you sent Authorization: Bearer ${CANARY} with key=${CANARY}`;
const refusal = (status: number, more: object = {}): Effect => ({
	...{ kind: 'error', status, message: parrot, ...more },
});
const EVERYWHERE = { note: parrot, list: [parrot], api_key: CANARY, deep: { further: parrot } };
const REQUEST_ID = `{"error":{"code":"not_found"},"request_id":"${CANARY}"}`;
const TROUBLE: ReadonlyArray<[string, Effect]> = [
	['an error that repeats the key', refusal(400, { code: 'bad_request', details: EVERYWHERE })],
	['an unknown reason with the key in it', refusal(409, { reason: CANARY })],
	['an unknown code with the key in it', refusal(418, { code: CANARY })],
	['a page that repeats the key', { kind: 'raw', status: 502, body: `<html>${parrot}</html>` }],
	['text that repeats the key', { kind: 'raw', status: 200, body: parrot }],
	['a request id that repeats the key', { kind: 'raw', status: 404, body: REQUEST_ID }],
	...[401, 403, 500].map((status): [string, Effect] => [String(status), refusal(status)]),
	['429', refusal(429, { retryAfter: 3600 })],
	['a reset', { kind: 'reset' }],
	['cut-off JSON', { kind: 'cut' }],
	['a cut connection', { kind: 'cut', abort: true }],
	['nothing', { kind: 'empty' }],
	['a redirect', { kind: 'redirect', status: 302 }],
	['a redirect that replays', { kind: 'redirect', status: 307 }],
];

describe.each(TROUBLE)('%s', (_, effect) => {
	it.each(['lead.getAll', 'post.create'] as const)('leaves no trace of %s', async (name) => {
		for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
			kit.service.faults.clear();
			kit.service.faults.add(effect, { count: Infinity });
			const { parameters } = await prepare(kit.service, name);
			const options = { maxWaitSeconds: 0 };
			const run = await kit.run(
				{ ...parameters, options },
				{ credentials: credentials(), onError, retryOnFail: true, maxTries: 2 },
			);
			expect(arrived()).toBe(true);
			expect(run.outputs[1]?.length === 1 || run.error !== undefined).toBe(true);
			expectNoTrace(run);
			expect(kit.service.redirected).toEqual([]);
		}
	});
});

it.each<[string, object]>([
	...['\nX-Other: 1', 'ü€'].map((end): [string, object] => [
		`a key that ends in ${JSON.stringify(end)}`,
		{ apiKey: `${CANARY}${end}` },
	]),
	...['http://127.0.0.1:9/v1', 'http://api.example.com', 'https://x.invalid'].map(
		(baseUrl): [string, object] => [`the address ${baseUrl}`, { baseUrl }],
	),
])('%s leaves no trace', async (_, given) => {
	for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
		const { parameters } = await prepare(kit.service, 'post.create');
		const options = { maxWaitSeconds: 0 };
		const more = { credentials: { ...credentials(), ...given }, onError };
		const run = await kit.run({ ...parameters, options }, more);
		expect(run.outputs[0] ?? []).toEqual([]);
		expectNoTrace(run);
	}
});

it('a key with an invisible character at its end leaves no trace', async () => {
	const { parameters } = await prepare(kit.service, 'post.create');
	const apiKey = `${CANARY}\u0000`;
	expectNoTrace(await kit.run(parameters, { credentials: { ...credentials(), apiKey } }));
});

describe('upload URLs and tokens', () => {
	const secretsOf = () =>
		kit.service.storageRequests.flatMap(({ url }) => {
			const token = new URL(url, 'http://x').searchParams.get('token') ?? '';
			return [token, url.slice(0, url.indexOf('?'))];
		});
	const upload = async (more: Record<string, unknown> = {}) => {
		const { parameters, items } = await prepare(kit.service, 'media.upload');
		return await kit.run(parameters, { items, credentials: credentials(), ...more });
	};

	it('are used, but not stored', async () => {
		const run = await upload();
		const secrets = secretsOf();
		expect(secrets[0]).toMatch(/^upl_.{20,}/);
		expectNoTrace(run, secrets);
	});

	it.each<[string, Effect]>([
		['refuses', { kind: 'error', status: 403 }],
		['breaks', { kind: 'error', status: 500 }],
		['hangs up', { kind: 'reset' }],
		['redirects', { kind: 'redirect', status: 307 }],
		['answers with text', { kind: 'raw', status: 400, body: '{"message":"no: ?token=upl_x"}' }],
	])('are not kept when the storage %s', async (_, effect) => {
		for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
			kit.service.clearLog();
			kit.service.faults.clear();
			kit.service.faults.add(effect, { host: 'storage', count: Infinity });
			const run = await upload({ onError });
			expect(secretsOf().length).toBeGreaterThan(0);
			expectNoTrace(run, secretsOf());
		}
	});
});

describe('outside of the action node', () => {
	it('a tool call leaves no trace, in failure, too', async () => {
		kit.service.faults.add({ kind: 'error', status: 400, message: parrot }, { nth: 2 });
		for (let call = 0; call < 2; call += 1) {
			const { parameters } = await prepare(kit.service, 'lead.getAll');
			const run = await runAsTool({ ...subjectOf(credentials()), parameters });
			expect(run.errorMessage === undefined).toBe(call === 0);
			expect(JSON.stringify([run.response, run.errorMessage, run.logs, run.stored])).not.toContain(
				PIECE,
			);
		}
		expect(arrived()).toBe(true);
	});

	it.each<[string, Effect | undefined]>([
		['that works', undefined],
		['that is refused', { kind: 'error', status: 401, message: parrot }],
		['that breaks', { kind: 'error', status: 500, message: parrot }],
	])('a poll %s leaves no trace', async (nodeId, effect) => {
		if (effect) kit.service.faults.add(effect, { count: Infinity });
		const run = await runPoll({
			...subjectOf(credentials()),
			node: LeadGenPublishingTrigger,
			nodeId,
			workflowId: nodeId,
			parameters: { event: 'newLead', watch: 'own', options: { emitExisting: true } },
		});
		expect(arrived()).toBe(true);
		const shown = run.error && { ...run.error, message: run.error.message, stack: run.error.stack };
		expect(JSON.stringify([run.items, run.staticData, run.logs, shown])).not.toContain(PIECE);
	});

	it('a list and a credential test leave no trace', async () => {
		kit.service.faults.add({ kind: 'error', status: 403, message: parrot }, { count: Infinity });
		const search = await listSearch({
			...subjectOf(credentials()),
			parameters: { resource: 'post', operation: 'get', actAs: 'own' },
			method: 'searchPosts',
		}).catch((error: unknown) => ({ ...(error as Error), message: String(error) }));
		const tested = await testCredential(subjectOf(credentials()));
		expect(arrived()).toBe(true);
		expect(JSON.stringify([search, tested])).not.toContain(PIECE);
	});
});
