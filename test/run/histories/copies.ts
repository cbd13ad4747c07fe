/**
 * Copies of the action node that share no memory: what one n8n process has learned is unknown to
 * the next. Bundled from the source, so each copy is a call of one function.
 */
import { buildSync } from 'esbuild';
import { join } from 'node:path';

import type { LeadGenPublishing } from '../../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import type { executeItems } from '../../../nodes/LeadGenPublishing/run/executeItems';

export interface Copy {
	readonly LeadGenPublishing: typeof LeadGenPublishing;
	readonly executeItems: typeof executeItems;
}

const ENTRY = `
	export { LeadGenPublishing } from './LeadGenPublishing.node';
	export { executeItems } from './run/executeItems';
`;

/** More than one history uses: no copy remembers anything of the same history. */
const COPIES = 12;

export interface Copies {
	/** Gives another copy at each call. */
	readonly next: () => Copy;
	/** Makes all copies again: what they know of an account would be wrong in the next history. */
	readonly renew: () => void;
}

export function copiesOfNode(): Copies {
	const make = copyMaker();
	const made = () => Array.from({ length: COPIES }, make);
	let copies = made();
	let next = 0;
	return {
		next: () => {
			next += 1;
			return copies[next % COPIES] as Copy;
		},
		renew: () => {
			copies = made();
		},
	};
}

function copyMaker(): () => Copy {
	const { outputFiles } = buildSync({
		stdin: {
			contents: ENTRY,
			resolveDir: join(__dirname, '../../../nodes/LeadGenPublishing'),
			loader: 'ts',
		},
		bundle: true,
		write: false,
		platform: 'node',
		format: 'cjs',
		packages: 'external',
		target: 'es2022',
	});
	const [{ text } = { text: '' }] = outputFiles;
	const evaluate = new Function('require', 'module', 'exports', text);
	return () => {
		const made = { exports: {} };
		evaluate(require, made, made.exports);
		return made.exports as Copy;
	};
}
