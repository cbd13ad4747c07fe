/** A file that could not be fetched: each way it can fail has words of its own. */
import type { DownloadProblem } from '../../nodes/LeadGenPublishing/api/download';
import { downloadWords } from '../../nodes/LeadGenPublishing/words/downloadWords';

type Kind = DownloadProblem['kind'];
const EXAMPLES: { readonly [K in Kind]: ReadonlyArray<Extract<DownloadProblem, { kind: K }>> } = {
	badUrl: [
		{ kind: 'badUrl', problem: 'notHttps', isRedirect: false },
		{ kind: 'badUrl', problem: 'notHttps', isRedirect: true },
	],
	tooManyRedirects: [{ kind: 'tooManyRedirects' }],
	noResponse: [{ kind: 'noResponse', failure: { kind: 'unreachable', seen: 'ETIMEDOUT' } }],
	status: [
		{ kind: 'status', status: 404 },
		{ kind: 'status', status: 407 },
		{ kind: 'status', status: 503 },
	],
	empty: [{ kind: 'empty' }],
	incomplete: [{ kind: 'incomplete' }],
	otherType: [{ kind: 'otherType' }],
	tooLarge: [{ kind: 'tooLarge', limit: 5_000 }],
};
const ALL = Object.values(EXAMPLES).flat();

it('each has a problem that no other one has, and a remedy', () => {
	const told = ALL.map(downloadWords);
	for (const { problem, remedy } of told) {
		expect(problem).toMatch(/^[a-z].*[^.]$/);
		expect(remedy).toMatch(/^[A-Z].*\.$/);
	}
	expect(new Set(told.map(({ problem }) => problem)).size).toBe(ALL.length);
});

it.each<[DownloadProblem, RegExp]>([
	[{ kind: 'status', status: 407 }, /proxy/],
	[{ kind: 'status', status: 404 }, /without a login/],
	[{ kind: 'status', status: 503 }, /in a browser/],
	[{ kind: 'badUrl', problem: 'notHttps', isRedirect: true }, /public URL/],
	[{ kind: 'otherType' }, /JPEG, PNG, GIF, WebP and PDF/],
])('the remedy of %j says %s', (problem, words) => {
	expect(downloadWords(problem).remedy).toMatch(words);
});

it.each<[DownloadProblem, RegExp]>([
	[{ kind: 'badUrl', problem: 'notHttps', isRedirect: true }, /^redirects to/],
	[{ kind: 'noResponse', failure: { kind: 'unreachable', seen: 'ETIMEDOUT' } }, /ETIMEDOUT/],
	[{ kind: 'noResponse', failure: { kind: 'unreachable' } }, /no response/],
	[{ kind: 'tooLarge', limit: 5_000 }, /5000 bytes/],
	[{ kind: 'status', status: 503 }, /HTTP 503/],
])('the problem of %j says %s', (problem, words) => {
	expect(downloadWords(problem).problem).toMatch(words);
});
