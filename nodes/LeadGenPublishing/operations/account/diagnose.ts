import { collect } from '../../diagnose/collect/collect';
import type { Left } from '../../diagnose/facts';
import { judge, needingAttention } from '../../diagnose/judge/judge';
import { reportOf } from '../../diagnose/judge/report';
import { leftInWords } from '../../diagnose/judge/words';
import { choices, parameter, textParameter } from '../../panel/fields/parameter';
import { maxWaitOption, readMaxWaitMs } from '../../panel/fields/shared';
import { isMissing } from '../../panel/parameters/parse/jsonValues';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';

export const diagnose = defineOperation({
	value: 'diagnose',
	name: 'Diagnose',
	action: 'Diagnose account',
	description: 'Check the key, the account, and the data that the service returns',
	kind: 'read',
	// It uses the endpoints of other operations and has none of its own.
	endpoints: [],
	fields: [
		parameter('output', {
			type: 'options',
			options: choices({
				checks: 'One item with a summary, then one for each check',
				report:
					'One item with a text to paste into a bug report, without key, URLs, names or messages',
			}),
			default: 'checks',
			description: 'What to return',
		}),
		parameter('show', {
			type: 'options',
			options: choices({
				all: 'Every check, including those that found nothing',
				needsAttention:
					'The summary, then only the checks that need you or differ from the API document',
			}),
			default: 'needsAttention',
			description: 'Which checks to return',
			displayOptions: { show: { output: ['checks'] } },
		}),
		parameter('alsoTryWrites', {
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to also create a draft, a lead magnet and an image of one pixel, then remove them. If a client is set, this happens in its account. Nothing is published. Only a person can turn it on.',
		}),
	],
	options: [
		textParameter('clientId', {
			placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			description:
				'ID of one client of your agency to check. If empty, up to ten clients are checked, with 80 requests in all.',
		}),
		maxWaitOption,
	],
	run: async ({ input, shared, functions }) => {
		const options = input.collection('options');
		const clientId = options.isStored('clientId') ? options.uuid('clientId') : undefined;
		const isReport = input.choiceOr('output', ['checks', 'report'], 'checks') === 'report';
		const showsAll = input.choiceOr('show', ['needsAttention', 'all'], 'needsAttention') === 'all';
		const withWrites = readTryWrites(input);
		const maxWaitMs = readMaxWaitMs(input);
		const onLeft = (left: readonly Left[]): void =>
			functions.logger.warn(
				`Diagnose was stopped. It may have left something in the account: ${left.map(leftInWords).join(', ')}`,
			);
		// An account is only diagnosed once per run, however many items come in.
		const items = await shared(`diagnosis ${clientId ?? 'own'}`, async () =>
			judge(await collect(functions, { clientId, withWrites, maxWaitMs, isInN8n: true, onLeft })),
		);
		if (isReport) return { report: reportOf(items) };
		return (showsAll ? items : needingAttention(items)).map((item) => ({ ...item }));
	},
});

/**
 * Only a fixed value comes from a person. An expression may contain what a model wants, and n8n
 * turns it into text.
 */
function readTryWrites(input: Values): boolean {
	const value = input.raw('alsoTryWrites');
	if (input.isExpression('alsoTryWrites') || (!isMissing(value) && typeof value !== 'boolean')) {
		throw input.fail(
			'alsoTryWrites',
			'must be turned on or off in the node itself, not by an expression. Nothing was sent',
			'Turn "Also Try Writes" on or off in the node itself, without an expression.',
		);
	}
	return input.isStored('alsoTryWrites') && value === true;
}
