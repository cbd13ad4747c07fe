/** A service that plays the document, and questions to it. */
import { ask, type Question, type Reply } from '../../fake-service/asking';
import { startService, type FakeService, type ServiceOptions } from '../../fake-service/index';
import type { Json, JsonObject } from '../../fake-service/types';

/** One service for all tests of a file. */
export function conformance(options: ServiceOptions = {}) {
	let service: FakeService;
	beforeAll(async () => {
		service = await startService(options);
	});
	afterAll(async () => await service.close());
	return {
		get service() {
			return service;
		},
		ask: async (path: string, question?: Question): Promise<Reply> =>
			await ask(service, path, question),
		status: async (path: string, question?: Question): Promise<number> =>
			(await ask(service, path, question)).status,
	};
}

/** Asks about each of these; what comes is compared as a whole, so that an error shows which it was. */
export async function each<Given>(
	given: readonly Given[],
	answer: (one: Given) => Promise<unknown>,
	expected: unknown,
): Promise<void> {
	const answers: Array<[Given, unknown]> = [];
	for (const one of given) answers.push([one, await answer(one)]);
	expect(answers).toEqual(given.map((one) => [one, expected]));
}

/** How a refusal is told apart. */
export const refusal = ({ status, reason, body }: Reply): [number, Json | undefined] => [
	status,
	reason ?? body.error?.code,
];

export type { JsonObject };
