/** Mutants that were killed before: the same test still kills them in the same code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';
import { digestOf, type Candidate } from './candidates';
import type { Killed } from './oneFile';
import { WORK } from './places';

const FILE = join(WORK, 'known.json');

export class Known {
	private readonly killed: Record<string, Killed & { digest: string }> = existsSync(FILE)
		? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Killed & { digest: string }>)
		: {};

	of(candidate: Candidate): Killed | undefined {
		const one = this.killed[keyOf(candidate)];
		if (one === undefined) return undefined;
		const test = fileIn(one.by);
		return existsSync(join(ROOT, test)) && digestOf(test) === one.digest ? one : undefined;
	}

	put(killed: ReadonlyMap<Candidate, Killed>): void {
		for (const [candidate, { by, inTime }] of killed) {
			const test = fileIn(by);
			if (!existsSync(join(ROOT, test))) continue;
			this.killed[keyOf(candidate)] = { by, inTime, digest: digestOf(test) };
		}
		mkdirSync(WORK, { recursive: true });
		writeFileSync(FILE, JSON.stringify(this.killed));
	}
}

const keyOf = ({ file, index }: Candidate): string => `${file} ${digestOf(file)} ${index}`;

const fileIn = (by: string): string => /^test\/[^\s:,]+/.exec(by)?.[0] ?? 'unknown';
