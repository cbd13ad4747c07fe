/** If a service rejects offsets within a page, whole pages are requested. */
import { MAX_PAGE, type PageRequest } from '../../api/pages';
import type { PageAnswer } from './page';

type Fetch = (request: PageRequest) => Promise<PageAnswer>;

/**
 * Fetches the pages of one reading. What it learns about the service is then forgotten.
 *
 * @doubt offsetUnit
 */
export function askForPages(fetch: Fetch): Fetch {
	let size = MAX_PAGE;
	let starts: 'anywhere' | 'wholePages' = 'anywhere';
	const learnSize = (answer: PageAnswer, limit: number): PageAnswer => {
		if (answer.kind === 'page' && answer.page.hasMore && answer.page.records.length > 0)
			size = Math.min(limit, answer.page.records.length);
		return answer;
	};
	return async (request) => {
		const { limit } = request;
		const wanted = starts === 'wholePages' ? wholePageOf(request, size) : request;
		const answer = learnSize(await fetch(wanted), limit);
		if (answer.kind === 'page' || wanted.offset % size === 0) return answer;
		// If the service returns a page further down, it does not reject all high offsets.
		const { offset } = wholePageOf(request, size);
		const further = await fetch({ ...request, offset: offset + size });
		if (further.kind === 'refused') return answer;
		starts = 'wholePages';
		return learnSize(await fetch({ ...request, offset }), limit);
	};
}

const wholePageOf = (request: PageRequest, size: number): PageRequest => ({
	...request,
	offset: request.offset - (request.offset % size),
});
