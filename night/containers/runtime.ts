// What runs the compose file.

import { tmpdir } from 'node:os';

import { cleanEnv, runProgram } from '../../scripts/n8n/children';

export interface Runtime {
	/** Where n8n comes from, in words. */
	image: string;
	/** Takes the arguments of `docker compose`. */
	compose: readonly string[];
	env: NodeJS.ProcessEnv;
	/** The version that n8n in the image prints. */
	versionInImage(): Promise<string>;
	close(): Promise<void>;
}

export const imageName = (tag: string): string => `docker.n8n.io/n8nio/n8n:${tag}`;

/** Arguments of `docker` or `podman` that let the image say which n8n it has. */
export const askForVersion = (tag: string): string[] => [
	...['run', '--rm', '--entrypoint', 'n8n'],
	...[imageName(tag), '--version'],
];

/** Docker with a daemon that responds: it pulls n8n's image itself. */
export async function officialImage(tag: string): Promise<Runtime | undefined> {
	const env = cleanEnv();
	const docker = async (args: string[]) => {
		let last = '';
		const onLine = (line: string) => void (last = line);
		await runProgram({ command: 'docker', args, cwd: tmpdir(), env, onLine });
		return last;
	};
	const works = async (args: string[]) =>
		await docker(args).then(
			() => true,
			() => false,
		);
	if (!(await works(['compose', 'version'])) || !(await works(['info']))) return undefined;
	return {
		image: 'the official one',
		compose: ['docker', 'compose'],
		env,
		versionInImage: () => docker(askForVersion(tag)),
		close: async () => {},
	};
}
