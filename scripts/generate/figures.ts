/**
 * `npm run figures`: runs the commands that take too long for every change, one after another, and
 * writes what each printed, with date and machine, into the pages below; `npm run figures -- queue`
 * runs those whose command contains this word, and `npm run figures -- test:plugs` the one command of
 * this name. Nothing is written of a command that fails.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { startProgram } from '../n8n/children';
import { runCommand } from '../n8n/command';
import { ROOT } from '../n8n/folders';
import { codeMeasured } from './codeMeasured';
import { COMMANDS } from './figuresCommands';
import { withFigures, resultOf, type Figures } from './figuresPage';

/** What the command prints is shown as it comes, and kept. */
async function run(command: string): Promise<{ code: number | null; output: string }> {
	const [program = '', ...args] = command.split(' ');
	const child = startProgram({ command: program, args, cwd: ROOT, env: process.env });
	child.stderr?.pipe(process.stderr);
	let output = '';
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		output += text;
		process.stdout.write(text);
	});
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, output };
}

function n8nVersion(): string {
	const host = readFileSync(join(ROOT, 'scripts/n8n/host/package.json'), 'utf8');
	const { dependencies } = JSON.parse(host) as { dependencies: Record<string, string> };
	return dependencies.n8n ?? '';
}

async function figuresOf(command: string): Promise<Figures | undefined> {
	const began = Date.now();
	const measured = codeMeasured();
	const { code, output } = await run(command);
	if (code !== 0) return undefined;
	const [cpu] = cpus();
	return {
		command,
		about: [
			new Date(began).toISOString().slice(0, 10),
			`${Math.max(1, Math.round((Date.now() - began) / 60_000))} min`,
			`${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${process.platform}`,
			`Node ${process.versions.node}`,
			measured,
			...(command.includes('test:') ? [`n8n ${n8nVersion()} unless named below`] : []),
		].join('; '),
		result: resultOf(output),
	};
}

/** A copy for CI's artefacts, which keep the figures of every night. */
function write(page: string, figures: Figures): void {
	const path = join(ROOT, page);
	const text = withFigures(readFileSync(path, 'utf8'), figures);
	writeFileSync(path, text);
	const kept = join(ROOT, '.cache', 'figures');
	mkdirSync(kept, { recursive: true });
	writeFileSync(join(kept, page.replace('docs/', '')), text);
}

async function main(): Promise<number> {
	const [word = ''] = process.argv.slice(2);
	const named = COMMANDS.filter(([command]) => command === `npm run ${word}`);
	const chosen = named.length > 0 ? named : COMMANDS.filter(([command]) => command.includes(word));
	if (chosen.length === 0) throw new Error(`No command contains "${word}"`);
	let code = 0;
	for (const [command, page] of chosen) {
		const figures = await figuresOf(command);
		if (figures === undefined) {
			code = 1;
			console.error(`"${command}" failed; its figures stay as they were`);
		} else write(page, figures);
	}
	return code;
}

runCommand(main);
