/**
 * In every test file: what the nodes send, and what the fake service answers, must be as
 * `docs/openapi.json` describes it.
 */
import { WATCHES } from '../../fake-service/watches';
import type { openApiCheck } from './openApi';

/** The nodes' own request IDs begin like this; others are sent by tests, wrong ones among them. */
const OURS = /^n8n:/;

/** Only where something is sent: most files of tests send nothing. */
const load = () => jest.requireActual<{ openApiCheck: typeof openApiCheck }>('./openApi');

const checks = new Map<string, ReturnType<typeof openApiCheck>>();
const found: string[] = [];

WATCHES.add((exchange) => {
	const { request, words } = exchange;
	const name = `${words.service} ${words.network}`;
	const check = checks.get(name) ?? load().openApiCheck(words);
	checks.set(name, check);
	const deviations = check(exchange);
	// A diagnosis asks on purpose for one record more than a page holds.
	const isTooMany = request.query.limit === '101';
	const isOurs = OURS.test(request.headers['x-request-id'] ?? '') && !isTooMany;
	found.push(...deviations.answer, ...(isOurs ? deviations.request : []));
});

/** What was sent or answered so far in this test and is not described, for tests that want that. */
export const undescribed = (): string[] => found.splice(0);

const DESCRIBED_BY = 'docs/openapi.json, made by scripts/generate/openApi/document.ts';

afterEach(() => {
	expect({ notAsIn: DESCRIBED_BY, found: undescribed() }).toEqual({
		notAsIn: DESCRIBED_BY,
		found: [],
	});
});
