/**
 * What is kept of a released version: for each operation and each event a node as n8n's editor stores
 * it, the world that it met, and what came of it. Written once, and never edited.
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

export interface Frozen extends Saved {
	outcome: {
		/** In their order, with what was sent. */
		writes: IDataObject[];
		/** Each once, without what only says which page it is: how a list is paged is no promise. */
		reads: string[];
		uploads: IDataObject[];
		items: IDataObject[];
	};
	/** What a trigger had stored after its first poll, and what it gave when it went on from there. */
	goingOn?: { state: IDataObject; items: IDataObject[] };
}

export const frozenVersions = (): string[] => readdirSync(FROZEN).sort();

/** By the name of the operation, or that of the event. */
export const readVersion = (version: string): Array<[string, Frozen]> =>
	readdirSync(join(FROZEN, version)).map((file) => [
		file.replace(/\.json$/, ''),
		JSON.parse(readFileSync(join(FROZEN, version, file), 'utf8')) as Frozen,
	]);

export function writeVersion(version: string, frozen: Readonly<Record<string, Frozen>>): void {
	const folder = join(FROZEN, version);
	if (existsSync(folder)) throw new Error(`${folder} is there already, and is never changed`);
	mkdirSync(folder, { recursive: true });
	for (const [name, one] of Object.entries(frozen))
		writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(one, null, '\t')}\n`);
}
