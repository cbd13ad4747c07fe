// A Redis and a PostgreSQL of our own: on free ports, with their data in a temporary folder.

import { existsSync, mkdtempSync, readdirSync, chownSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { endProgram, runProgram, startProgram } from '../../../scripts/n8n/children';
import { aptInstall, installCommand, IS_ROOT, mayInstall } from '../../../scripts/n8n/debian';
import { freePort } from '../../../scripts/n8n/ports';

const DEBIAN = '/usr/lib/postgresql';
const START_MS = 60_000;
/** PostgreSQL refuses to run as root. */
const OTHER_USER = { name: 'nobody', uid: 65_534, gid: 65_534 };

export interface RedisServer {
	port: number;
	version: string;
	folder: string;
	stop(): Promise<void>;
}

export interface PostgresServer {
	port: number;
	user: string;
	password: string;
	version: string;
	folder: string;
	/** Gives what the statement answers, line by line. */
	ask(database: string, statement: string): Promise<string[]>;
	stop(): Promise<void>;
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
	const lines: string[] = [];
	const child = startProgram({
		command,
		args: `--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly no`
			.split(' ')
			.concat('--save', ''),
		cwd: folder,
		onLine: (line) => lines.push(line),
	});
	await ready('Redis', lines, () => lines.some((line) => line.includes('Ready to accept')));
	const version = (await output(command, ['--version'], folder)).join(' ');
	return {
		port,
		folder,
		version: /v=([\d.]+)/.exec(version)?.[1] ?? version,
		stop: () => endProgram(child),
	};
}

export async function startPostgres(): Promise<PostgresServer> {
	const folder = mkdtempSync(join(tmpdir(), 'queue-postgres-'));
	if (IS_ROOT) chownSync(folder, OTHER_USER.uid, OTHER_USER.gid);
	const port = await freePort();
	const account = { user: 'n8n', password: 'not-a-secret' };
	const data = join(folder, 'data');
	const init = postgresProgram('initdb');
	const initArgs = ['--pgdata', data, '--username', account.user, '--auth', 'trust', '--no-sync'];
	await runProgram({
		...asOther(required('initdb', init), [...initArgs, '--encoding', 'UTF8', '--locale', 'C']),
		cwd: folder,
	});
	const lines: string[] = [];
	const options = {
		port,
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		fsync: 'off',
	};
	const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const server = required('postgres', postgresProgram('postgres'));
	const child = startProgram({
		...asOther(server, ['-D', data, ...settings]),
		cwd: folder,
		onLine: (line) => lines.push(line),
	});
	await ready('PostgreSQL', lines, () =>
		lines.some((line) => line.includes('ready to accept connections')),
	);
	const version = (await output(server, ['--version'], folder)).join(' ');
	const psql = required('psql', postgresProgram('psql'));
	const common = ['-h', '127.0.0.1', '-p', String(port), '-U', account.user, '-X', '-A', '-t'];
	return {
		port,
		...account,
		folder,
		version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version,
		ask: (database, statement) =>
			output(
				psql,
				[...common, '-v', 'ON_ERROR_STOP=1', '-q', '-d', database, '-c', statement],
				folder,
			),
		stop: () => endProgram(child),
	};
}

async function output(command: string, args: string[], cwd: string): Promise<string[]> {
	const lines: string[] = [];
	await runProgram({ command, args, cwd, onLine: (line) => lines.push(line) });
	return lines;
}

async function ready(name: string, lines: readonly string[], isSo: () => boolean): Promise<void> {
	const deadline = Date.now() + START_MS;
	while (!isSo()) {
		if (Date.now() > deadline) throw new Error(`${name} did not start:\n${lines.join('\n')}`);
		await pause(50);
	}
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
