/** The example workflows as they are in the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';

export const ROOT = join(__dirname, '..', '..');
const EXAMPLES = join(ROOT, 'examples');
export const OUR_PACKAGE = 'n8n-nodes-leadgen-publishing';
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

export interface Example {
	/** The name of its file, without the folder and `.json`. */
	file: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	active?: boolean;
	pinData?: Record<string, unknown>;
}

export const readExample = (file: string): Example => ({
	...(JSON.parse(readFileSync(join(EXAMPLES, `${file}.json`), 'utf8')) as Omit<Example, 'file'>),
	file,
});

export const readExamples = (): Example[] =>
	readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => readExample(file.slice(0, -'.json'.length)));

export const isOurs = ({ type }: Pick<INode, 'type'>): boolean =>
	type.startsWith(`${OUR_PACKAGE}.`);

export const isNote = ({ type }: Pick<INode, 'type'>): boolean => type === STICKY_NOTE;

export const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');
