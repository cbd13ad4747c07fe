// A Redis and a PostgreSQL of our own: on free ports, with their data in a temporary folder.

import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { endProgram, runProgram, startProgram, type Program } from '../../../scripts/n8n/children';
import { aptInstall, installCommand, IS_ROOT, mayInstall } from '../../../scripts/n8n/debian';
import { freePort } from '../../../scripts/n8n/ports';

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 60_000;
/** PostgreSQL refuses to run as root. */
const OTHER_USER = { name: 'nobody', uid: 65_534, gid: 65_534 };

export interface RedisServer {
	port: number;
	version: string;
	/** Its data go with it. */
	stop(): Promise<void>;
}

export interface PostgresServer extends RedisServer {
	user: string;
	password: string;
	/** Gives what the statement answers, line by line. */
	ask(database: string, statement: string): Promise<string[]>;
}

/** Debian's packages, where they are missing and may be installed. */
export async function installServers(): Promise<void> {
	const missing = [
		...(find('redis-server') ? [] : ['redis-server']),
		...(postgresProgram('initdb') && postgresProgram('postgres') ? [] : ['postgresql']),
	];
	if (missing.length === 0) return;
	if (!mayInstall()) throw new Error(`${missing.join(', ')}: missing. ${installCommand(missing)}`);
	await aptInstall(missing);
}

export async function startRedis(): Promise<RedisServer> {
	const folder = mkdtempSync(join(tmpdir(), 'queue-redis-'));
	const port = await freePort();
	const command = required('redis-server', find('redis-server'));
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
	const stop = await started(
		{ command, args: [...args, '--appendonly', 'no', '--save', ''], cwd: folder },
		'Ready to accept',
	);
	const version = (await output({ command, args: ['--version'], cwd: folder })).join(' ');
	return { port, version: /v=([\d.]+)/.exec(version)?.[1] ?? version, stop };
}

export async function startPostgres(): Promise<PostgresServer> {
	const cwd = mkdtempSync(join(tmpdir(), 'queue-postgres-'));
	if (IS_ROOT) chownSync(cwd, OTHER_USER.uid, OTHER_USER.gid);
	const port = await freePort();
	const account = { user: 'n8n', password: 'not-a-secret' };
	const data = join(cwd, 'data');
	const [init, server, psql] = ['initdb', 'postgres', 'psql'].map((name) =>
		required(name, postgresProgram(name)),
	) as [string, string, string];
	const access = ['--username', account.user, '--auth', 'trust'];
	const plain = ['--no-sync', '--encoding', 'UTF8', '--locale', 'C'];
	await runProgram({ ...asOther(init, ['--pgdata', data, ...access, ...plain]), cwd });
	const options = {
		port,
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		fsync: 'off',
	};
	const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const stop = await started(
		{ ...asOther(server, ['-D', data, ...settings]), cwd },
		'ready to accept connections',
	);
	const version = (await output({ command: server, args: ['--version'], cwd })).join(' ');
	const common = ['-h', '127.0.0.1', '-p', String(port), '-U', account.user, '-X', '-A', '-t'];
	return {
		...{ port, ...account, stop },
		version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version,
		ask: (database, statement) => {
			const asked = ['-v', 'ON_ERROR_STOP=1', '-q', '-d', database, '-c', statement];
			return output({ command: psql, args: [...common, ...asked], cwd });
		},
	};
}

async function output(program: Program): Promise<string[]> {
	const lines: string[] = [];
	await runProgram({ ...program, onLine: (line) => lines.push(line) });
	return lines;
}

/** Waits until it says so, and gives what ends it. */
async function started(program: Program, words: string): Promise<() => Promise<void>> {
	const lines: string[] = [];
	const child = startProgram({ ...program, onLine: (line) => lines.push(line) });
	const deadline = Date.now() + START_MS;
	while (!lines.some((line) => line.includes(words))) {
		if (Date.now() > deadline)
			throw new Error(`${program.command} did not start:\n${lines.join('\n')}`);
		await pause(50);
	}
	return async () => {
		await endProgram(child);
		rmSync(program.cwd, { recursive: true, force: true });
	};
}

function asOther(command: string, args: string[]): { command: string; args: string[] } {
	if (!IS_ROOT) return { command, args };
	return { command: 'runuser', args: ['-u', OTHER_USER.name, '--', command, ...args] };
}

function find(program: string): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/usr/bin');
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Debian keeps the programs of each version apart. */
function postgresProgram(program: string): string | undefined {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const paths = newestFirst.map((version) => join(DEBIAN, version, 'bin', program));
	return paths.find((path) => existsSync(path)) ?? find(program);
}

function required(name: string, path: string | undefined): string {
	if (!path) throw new Error(`${name} was not found`);
	return path;
}
