// A Redis and a PostgreSQL of our own: on free ports, with their data in a temporary folder.

import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { endProgram, runProgram, startProgram } from '../../scripts/n8n/children';
import { aptInstall, installCommand, IS_ROOT, mayInstall } from '../../scripts/n8n/debian';
import { readExample } from '../../scripts/n8n/examples';
import { asRecord, type JsonRecord } from '../../scripts/n8n/n8nApi';
import { freePort } from '../../scripts/n8n/ports';
import { inTime } from '../../scripts/n8n/waiting';

const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const OTHER_USER = { name: 'nobody', uid: 65_534, gid: 65_534 };
const ACCOUNT = { user: 'n8n', password: 'not-a-secret' };

interface Server {
	port: number;
	version: string;
	/** Its data go with it. */
	stop(): Promise<void>;
}

export interface PostgresServer extends Server {
	user: string;
	password: string;
	/** Gives what the statement answers, line by line. */
	ask(database: string, statement: string): Promise<string[]>;
}

const CRM = 'crm';

/** The table of the example in a database of its own; what n8n has to know to write to it. */
export async function createCrm({ port, ask }: PostgresServer): Promise<JsonRecord> {
	await ask('postgres', `create database ${CRM}`);
	const { nodes } = readExample('new-leads-to-postgres');
	const notes = nodes.map(({ parameters }) => String(parameters.content ?? ''));
	await ask(CRM, /```sql\n([\s\S]+?)```/.exec(notes.join('\n'))?.[1] ?? '');
	return { host: '127.0.0.1', port, ...ACCOUNT, database: CRM, ssl: 'disable' };
}

export const crmRows = async ({ ask }: PostgresServer): Promise<JsonRecord[]> =>
	(await ask(CRM, 'select row_to_json(leads) from leads')).map((row) => asRecord(JSON.parse(row)));

/** Debian's packages, where they are missing and may be installed. */
export async function installServers(): Promise<void> {
	const missing = [
		...(find('redis-server') ? [] : ['redis-server']),
		...(find('initdb') && find('postgres') ? [] : ['postgresql']),
	];
	if (missing.length === 0) return;
	if (!mayInstall()) throw new Error(`${missing.join(', ')}: missing. ${installCommand(missing)}`);
	await aptInstall(missing);
}

export async function startRedis(): Promise<Server> {
	const port = await freePort();
	const cwd = mkdtempSync(join(tmpdir(), 'queue-redis-'));
	const given = ['--port', String(port), '--bind', '127.0.0.1', '--dir', cwd];
	const args = [...given, '--appendonly', 'no', '--save', ''];
	return { port, ...(await started('redis-server', { args, cwd, words: 'Ready to accept' })) };
}

export async function startPostgres(): Promise<PostgresServer> {
	const port = await freePort();
	const cwd = mkdtempSync(join(tmpdir(), 'queue-postgres-'));
	if (IS_ROOT) chownSync(cwd, OTHER_USER.uid, OTHER_USER.gid);
	const data = join(cwd, 'data');
	const access = ['--username', ACCOUNT.user, '--auth', 'trust'];
	const plain = ['--no-sync', '--encoding', 'UTF8', '--locale', 'C'];
	const make = ['--pgdata', data, ...access, ...plain];
	await runProgram({ ...asOther(required('initdb'), make), cwd });
	const options = {
		...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' },
	};
	const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const args = ['-D', data, ...settings];
	const server = await started('postgres', { args, cwd, words: 'ready to accept connections' });
	const common = ['-h', '127.0.0.1', '-p', String(port), '-U', ACCOUNT.user, '-X', '-A', '-t'];
	return {
		...{ port, ...ACCOUNT, ...server },
		ask: (database, statement) => {
			const asked = ['-v', 'ON_ERROR_STOP=1', '-q', '-d', database, '-c', statement];
			return output(required('psql'), [...common, ...asked]);
		},
	};
}

async function output(command: string, args: string[]): Promise<string[]> {
	const lines: string[] = [];
	await runProgram({ command, args, cwd: tmpdir(), onLine: (line) => lines.push(line) });
	return lines;
}

/** Waits until it says so. */
async function started(
	name: string,
	{ args, cwd, words }: { args: string[]; cwd: string; words: string },
): Promise<Omit<Server, 'port'>> {
	const lines: string[] = [];
	const run = name === 'postgres' ? asOther : (command: string) => ({ command, args });
	const child = startProgram({
		...{ ...run(required(name), args), cwd },
		onLine: (line) => lines.push(line),
	});
	const isReady = () => lines.some((line) => line.includes(words));
	await inTime(`"${words}" of ${name}`, isReady, { everyMs: 50, patienceMs: 60_000 });
	const version = (await output(required(name), ['--version'])).join(' ');
	return {
		version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version,
		stop: async () => {
			await endProgram(child);
			rmSync(cwd, { recursive: true, force: true });
		},
	};
}

function asOther(command: string, args: string[]): { command: string; args: string[] } {
	if (!IS_ROOT) return { command, args };
	return { command: 'runuser', args: ['-u', OTHER_USER.name, '--', command, ...args] };
}

/** Debian keeps the programs of each version of PostgreSQL apart, the newest is taken. */
function find(program: string): string | undefined {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const folders = [
		...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter).concat('/usr/sbin', '/usr/bin'),
	];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function required(program: string): string {
	const path = find(program);
	if (!path) throw new Error(`${program} was not found`);
	return path;
}
