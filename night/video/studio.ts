// A fresh n8n that has the packed package and nothing else, and a fake service with a few leads.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService } from '../../fake-service';
import { furnish } from '../../scripts/demo/life';
import { installHost } from '../../scripts/n8n/host';
import { launch, WITHOUT_ASSISTANT } from '../../scripts/n8n/launch';
import { N8nApi } from '../../scripts/n8n/n8nApi';
import { opening } from '../../scripts/n8n/opened';
import { installPackage, packPackage } from '../../scripts/n8n/package';
import { step } from '../../scripts/n8n/progress';

export interface Studio {
	readonly service: FakeService;
	readonly api: N8nApi;
	close(): Promise<void>;
}

export async function openStudio(): Promise<Studio> {
	await installHost();
	return await opening(async ({ closeLater, close }) => {
		const folder = mkdtempSync(join(tmpdir(), 'video-n8n-'));
		closeLater(() => rmSync(folder, { recursive: true, force: true }));
		const tarball = await step('Building and packing the package', packPackage);
		await installPackage(tarball, folder);
		const service = await startService({ control: true });
		closeLater(() => service.close());
		furnish(service, 'few');
		const n8n = await step('Starting n8n', () =>
			launch({ userFolder: folder, env: WITHOUT_ASSISTANT }),
		);
		closeLater(() => n8n.stop());
		const api = new N8nApi(n8n.url);
		await api.setUpOwner();
		return { service, api, close };
	});
}
