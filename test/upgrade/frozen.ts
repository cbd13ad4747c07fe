/**
 * What is kept of a released version: for each operation and each event a node as n8n's editor stores
 * it, the world that it met, and what came of it. Most nodes meet the same world, so a file holds one
 * world with all of its nodes. Written when a version is released, and never edited.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { worldName, type FrozenWorld, type Holdings } from './world';

/** Empty until the first release. */
export const FROZEN = join(__dirname, 'frozen');

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

/** A file: the nodes by the name of their operation or event. */
interface FrozenFile {
	world: FrozenWorld;
	nodes: Record<string, Omit<Frozen, 'world'>>;
}

export const frozenVersions = (): string[] =>
	existsSync(FROZEN) ? readdirSync(FROZEN).sort() : [];

/** By the name of the operation, or that of the event. */
export const readVersion = (folder: string): Array<[string, Frozen]> =>
	readdirSync(folder).flatMap((file) => {
		const text = readFileSync(join(folder, file), 'utf8');
		const { world, nodes } = JSON.parse(text) as FrozenFile;
		return Object.entries(nodes).map(([name, node]): [string, Frozen] => [
			name,
			{ ...node, world },
		]);
	});

export function writeVersion(folder: string, frozen: Readonly<Record<string, Frozen>>): void {
	if (existsSync(folder)) throw new Error(`${folder} is there already, and is never changed`);
	mkdirSync(folder, { recursive: true });
	const files = new Map<string, FrozenFile>();
	for (const [name, { world, ...node }] of Object.entries(frozen)) {
		const text = JSON.stringify(world);
		const file = files.get(text) ?? { world, nodes: {} };
		file.nodes[name] = node;
		files.set(text, file);
	}
	// The largest file has no more than what all worlds have.
	const all = [...files.values()].sort((one, other) => countOf(other) - countOf(one));
	const base = all[0]?.world;
	for (const file of all)
		writeFileSync(
			join(folder, `${worldName(file.world, base)}.json`),
			`${JSON.stringify(file, null, '\t')}\n`,
			// Two worlds with one name would leave out the nodes of the first one.
			{ flag: 'wx' },
		);
}

const countOf = ({ nodes }: FrozenFile): number => Object.keys(nodes).length;
