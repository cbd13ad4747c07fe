/** Diagnoses of a fake service: on n8n's engine, or directly and therefore faster. */
import type { FakeService } from '../../fake-service/index';
import { Client } from '../../nodes/LeadGenPublishing/api/client';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import type { Facts } from '../../nodes/LeadGenPublishing/diagnose/facts';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { judge, needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { hostWithoutN8n } from '../../scripts/diagnose/http';
import type { setUpKit } from '../support/kit/index';
import type { Parameters } from '../support/kit/index';

export const DIAGNOSE = { resource: 'account', operation: 'diagnose' } as const;

type Kit = ReturnType<typeof setUpKit>;

export const as = ({ baseUrl }: FakeService, apiKey: string) => ({
	credentials: { baseUrl, apiKey },
});

/** The items of one diagnosis on n8n's engine. */
export const diagnosed = async (kit: Kit, given: Parameters = {}, apiKey?: string) =>
	await kit.records(
		{ ...DIAGNOSE, ...given },
		as(kit.service, apiKey ?? kit.service.world.keys.own),
	);

interface Diagnosis {
	readonly facts: Facts;
	readonly summary: Item;
	/** What needs somebody, after the summary. */
	readonly needing: readonly Item[];
	readonly all: readonly Item[];
}

/** A diagnosis without n8n. */
export async function diagnosisOf(
	{ baseUrl }: FakeService,
	apiKey: string,
	{ onRequest, clientId }: { onRequest?: () => void; clientId?: string } = {},
): Promise<Diagnosis> {
	const client = await Client.connect(hostWithoutN8n({ baseUrl, apiKey }, onRequest));
	const facts = await collect(client, { clientId, maxWaitMs: 0 });
	const all = judge(facts);
	const [summary, ...needing] = needingAttention(all);
	if (summary === undefined) throw new Error('there is no summary');
	return { facts, summary, needing, all };
}

/** Clients of the agency, so that it has as many as this. */
export function giveClients({ world }: FakeService, clients: number): void {
	const { agency, clientA, clientB, clientC } = world;
	for (const client of [clientA, clientB, clientC].slice(clients))
		world.setGrantStatus(agency, client, 'revoked');
	for (let index = 3; index < clients; index += 1) {
		const client = world.addClient(agency, `Client ${index}`);
		world.seedLeads(client, 3);
		world.addPost(client, { text: `Post of client ${index}` });
	}
}
