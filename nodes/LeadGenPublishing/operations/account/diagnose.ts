import { collect } from '../../diagnose/collect/collect';
import { judge, needingAttention } from '../../diagnose/judge/judge';
import { reportOf } from '../../diagnose/report';
import { connect } from '../../n8n/host';
import { choices, parameter, textParameter } from '../../panel/fields/parameter';
import { maxWaitOption, readMaxWaitMs } from '../../panel/fields/shared';
import { defineOperation } from '../define';

export const diagnose = defineOperation({
	value: 'diagnose',
	name: 'Diagnose',
	action: 'Diagnose account',
	description: 'Check the key, the account, its clients and lists, without changing anything',
	kind: 'read',
	// It uses the endpoints of other operations and has none of its own.
	endpoints: [],
	fields: [
		parameter('output', {
			type: 'options',
			options: choices({
				checks: 'One item with a summary, then one for each finding',
				report:
					'One item with a text to paste into a bug report: names and types of fields, statuses and counts, but no values',
			}),
			default: 'checks',
			description: 'What to return',
		}),
		parameter('show', {
			type: 'options',
			options: choices({
				all: 'Every check, including those that found nothing',
				needsAttention: 'The summary, then only the checks that need your attention',
			}),
			default: 'needsAttention',
			description: 'Which checks to return',
			displayOptions: { show: { output: ['checks'] } },
		}),
	],
	options: [
		textParameter('clientId', {
			placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			description:
				'ID of one client of your agency to check. If empty, the first 40 clients are checked, with 80 requests in all.',
		}),
		maxWaitOption,
	],
	run: async ({ input, shared, functions }) => {
		const options = input.collection('options');
		const clientId = options.isStored('clientId') ? options.uuid('clientId') : undefined;
		const isReport = input.choiceOr('output', ['checks', 'report'], 'checks') === 'report';
		const showsAll = input.choiceOr('show', ['needsAttention', 'all'], 'needsAttention') === 'all';
		const maxWaitMs = readMaxWaitMs(input);
		// An account is only diagnosed once per run, however many items come in.
		const facts = await shared(
			`diagnosis ${clientId ?? 'own'}`,
			async () => await collect(await connect(functions), { clientId, maxWaitMs }),
		);
		const items = judge(facts);
		if (isReport) return { report: reportOf(items, facts) };
		return (showsAll ? items : needingAttention(items)).map((item) => ({ ...item }));
	},
});
