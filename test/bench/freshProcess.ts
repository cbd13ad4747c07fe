// What is measured in a process of its own, because a process remembers: loaded modules, grown
// memory.

import { execFile, fork } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a script of Node's and reads what it prints as JSON. */
export async function printed<T>(script: string): Promise<T> {
	const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', script]);
	return JSON.parse(stdout) as T;
}

/** Starts one of our files and waits for the one message that it sends. */
export async function told<T>(file: string, args: string[]): Promise<T> {
	const child = fork(file, args);
	const message = await new Promise<T>((resolve, reject) => {
		child.once('message', (message) => resolve(message as T));
		child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
	});
	if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
	return message;
}
