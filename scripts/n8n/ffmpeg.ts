// Debian's ffmpeg, for films of n8n's editor.

import { spawnSync } from 'node:child_process';

import { installCommand } from './debian';

/** It is not there, or not whole. */
export class NoFfmpeg extends Error {}

export function requireFfmpeg(): void {
	for (const program of ['ffmpeg', 'ffprobe']) {
		const { status } = spawnSync(program, ['-version']);
		if (status !== 0) throw new NoFfmpeg(`There is no ${program}. ${installCommand(['ffmpeg'])}`);
	}
}

export function runFfmpeg(args: readonly string[]): void {
	const { status, stderr, error } = spawnSync('ffmpeg', ['-y', '-loglevel', 'error', ...args]);
	if (status !== 0) throw new Error(`ffmpeg made no film: ${String(error ?? stderr).slice(-500)}`);
}

/** How many seconds a film lasts. */
export function lengthOf(film: string): number {
	const show = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', film];
	const { status, stdout, stderr } = spawnSync('ffprobe', show, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`ffprobe cannot read ${film}: ${stderr}`);
	return Number(stdout.trim());
}
