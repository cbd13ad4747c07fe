// Delivered against created, and the table against the service, before and after all leads are read once
// more.

import { runByHand } from '../../../scripts/demo/stage';
import { say, step } from '../../../scripts/n8n/progress';
import type { Lead } from '../../../fake-service';
import { collectDeliveries, countLeads } from '../deliveries';
import type { Scene } from './scene';
import { compareTable, tableLine, wrongIn } from './table';
import { begunBy } from './workerLogs';
import { TRIGGER } from './workflows';

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
		(line) => givenUp === undefined || !line.startsWith(named(held)),
	);
	const before = await compareTable(scene);
	await step('Reading all leads once more, into the same table', () =>
		runByHand(api, scene.reconciliation),
	);
	const after = await compareTable(scene);
	const begun = await Promise.all(scene.logFiles.map(begunBy));
	const items = sum(deliveries.map((one) => one.leads.length));
	say();
	say(`leads:      ${leads.length} in the service`);
	say(`delivered:  ${items} by ${deliveries.length} executions that polls started`);
	say(`            ${begun.join(' and ')} executions were begun by the two workers`);
	say(
		`            execution ${held} was held by the killed worker; n8n ${fate(givenUp, interrupted)}`,
	);
	say(`missing:    ${missing.length} in no execution`);
	say(`            ${missing.length - unexplained.length} of them in the execution n8n gave up`);
	say(`twice:      ${twice.size} in more than one`);
	say(`table:      ${tableLine(before)}`);
	say(`            ${tableLine(after)}, after reading all leads once more`);
	say(`failed:     ${otherFailed.length} other executions`);
	for (const line of failed.slice(0, 5)) say(`  ${line}`);
	const wrong = [unexplained.length, twice.size, otherFailed.length, ...wrongIn(after)];
	// Before that, nothing else may be wrong with the table than what n8n gave up.
	const early = [before.surplus, before.different, before.missing - missing.length];
	return wrong.concat(early).every((count) => count === 0);
}

const named = (execution: string): string => `execution ${execution}:`;

const fate = (givenUp: unknown, interrupted: number): string =>
	givenUp === undefined
		? `ended it all the same (${interrupted} by hand with Retry)`
		: 'gave it up, items and all';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
