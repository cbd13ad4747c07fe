// What every program here begins and ends with: options, an installed n8n, a fake service, a folder.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type FakeService } from '../fake-service';
import { mix } from '../fake-service/random';
import { endAllPrograms } from '../scripts/n8n/children';
import { runCommand } from '../scripts/n8n/command';
import { installHost } from '../scripts/n8n/host';
import { aligned, say, seconds } from '../scripts/n8n/progress';

export const OPTIONS = {
	seed: { type: 'string' },
	keep: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

export interface Place {
	/** For n8n; it goes when all is well. */
	folder: string;
	service: FakeService;
	/** Numbers from 0 up to 1 that the seed decides. */
	chance: () => number;
}

interface Program {
	name: string;
	help: string;
	values: { seed?: string; keep: boolean; help: boolean };
	/** Whether it came out as promised. */
	work(place: Place): Promise<boolean>;
}

export function runProgram({ name, help, values, work }: Program): void {
	runCommand(async () => {
		if (values.help) {
			say(help);
			return 0;
		}
		const since = Date.now();
		const seed = numberIn('seed', values.seed ?? String(since % 1_000_000));
		await installHost();
		const folder = mkdtempSync(join(tmpdir(), `${name}-`));
		const service = await startService({ control: false, seed });
		try {
			let drawn = 0;
			say(`seed ${seed}`);
			const passed = await work({ folder, service, chance: () => mix(seed, drawn++) / 2 ** 32 });
			say(`${passed ? 'Passed' : 'FAILED'} after ${seconds(since)} (seed ${seed})`);
			if (!passed || values.keep) say(`n8n's folder: ${folder}`);
			else rmSync(folder, { recursive: true, force: true });
			return passed ? 0 : 1;
		} finally {
			await endAllPrograms();
			await service.close();
		}
	});
}

/** What was found: figures behind their names, or another line of the name before. */
export function tell(...found: ReadonlyArray<readonly [name: string, words: string]>): void {
	for (const line of aligned(found.map(([name, words]) => [name && `${name}:`, words])))
		say(line.trimEnd());
}

export function numberIn(
	option: string,
	text: string,
	{ least = 0, whole = true }: { least?: number; whole?: boolean } = {},
): number {
	const value = Number(text);
	if (value >= least && (!whole || Number.isInteger(value))) return value;
	throw new Error(`--${option} is a ${whole ? 'whole ' : ''}number from ${least} on`);
}

export function isDurable(mode: string): boolean {
	if (mode === 'durable' || mode === 'memory') return mode === 'durable';
	throw new Error('--mode is durable or memory');
}
