/** Words for a file that could not be fetched from a URL. They continue `The parameter "File URL" …`. */
import type { DownloadProblem } from '../api/download';
import { classOfStatus } from '../api/policy';
import { CLASSES } from '../api/policyTables';
import { PROBLEM_WORDS, seenWords } from './problemWords';

export interface DownloadWords {
	/** What is wrong, as the end of a sentence. */
	readonly problem: string;
	readonly remedy: string;
}

const OTHER_URL =
	'Enter a public URL of the file that starts with https://. For a file in your own network, read it with the HTTP Request node and upload it from the item.';
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
			return { problem: 'redirects too often', remedy: 'Enter the URL of the file itself.' };
		case 'noResponse':
			return {
				problem: `could not be fetched: ${seenWords(problem.failure) ?? 'no response'}`,
				remedy: 'Check the URL, and whether n8n can reach it.',
			};
		case 'status':
			return wordsOfStatus(problem.status);
		case 'empty':
			return { problem: 'returned an empty response', remedy: 'Check the URL.' };
		case 'incomplete':
			return {
				problem: 'returned only a part of the file',
				remedy: 'Check whether the URL opens the whole file in a browser.',
			};
		case 'otherType':
			return {
				problem: 'does not point to an image or a PDF',
				remedy:
					'Enter the URL of the file itself, not of a page that shows it. JPEG, PNG, GIF, WebP and PDF are allowed.',
			};
		case 'tooLarge':
			return {
				problem: `points to a file of more than ${problem.limit} bytes, which is the limit for its type`,
				remedy: 'Make the file smaller.',
			};
	}
}

function wordsOfStatus(status: number): DownloadWords {
	const problem = `returned HTTP ${status}`;
	if (status === PROXY_LOGIN)
		return {
			problem: `${problem} from a proxy that asks for a login`,
			remedy: 'Ask your n8n administrator to check the user name and password of the proxy.',
		};
	return {
		problem,
		remedy: CLASSES[classOfStatus(status)].mayPass
			? 'Check whether the URL opens in a browser.'
			: 'Check that the URL opens without a login. The node can only fetch public files.',
	};
}
