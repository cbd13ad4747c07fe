/** Which code a figure is of, in a form that a reader can compare with the code before them. */
import { execFileSync } from 'node:child_process';

import { ROOT } from '../n8n/folders';

const SOURCES = 'nodes';

const git = (...args: string[]): string =>
	execFileSync('git', args, {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}).trim();

/** The tree of `nodes/` in git, which stays the same as long as no file in it changes. */
export function codeMeasured(): string {
	try {
		const tree = git('rev-parse', '--short=10', `HEAD:${SOURCES}`);
		const changed = git('status', '--porcelain', '--', SOURCES) !== '';
		return `${SOURCES}/ ${changed ? 'changed after ' : ''}${tree}`;
	} catch {
		return `${SOURCES}/ of no commit`;
	}
}
