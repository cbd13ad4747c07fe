/** The trigger as "Fetch Test Event" calls it, by the rooms that the engine is put between. */
import type { IPollFunctions } from 'n8n-workflow';

import { toNodeError } from '../../nodes/LeadGenPublishing/api/errors';
import { ACTIVITY } from '../../nodes/LeadGenPublishing/operations/activity/simplify';
import { LEAD } from '../../nodes/LeadGenPublishing/operations/lead/simplify';
import { POST } from '../../nodes/LeadGenPublishing/operations/post/simplify';
import { noClients } from '../../nodes/LeadGenPublishing/watch/accounts';
import { itemsOf } from '../../nodes/LeadGenPublishing/watch/items';
import { sampleOf } from '../../nodes/LeadGenPublishing/watch/sample';
import { connectForPoll, type PollSession } from '../../nodes/LeadGenPublishing/watch/session';
import { readSettings } from '../../nodes/LeadGenPublishing/watch/settings';

export async function sessionOf(functions: IPollFunctions): Promise<PollSession> {
	const settings = readSettings(functions);
	const client = await connectForPoll(functions, {});
	const simplifications = { lead: LEAD, activity: ACTIVITY, post: POST };
	return { functions, settings, client, simplifications, known: noClients() };
}

export class TestEventNode {
	async poll(this: IPollFunctions) {
		try {
			const session = await sessionOf(this);
			return [itemsOf(session, await sampleOf(session))];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
