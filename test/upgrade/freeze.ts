/**
 * Part of a release: keeps, of the version in package.json, a saved node for every operation and every
 * event, and what came of it. What is kept is never changed.
 */
import manifest from '../../package.json';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../../scripts/n8n/folders';
import { say } from '../../scripts/n8n/progress';
import { loadPackage, stopInstance } from '../support/engine';
import { writeVersion, type FrozenVersion } from './frozen';
import { replay, type Package } from './replay';
import { samplesOf } from './samples';

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
	const present = await built();
	const frozen: FrozenVersion = {};
	for (const [name, saved] of Object.entries(await samplesOf(present)))
		frozen[name] = { ...saved, ...(await replay(saved, present)) };
	await stopInstance();
	say(`Written: ${writeVersion(manifest.version, frozen)}`);
	return 0;
});
