/** Words for a file that could not be fetched from a URL. They continue `The parameter "File URL" …`. */
import type { DownloadProblem } from '../api/download';
import { CLASSES, classOfStatus } from '../api/policy';
import { PROBLEM_WORDS, seenWords } from './problemWords';

export interface DownloadWords {
	/** What is wrong, as the end of a sentence. */
	readonly problem: string;
	readonly remedy: string;
}

const OTHER_URL =
	'Give a URL on the internet that begins with https:// and leads to the file. The HTTP Request node can read a file in your own network, so that it can be uploaded from the item.';
const PROXY_LOGIN = 407;

export function downloadWords(problem: DownloadProblem): DownloadWords {
	switch (problem.kind) {
		case 'badUrl': {
			const what = PROBLEM_WORDS[problem.problem];
			return {
				problem: problem.isRedirect ? `redirects to a URL that ${what}` : what,
				remedy: OTHER_URL,
			};
		}
		case 'tooManyRedirects':
			return { problem: 'redirects too often', remedy: 'Give the URL of the file itself.' };
		case 'noResponse':
			return {
				problem: `could not be fetched: ${seenWords(problem.failure) ?? 'no response'}`,
				remedy: 'Check the URL, and whether this n8n may reach it.',
			};
		case 'status':
			return wordsOfStatus(problem.status);
		case 'empty':
			return { problem: 'leads to an empty response', remedy: 'Check the URL.' };
		case 'encoded':
			return {
				problem:
					'leads to a server that compresses the file although the node asks for it uncompressed, so it may not be whole',
				remedy: 'Give a URL that serves the file uncompressed, or upload it from the item.',
			};
		case 'incomplete':
			return {
				problem: 'gave only a part of the file',
				remedy: 'Check whether the URL gives the whole file in a browser.',
			};
		case 'otherType':
			return {
				problem: 'leads to something else than an image or a PDF',
				remedy:
					'Give the URL of the file itself, not of a page that shows it. JPEG, PNG, GIF, WebP and PDF are allowed.',
			};
		case 'tooLarge':
			return {
				problem: `leads to a file of more than ${problem.limit} bytes, which is the limit for its type`,
				remedy: 'Make the file smaller.',
			};
	}
}

function wordsOfStatus(status: number): DownloadWords {
	const problem = `was answered with HTTP ${status}`;
	if (status === PROXY_LOGIN)
		return {
			problem: `${problem} by a proxy, which asks for a login`,
			remedy: 'Ask the administrator of this n8n to check the user name and password of its proxy.',
		};
	return {
		problem,
		remedy: CLASSES[classOfStatus(status)].mayPass
			? 'Check whether the URL opens in a browser.'
			: 'Open the URL without being logged in: the node can only fetch a file that everybody can read.',
	};
}
