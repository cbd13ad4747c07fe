/** Account > Diagnose: says in one run what the service is really like. */
import { readConnection } from '../../../api/client';
import type { Account } from '../../../api/endpoints';
import { serviceWordIn } from '../../../api/wire';
import { accountOf } from '../../../fields/account';
import { choices, parameter, textParameter } from '../../../fields/parameter';
import { maxWaitOption } from '../../../fields/shared';
import { isMissing } from '../../../parameters/parse/jsonValues';
import type { Values } from '../../../parameters/values';
import type { ItemCall } from '../../../item/itemCall';
import { defineOperation } from '../../define';
import { ask } from './asking';
import { diagnosisOf, reportOf, type Item } from './check';
import { checksFor } from './checks/index';
import { Evidence } from './evidence';
import { tryWrites } from './trying';

export const diagnose = defineOperation({
	value: 'diagnose',
	name: 'Diagnose',
	action: 'Diagnose account',
	description: 'Find out which scope or grant is missing, and what the service is like',
	kind: 'read',
	// It reads what other operations read, and belongs to none of the endpoints.
	endpoints: [],
	fields: [
		parameter('output', {
			type: 'options',
			options: choices({
				checks: 'One item per check, those that need a person first',
				report:
					'One item with a text to paste into a bug report, without key, addresses, names and texts',
			}),
			default: 'checks',
			description: 'What to return',
		}),
		parameter('alsoTryWrites', {
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description:
				'Whether to also make a draft, a lead magnet and an image of one pixel, and remove them again, in the account of the client if one is given. Nothing is published. Only a person can turn it on.',
			builderHint: { propertyHint: 'Leave it off: only a person may turn it on.' },
		}),
	],
	options: [
		textParameter('clientId', {
			placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
			description:
				'ID of the one client of your agency to look at. If empty, the first ten are looked at.',
		}),
		maxWaitOption,
	],
	run: async (call) => {
		const { input, shared } = call;
		const options = input.collection('options');
		const clientId = options.isStored('clientId') ? options.uuid('clientId') : undefined;
		const isReport = input.choiceOr('output', ['checks', 'report'], 'checks') === 'report';
		const withWrites = readTryWrites(input);
		// However many items come in, an account is looked at once in a run.
		const items = await shared(`diagnosis ${clientId ?? 'own'}`, async () =>
			diagnosisOf(checksFor(withWrites), await look(call, accountOf(clientId), withWrites)),
		);
		return isReport ? { report: reportOf(items) } : items.map((item: Item) => ({ ...item }));
	},
});

/** Only a fixed value is a person's: an expression may hold what a model wants, and n8n makes text of it. */
function readTryWrites(input: Values): boolean {
	const value = input.raw('alsoTryWrites');
	if (input.isExpression('alsoTryWrites') || (!isMissing(value) && typeof value !== 'boolean')) {
		throw input.fail(
			'alsoTryWrites',
			'is not switched on or off in the node itself, but what is written is for a person to decide. Nothing was sent',
			'Turn "Also Try Writes" on or off in the node itself, without an expression.',
		);
	}
	return input.isStored('alsoTryWrites') && value === true;
}

export async function look(
	{ api, functions }: Pick<ItemCall, 'api'> & { functions: Parameters<typeof tryWrites>[0] },
	account: Account,
	withWrites: boolean,
): Promise<Evidence> {
	const { baseUrl, secrets } = await readConnection(functions);
	const asked = await ask(api, account);
	const isLetIn = asked.some(
		({ name, body }) => name === 'account.getSubject' && body !== undefined,
	);
	const written = withWrites && isLetIn ? await tryWrites(functions, account) : undefined;
	const connection = {
		isEncrypted: baseUrl.startsWith('https:'),
		keyWord: serviceWordIn(secrets[0] ?? ''),
		networkWord: api.networkWord(),
	};
	return new Evidence(asked, connection, written);
}
