// Delivered against created, lead by lead; and the CRM against the service.

import { compareLeads, inWords } from '../../scripts/demo/ledger';
import { say } from '../../scripts/n8n/progress';
import { collectDeliveries } from '../../test/e2e/deliveries';
import { tell } from '../program';
import { inFlight } from './inFlight';
import type { Kill } from './kills';
import type { Scene } from './scene';

const TRIGGER = 'New Lead';
const FEW = 5;

interface Modes {
	durable: boolean;
	redeliver: boolean;
}

/** Says what it found, and gives whether that is as promised. */
export async function judge(scene: Scene, killed: readonly Kill[], modes: Modes): Promise<boolean> {
	const { api, workflow, service, failedStarts } = scene;
	const delivered = await collectDeliveries(api, workflow, TRIGGER);
	const { deliveries, come, twice, interrupted, failed } = delivered;
	const leads = service.world.own.leads.toArray();
	const missing = leads.map(({ id }) => id).filter((id) => !come.has(id));
	const crm = compareLeads('CRM', leads, await api.rows(scene.table));

	say();
	const unexplained = new Set([...missing, ...twice]);
	for (const [place, { at, when }] of killed.entries()) {
		const batch = inFlight(at, { leads, deliveries });
		const lost = missing.filter((id) => batch.has(id));
		const again = [...twice].filter((id) => batch.has(id));
		for (const id of batch) unexplained.delete(id);
		const found = `batch in flight ${batch.size}, missing ${lost.length}, twice ${again.length}`;
		say(`kill ${place + 1}: ${when}; ${found}`);
	}
	say();
	const items = deliveries.reduce((sum, delivery) => sum + delivery.leads.length, 0);
	tell(
		['kills', `${killed.length}; ${failedStarts} starts that n8n's own crash recovery ended`],
		['leads', `${leads.length} in the service`],
		['delivered', `${items} by ${deliveries.length} executions that polls started`],
		['', `${interrupted} of them cut short by a kill, run again with Retry`],
		['missing', `${missing.length} in no execution`],
		['twice', `${twice.size} in more than one`],
		['', `${unexplained.size} missing or twice that were not in flight at a kill`],
		['CRM', inWords(crm)],
		['failed', `${failed.length} executions`],
		...failed.slice(0, FEW).map((line) => ['', line] as const),
		...missing.slice(0, FEW).map((lead) => ['', `missing: ${lead}`] as const),
		...[...twice].slice(0, FEW).map((lead) => ['', `twice: ${lead}`] as const),
	);
	const broken = modes.redeliver
		? missing.length
		: modes.durable
			? missing.length + twice.size
			: unexplained.size;
	const unsound = failed.length + crm.surplus.length + crm.different.length;
	return broken + unsound === 0 && crm.missing.length === missing.length;
}
