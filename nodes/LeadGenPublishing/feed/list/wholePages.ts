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
	const ask: Fetch = async (request) => {
		const answer = await fetch(request);
		if (answer.kind === 'page' && answer.page.hasMore && answer.page.records.length > 0)
			size = Math.min(request.limit, answer.page.records.length);
		return answer;
	};
	return async (request) => {
		if (starts === 'wholePages') return await ask(wholePageOf(request, size));
		const answer = await ask(request);
		if (answer.kind === 'page' || request.offset % size === 0) return answer;
		// If the service returns a page further down, it does not reject all high offsets.
		const { offset } = wholePageOf(request, size);
		const further = await fetch({ ...request, offset: offset + size });
		if (further.kind === 'refused') return answer;
		starts = 'wholePages';
		return await ask({ ...request, offset });
	};
}

const wholePageOf = (request: PageRequest, size: number): PageRequest => ({
	...request,
	offset: request.offset - (request.offset % size),
});
