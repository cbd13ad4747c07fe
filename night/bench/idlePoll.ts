/** A trigger whose list has nothing new: what it passes until its request is sent. */
import type { IDataObject, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.js';
import { pageOf } from '../../test/support/replies';

const LEADS = 50;
/** So many polls read the list, before one is idle. */
const POLLS_BEFORE = 5;
const PARAMETERS: IDataObject = { event: 'newLead', watch: 'own', simplify: true };

interface Observer {
	/** Before the idle poll. */
	readonly begin: () => void;
	/** When the idle poll sends a request. */
	readonly atRequest: () => void;
}

export async function playIdlePoll({ begin, atRequest }: Observer): Promise<void> {
	let isIdle = false;
	const stored: IDataObject = {};
	const id = 'idle';
	const leads = Array.from({ length: LEADS }, (_, at) => ({
		id: `1c2f0e00-0000-4000-8000-${at + 1e11}`,
		created_at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
	}));
	const send = (http: IHttpRequestOptions) => {
		if (isIdle) atRequest();
		const answer = http.url.endsWith('/me') ? { data: { user_id: id } } : pageOf(leads).body;
		const headers = { 'content-type': 'application/json', date: new Date().toUTCString() };
		return { statusCode: 200, headers, body: JSON.stringify(answer) };
	};
	const context = {
		getNode: () => ({ id, name: id, type: id, typeVersion: 1, position: [0, 0] }),
		getWorkflow: () => ({ id, name: id, active: true }),
		getMode: () => 'trigger',
		getNodeParameter: (name: string) => PARAMETERS[name] ?? null,
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example.com', apiKey: 'x_live_idle' }),
		getWorkflowStaticData: () => stored,
		getTimezone: () => 'UTC',
		helpers: {
			httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) =>
				await Promise.resolve(send(http)),
		},
	} as unknown as IPollFunctions;
	const node = new LeadGenPublishingTrigger();
	for (let polls = 0; polls < POLLS_BEFORE; polls++) await node.poll.call(context);
	begin();
	isIdle = true;
	await node.poll.call(context);
}
