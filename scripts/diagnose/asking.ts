// Requests beyond those of Account > Diagnose, among them writes. Each is recorded like the others.

import type { Client } from '../../nodes/LeadGenPublishing/api/client';
import { OWN_ACCOUNT, type EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { askedOf } from '../../nodes/LeadGenPublishing/diagnose/collect/requests';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';

export interface Request {
	readonly id?: string;
	readonly query?: JsonRecord;
	readonly body?: JsonRecord;
	readonly idempotencyKey?: string;
}

export type Ask = (name: EndpointName, request?: Request) => Promise<Asked>;

/** Sends requests for one account, and notes each of them in `asked`. */
export const asker =
	(client: Client, { clientId, asked }: { clientId: string | undefined; asked: Asked[] }): Ask =>
	async (name, { id = '', query, body, idempotencyKey } = {}) => {
		const at = client.now();
		const exchange = await client.exchange(name, {
			account: clientId === undefined ? OWN_ACCOUNT : { kind: 'client', clientId },
			params: { id },
			query,
			body,
			idempotencyKey,
		});
		const one = askedOf(exchange, { clientId, id: id === '' ? undefined : id, query }, at);
		asked.push(one);
		return one;
	};
