import { ApiFailure } from '../../api/failure';
import { isUnknownPath } from '../../api/policy';
import { bodyField, readBody } from '../../panel/fields/customFields';
import { defineOperation } from '../define';

export const refresh = defineOperation({
	action: 'Refresh network organizations',
	description: 'Refresh the organizations of the connected network account',
	repeatable: true,
	outside: { kind: 'nothing' },
	endpoints: ['networkOrganization.refresh'],
	fields: [
		bodyField(
			'Body of the request as a JSON object. The service does not document its fields: leave it as it is unless you know them. The node sends a refresh for each item. To send only one, turn on Execute Once in the settings of the node.',
		),
	],
	run: async ({ api, input }) => {
		const body = readBody(input);
		const used = api.networkWord();
		const refreshed = async () => (await api.call('networkOrganization.refresh', { body })).data;
		return await refreshed().catch(async (error: unknown) => {
			const mayBeElsewhere =
				used === undefined && error instanceof ApiFailure && isUnknownPath(error.facts);
			if (!mayBeElsewhere) throw error;
			await api.learnNetworkWord();
			const shown = api.networkWord();
			// A path that does not exist has no effect, so the request may be sent to another one.
			if (shown === undefined || shown === error.facts.networkWord) throw error;
			return await refreshed();
		});
	},
});
