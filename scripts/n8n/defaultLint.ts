// `npm run test:n8n -- lint`: n8n's own lint of community nodes, `@n8n/node-cli` with its default
// configuration, over what is published; and that its build makes what n8n loads.

import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import { npm, runProgram } from './children';
import { runCommand } from './command';
import { CACHE, ROOT } from './folders';
import { say, step } from './progress';

const NODE_CLI = '0.48.3';
const HOME = join(CACHE, 'n8n-node-cli');
const SHIPPED = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json'];
const CONFIG = "import { config } from '@n8n/node-cli/eslint';\nexport default config;\n";

/** Apart from our own packages, since it wants older ones of some of them. */
async function install(): Promise<void> {
	if (existsSync(join(HOME, 'node_modules', '@n8n', 'node-cli'))) return;
	mkdirSync(HOME, { recursive: true });
	writeFileSync(join(HOME, 'package.json'), '{"private":true}');
	const names = [`@n8n/node-cli@${NODE_CLI}`, `typescript@${manifest.devDependencies.typescript}`];
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await runProgram({ ...npm(['install', ...flags, ...names]), cwd: HOME });
	for (const name of ['n8n-workflow', '@types'])
		if (!existsSync(join(HOME, 'node_modules', name)))
			symlinkSync(join(ROOT, 'node_modules', name), join(HOME, 'node_modules', name), 'junction');
}

async function run(program: string, args: string[]): Promise<void> {
	const command = join(HOME, 'node_modules', program);
	await runProgram({ command: process.execPath, args: [command, ...args], cwd: HOME });
}

async function main(): Promise<number> {
	await step('Installing @n8n/node-cli', install);
	for (const name of SHIPPED) {
		rmSync(join(HOME, name), { recursive: true, force: true });
		cpSync(join(ROOT, name), join(HOME, name), { recursive: true });
	}
	writeFileSync(join(HOME, 'eslint.config.mjs'), CONFIG);
	const shipped = ['nodes', 'credentials', 'package.json'];
	await step('Its lint', () => run('eslint/bin/eslint.js', [...shipped, '--max-warnings', '0']));
	await step('Its build', () => run('@n8n/node-cli/bin/n8n-node.mjs', ['build']));
	const built = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const missing = built.filter((file) => !existsSync(join(HOME, file)));
	for (const file of missing) say(`✗ ${file} was not built`);
	return missing.length === 0 ? 0 : 1;
}

runCommand(main);
