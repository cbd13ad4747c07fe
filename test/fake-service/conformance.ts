/** A service that plays the document, on a clock that stands still, and plain questions to it. */
import { request, type Dispatcher } from 'undici';

import { ServiceClock } from '../../fake-service/clock';
import { startService, type FakeService, type ServiceOptions } from '../../fake-service/index';
import type { Json, JsonObject } from '../../fake-service/types';
import { ETAG_HEADER } from '../../fake-service/words';

export interface Question {
	/** The own account's, unless another or none is given. */
	key?: string | null;
	/** Sent as JSON with its content type. */
	json?: unknown;
	/** Sent as it is. */
	body?: string;
	headers?: Record<string, string>;
}

interface Envelope {
	data?: Json;
	pagination?: { limit: number; offset: number; has_more: boolean };
	error?: { code: string; details?: JsonObject };
	request_id?: string;
}

export interface Received {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: Envelope;
	data: JsonObject;
	rows: JsonObject[];
	/** The status, and what refused it. */
	told: string;
}

const MINUTE = 60_000;

/** One service for all tests of a file. */
export function conformance(options: ServiceOptions = {}) {
	let service: FakeService;
	let now = Date.now();
	beforeAll(async () => {
		service = await startService({ clock: new ServiceClock(() => now), ...options });
	});
	afterAll(async () => await service.close());

	/** A request such as `POST /posts`. */
	const ask = async (asked: string, question: Question = {}): Promise<Received> => {
		const [method = '', path = ''] = asked.split(' ');
		const { key = service.world.keys.own, json } = question;
		const answer = await request(`${service.baseUrl}${path}`, {
			method: method as Dispatcher.HttpMethod,
			headers: {
				...(key === null ? {} : { authorization: `Bearer ${key}` }),
				...(json === undefined ? {} : { 'content-type': 'application/json' }),
				...question.headers,
			},
			body: question.body ?? JSON.stringify(json),
		});
		const envelope = JSON.parse(await answer.body.text()) as Envelope;
		const { data, error } = envelope;
		return {
			...{ status: answer.statusCode, headers: answer.headers, body: envelope },
			data: (data ?? {}) as JsonObject,
			rows: (Array.isArray(data) ? data : []) as JsonObject[],
			told: [answer.statusCode, error?.details?.reason ?? error?.code ?? ''].join(' ').trim(),
		};
	};

	return {
		get service() {
			return service;
		},
		ask,
		/** Asks all of this, and compares every answer, so that a failure shows which it was. */
		expectAll: async <Given>(
			given: readonly Given[],
			asking: (one: Given) => Promise<Received>,
			told: string,
		): Promise<void> => {
			const answers: Array<[Given, string]> = [];
			for (const one of given) answers.push([one, (await asking(one)).told]);
			expect(answers).toEqual(given.map((one) => [one, told]));
		},
		pass: (minutes: number) => void (now += minutes * MINUTE),
		/** So many minutes from now on. */
		soon: (minutes: number) => new Date(now + minutes * MINUTE).toISOString(),
	};
}

export const keyed = (key: string, etag?: string): Record<string, string> => ({
	'idempotency-key': key,
	...(etag === undefined ? {} : { [ETAG_HEADER]: etag }),
});
