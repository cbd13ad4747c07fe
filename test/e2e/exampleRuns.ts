// Running an example in the gallery, as a person would, and waiting for what comes of it.

import { setTimeout as pause } from 'node:timers/promises';

import type { ExampleName } from '../../scripts/n8n/examples';
import type { Gallery } from '../../scripts/n8n/gallery';
import type { ExecutionResult, JsonRecord, StoredWorkflow } from '../../scripts/n8n/n8nApi';
import { logIn } from '../../scripts/n8n/session';
import { withStandIns, type StandIns } from './standIns';
import { isUnderWay } from './waiting';

const PATIENCE_MS = 60_000;

export async function stored(
	gallery: Gallery,
	name: ExampleName,
	standIns?: StandIns,
): Promise<StoredWorkflow> {
	const prepared = await gallery.prepared(name);
	return await gallery.api.createWorkflow(withStandIns(prepared, standIns));
}

/** From its first node to its end, and what each node put out. */
export async function run(
	{ api }: Gallery,
	workflow: StoredWorkflow,
	from: string,
): Promise<ExecutionResult> {
	const id = await api.run(workflow, from);
	return await until(async () => {
		const execution = await api.execution(id);
		if (isUnderWay(execution)) return undefined;
		if (execution.status === 'success') return execution;
		throw new Error(`"${workflow.name}" ended with ${execution.status}: ${execution.problem}`);
	});
}

export async function activate({ api }: Gallery, workflow: StoredWorkflow): Promise<void> {
	await api.activate(workflow);
	await until(async () => ((await api.isPublished(workflow)) ? true : undefined));
}

export async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const found = await find();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error('it did not come in time');
		await pause(250);
	}
}

/** The credential of a node of our own making, for services that are imitated on loopback. */
export async function credentialFor(
	{ n8n }: Gallery,
	type: string,
	data: JsonRecord,
): Promise<{ id: string; name: string }> {
	const name = `${type} on loopback ${Date.now()}`;
	return { id: await (await logIn(n8n.url)).createCredential(name, type, data), name };
}
