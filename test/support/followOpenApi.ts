/**
 * In every test file: the fake service responds with an error if the nodes send, or it answers, something
 * that `docs/openapi.json` does not describe. A test that wants that sets `isStrict` to false.
 */
import { WATCHES } from '../../fake-service/watches';
import type { openApiCheck } from './openApi';

/** The nodes' own request IDs begin like this; others are sent by tests, wrong ones among them. */
const OURS = /^n8n:/;
const DESCRIBED_BY = 'not as in docs/openapi.json, made by scripts/generate/openApi/document.ts';

/** Only where something is sent: most files of tests send nothing. */
const load = () => jest.requireActual<{ openApiCheck: typeof openApiCheck }>('./openApi');

const checks = new Map<string, ReturnType<typeof openApiCheck>>();

WATCHES.add((exchange) => {
	const { request, words } = exchange;
	const name = `${words.service} ${words.network}`;
	const check = checks.get(name) ?? load().openApiCheck(words);
	checks.set(name, check);
	const deviations = check(exchange);
	// A diagnosis asks on purpose for one record more than a page holds.
	const isTooMany = request.query.limit === '101';
	const isOurs = OURS.test(request.headers['x-request-id'] ?? '') && !isTooMany;
	const found = [...deviations.answer, ...(isOurs ? deviations.request : [])];
	return found.map((deviation) => `${DESCRIBED_BY}: ${deviation}`);
});
