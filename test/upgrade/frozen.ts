/**
 * What is kept of a released version: workflows as n8n's editor stores them, the world they met,
 * and what came of each of their nodes. Written once, by `freeze.ts`, and never edited.
 */
import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type {
	Activity,
	BoostWindow,
	JsonObject,
	Lead,
	LeadMagnet,
	Post,
} from '../../fake-service/index';

const FROZEN = join(__dirname, 'frozen');

export interface SavedWorkflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IDataObject;
}

/** Records of an account that are there, or that a poll finds new or changed. */
export interface Holdings {
	posts?: Post[];
	leadMagnets?: LeadMagnet[];
	leads?: Lead[];
	activity?: Activity[];
	boosts?: BoostWindow[];
	/** Paths of uploaded files. */
	media?: string[];
}

export interface FrozenAccount extends Holdings {
	id: string;
	fullName: string;
	workspaceId: string;
}

export interface FrozenWorld {
	/** The time of all runs. */
	at: string;
	own: FrozenAccount;
	agency: FrozenAccount;
	client: FrozenAccount;
	/** Of the agency, for the client. */
	grant: string;
}

export type Whose = 'own' | 'client';
export type Changes = Partial<Record<Whose, Holdings>>;

/** What a node met besides the world of all. */
export interface Given {
	key: 'own' | 'agency';
	also?: Changes;
	/** The input items; a file's content in Base64. */
	input?: Array<{ json: JsonObject; file?: string }>;
	/** For a trigger: what happens between two polls. */
	later?: Changes;
}

export interface Outcome {
	/** In their order, with what was sent. */
	writes: IDataObject[];
	/** Each once, without what only says which page it is: how a list is paged is no promise. */
	reads: string[];
	uploads: IDataObject[];
	items: IDataObject[];
}

export interface NodeRecord {
	given: Given;
	outcome: Outcome;
	/** What a trigger had stored after its first poll, and what it gave when it went on from there. */
	goingOn?: { state: IDataObject; items: IDataObject[] };
}

/** By the name of the node. */
export type WorkflowRecord = Record<string, NodeRecord>;

export interface FrozenVersion {
	world: FrozenWorld;
	workflows: Record<string, SavedWorkflow>;
	records: Record<string, WorkflowRecord>;
}

const read = (...path: string[]): unknown =>
	JSON.parse(readFileSync(join(FROZEN, ...path), 'utf8'));

export const frozenVersions = (): string[] =>
	existsSync(FROZEN) ? readdirSync(FROZEN).sort() : [];

export function readVersion(version: string): FrozenVersion {
	const all = (folder: string) =>
		Object.fromEntries(
			readdirSync(join(FROZEN, version, folder)).map((file) => [
				file.replace(/\.json$/, ''),
				read(version, folder, file),
			]),
		);
	return {
		world: read(version, 'world.json') as FrozenWorld,
		workflows: all('workflows') as FrozenVersion['workflows'],
		records: all('records') as FrozenVersion['records'],
	};
}

/** Gives the folder. */
export function writeVersion(
	version: string,
	{ world, workflows, records }: FrozenVersion,
): string {
	const folder = join(FROZEN, version);
	if (existsSync(folder)) throw new Error(`${folder} is there already, and is never changed`);
	const write = (path: string, content: unknown) =>
		writeFileSync(join(folder, path), `${JSON.stringify(content, null, '\t')}\n`);
	for (const name of ['workflows', 'records']) mkdirSync(join(folder, name), { recursive: true });
	write('world.json', world);
	for (const [name, workflow] of Object.entries(workflows))
		write(`workflows/${name}.json`, workflow);
	for (const [name, record] of Object.entries(records)) write(`records/${name}.json`, record);
	return folder;
}
