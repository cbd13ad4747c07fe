// Delivered against created, and the table against the service, before and after all leads are read once
// more.

import { leadRow } from '../../../scripts/demo/ledger';
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
	const isExplained = ({ created_at }: Lead) =>
		givenUp !== undefined && Date.parse(created_at ?? '') <= givenUp.storedAt;
	const unexplained = missing.filter((lead) => !isExplained(lead));
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
	say(`table:      ${lineOf(before)}`);
	say(`            ${lineOf(after)}, after reading all leads once more`);
	say(`failed:     ${otherFailed.length} other executions`);
	for (const line of failed.slice(0, 5)) say(`  ${line}`);
	const wrong = [unexplained.length, twice.size, otherFailed.length];
	const left = [after.missing, after.surplus, after.different];
	// Before that, nothing else may be wrong with the table than what n8n gave up.
	const early = [before.surplus, before.different, before.missing - missing.length];
	return [...wrong, ...left, ...early].every((count) => count === 0);
}

interface Table {
	rows: number;
	missing: number;
	surplus: number;
	different: number;
}

const lineOf = ({ rows, missing, surplus, different }: Table): string =>
	`${rows} rows; ${missing} missing, ${surplus} too many, ${different} different`;

/** The table in PostgreSQL against the service, column by column. */
async function compareTable({ postgres, service }: Scene): Promise<Table> {
	const leads = service.world.own.leads.toArray();
	const wanted = new Map(leads.map((lead) => [lead.network_profile_url, leadRow(lead)]));
	const lines = await postgres.ask(CRM, 'select row_to_json(leads) from leads');
	const rows = lines.map((line) => asRecord(JSON.parse(line)));
	const found = new Set(rows.map((row) => String(row.profile_url)));
	const isDifferent = (row: Record<string, unknown>) => {
		const lead = wanted.get(String(row.profile_url));
		return (
			lead !== undefined && Object.keys(COLUMNS).some((column) => row[column] !== lead[column])
		);
	};
	return {
		rows: rows.length,
		missing: [...wanted.keys()].filter((profile) => !found.has(profile)).length,
		surplus: rows.filter((row) => !wanted.has(String(row.profile_url))).length,
		different: rows.filter(isDifferent).length,
	};
}
