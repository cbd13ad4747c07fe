import { ifLeadMagnetExistsOption } from '../../panel/fields/uniqueKey';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import { checkedMagnet, newMagnetBody, newMagnetFields } from './newMagnet';
import { LEAD_MAGNET } from './simplify';
import { createUniqueMagnet, identityOf, readIfMagnetExists } from './uniqueMagnet';

export const createLeadMagnet = defineOperation({
	action: 'Create lead magnet',
	description: 'Create a new lead magnet',
	outside: { kind: 'always', what: 'what people who comment get' },
	endpoints: ['leadMagnet.create'],
	fields: newMagnetFields({ isFoundByName: false }),
	customFields: 'body',
	options: [ifLeadMagnetExistsOption],
	simplification: LEAD_MAGNET,
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	planBatch: (inputs, { stored }) => {
		const called = { option: 'ifExists', key: 'keyword and resource name' };
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
			: await createUniqueMagnet(call, checkedMagnet(call)),
	run: async (call) => (await createUniqueMagnet(call, checkedMagnet(call))) ?? {},
});
