import { ifLeadMagnetExistsOption } from '../../panel/fields/uniqueKey';
import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../operation';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { sharedKeys } from '../../panel/parameters/sharedKeys';
import { checkedMagnet, newMagnetBody, newMagnetFields } from './newMagnet';
import { LEAD_MAGNET } from './simplify';
import { createMagnetOnce } from '../../writes/leadMagnets/createMagnet';
import { identityOf, noteMagnetKey } from '../../writes/leadMagnets/magnets';
import { readIfMagnetExists, readKeyToLookFor } from './keyOfMagnet';

export const createLeadMagnet = defineOperation({
	action: 'Create lead magnet',
	description: 'Create a new lead magnet',
	outside: { kind: 'always', what: 'what commenters receive' },
	endpoints: ['leadMagnet.create'],
	fields: newMagnetFields({ isFoundByName: false }),
	customFields: 'body',
	options: [ifLeadMagnetExistsOption],
	simplification: LEAD_MAGNET,
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	planBatch: (inputs, { stored, shared }) => {
		const called = {
			option: 'ifExists',
			key: 'keyword and resource name',
			note: (key: string) => noteMagnetKey(shared, key),
		};
		const keyed = (input: Values) => {
			const looks = readIfMagnetExists(input.collection('options')) !== 'create';
			const { body } = newMagnetBody(input);
			return { key: looks ? identityOf(body) : undefined, content: () => body };
		};
		return sharedKeys(inputs, stored, keyed, called);
	},
	resume: async (call) =>
		readIfMagnetExists(call.input.collection('options')) === 'create'
			? undefined
			: await createFrom(call),
	run: async (call) => (await createFrom(call)) ?? {},
});

async function createFrom(call: ItemCall): Promise<JsonRecord | undefined> {
	const { input } = call;
	const magnet = checkedMagnet(call);
	const ifExists = readIfMagnetExists(input.collection('options'));
	const key = ifExists === 'create' ? undefined : readKeyToLookFor(input, magnet);
	return await createMagnetOnce(call, { body: magnet.body, key, ifExists });
}
