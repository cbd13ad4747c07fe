// The fake service, strict: in memory, on loopback, by its document alone.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { castInto } from './cast';
import type { Backend } from './call';
import { ServiceClock } from './clock';
import { startControl } from './control';
import { Faults } from './faults';
import { Happenings } from './happenings';
import { apiListener, BASE_PATH, type Latency } from './http';
import { IdempotencyKeys } from './idempotency';
import type { LoggedRequest, RedirectedRequest, StorageRequest } from './log';
import { ProviderScript } from './provider';
import type { FakeService } from './service';
import { settle } from './shapes';
import type { ServiceOptions } from './options';
import { settingsFrom } from './settings';
import { flatHeaders, listen, readBody, send } from './sockets';
import { storageListener } from './storage';
import { UploadTickets } from './uploads';
import { wait } from './wait';
import { World } from './world';

export type { FakeService };

export async function startService(options: ServiceOptions = {}): Promise<FakeService> {
	const clock = options.clock ?? new ServiceClock();
	const world = new World(clock, options.seed, options.words);
	const cast = castInto(world, options.sample ?? 'small');
	const requests: LoggedRequest[] = [];
	const storageRequests: StorageRequest[] = [];
	const redirected: RedirectedRequest[] = [];
	const faults = new Faults();
	const latency: Latency = { global: 0 };
	const urls = { base: '', storage: '', redirect: '' };
	const backend: Backend = {
		world,
		settings: settingsFrom(options),
		orders: {},
		keys: new IdempotencyKeys(),
		provider: new ProviderScript(),
		uploads: new UploadTickets(clock),
		storageUrl: () => urls.storage,
		shapes: options.shapes,
	};
	if (options.shapes !== undefined) settle(options.shapes, backend);
	const { pause = wait } = options;
	const happenings = new Happenings(
		({ clientId, headers }) =>
			clientId ?? world.keyring.get((headers.authorization ?? '').replace('Bearer ', ''))?.account,
	);
	world.tell = (account, news) => happenings.news(account.id, news);
	const answered = (request: LoggedRequest) => happenings.answered(request);
	const redirectUrl = () => urls.redirect;
	const api = { backend, requests, faults, latency, pause, answered, redirectUrl };
	const apiHost = await listen(apiListener(api), options.port);
	const storage = storageListener({ backend, requests: storageRequests, faults });
	const storageHost = await listen(storage);
	const elsewhere = await listen(recorder(redirected));
	urls.base = `${apiHost.origin}${BASE_PATH}`;
	urls.storage = storageHost.origin;
	urls.redirect = elsewhere.origin;
	const idle = async () => {
		await Promise.all([apiHost, storageHost].map(async (host) => await host.idle()));
	};
	const service = {
		baseUrl: urls.base,
		storageUrl: urls.storage,
		redirectHost: urls.redirect,
		requests,
		storageRequests,
		redirected,
		clearLog: () => [requests, storageRequests, redirected].forEach((log) => (log.length = 0)),
		idle,
		world: Object.assign(world, cast),
		faults,
		happenings,
		guide: [],
		provider: backend.provider,
		orders: backend.orders,
		latency,
		clock,
		settings: backend.settings,
	};
	const control = options.control ? await startControl(service, options) : null;
	const hosts = [apiHost, storageHost, elsewhere, ...(control ? [control] : [])];
	return Object.assign(service, {
		controlUrl: control?.origin ?? null,
		close: async () => {
			await Promise.all(hosts.map((host) => host.close()));
		},
	});
}

function recorder(log: RedirectedRequest[]) {
	return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const body = (await readBody(request)).toString('utf8');
		const { method = 'GET', url = '/' } = request;
		log.push({ method, url, headers: flatHeaders(request.headers), body });
		const data = { data: { from: 'another host' }, request_id: 'req_elsewhere' };
		const headers = { 'Content-Type': 'application/json' };
		send(response, { status: 200, body: JSON.stringify(data), headers });
	};
}

export { REASONS, type Reason } from './errors';
export type { Effect } from './effect';
export type { LoggedRequest } from './log';
export { newVersion, type ProviderOutcome } from './provider';
export type { Route } from './route';
export { ROUTES } from './router';
export type { ServiceOptions } from './options';
export * from './types';
export { ETAG_HEADER, reasonOf, REFRESH_PATH, WORDS } from './words';
export type { Account } from './world';
