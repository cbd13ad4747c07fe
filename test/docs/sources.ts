/** The code of the package as syntax, and the room that a file lies in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

import { HOME, roomOf } from '../../scripts/generate/housePicture';
import { ROOT } from './example';

interface Source {
	/** Relative to the node's folder, such as `api/client.ts`. */
	file: string;
	room: string;
	tree: ts.SourceFile;
}

export const readSources = (): Source[] =>
	['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.sort()
			.map((file) => {
				const path = `${folder}/${file.split(sep).join('/')}`;
				const text = readFileSync(join(ROOT, path), 'utf8');
				return {
					file: relative(HOME, path).split(sep).join('/'),
					room: roomOf(path),
					tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true),
				};
			}),
	);
