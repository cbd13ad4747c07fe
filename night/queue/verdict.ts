// Delivered against created, and the table against the service, before and after all leads are read once
// more.

import { agrees, compareLeads, inWords } from '../../scripts/demo/ledger';
import { runByHand } from '../../scripts/demo/furnishN8n';
import { say, step } from '../../scripts/n8n/progress';
import { collectDeliveries } from '../../test/e2e/deliveries';
import { tell } from '../program';
import { executionsIn } from './exercise';
import { TRIGGER, type Scene } from './scene';
import { crmRows } from '../../test/e2e/databaseServers';

export async function isComplete(scene: Scene, held: string): Promise<boolean> {
	const { api, workflow, service } = scene;
	const delivered = await collectDeliveries(api, workflow, TRIGGER);
	const { deliveries, come, twice, interrupted, failed } = delivered;
	const leads = service.world.own.leads.toArray();
	const missing = leads.filter(({ id }) => !come.has(id));
	// n8n gives up an execution whose worker has died, and forgets its items.
	const givenUp = deliveries.find(
		({ execution, leads: none }) => execution === held && none.length === 0,
	);
	const unexplained = missing.filter(
		({ created_at }) => !(Date.parse(created_at ?? '') <= (givenUp?.storedAt ?? 0)),
	);
	const otherFailed = failed.filter((line) => !givenUp || !line.startsWith(`execution ${held}:`));
	const compared = async () => compareLeads('table', leads, await crmRows(scene.postgres));
	const before = await compared();
	await step('Reading all leads once more, into the same table', () =>
		runByHand(api, scene.reconciliation),
	);
	const after = await compared();
	const begun = scene.logFiles.map((file) => executionsIn(file, 'started').length);
	const items = deliveries.reduce((sum, one) => sum + one.leads.length, 0);
	const fate = givenUp
		? 'gave it up, items and all'
		: `ended it all the same (${interrupted} by hand with Retry)`;
	say();
	tell(
		['leads', `${leads.length} in the service`],
		['delivered', `${items} by ${deliveries.length} executions that polls started`],
		['', `${begun.join(' and ')} executions were begun by the two workers`],
		['', `execution ${held} was held by the killed worker; n8n ${fate}`],
		['missing', `${missing.length} in no execution`],
		['', `${missing.length - unexplained.length} of them in the execution n8n gave up`],
		['twice', `${twice.size} in more than one`],
		['table', inWords(before)],
		['', `${inWords(after)}, after reading all leads once more`],
		['failed', `${otherFailed.length} other executions`],
		...failed.slice(0, 5).map((line) => ['', line] as const),
	);
	const wrong = [...unexplained, ...twice, ...otherFailed, ...before.surplus, ...before.different];
	// Before that, nothing else may be wrong with the table than what n8n gave up.
	const isExplained = before.missing.length === missing.length;
	return wrong.length === 0 && isExplained && agrees(after);
}
