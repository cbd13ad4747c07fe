/** How large the house is: lines of each room. `npm run bench -- --house` prints it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { aligned, say } from '../n8n/progress';

const ROOT = resolve(__dirname, '../..');
const HOME = 'nodes/LeadGenPublishing';

/** Each folder of the node's code, and what is compared with them. */
const roomsOf = (): Readonly<Record<string, readonly string[]>> => {
	const rooms = readdirSync(join(ROOT, HOME), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
		.map(({ name }): [string, string[]] => [name, [`${HOME}/${name}`]]);
	return {
		...Object.fromEntries(rooms),
		'all of nodes': ['nodes'],
		'test and fake-service': ['test', 'fake-service'],
	};
};

const linesOf = (folders: readonly string[]): number =>
	folders.flatMap(typeScriptIn).reduce((sum, file) => sum + linesIn(file), 0);

const typeScriptIn = (folder: string): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(ROOT, folder, file));

const linesIn = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

export function showHouse(): void {
	const rows = Object.entries(roomsOf()).map(([room, folders]) => [room, `${linesOf(folders)}`]);
	for (const line of aligned([['room', 'lines'], ...rows])) say(line);
}
