/**
 * `npm run freeze`: keeps, of the version in package.json, a saved workflow for every operation and
 * for the trigger, and what came of it. Part of a release; what is kept is never changed.
 */
import manifest from '../../package.json';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../../scripts/n8n/folders';
import { say } from '../../scripts/n8n/progress';
import { loadPackage, stopInstance } from '../support/engine';
import { writeVersion } from './frozen';
import { presentVersion } from './present';
import type { Package } from './replay';

/** As it is published. */
async function built(): Promise<Package> {
	const { nodeTypes, credentialTypes } = await loadPackage(ROOT);
	const action = nodeTypes.leadGenPublishing?.type;
	const trigger = nodeTypes.leadGenPublishingTrigger?.type;
	const credential = credentialTypes.leadGenPublishingApi?.type;
	const isNode = (type: typeof action) => type !== undefined && 'description' in type;
	if (!isNode(action) || !isNode(trigger) || credential === undefined)
		throw new Error('dist/ does not hold both nodes and the credential');
	return { action, trigger, credential } as Package;
}

runCommand(async () => {
	const present = await presentVersion(await built());
	await stopInstance();
	say(`Written: ${writeVersion(manifest.version, present)}`);
	return 0;
});
