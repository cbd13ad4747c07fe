import type { JsonRecord } from '../../api/schemas';
import type { ItemCall } from '../operation';
import { withAction } from '../../panel/output/record';
import { CREATE_OR_UPDATE } from '../createOrUpdate';
import { defineOperation } from '../define';
import { sharedKeys } from '../../panel/parameters/sharedKeys';
import { checkedMagnet, newMagnetBody, newMagnetFields } from './newMagnet';
import { LEAD_MAGNET } from './simplify';
import { identityOf, noteMagnetKey } from '../../writes/leadMagnets/magnets';
import { upsertMagnetOnce } from '../../writes/leadMagnets/upsertMagnet';
import { readRequiredKey } from './keyOfMagnet';

export const upsertLeadMagnet = defineOperation({
	...CREATE_OR_UPDATE,
	action: 'Create or update lead magnet',
	outside: { kind: 'always', what: 'what commenters receive' },
	endpoints: ['leadMagnet.create', 'leadMagnet.update'],
	fields: newMagnetFields({ isFoundByName: true }),
	customFields: 'body',
	simplification: withAction(LEAD_MAGNET),
	planBatch: (inputs, { stored, shared }) =>
		sharedKeys(
			inputs,
			stored,
			(input) => {
				const { body } = newMagnetBody(input);
				return { key: identityOf(body), content: () => body };
			},
			{
				option: 'keyword',
				key: 'keyword and resource name',
				isRequired: true,
				note: (key) => noteMagnetKey(shared, key),
			},
		),
	recall: async (id, { api }) => (await api.call('leadMagnet.get', { params: { id } })).data,
	resume: async (call) => await upsert(call),
	run: async (call) => (await upsert(call)) ?? {},
});

async function upsert(call: ItemCall): Promise<JsonRecord | undefined> {
	const magnet = checkedMagnet(call);
	const key = readRequiredKey(call.input, magnet);
	return await upsertMagnetOnce(call, { body: magnet.body, key });
}
