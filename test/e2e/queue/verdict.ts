// Delivered against created, and the table against the service, before and after all leads are read once
// more.

import { agrees, compareLeads, inWords, type Comparison } from '../../../scripts/demo/ledger';
import { runByHand } from '../../../scripts/demo/stage';
import { asRecord } from '../../../scripts/n8n/n8nApi';
import { say, step } from '../../../scripts/n8n/progress';
import type { Lead } from '../../../fake-service';
import { collectDeliveries, countLeads } from '../deliveries';
import { executionsIn } from './exercise';
import { COLUMNS, CRM, TRIGGER, type Scene } from './scene';

export async function isComplete(scene: Scene, held: string): Promise<boolean> {
	const { api, workflow, service } = scene;
	const { deliveries, failed, interrupted } = await collectDeliveries(api, workflow, TRIGGER);
	const { firstIn, twice } = countLeads(deliveries);
	const leads = service.world.own.leads.toArray();
	const missing = leads.filter(({ id }) => !firstIn.has(id));
	// n8n gives up an execution whose worker has died, and forgets its items.
	const givenUp = deliveries.find(
		({ execution, leads: none }) => execution === held && !none.length,
	);
	const hasGone = ({ created_at }: Lead) =>
		givenUp !== undefined && Date.parse(created_at ?? '') <= givenUp.storedAt;
	const unexplained = missing.filter((lead) => !hasGone(lead));
	const otherFailed = failed.filter(
		(line) => givenUp === undefined || !line.startsWith(`execution ${held}:`),
	);
	const before = await compareTable(scene);
	await step('Reading all leads once more, into the same table', () =>
		runByHand(api, scene.reconciliation),
	);
	const after = await compareTable(scene);
	const begun = await Promise.all(
		scene.logFiles.map(async (file) => (await executionsIn(file, 'started')).length),
	);
	const items = deliveries.reduce((sum, one) => sum + one.leads.length, 0);
	const fate =
		givenUp === undefined
			? `ended it all the same (${interrupted} by hand with Retry)`
			: 'gave it up, items and all';
	say();
	say(`leads:      ${leads.length} in the service`);
	say(`delivered:  ${items} by ${deliveries.length} executions that polls started`);
	say(`            ${begun.join(' and ')} executions were begun by the two workers`);
	say(`            execution ${held} was held by the killed worker; n8n ${fate}`);
	say(`missing:    ${missing.length} in no execution`);
	say(`            ${missing.length - unexplained.length} of them in the execution n8n gave up`);
	say(`twice:      ${twice.size} in more than one`);
	say(`table:      ${inWords(before)}`);
	say(`            ${inWords(after)}, after reading all leads once more`);
	say(`failed:     ${otherFailed.length} other executions`);
	for (const line of failed.slice(0, 5)) say(`  ${line}`);
	const wrong = [...unexplained, ...twice, ...otherFailed, ...before.surplus, ...before.different];
	// Before that, nothing else may be wrong with the table than what n8n gave up.
	const isExplained = before.missing.length === missing.length;
	return wrong.length === 0 && isExplained && agrees(after);
}

/** The table in PostgreSQL against the service, column by column. */
async function compareTable({ postgres, service }: Scene): Promise<Comparison> {
	const lines = await postgres.ask(CRM, 'select row_to_json(leads) from leads');
	const rows = lines.map((line) => asRecord(JSON.parse(line)));
	return compareLeads('table', service.world.own.leads.toArray(), rows, Object.keys(COLUMNS));
}
