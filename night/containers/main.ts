// `npm run test:n8n -- containers`: the demo's archive, unpacked, from an empty n8n to the comparison of the
// CRM with the service. With Docker it runs n8n's official image. Without it, Podman runs a stand-in for
// that image.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { ARCHIVE, prepareContainers } from '../../scripts/demo/containers';
import { runProgram } from '../../scripts/n8n/children';
import { runCommand } from '../../scripts/n8n/command';
import { testedVersion } from '../../scripts/n8n/host';
import { freePort } from '../../scripts/n8n/ports';
import { say, step } from '../../scripts/n8n/progress';
import { officialImage } from './runtime';
import { standInImage } from './standIn';
import { expectedVersion, tagOf } from './version';

const HELP = `Unpacks the demo's archive and runs it with --check: does the demo work in containers?
N8N_VERSION is the version of n8n, a tag of its image such as "next", or "3.x" for the newest 3.*.*

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
	const wished = process.env.N8N_VERSION ?? testedVersion();
	const tag = await tagOf(wished);
	if (tag === undefined) {
		// GitHub shows this above the log.
		say(`::warning::n8n ${wished} has no image, so it was not run`);
		return 0;
	}
	await prepareContainers();
	const runtime = (await officialImage(tag)) ?? (await standInImage(tag));
	const folder = mkdtempSync(join(tmpdir(), 'leadgen-publishing-containers-'));
	await runProgram({ command: 'tar', args: ['-xzf', ARCHIVE, '-C', folder], cwd: folder });
	const env = Object.assign({}, runtime.env, {
		N8N_VERSION: tag,
		N8N_PORT: String(await freePort()),
		CONTROL_PORT: String(await freePort()),
	});
	const compose = (...args: string[]) => {
		const [command = '', ...first] = runtime.compose;
		return runProgram({
			command,
			args: [...first, '--project-name', PROJECT, ...args],
			cwd: join(folder, basename(ARCHIVE, '.tar.gz')),
			env,
			onLine: say,
		});
	};
	const end = () => compose('down', '--volumes');
	try {
		await end();
		const expected = await expectedVersion(tag, () => runtime.versionInImage());
		say(`n8n's image: ${runtime.image}, tag "${tag}". It must run n8n ${expected}.`);
		await step(`From an empty n8n ${expected} to the check`, () =>
			compose('run', '--rm', 'demo', '--check', '--n8n', expected),
		);
		say(`n8n ${expected}: passed`);
		return 0;
	} catch (error) {
		say(`::error::n8n ${wished} (tag "${tag}") failed`);
		throw error;
	} finally {
		if (!values.keep) {
			await end();
			rmSync(folder, { recursive: true, force: true });
		}
		await runtime.close();
	}
});
