// `npm start`: a real n8n with this package, and a fake of the service, on this machine.
// `npm start -- --check`: the same without a person; ends with 0 if the CRM is complete.

import { parseArgs } from 'node:util';

import { installHost } from '../n8n/host';
import { say, seconds } from '../n8n/progress';
import { check } from './check';
import { prepareContainers } from './containers';
import { runOnStage, type Manager } from './runOnStage';
import { showTo, welcome } from './welcome';

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		containers: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		install: { type: 'boolean', default: false },
		likely: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const HELP = `Starts n8n with this package and a fake service, both on this machine only.

  --check   runs without you: adds leads, compares the CRM with the service,
            prints the counts, and ends with 0 (complete) or 1
  --fresh   starts over: deletes what you built the last time
  --containers
            only writes the demo for "docker compose up", as a folder and as an archive
  --install only installs n8n, if it is not installed yet
  --likely  the fake service uses the response shapes of a similar public service:
            its lists of posts are summaries without notes, for example
`;

const since = Date.now();

async function main({ open, leaving }: Manager): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	if (values.containers) {
		await prepareContainers();
		return 0;
	}
	if (values.install) {
		await installHost();
		return 0;
	}
	const { check: isCheck, fresh, likely } = values;
	const stage = await open({ name: isCheck ? 'check' : 'start', fresh, likely });
	if (isCheck) {
		const complete = await check(stage);
		say(complete ? '\nThe CRM is complete.' : '\nThe CRM does not match the service.');
		return complete ? 0 : 1;
	}
	showTo(stage);
	const text = welcome(stage, 'npm start -- --fresh');
	stage.setWelcome(text);
	say(`\nReady after ${seconds(since)}.\n${text}`);
	await stage.n8n.ended;
	if (!leaving()) say(`n8n ended unexpectedly. See ${stage.n8n.logFile}`);
	return 1;
}

runOnStage(main);
