/** What becomes of a diagnosis that is stopped, and of a record that nobody can read. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { startService } from '../../fake-service/index';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import { judge } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';
import { diagnose } from '../../nodes/LeadGenPublishing/operations/account/diagnose';
import { httpFunctions } from '../../scripts/diagnose/http';
import { itemOf } from '../operations/itemScene';

/** A diagnosis without n8n that can be stopped. */
const functionsFor = (baseUrl: string, apiKey: string, stop: AbortController): HttpFunctions => ({
	...httpFunctions({ baseUrl, apiKey }),
	getExecutionCancelSignal: () => stop.signal,
});

it.each([
	['posts.create', 'posts.delete', 'draft'],
	['leadMagnets.create', 'leadMagnets.archive', 'lead magnet'],
])('a run that is stopped after %s names what %s does not remove', async (made, removed, what) => {
	const service = await startService();
	const { world, faults, baseUrl } = service;
	const stop = new AbortController();
	faults.add({ kind: 'error', status: 403 }, { route: removed, count: Infinity });
	const when = ({ route }: { route: string | null }): boolean => {
		if (route === made) stop.abort();
		return false;
	};
	faults.add({ kind: 'empty' }, { when });
	const log: string[] = [];
	const functions = {
		...functionsFor(baseUrl, world.keys.own, stop),
		logger: { warn: (message: string) => log.push(message) },
	};
	const item = itemOf(diagnose, { alsoTryWrites: true }, { functions });
	await expect(item.run()).rejects.toThrow('canceled');
	await service.close();
	expect(log).toEqual([
		expect.stringMatching(
			new RegExp(`^Diagnose was stopped\\. It may have left something in the account: ${what} .+`),
		),
	]);
});

it('asks nothing more once a run is stopped while it reads', async () => {
	const service = await startService();
	const stop = new AbortController();
	service.faults.add(
		{ kind: 'empty' },
		{ when: ({ path }) => (path === '/leads' && stop.abort(), false) },
	);
	const collecting = collect(functionsFor(service.baseUrl, service.world.keys.own, stop), {
		withWrites: true,
		maxWaitMs: 1_000,
		isInN8n: false,
		onLeft: () => undefined,
	});
	await expect(collecting).rejects.toThrow('canceled');
	const writes = service.requests.filter(({ method }) => method !== 'GET');
	await service.close();
	expect(writes).toEqual([]);
	expect(service.requests.length).toBeLessThan(10);
});

it('a record that is nested too deeply is told of, and ends nothing else', async () => {
	const service = await startService();
	const { world, baseUrl } = service;
	const functions = functionsFor(baseUrl, world.keys.own, new AbortController());
	const deep = `{"id":"1","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
	const leads = `{"data":[${deep}],"pagination":{"limit":100,"offset":0,"has_more":false}}`;
	const send = functions.helpers.httpRequestWithAuthentication;
	const helpers = {
		...functions.helpers,
		httpRequestWithAuthentication: async (key: string, options: IHttpRequestOptions) =>
			options.url.endsWith('/leads')
				? { statusCode: 200, headers: {}, body: leads }
				: await send(key, options),
	};
	const facts = await collect(
		{ ...functions, helpers },
		{ withWrites: false, maxWaitMs: 1_000, isInN8n: false, onLeft: () => undefined },
	);
	const told = judge(facts).filter(({ result }) => result === 'needs_you');
	expect(told.map(({ check, seen }) => [check, seen])).toEqual([
		['Summary', expect.any(String)],
		['Requests', 'GET /leads: HTTP 200 with JSON that is nested too deeply'],
	]);
	await service.close();
});
