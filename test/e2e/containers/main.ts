// `npm run test:n8n -- containers`: compose.yaml, from an empty n8n to the comparison of the CRM with the
// service. With Docker it runs n8n's official image. Without it, Podman runs a stand-in for that image.

import { parseArgs } from 'node:util';

import { prepareContainers } from '../../../scripts/demo/containers';
import { runProgram } from '../../../scripts/n8n/children';
import { runCommand } from '../../../scripts/n8n/command';
import { ROOT } from '../../../scripts/n8n/folders';
import { say, step } from '../../../scripts/n8n/progress';
import { officialImage, type Runtime } from './runtime';
import { standInImage } from './standIn';

const HELP = `Runs compose.yaml with --check: does the demo work in containers?

  --keep   leaves the containers and their volume
`;

const { values } = parseArgs({
	options: {
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

/** A project of its own, so that a demo that somebody runs keeps its volume. */
const PROJECT = 'leadgen-publishing-check';

runCommand(async () => {
	if (values.help) {
		say(HELP);
		return 0;
	}
	await prepareContainers();
	const runtime = (await officialImage()) ?? (await standInImage());
	say(`n8n's image: ${runtime.image}`);
	const compose = ({ command, env }: Runtime, args: string[]) => {
		const [program = '', ...first] = command;
		return runProgram({
			command: program,
			args: [...first, '--project-name', PROJECT, ...args],
			cwd: ROOT,
			env,
			onLine: say,
		});
	};
	const end = () => compose(runtime, ['down', '--volumes']);
	try {
		await end();
		await step('From an empty n8n to the check', () =>
			compose(runtime, ['run', '--rm', 'demo', '--check']),
		);
		return 0;
	} finally {
		if (!values.keep) await end();
		await runtime.close();
	}
});
