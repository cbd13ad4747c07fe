/** Uses the client inside a node that runs on n8n's engine, so that requests take the real way. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { Client, type ClientSettings } from '../../../nodes/LeadGenPublishing/api/client';
import { ApiFailure, type FailureFacts } from '../../../nodes/LeadGenPublishing/api/failure';
import { runNode } from '../engine';
import { otherNode } from '../workflowRun';

interface ClientRun<T> {
	value?: T;
	error?: unknown;
	/** What the client waited between attempts; it did not really wait. */
	waits: number[];
}

export async function useClient<T>(
	credentials: Record<string, unknown>,
	use: (client: Client) => Promise<T>,
	settings: ClientSettings = {},
): Promise<ClientRun<T>> {
	const outcome: Pick<ClientRun<T>, 'value' | 'error' | 'waits'> = { waits: [] };
	// Time stands still but for what is waited, so that pauses are exact.
	const start = Date.now();
	let waited = 0;
	const quick: ClientSettings = {
		now: () => start + waited,
		wait: async (ms) => {
			outcome.waits.push(ms);
			const until = waited + ms;
			await Promise.resolve();
			waited = Math.max(waited, until);
		},
		random: () => 0,
		...settings,
	};
	const node = otherNode(async function (this: IExecuteFunctions) {
		try {
			outcome.value = await use(await Client.connect(this, quick));
		} catch (error) {
			outcome.error = error;
		}
		return [[]];
	});
	await runNode({ node, credentialType: LeadGenPublishingApi, credentials });
	return outcome;
}

/** The facts of the failure that must have come. */
export function failed({
	error,
	value,
}: Pick<ClientRun<unknown>, 'error' | 'value'>): FailureFacts {
	if (error instanceof ApiFailure) return error.facts;
	throw new Error(`Expected an ApiFailure, not ${String(error ?? JSON.stringify(value))}`);
}
