/** All mutants of the code, numbered, and the files that have all of them in them. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';
import { mutantsOf, type Mutant } from './mutants';
import { SWITCHED } from './places';
import { withSwitches } from './switches';

export interface Candidate extends Mutant {
	readonly id: number;
	readonly file: string;
	/** Among those of its file. */
	readonly index: number;
}

export const filesBelow = (folder: string, ending: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
		.filter((name) => name.endsWith(ending))
		.sort();

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const digests = new Map<string, string>();

export function digestOf(file: string): string {
	const known = digests.get(file);
	if (known !== undefined) return known;
	const digest = createHash('sha256').update(textOf(file)).digest('base64url').slice(0, 12);
	digests.set(file, digest);
	return digest;
}

/** Types and tables of words: what holds them are the tests of the document, of names and of panels. */
const LEFT_OUT = /\.d\.ts$|\/index\.ts$|__schema__/;

export function candidates(): Candidate[] {
	let id = 0;
	return [...filesBelow('nodes', '.ts'), ...filesBelow('credentials', '.ts')]
		.filter((file) => !LEFT_OUT.test(file))
		.flatMap((file) =>
			mutantsOf(file, textOf(file)).map((mutant, index) => ({ ...mutant, file, index, id: id++ })),
		);
}

export function writeSwitched(all: readonly Candidate[]): void {
	rmSync(SWITCHED, { recursive: true, force: true });
	for (const { file, index, id } of all) {
		if (index > 0) continue;
		const path = join(SWITCHED, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, withSwitches(file, textOf(file), id));
	}
}
