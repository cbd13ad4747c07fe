// Delivered against created, lead by lead; and the CRM against the service.

import { collectDeliveries, countLeads } from '../deliveries';
import { lossesOf, type Loss } from './batches';
import type { Kill } from './kills';
import { delays, median, pollsIn } from './polls';
import type { Scene } from './scene';

const TRIGGER = 'New Lead';

export interface Verdict {
	leads: number;
	delivered: number;
	executions: number;
	/** Cut short by a kill, and run again with Retry. */
	interrupted: number;
	failed: string[];
	missing: string[];
	twice: string[];
	/** One for each kill. */
	losses: Loss[];
	/** Missing or repeated leads that were in no batch in flight at a kill. */
	unexplained: string[];
	/** Milliseconds from the last answer of a poll to its stored execution, at the median. */
	delay: number | undefined;
	crm: { rows: number; missing: string[]; surplus: string[]; different: string[] };
}

export async function judge(scene: Scene, killed: readonly Kill[]): Promise<Verdict> {
	const { api, workflow, service } = scene;
	const { deliveries, interrupted, failed } = await collectDeliveries(api, workflow, TRIGGER);
	const leads = service.world.own.leads.toArray();
	const { firstIn, twice } = countLeads(deliveries);
	const missing = leads.filter(({ id }) => !firstIn.has(id)).map(({ id }) => id);
	const { requests } = service;
	const stored = deliveries.map(({ storedAt }) => storedAt);
	const losses = lossesOf(killed, { requests, leads, deliveries, firstIn });
	const unexplained: string[] = [];
	const explain = (lead: string, what: 'missing' | 'twice') => {
		// A batch that a kill has cut short is read again, so the last one is what it went with.
		const loss = losses.findLast(({ batch }) => batch.has(lead));
		if (loss) loss[what].push(lead);
		else unexplained.push(lead);
	};
	for (const lead of missing) explain(lead, 'missing');
	for (const lead of twice) explain(lead, 'twice');
	return {
		leads: leads.length,
		delivered: deliveries.reduce((sum, delivery) => sum + delivery.leads.length, 0),
		executions: deliveries.length,
		interrupted,
		failed,
		missing,
		twice: [...twice],
		losses,
		unexplained,
		delay: median(delays(pollsIn(requests, []), stored)),
		crm: await compareCrm(scene),
	};
}

async function compareCrm({ api, table, service }: Scene): Promise<Verdict['crm']> {
	const leads = service.world.own.leads.toArray();
	const wanted = new Map(leads.map((lead) => [lead.network_profile_url, lead]));
	const rows = await api.rows(table);
	const seen = new Set<string>();
	const crm: Verdict['crm'] = { rows: rows.length, missing: [], surplus: [], different: [] };
	for (const row of rows) {
		const profile = String(row.profile_url);
		const lead = wanted.get(profile);
		if (!lead || seen.has(profile)) crm.surplus.push(profile);
		else if (row.lead_id !== lead.id || row.name !== lead.name) crm.different.push(profile);
		seen.add(profile);
	}
	crm.missing = [...wanted.keys()].filter((profile) => !seen.has(profile));
	return crm;
}

export function isGood(
	verdict: Verdict,
	{ durable, redeliver }: { durable: boolean; redeliver: boolean },
): boolean {
	const { missing, twice, losses, unexplained, failed, crm } = verdict;
	const sound = failed.length + crm.surplus.length + crm.different.length === 0;
	const allowed = redeliver
		? missing.length === 0
		: durable
			? missing.length + twice.length === 0
			: unexplained.length === 0 &&
				losses.every((loss) => loss.missing.length + loss.twice.length <= loss.batch.size);
	return sound && allowed && crm.missing.length === missing.length;
}
