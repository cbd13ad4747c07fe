// An n8n that has just been installed, with an owner and nothing else, and the fake service. Our package
// waits in a registry on this machine.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService } from '../../../fake-service';
import { furnish } from '../../demo/life';
import { crmTables, runByHand, type Stage } from '../../demo/stage';
import { readExample, type ExampleName } from '../../n8n/examples';
import { installHost } from '../../n8n/host';
import { launch, WITHOUT_ASSISTANT, type RunningN8n } from '../../n8n/launch';
import { CREDENTIAL_TYPE, N8nApi, type StoredWorkflow } from '../../n8n/n8nApi';
import { opening } from '../../n8n/opened';
import { packPackage } from '../../n8n/package';
import { step } from '../../n8n/progress';
import { startRegistry } from '../../n8n/registry';
import { logIn } from '../../n8n/session';

export interface FreshN8n {
	service: FakeService;
	n8n: RunningN8n;
	api: N8nApi;
	/** Once the package is installed, and there is a credential: the tables, and two of the examples. */
	fill(credential: string): Promise<Filled>;
	close(): Promise<void>;
}

export interface Filled {
	tables: Stage['tables'];
	newLeads: StoredWorkflow;
	mcpServer: StoredWorkflow;
}

export async function openFreshN8n(): Promise<FreshN8n> {
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'fresh-n8n-'));
	return await opening(async ({ closeLater, close }) => {
		closeLater(() => rmSync(folder, { recursive: true, force: true }));
		const tarball = await step('Building and packing the package', packPackage);
		const registry = await startRegistry(tarball, folder);
		closeLater(() => registry.close());
		const service = await startService({ control: true, autoPublish: true });
		closeLater(() => service.close());
		furnish(service, 'few');
		const env = { ...WITHOUT_ASSISTANT, ...registry.env };
		const n8n = await step('Starting n8n', () => launch({ userFolder: folder, env }));
		closeLater(() => n8n.stop());
		const api = new N8nApi(n8n.url);
		await api.setUpOwner();
		return { service, n8n, api, fill: (credential) => fill(api, credential), close };
	});
}

async function fill(api: N8nApi, credential: string): Promise<Filled> {
	const session = await logIn(api.url);
	const token = await session.createCredential('MCP', 'httpBearerAuth', { token: 'for the film' });
	const ids: Record<string, string> = { [CREDENTIAL_TYPE]: credential, httpBearerAuth: token };
	const create = async (name: ExampleName) => {
		const workflow = readExample(name);
		for (const { credentials = {} } of workflow.nodes)
			for (const [type, one] of Object.entries(credentials)) one.id = ids[type] ?? '';
		return await api.createWorkflow(workflow);
	};
	await runByHand(api, await create('create-crm-tables'));
	return {
		tables: await crmTables(api),
		newLeads: await create('new-leads-to-crm'),
		mcpServer: await create('mcp-server'),
	};
}
