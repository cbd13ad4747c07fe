/**
 * In every test file, the fake service responds with an error if a request or its own response does
 * not fit `docs/openapi.json`. A test that needs such a request or response sets `isStrict` to
 * false.
 */
import { WATCHES } from '../../fake-service/watches';
import type { openApiCheck } from './openApi';

/** The request IDs of the nodes begin like this. Tests send others, including wrong ones. */
const OURS = /^n8n:/;
const DESCRIBED_BY = 'not as in docs/openapi.json, made by scripts/generate/openApi/document.ts';

/** Only if something is sent: most test files send nothing. */
const load = () => jest.requireActual<{ openApiCheck: typeof openApiCheck }>('./openApi');

const checks = new Map<string, ReturnType<typeof openApiCheck>>();

WATCHES.add((exchange) => {
	const { request, words } = exchange;
	const name = `${words.service} ${words.network}`;
	const check = checks.get(name) ?? load().openApiCheck(words);
	checks.set(name, check);
	const deviations = check(exchange);
	const isOurs = OURS.test(request.headers['x-request-id'] ?? '');
	const found = [...deviations.answer, ...(isOurs ? deviations.request : [])];
	return found.map((deviation) => `${DESCRIBED_BY}: ${deviation}`);
});
