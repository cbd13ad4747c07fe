/** The options that look for a post with the same text, and how they are read. */
import type { INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../operation';
import { choices, numberParameter, parameter } from '../../panel/fields/parameter';
import { readChoice } from '../../panel/fields/requireResult';
import type { Values } from '../../panel/parameters/values';
import { SimilarPosts } from '../../writes/posts/similarPost';

const DEFAULT_DAYS = 30;

export const ifSimilarOptions: readonly INodeProperties[] = [
	parameter('ifSimilarExists', {
		type: 'options',
		options: choices({
			fail: 'Stop with an error that names the existing one',
			ignore: 'Create the post without checking',
		}),
		default: 'ignore',
		description:
			'What to do when another post of the account has the same text and is scheduled or was published recently. Drafts do not count.',
	}),
	numberParameter('similarDays', {
		min: 0,
		standard: DEFAULT_DAYS,
		description:
			'How long ago a post with the same text may have been published to count as similar',
	}),
];

/** Reads the options before anything is sent. Undefined if the user wants no check. */
export function similarPosts(call: ItemCall, body: JsonRecord): SimilarPosts | undefined {
	const options = call.input.collection('options');
	const choice = { choices: ['ignore', 'fail'], fallback: 'ignore' } as const;
	const ifSimilar = readChoice(options, 'ifSimilarExists', choice);
	const days = numberOr(options, 'similarDays', DEFAULT_DAYS);
	const { text } = body;
	if (ifSimilar === 'ignore' || typeof text !== 'string') return undefined;
	return new SimilarPosts(call, { body, text, days });
}

const numberOr = (options: Values, name: string, fallback: number): number =>
	options.isStored(name) ? options.integer(name, { min: 0 }) : fallback;
