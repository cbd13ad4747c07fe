// A fresh n8n with the packed package and every example, each with all the credentials it names.
// They lead nowhere: what the examples say to others is not sent.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService } from '../../fake-service';
import {
	CREDENTIAL_NAMES,
	prepareWorkflow,
	readExample,
	type CredentialIds,
	type ExampleName,
} from './examples';
import { installHost } from './host';
import { DURABLE_CURSORS, launch, WITHOUT_ASSISTANT, type RunningN8n } from './launch';
import { CREDENTIAL_TYPE, N8nApi, type Workflow } from './n8nApi';
import { opening } from './opened';
import { installPackage, packPackage } from './package';
import { step } from './progress';
import { logIn } from './session';

export interface Gallery {
	service: FakeService;
	n8n: RunningN8n;
	api: N8nApi;
	ids: CredentialIds;
	/** What the editor has stored of an example, which then counts instead of its file. */
	imported: Map<ExampleName, Workflow>;
	/** The example with the ids of our credentials, and of empty ones for everybody else's. */
	prepared(name: ExampleName): Promise<Workflow>;
	close(): Promise<void>;
}

/** `env` is for n8n, in addition. */
export async function openGallery(env: Readonly<Record<string, string>> = {}): Promise<Gallery> {
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'examples-n8n-'));
	return await opening(async ({ closeLater, close }) => {
		closeLater(() => rmSync(folder, { recursive: true, force: true }));
		const tarball = await step('Building and packing the package', packPackage);
		await installPackage(tarball, folder);
		const service = await startService();
		closeLater(() => service.close());
		const n8n = await step('Starting n8n', () =>
			launch({ userFolder: folder, env: { ...WITHOUT_ASSISTANT, ...DURABLE_CURSORS, ...env } }),
		);
		closeLater(() => n8n.stop());
		const api = new N8nApi(n8n.url);
		await api.setUpOwner();
		const { baseUrl, world } = service;
		const create = (name: string, apiKey: string) =>
			api.createCredential(name, { baseUrl, apiKey });
		const ids = {
			own: await create(CREDENTIAL_NAMES.own, world.keys.own),
			agency: await create(CREDENTIAL_NAMES.agency, world.keys.agency),
		};
		const session = await logIn(n8n.url);
		const others = new Map<string, { id: string; name: string }>();
		const other = async (type: string, name: string) => {
			const known = others.get(type);
			if (known) return known;
			const made = { id: await session.createCredential(name, type, EMPTY[type] ?? {}), name };
			others.set(type, made);
			return made;
		};
		const imported = new Map<ExampleName, Workflow>();
		const prepared = async (name: ExampleName): Promise<Workflow> => {
			const workflow = prepareWorkflow(imported.get(name) ?? readExample(name), ids);
			for (const node of workflow.nodes)
				for (const [type, { name: called }] of Object.entries(node.credentials ?? {}))
					if (type !== CREDENTIAL_TYPE && node.credentials)
						node.credentials[type] = await other(type, called);
			return workflow;
		};
		return { service, n8n, api, ids, imported, prepared, close };
	});
}

/** What n8n asks for before it stores a credential. */
const EMPTY: Readonly<Record<string, Record<string, unknown>>> = {};
