// Programs that we start. Each is the head of a process group of its own, so that ending it ends
// whatever it has started in turn, and none of them outlives us.

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

import { NPM_CACHE } from './folders';

const POSIX = process.platform !== 'win32';
const running = new Set<ChildProcess>();

export interface Program {
	command: string;
	args: string[];
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Gets what it prints, line by line. */
	onLine?: (line: string) => void;
	/** Opens a channel that closes when we die. */
	channel?: boolean;
}

export function startProgram(program: Program): ChildProcess {
	const options: SpawnOptions = {
		cwd: program.cwd,
		env: program.env ?? cleanEnv(),
		detached: POSIX,
		stdio: ['ignore', 'pipe', 'pipe', ...(program.channel ? (['ipc'] as const) : [])],
	};
	const child = spawn(program.command, program.args, options);
	running.add(child);
	child.once('exit', () => running.delete(child));
	child.once('error', () => running.delete(child));
	for (const stream of [child.stdout, child.stderr]) eachLine(stream, program.onLine);
	return child;
}

const KEPT_LINES = { first: 15, last: 25 };

/** Runs it to its end; what it printed first and last should say why if it fails. */
export function runProgram(program: Program): Promise<void> {
	const lines: string[] = [];
	const child = startProgram({
		...program,
		onLine: (line) => {
			lines.push(line);
			if (lines.length > KEPT_LINES.first + KEPT_LINES.last) lines.splice(KEPT_LINES.first, 1);
			program.onLine?.(line);
		},
	});
	const { command, args } = program;
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => {
			if (code === 0) return resolve();
			const name = [command, ...args].join(' ');
			reject(new Error(`${name} ended with ${signal ?? code}:\n${lines.join('\n')}`));
		});
	});
}

/** Asks the group to end, and insists after a while. */
export async function endProgram(child: ChildProcess, patienceMs = 8_000): Promise<void> {
	const gone = () => child.exitCode !== null || child.signalCode !== null;
	if (!gone()) {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		signal(child, 'SIGTERM');
		const insist = setTimeout(() => signal(child, 'SIGKILL'), patienceMs);
		await ended;
		clearTimeout(insist);
	}
	// Its children may have stayed behind.
	signal(child, 'SIGKILL');
}

/** At once, without a signal that it could answer to. */
export async function killProgram(child: ChildProcess): Promise<void> {
	signal(child, 'SIGKILL');
	await endProgram(child);
}

export async function endAllPrograms(): Promise<void> {
	await Promise.all([...running].map((child) => endProgram(child)));
}

/** The last resort, for when nothing may be awaited any more. */
process.on('exit', () => {
	for (const child of running) signal(child, 'SIGKILL');
});

function signal(child: ChildProcess, name: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		if (POSIX) process.kill(-child.pid, name);
		else child.kill(name);
	} catch {
		// Already gone.
	}
}

function eachLine(stream: NodeJS.ReadableStream | null, onLine?: (line: string) => void): void {
	let rest = '';
	// Decoded by the stream, since a chunk may end within a character.
	stream?.setEncoding('utf8').on('data', (chunk: string) => {
		const lines = (rest + chunk).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) onLine?.(line);
	});
}

/** Our environment without what steers n8n (as NODE_ENV in a test) or ties npm to this project. */
export function cleanEnv(): NodeJS.ProcessEnv {
	const steers =
		/^(N8N_|DB_|EXECUTIONS_|GENERIC_|QUEUE_|npm_package_|npm_lifecycle_|npm_config_local_prefix$|NODE_OPTIONS$|NODE_ENV$|JEST_|INIT_CWD$)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !steers.test(name)));
}

/** npm, run by the Node that runs us; it writes nothing to the home folder. */
export function npm(
	args: string[],
	{ cache = NPM_CACHE }: { cache?: string } = {},
): Pick<Program, 'command' | 'args'> {
	const script = process.env.npm_execpath;
	const all = [...args, '--cache', cache];
	return script?.endsWith('.js') || script?.endsWith('.cjs')
		? { command: process.execPath, args: [script, ...all] }
		: { command: POSIX ? 'npm' : 'npm.cmd', args: all };
}
