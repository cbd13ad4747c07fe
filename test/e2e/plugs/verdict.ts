// Delivered against created, lead by lead; and the CRM against the service.

import { compareLeads, inWords } from '../../../scripts/demo/ledger';
import { say } from '../../../scripts/n8n/progress';
import { collectDeliveries, countLeads } from '../deliveries';
import type { Kill } from './kills';
import { lossesOf, usualDelay, type Loss } from './losses';
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
	const { requests } = service;
	const { deliveries, interrupted, failed } = await collectDeliveries(api, workflow, TRIGGER);
	const leads = service.world.own.leads.toArray();
	const { firstIn, twice: repeated } = countLeads(deliveries);
	const missing = leads.map(({ id }) => id).filter((id) => !firstIn.has(id));
	const twice = [...repeated];
	const losses = lossesOf(killed, { requests, leads, deliveries, firstIn });
	// A batch that a kill has cut short is read again, so the last one is what it went with.
	const lossOf = (lead: string) => losses.findLast(({ batch }) => batch.has(lead));
	for (const lead of missing) lossOf(lead)?.missing.push(lead);
	for (const lead of twice) lossOf(lead)?.twice.push(lead);
	const unexplained = [...missing, ...twice].filter((lead) => lossOf(lead) === undefined);
	const delay = usualDelay(
		requests,
		deliveries.map(({ storedAt }) => storedAt),
	);
	const crm = compareLeads('CRM', leads, await api.rows(scene.table));

	say();
	for (const [place, loss] of losses.entries()) say(`kill ${place + 1}: ${lineOf(loss)}`);
	say();
	say(`kills:      ${losses.length}; ${failedStarts} starts that n8n's own crash recovery ended`);
	say(`leads:      ${leads.length} in the service`);
	const delivered = deliveries.reduce((sum, delivery) => sum + delivery.leads.length, 0);
	say(`delivered:  ${delivered} by ${deliveries.length} executions that polls started`);
	say(`            ${interrupted} of them cut short by a kill, run again with Retry`);
	say(`            at the median ${delay} ms after the last answer that the poll had got`);
	say(`missing:    ${missing.length} in no execution`);
	say(`twice:      ${twice.length} in more than one`);
	const lossy = losses.filter((loss) => loss.missing.length + loss.twice.length > 0).length;
	if (!modes.durable)
		say(
			`            at ${lossy} of the kills; not from the batch in flight: ${unexplained.length}`,
		);
	say(`CRM:        ${inWords(crm)}`);
	say(`failed:     ${failed.length} executions`);
	for (const line of failed.slice(0, FEW)) say(`  ${line}`);
	for (const lead of missing.slice(0, FEW)) say(`  missing: ${lead}`);
	for (const lead of twice.slice(0, FEW)) say(`  twice: ${lead}`);

	const isPromised = modes.redeliver
		? missing.length === 0
		: modes.durable
			? missing.length + twice.length === 0
			: unexplained.length === 0;
	const isSound = failed.length + crm.surplus.length + crm.different.length === 0;
	return isPromised && isSound && crm.missing.length === missing.length;
}

function lineOf({ kill, polled, batch, missing, twice }: Loss): string {
	if (!polled) return 'before the first poll';
	const { inGap, afterPoll } = kill;
	const aimed =
		afterPoll === undefined ? 'at any moment' : `${afterPoll.toFixed(0)} ms after a poll`;
	const when = inGap === undefined ? aimed : inGap ? 'in the gap' : 'beside the gap';
	return `${when}; batch in flight ${batch.size}, missing ${missing.length}, twice ${twice.length}`;
}
