// Everything that the demo, the check and the end-to-end tests stand on: the fake service and a
// fresh n8n that has our package, an owner, two credentials, the examples, and the CRM tables.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService } from '../../fake-service';
import { claim, release } from '../n8n/claim';
import { DEMO } from '../n8n/folders';
import { installHost } from '../n8n/host';
import { launch, WITHOUT_ASSISTANT, type RunningN8n } from '../n8n/launch';
import { N8nApi } from '../n8n/n8nApi';
import { opening } from '../n8n/opened';
import { installPackage, packPackage } from '../n8n/package';
import { freePort } from '../n8n/ports';
import { step } from '../n8n/progress';
import { furnishN8n, reopenN8n, type Demo, type Kept } from './furnishN8n';
import { furnish, giveNewIds } from './life';

export interface Stage extends Demo {
	n8n: RunningN8n;
	/** Where n8n has our package from. */
	packageFolder: string;
	/** Remembered for a person who starts a second one at the same time. */
	setWelcome(text: string): void;
	/** Killed without warning, and started again on the same data. */
	crashN8n(meanwhile?: () => void): Promise<void>;
	close(): Promise<void>;
}

export interface StageOptions {
	/** Each use has its own folder, so that one does not disturb the other. */
	name: 'start' | 'check' | 'test' | 'browser' | 'dev';
	/** Whether n8n takes over a package that changes while it runs. */
	reload?: boolean;
	/** Whether the service answers in the shapes that a similar one shows in public. */
	likely?: boolean;
	/** What a person built the last time is thrown away, as it always is where nobody watches. */
	fresh?: boolean;
}

/**
 * What a person expects. A port counts as free until n8n listens on it some seconds later, so several
 * stages at once would wish in vain.
 */
const WISHED_PORTS = { n8n: 5678, control: 4012, api: 4010 };
export async function openStage({ name, reload, fresh, likely }: StageOptions): Promise<Stage> {
	await installHost();
	const forPerson = name === 'start' || name === 'dev';
	const { folder, kept } = claimFolder(name, forPerson && fresh !== true);
	const wished = forPerson ? WISHED_PORTS : undefined;
	return await opening(async ({ closeLater, close }) => {
		closeLater(() => release(`${folder}.lock`));
		const tarball = await step('Building and packing the package', packPackage);
		const packageFolder = await installPackage(tarball, folder);
		const service = await startService({
			control: true,
			controlPort: await freePort(wished?.control),
			// The same each time, since credentials that a person made name it.
			port: await freePort(wished?.api),
			autoPublish: true,
			likelyShapes: likely,
		});
		closeLater(() => service.close());
		furnish(service, forPerson ? 'few' : 'many');
		if (kept !== undefined) giveNewIds(service, kept.starts);
		// Otherwise as n8n comes: the examples must keep their promise without durable cursors, too.
		const env = { ...WITHOUT_ASSISTANT, ...(reload ? { N8N_DEV_RELOAD: 'true' } : {}) };
		const start = (port?: number) => launch({ userFolder: folder, port, env });
		let n8n = await step('Starting n8n', () => start(wished?.n8n));
		closeLater(() => n8n.stop());
		const api = new N8nApi(n8n.url);
		const filled =
			kept === undefined
				? await step('Creating owner, credentials, tables and workflows', async () => {
						await api.setUpOwner();
						return await furnishN8n(api, service);
					})
				: await step('Opening your workflows', () => reopenN8n(api, { kept, service }));
		keep(folder, { ...filled, starts: (kept?.starts ?? 0) + 1 });
		return {
			service,
			get n8n() {
				return n8n;
			},
			api,
			packageFolder,
			...filled,
			setWelcome: (text) => writeFileSync(welcomeIn(folder), text),
			crashN8n: async (meanwhile) => {
				const { port } = new URL(n8n.url);
				await n8n.kill();
				meanwhile?.();
				n8n = await start(Number(port));
			},
			close,
		};
	});
}

const keep = (folder: string, kept: Kept): void =>
	writeFileSync(keptIn(folder), JSON.stringify(kept));

/** The folder of this use, and what was made in it before, if that is to be kept and whole. */
function claimFolder(name: string, keeps: boolean): { folder: string; kept: Kept | undefined } {
	const folder = join(DEMO, name);
	const holder = claim(`${folder}.lock`);
	if (holder !== undefined) {
		const welcome = welcomeIn(folder);
		const where = existsSync(welcome) ? readFileSync(welcome, 'utf8') : 'It is not ready yet.';
		throw new Error(
			`It is already running (process ${holder}). Press Ctrl-C there to stop it.\n${where}`,
		);
	}
	if (keeps && existsSync(keptIn(folder)))
		return { folder, kept: JSON.parse(readFileSync(keptIn(folder), 'utf8')) as Kept };
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	return { folder, kept: undefined };
}

const welcomeIn = (folder: string): string => join(folder, 'welcome.txt');
const keptIn = (folder: string): string => join(folder, 'kept.json');
