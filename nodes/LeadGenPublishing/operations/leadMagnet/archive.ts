import type { JsonRecord } from '../../api/schemas';
import { leadMagnetLocator } from '../../panel/fields/locators';
import type { ItemCall } from '../operation';
import { defineOperation } from '../define';
import { deleteRecord } from '../../writes/deleteRecord';

export const archiveLeadMagnet = defineOperation({
	action: 'Archive lead magnet',
	description: 'Archive a lead magnet, so that the API no longer finds it',
	outside: { kind: 'always', what: 'the page of the lead magnet, which goes away' },
	endpoints: ['leadMagnet.archive'],
	fields: [leadMagnetLocator],
	recall: async (id) => ({ deleted: true, id }),
	// Archiving twice does no harm, because an archived lead magnet is not found.
	resume: async (call) => await archiveMagnet(call),
	run: async (call) => await archiveMagnet(call),
});

const NO_LONGER_FOUND =
	'The response to archiving a lead magnet was lost. The service no longer finds the lead magnet, so the node reports it as archived. The result is the same for an ID that never existed.';

async function archiveMagnet(call: ItemCall): Promise<JsonRecord> {
	const id = call.input.uuid('leadMagnetId');
	const outcome = await deleteRecord(call, { resource: 'leadMagnet', id });
	if (outcome === 'notFound') call.notice(NO_LONGER_FOUND);
	return { deleted: true, id };
}
