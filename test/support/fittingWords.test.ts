/** `fittingWords.ts` judges the words of nearly all other tests. Each thing that it looks for is found. */
import { expectFittingCheck, expectFittingPollError, misfits } from './kit/fittingWords';

const ERROR = 'The text is too long.';

interface Given {
	readonly error?: string;
	readonly details?: Record<string, unknown>;
}
const found = (advice: string, { error = ERROR, details = {} }: Given = {}) =>
	misfits({ error, message: error + advice, details }, { labels: ['Text'], reading: true });

it.each<[advice: string, given?: Given]>([
	[' Shorten "Text" by 10 characters.'],
	[' Look at it with Post > Get. See "reason" in the details.', { details: { reason: 'odd' } }],
	[
		' Run this again later. Request ID: req_1.',
		{ details: { request_id: 'req_1', retryable: true } },
	],
	[' Enter it.', { error: 'The parameter "Text" is empty.', details: { parameter: 'text' } }],
])('nothing is wrong with the advice%s', (...[advice, given]) => {
	expect(found(advice, given)).toEqual([]);
});

const ID = { request_id: 'req_1' };
const RETRYABLE = { retryable: true };

it.each<[problem: string, advice: string, given?: Given]>([
	['it has no "Max Wait (Seconds)"', ' Raise "Max Wait (Seconds)".'],
	['no "Post > Vanish"', ' Look with Post > Vanish.'],
	['the details have no window', ' See "window" (in the details).'],
	['something unnamed is said to be in the details', ' See the window in the details.'],
	['the request ID comes 2 times', ' Of req_1: req_1.', { details: ID }],
	['the request ID comes 0 times', ' Shorten it.', { details: ID }],
	['the title has the request ID', ' Shorten it.', { error: 'Of req_1: too long.', details: ID }],
	['"not known whether" comes twice', ' It is not known whether it is, not known whether it was.'],
	[
		'it says twice that the outcome is not known',
		' It is not known whether. I cannot tell whether.',
	],
	[`it holds ${/\s{2}/}`, ' Shorten  it.'],
	[`it holds ${/\s[.,:;]/}`, ' Shorten it , please.'],
	[`it holds ${/\bundefined\b|\bNaN\b/}`, ' Shorten undefined.'],
	['a plural of one', ' Shorten it by 1 characters.'],
	['it has no end', ' Shorten it'],
	['the title has 301 characters', ' Shorten it.', { error: `${'x'.repeat(300)}.` }],
	['it does not say what to do', ''],
	[
		'the details name the parameter images',
		' Enter it.',
		{ error: 'The parameter "Text" is empty.', details: { parameter: 'images' } },
	],
	['the detail code is empty', ' Shorten it.', { details: { code: '' } }],
	['a sentence comes twice', ' Shorten it. Shorten it.'],
	['nobody has said until when', ' The service asked to wait until then.'],
	[
		'it is to be repeated, and not to be repeated',
		' Run it again. Running this again does not help.',
	],
	['two sentences without a full stop between them', ' It is empty Enter the text.'],
	['"again" is not retryable', ' Try again later.'],
	['retryable, but it does not say so', ' Shorten it.', { details: RETRYABLE }],
	[
		'retryable, but told not to repeat',
		' Running this again does not help.',
		{ details: RETRYABLE },
	],
	['a read speaks of a change', ' Could not complete the change.'],
])('%s', (...[problem, advice, given]) => {
	expect(found(advice, given)).toEqual([problem]);
});

const CHECK = {
	check: 'Key',
	result: 'needs_you',
	means: 'The key was not accepted.',
	do_next: 'Enter another key.',
	seen: 'HTTP 401',
	service_says: '',
	clients: [],
};

it.each<[string, object]>([
	['a column too many', { more: 1 }],
	['nothing that was seen', { seen: '' }],
	['a gap in what was seen', { seen: 'HTTP undefined' }],
	['no sentence that says what it means', { means: 'the key' }],
	['nothing to do, although it needs somebody', { do_next: '' }],
])('an item of a diagnosis with %s does not fit', (_, change) => {
	expectFittingCheck(CHECK);
	expect(() => expectFittingCheck({ ...CHECK, ...change })).toThrow();
});

it.each(['', 'Only one sentence', 'It failed. Look  here.'])(
	'an error of the trigger does not fit: %j',
	(message) => {
		expectFittingPollError(new Error('It failed. The trigger tries again on its own.'));
		expect(() => expectFittingPollError(new Error(message))).toThrow();
	},
);
