// One process at a time: a file with its id, which counts only while that process lives.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the id of the process that holds it, or undefined if it is ours. */
export function claim(file: string): number | undefined {
	mkdirSync(dirname(file), { recursive: true });
	for (;;) {
		try {
			writeFileSync(file, String(process.pid), { flag: 'wx' });
			return undefined;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			const holder = holderOf(file);
			if (holder !== undefined) return holder;
			rmSync(file, { force: true });
		}
	}
}

export function release(file: string): void {
	if (holderOf(file) === process.pid) rmSync(file, { force: true });
}

function holderOf(file: string): number | undefined {
	try {
		const pid = Number(readFileSync(file, 'utf8'));
		// An empty file is one that is just being written.
		return pid === 0 || process.kill(pid, 0) ? pid : undefined;
	} catch (error) {
		// Somebody else's process is alive as well.
		const alive = (error as NodeJS.ErrnoException).code === 'EPERM';
		return alive ? 0 : undefined;
	}
}
