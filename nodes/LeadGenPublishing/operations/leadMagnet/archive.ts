import { isNotFound, outcomeOf, withFindings } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { leadMagnetLocator } from '../../fields/locators';
import { defineOperation, type ItemCall } from '../define';
import { requireDeleted } from '../requireDeleted';

export const archive = defineOperation({
	value: 'archive',
	name: 'Archive',
	action: 'Archive lead magnet',
	description: 'Archive a lead magnet, after which the API no longer finds it',
	kind: 'write',
	endpoints: ['leadMagnet.archive'],
	fields: [leadMagnetLocator],
	recall: async (id) => ({ deleted: true, id }),
	// An archived lead magnet is not found: archiving it a second time changes nothing.
	resume: async (call) => await archiveMagnet(call),
	run: async (call) => await archiveMagnet(call),
});

const NO_LONGER_FOUND =
	'The answer to the archiving of a lead magnet was lost. It counts as archived, since it is not found now; the service answers the same for an ID that never existed.';

async function archiveMagnet({ api, input, earlier, notice }: ItemCall): Promise<JsonRecord> {
	const id = input.uuid('leadMagnetId');
	const archived = { deleted: true, id };
	const { value, failure } = await outcomeOf(api.call('leadMagnet.archive', { params: { id } }));
	if (failure === undefined) {
		requireDeleted(value.data, 'lead magnet');
		return archived;
	}
	const wasNotFound = isNotFound(failure) && earlier?.mayHaveSucceeded() === true;
	if (!wasNotFound && !failure.facts.uncertain) throw failure;
	const lookup = await outcomeOf(api.call('leadMagnet.get', { params: { id } }));
	const isThere = lookup.failure === undefined;
	if (!isThere && (wasNotFound || isNotFound(lookup.failure))) {
		notice(NO_LONGER_FOUND);
		return archived;
	}
	throw withFindings(failure, {
		uncertain: true,
		found: isThere
			? 'A read afterwards still found the lead magnet; the archiving may still be under way.'
			: 'The lead magnet could not be read afterwards.',
	});
}
