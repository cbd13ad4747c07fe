// `npm start -- --dev`: the demo, with a package that follows the code. A change under nodes/,
// credentials/ or icons/ is built and taken over by the running n8n and its open editor.

import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT } from '../n8n/folders';
import { OWNER } from '../n8n/n8nApi';
import { buildPackage } from '../n8n/package';
import { say } from '../n8n/progress';
import { liven } from './life';
import { runOnStage, type Manager } from './runOnStage';

const HELP = `Starts n8n with this package and a fake service, with live reload.

  --fresh   starts over: deletes what you built the last time
`;
const { values } = parseArgs({
	options: {
		fresh: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const FOLLOWED = ['nodes', 'credentials', 'icons'];
/** An editor writes a file in several steps, and a checkout writes many files. */
const SETTLED_MS = 300;

/** Types first, so that a mistake is shown here and the last good build stays in n8n. */
async function rebuild(packageFolder: string): Promise<void> {
	const started = Date.now();
	try {
		await buildPackage();
		cpSync(join(ROOT, 'dist'), join(packageFolder, 'dist'), { recursive: true });
		say(`Built and handed to n8n in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		say('n8n keeps the last good build.');
	}
}

function follow(packageFolder: string): void {
	let timer: NodeJS.Timeout | undefined;
	let building = Promise.resolve();
	const changed = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			building = building.then(() => rebuild(packageFolder));
		}, SETTLED_MS);
	};
	for (const folder of FOLLOWED) watch(join(ROOT, folder), { recursive: true }, changed);
}

async function main({ open }: Manager): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const stage = await open({ name: 'dev', reload: true, fresh: values.fresh });
	liven(stage.service);
	follow(stage.packageFolder);
	const text = `
  n8n          ${stage.n8n.url}/home/workflows
  login        ${OWNER.email}   ${OWNER.password}
  service      ${stage.service.controlUrl}

Change a file under ${FOLLOWED.map((folder) => `${folder}/`).join(', ')}: n8n picks it up, and an open
editor reloads the node's panel. Press Ctrl-C to stop.
`;
	stage.setWelcome(text);
	say(text);
	await stage.n8n.ended;
	return 1;
}

runOnStage(main);
