/** The trigger node of the working tree, or of a commit, which is checked out once. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { TriggerClass } from './playedNode';

const ROOT = resolve(__dirname, '../../..');
const TRIGGER = 'nodes/LeadGenPublishing/LeadGenPublishingTrigger.node.ts';

/** The folder of a commit's code. */
function folderOf(commit: string): string {
	const full = execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], {
		cwd: ROOT,
		encoding: 'utf8',
	}).trim();
	const folder = join(ROOT, '.cache/engines', full);
	if (existsSync(folder)) return folder;
	const building = `${folder}.${process.pid}`;
	mkdirSync(building, { recursive: true });
	const archive = execFileSync('git', ['archive', full, 'nodes', 'credentials'], {
		cwd: ROOT,
		maxBuffer: 1 << 28,
	});
	execFileSync('tar', ['-x', '-C', building], { input: archive });
	renameSync(building, folder);
	return folder;
}

export async function loadEngine(commit: string | undefined): Promise<TriggerClass> {
	const folder = commit === undefined ? ROOT : folderOf(commit);
	const { LeadGenPublishingTrigger } = (await import(join(folder, TRIGGER))) as {
		LeadGenPublishingTrigger: TriggerClass;
	};
	return LeadGenPublishingTrigger;
}
