/**
 * What is kept of a released version: for each operation and each event a node as n8n's editor stores
 * it, the world that it met, and what came of it. Written once, by `freeze.ts`, and never edited.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FrozenWorld, Holdings } from './world';

const FROZEN = join(__dirname, 'frozen');

export interface Saved {
	node: INode;
	world: FrozenWorld;
	key: 'own' | 'agency';
	/** Whether the item that it gets carries a file. */
	hasFile: boolean;
	/** For a trigger: what happens to the client between two polls. */
	later?: Holdings;
}

export interface Outcome {
	/** In their order, with what was sent. */
	writes: IDataObject[];
	/** Each once, without what only says which page it is: how a list is paged is no promise. */
	reads: string[];
	uploads: IDataObject[];
	items: IDataObject[];
}

export interface Frozen extends Saved {
	outcome: Outcome;
	/** What a trigger had stored after its first poll, and what it gave when it went on from there. */
	goingOn?: { state: IDataObject; items: IDataObject[] };
}

/** By the name of the operation, or that of the event. */
export type FrozenVersion = Record<string, Frozen>;

export const frozenVersions = (): string[] =>
	existsSync(FROZEN) ? readdirSync(FROZEN).sort() : [];

export const readVersion = (version: string): FrozenVersion =>
	Object.fromEntries(
		readdirSync(join(FROZEN, version)).map((file) => [
			file.replace(/\.json$/, ''),
			JSON.parse(readFileSync(join(FROZEN, version, file), 'utf8')) as Frozen,
		]),
	);

/** Gives the folder. */
export function writeVersion(version: string, frozen: FrozenVersion): string {
	const folder = join(FROZEN, version);
	if (existsSync(folder)) throw new Error(`${folder} is there already, and is never changed`);
	mkdirSync(folder, { recursive: true });
	for (const [name, one] of Object.entries(frozen))
		writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(one, null, '\t')}\n`);
	return folder;
}
