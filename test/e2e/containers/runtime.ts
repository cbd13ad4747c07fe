// What runs the compose file.

import { tmpdir } from 'node:os';

import { cleanEnv, runProgram } from '../../../scripts/n8n/children';

export interface Runtime {
	/** Where n8n comes from, in words. */
	image: string;
	/** Takes the arguments of `docker compose`. */
	command: readonly string[];
	env: NodeJS.ProcessEnv;
	close(): Promise<void>;
}

/** Docker with a daemon that responds: it pulls n8n's image itself. */
export async function officialImage(): Promise<Runtime | undefined> {
	const env = cleanEnv();
	const works = async (args: string[]) =>
		await runProgram({ command: 'docker', args, cwd: tmpdir(), env }).then(
			() => true,
			() => false,
		);
	if (!(await works(['compose', 'version'])) || !(await works(['info']))) return undefined;
	return { image: 'the official one', command: ['docker', 'compose'], env, close: async () => {} };
}
